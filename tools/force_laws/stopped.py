"""A process with a loop whose device writes into a file, to be stopped, woken and ended by signals.

python -m force_laws.stopped FILE SEED main|worker RATE
"""

import random
import signal
import sys
import threading

import numpy as np

import hapsis as hs
from force_laws.loops import step
from force_laws.recorder import KEPT, Recorder

MAX_FORCE = 50.0


def loop_in(path: str, seed: int, rate: float) -> "hs.realtime.Loop":
    """The loop of a seed, and its device, which writes into a file."""
    draw = random.Random(seed)
    log = np.memmap(path, np.float64, "w+", shape=(2 * KEPT,))
    device = Recorder((MAX_FORCE,), log=np.frombuffer(log, np.float64), hardware=draw.random() < 0.5)
    if draw.random() < 0.5:
        device.memory.read_stalls[draw.randint(20, 300)] = draw.choice((3, 8, 30, 60)) * 1_000_000
    guard = {"passive": False, "bucket": 1e6, "misses": 100_000, "ramp": draw.choice((0.02, 0.02, 0.1, 0.7))}
    return hs.realtime.Loop(step(rate, 1), rate, guard=guard, soft=True).connect(device)


def main(path: str, seed: str, thread: str, rate: str) -> None:
    """Runs until a signal ends it."""
    for number in (signal.SIGINT, signal.SIGHUP):  # they may be ignored from the start
        default = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
        signal.signal(number, default)
    loop = loop_in(path, int(seed), float(rate))

    def work() -> None:
        loop.start()
        loop.wait(50, timeout=60.0)
        print("ready", flush=True)
        loop.wait(10**9, timeout=60.0)

    if thread == "worker":
        worker = threading.Thread(target=work, daemon=True)
        worker.start()
        worker.join()
    else:
        work()


if __name__ == "__main__":
    main(*sys.argv[1:])
