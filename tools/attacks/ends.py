"""Processes that end or divide at any moment, while code is compiled and kept: killed, stopped, forked.

Whole processes load, assemble and simulate a mechanism with loops, with an empty, a half-full or a full
cache. Each ends at a random moment of its life. Then an undisturbed one must give the bits of one without
a cache, and say nothing. A process that is told to end does so at once, with the right status.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import hapsis as hs
from attacks.mutation import ROOT
from attacks.soundness import demand
from attacks.table import Attack, Case

PROMPT = 1.0  # s until a process ends that is told to; a module of code may be compiled before
PATIENCE = 300.0  # s until a process counts as hung
MECHANISMS = ("three_bar", "slider_crank", "double_wishbone", "five_link_suspension")
SIGNALS = {"killed": signal.SIGKILL, "terminated": signal.SIGTERM, "interrupted": signal.SIGINT}
INTERRUPTED = 130

PROGRAM = """
import hashlib, sys
import hapsis as hs
model = getattr(hs.library, sys.argv[1])()
run = hs.simulate(model, 0.02, hs.assemble(model).q, every=0.005, progress=False)
numbers = b"".join(run[name].tobytes() for name in (*model.coordinates, *model.speeds))
print(hashlib.sha256(numbers).hexdigest())
"""

DIVISION = """
import multiprocessing, sys, threading, time
import numpy as np
import hapsis as hs
from hapsis.bench.chain_program import chain
from hapsis.compiler.backends.llvm import background

def numbers(k):
    f = chain(2000 + k)
    return hs.compile(f)(*[np.ones(port.shape) for port in f.inputs]).tolist()

if __name__ == "__main__":
    method, moments = sys.argv[1], [float(x) for x in sys.argv[2:]]
    f = chain(12_000)
    g = hs.compile(f)
    x = [np.ones(port.shape) for port in f.inputs]
    right = g(*x).tolist()
    several = multiprocessing.get_context(method)
    for moment in moments:
        time.sleep(moment)
        with several.Pool(2) as pool:
            assert pool.map(numbers, [1, 2, 1]) == [numbers(1), numbers(2), numbers(1)]
        assert g(*x).tolist() == right
    background.settled()
    assert g(*x).tolist() == right and g.kernel.code(1).good
    print("right")
"""


def started(folder: Path | None, *command: str) -> "subprocess.Popen[str]":
    """A process with this cache, on which signals have their usual effect."""
    environment = {**os.environ, "HAPSIS_CACHE": "" if folder is None else str(folder)}
    environment["PYTHONPATH"] = str(ROOT / "src")
    environment.pop("HAPSIS_BACKGROUND", None)
    return subprocess.Popen(
        [sys.executable, *command],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_usual_signals,
        cwd=ROOT,
    )


def _usual_signals() -> None:
    for each in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(each, signal.SIG_DFL)


def ended(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    """Its status and what it wrote; it must not hang."""
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        demand(False, "a process hangs")
        raise
    return process.returncode, out, err


@cache
def right(mechanism: str) -> tuple[str, float]:
    """What a process without a cache prints, and how long it takes."""
    start = time.monotonic()
    status, out, err = ended(started(None, "-c", PROGRAM, mechanism))
    demand(status == 0 and not err, f"a process without a cache ends with {status}: {err[-300:]}")
    return out, time.monotonic() - start


def end_case(draw: random.Random) -> Case:
    """Which mechanism, what is in the cache before, and at which part of its life a process ends."""
    case = {"mechanism": draw.choice(MECHANISMS), "moments": [draw.random() for _ in range(2)]}
    return Case(
        json.dumps(case | {"removed": draw.choice((0.0, 0.5, 1.0)), "seed": draw.random()}).encode(), "json"
    )


def remove(folder: Path, part: float, seed: float) -> None:
    """Removes a part of the entries."""
    draw = random.Random(seed)
    for path in sorted(folder.glob("objects/*")):
        if draw.random() < part:
            path.unlink()


def end_at_moments(name: str) -> Any:
    """What reads a case: two processes end by a signal, then one is left alone."""

    def read(case: Case, place: Path) -> str:
        table, folder = json.loads(case.data), place / f"cache of {name}"
        mechanism = table["mechanism"]
        _, whole = right(mechanism)
        remove(folder, table["removed"], table["seed"])
        for moment in table["moments"]:
            process = started(folder, "-c", PROGRAM, mechanism)
            time.sleep(moment * whole)
            process.send_signal(SIGNALS[name])
            check_end(name, *ended(process))
        left = [path for path in folder.glob("objects/new-*")]
        demand(len(left) <= 2, f"{len(left)} files are left over from two processes")
        for path in left:
            path.unlink()
        status, out, err = ended(started(folder, "-c", PROGRAM, mechanism))
        demand(status == 0 and not err, f"the next process ends with {status}: {err[-300:]}")
        return out

    return read


def check_end(name: str, status: int, out: str, err: str) -> None:
    """A process that was in time has ended well, all others by the signal. Of an interruption there is
    Python's own traceback, or the notice of a run that was stopped and gives what it has."""
    if status == 0 and out:
        stopped = name == "interrupted" and "stopped by the user" in err
        demand(not err or stopped, f"a process that was done says {err[-300:]}")
        return
    demand(status == -SIGNALS[name], f"the status is {status}: {err[-300:]}")
    if name == "interrupted":
        demand(err.count("Traceback") <= 1 and "Exception ignored" not in err, f"it says {err[-800:]}")
    else:
        demand(not err, f"it says {err[-300:]}")


