"""Whole loops on the clock: stalls of the device, stops from any thread, signals to processes."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import hapsis as hs
from force_laws.laws import broken, kept_after_faults
from force_laws.loops import loop_of, recorder
from force_laws.stopped import MAX_FORCE

MS = 1_000_000  # ns
TOOLS = Path(__file__).resolve().parents[1]
ENDS = ("SIGTERM", "SIGTERM", "SIGHUP", "SIGINT", "SIGKILL")


def scenario(seed: int) -> list[str]:
    """The laws that the scenario of a seed breaks: of a loop in this process, some of a child."""
    draw = random.Random(seed)
    return stopped(draw, seed) if draw.random() < 0.2 else stalled(draw)


def stalled(draw: random.Random) -> list[str]:
    """A loop whose device stalls, and that is stopped, re-armed and started again meanwhile."""
    device = recorder(draw, draw.choice((1, 1, 2)), hardware=draw.random() < 0.5)
    memory = device.memory
    for stalls in (memory.read_stalls, memory.write_stalls):
        for _ in range(draw.choice((0, 1, 3))):
            stalls[draw.randrange(300)] = draw.choice((2, 6, 12, 30, 60)) * MS * draw.choice((1, -1))
    loop = loop_of(draw, device, draw.choice((1000.0, 4000.0, 200.0)), soft=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        for _ in range(draw.randint(1, 3)):
            run(draw, loop)
    report = loop.report()
    sentences = broken(loop.guard, device.commands, device.times)
    left_out = len(report.rows) if memory.write_stalls.any() else 3
    rows = report.rows[:, -len(device.axes) :]
    sentences += kept_after_faults(loop.guard, report["fault"], rows, left_out)
    if memory.together:
        sentences.append("two commands at once")
    return sentences


def run(draw: random.Random, loop: Any) -> None:
    """One run, ended by its ticks or by a stop from this or another thread."""
    if draw.random() < 0.3:
        loop.run(draw.choice((20, 60, 200)) / loop.rate)
        return
    first = int(loop.memory.ticks)
    loop.start()
    for _ in range(draw.randint(0, 3)):
        loop.wait(first + draw.choice((1, 10, 50, 120)), timeout=10.0)
        draw.choice((loop.guard.stop, loop.guard.rearm, lambda: None))()
    if draw.random() < 0.3:
        threads = [threading.Thread(target=loop.stop) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    loop.stop()


def stopped(draw: random.Random, seed: int) -> list[str]:
    """A process that is stopped and goes on, in the end by a signal that ends it."""
    rate = draw.choice((500.0, 1000.0))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "commands")
        command = [sys.executable, "-m", "force_laws.stopped", str(file), str(seed)]
        command += [draw.choice(("main", "worker")), str(rate)]
        child = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join((str(TOOLS), *sys.path))},
        )
        try:
            assert child.stdout is not None
            if child.stdout.readline() != "ready\n":
                return [f"the child said {child.communicate()[1][-300:]}"]
            ways = draw.randint(0, 3)
            for _ in range(ways):
                time.sleep(draw.uniform(0.0, 0.1))
                child.send_signal(signal.SIGSTOP)
                time.sleep(draw.choice((0.002, 0.02, 0.3)))
                child.send_signal(signal.SIGCONT)
            name = draw.choice(ENDS)
            time.sleep(draw.uniform(0.0, 0.1))
            child.send_signal(getattr(signal, name))
            child.communicate(timeout=60.0)
        finally:
            child.kill()
        rows = np.fromfile(file).reshape(-1, 2)
    return _of_child(rows[rows[:, 0] > 0.0], rate, name, child.returncode)


def _of_child(rows: Any, rate: float, name: str, status: int) -> list[str]:
    """The laws that the commands of a child break."""
    guard = hs.realtime.Guard((MAX_FORCE,), 1.0 / rate, ramp=0.02)
    sentences = broken(guard, rows[:, 1:], rows[:, 0] * 1e-9)
    if name == "SIGKILL":  # nobody is left to take the force away
        sentences = [line for line in sentences if not line.startswith("the last command")]
    elif name != "SIGINT" and status != -getattr(signal, name):
        sentences.append(f"{name} ended the child with status {status}")
    return sentences