def judge_end(out: str, case: Case, draw: random.Random, place: Path) -> None:
    """The bits are those of a process without a cache."""
    mechanism = json.loads(case.data)["mechanism"]
    demand(out == right(mechanism)[0], f"other bits of {mechanism}")


def command_case(draw: random.Random) -> Case:
    """At which part of its life the command is stopped."""
    return Case(json.dumps({"moment": draw.random(), "removed": draw.choice((0.3, 1.0))}).encode(), "json")


def command(place: Path) -> tuple[str, ...]:
    """A simulation from the command line."""
    file = place / "model.yaml"
    if not file.exists():
        hs.save(hs.library.double_wishbone(), file)
    return "-m", "hapsis", "simulate", str(file), "--until", "0.02"


@cache
def command_time(place: Path) -> float:
    """How long it takes, s."""
    start = time.monotonic()
    demand(ended(started(None, *command(place)))[0] == 0, "the command fails")
    return time.monotonic() - start


def stop_command(case: Case, place: Path) -> tuple[int, str, float]:
    """The status of `hapsis simulate` after Ctrl-C, what it said, and how long it went on."""
    table, folder = json.loads(case.data), place / "cache of command"
    whole = command_time(place)
    remove(folder, table["removed"], table["moment"])
    process = started(folder, *command(place))
    time.sleep(table["moment"] * whole)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    status, out, err = ended(process)
    # a run that is stopped gives what it has, says so and has the status of an incomplete one
    stopped = status == 1 and "stopped by the user" in out
    return 0 if stopped else status, err, time.monotonic() - start


def judge_command(read: Any, case: Case, draw: random.Random, place: Path) -> None:
    """It ended soon, by the status of an interruption, with one line."""
    status, err, seconds = read
    if "Traceback" in err and "__main__.py" not in err:
        return  # Python was starting, and none of our lines had run
    demand("Traceback" not in err and "Exception" not in err, f"it says {err[-800:]}")
    demand(status in (0, INTERRUPTED, -signal.SIGINT), f"the status is {status}: {err[-300:]}")
    demand(err.count("\n") <= 1, f"it says more than a line: {err[-300:]}")
    demand(seconds < late(PROMPT), f"it took {seconds:.2f} s to end")


def late(seconds: float) -> float:
    """So many seconds on a machine that nobody else uses, as many on this one."""
    return seconds * max(1.0, 2.0 * os.getloadavg()[0] / (os.cpu_count() or 1))


def division_case(draw: random.Random) -> Case:
    """The moments between divisions of a process, s."""
    return Case(json.dumps([draw.uniform(0.0, 0.2) for _ in range(3)]).encode(), "json")


def divide(method: str) -> Any:
    """What reads a case: a process whose code is being compiled starts others."""

    def read(case: Case, place: Path) -> str:
        script = place / "division.py"
        script.write_text(DIVISION)
        folder = place / f"cache of {method} {random.random()}"
        status, out, err = ended(
            started(folder, "-W", "ignore", str(script), method, *map(str, json.loads(case.data)))
        )
        demand(status == 0, f"the status is {status}: {err[-800:]}")
        return out + err

    return read


def judge_division(out: str, case: Case, draw: random.Random, place: Path) -> None:
    """All numbers were right."""
    demand(out == "right\n", out[-300:])


ATTACKS = [Attack(name, end_case, end_at_moments(name), judge_end, PATIENCE) for name in SIGNALS]
ATTACKS.append(Attack("command", command_case, stop_command, judge_command, PATIENCE))
ATTACKS += [Attack(name, division_case, divide(name), judge_division, PATIENCE) for name in ("fork", "spawn")]
