"""Bare loops: ours with nothing to do, and one in C beside it, in blocks of about a second.

What a machine gives changes from one minute to the next, so loops are compared in turns only: a
block of the one, a block of the other, and so on.
"""

import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.native import Array, native
from hapsis.errors import DeviceError
from hapsis.touch.realtime import guard_layout, priority
from hapsis.touch.realtime import native_loop as ticking
from hapsis.touch.realtime.priority import Granted
from hapsis.touch.realtime.report import PERCENTILES
from hapsis.touch.realtime.ring import Ring

SOURCE = Path(__file__).with_name("bare_loop.c")
BINS = 1000  # of a microsecond, in the loop's own histograms: rows tell more


class Block(NamedTuple):
    """What a loop did in a while: how late it woke each time, ns, and what it missed."""

    late: Any
    misses: int
    skips: int
    longest: int

    @property
    def percentiles(self) -> tuple[float, ...]:
        """Lateness in s: 50, 99, 99.9, 99.99 percent, and the largest."""
        if not len(self.late):
            return (0.0,) * (len(PERCENTILES) + 1)
        found = np.percentile(self.late, (*PERCENTILES, 100.0), method="higher")
        return tuple(float(x) * 1e-9 for x in found)


def joined(blocks: list[Block]) -> Block:
    """Several blocks as one."""
    late, misses, skips, longest = zip(*blocks, strict=True)
    return Block(np.concatenate(late), sum(misses), sum(skips), max(longest))


@native
def idle(t: Array, x: Array) -> None:
    """A device that is none."""
    pass


@native
def no_step(y: Array, u: Array, live: Array, y_new: Array, out: Array) -> None:
    """A model that is none."""
    pass


@native
def no_guard(wanted: Array, sample: Array, safe: Array) -> None:
    """Nothing to guard."""
    pass


class Ours:
    """The loop of `ticking` without device, model and guard: it waits, counts and tells."""

    name = "ours"

    def __init__(self, core: int | None = None) -> None:
        self.core = core
        self.granted: Granted | None = None
        device = idle.bound(vary=("t", "x"))
        self._kernels = (
            device,
            no_step.bound(vary=("y", "u", "live", "y_new", "out")),
            no_guard.bound(vary=("wanted", "sample", "safe")),
            device,
        )

    def block(self, rate: float, seconds: float) -> Block:
        """One block, in a thread of its own."""
        periods = max(1, round(rate * seconds))
        ring = Ring(periods + 1, ticking.HEAD + 2)
        facts = np.zeros(ticking.FACTS, np.int64)
        facts[ticking.PERIOD], facts[ticking.WIDTH] = round(1e9 / rate), ring.width
        facts[ticking.CAPACITY], facts[ticking.BINS] = ring.capacity, BINS
        facts[ticking.LIMIT] = periods
        counts = np.zeros(ticking.COUNTS, np.int64)
        one = np.zeros(1)
        arrays = (
            facts,
            counts,
            np.zeros(1, np.int64),
            np.zeros(1, np.int64),
            one,
            one,
            one,
            one,
            one,
            np.zeros(2),
            one,
            one,
            np.zeros(BINS, np.int64),
            np.zeros(BINS, np.int64),
            np.zeros(ring.width),
            ring.memory,
            np.zeros(1),
            np.zeros(guard_layout.COUNTS, np.int64),
        )
        self._run(arrays)
        rows, _ = ring.take()
        late = np.rint(1e9 * rows[:, ticking.LATE]).astype(np.int64)
        skips = int(counts[ticking.SKIPS])
        return Block(late, int(counts[ticking.MISSES]), skips, int(counts[ticking.LONGEST]))

    def _run(self, arrays: tuple[Any, ...]) -> None:
        _ = ticking.run.address  # compiled here, not in the thread
        trouble: list[BaseException] = []

        def work() -> None:
            try:
                self.granted = priority.ask(self.core)
                ticking.run(*self._kernels, *arrays)
            except BaseException as error:
                trouble.append(error)
            finally:
                priority.release()

        thread = threading.Thread(target=work, name="bare loop")
        thread.start()
        thread.join()
        if trouble:
            raise trouble[0]

    def close(self) -> None:
        """Nothing is kept."""


class InC:
    """The same loop in C, a process of its own; `InC.missing()` says why there is none."""

    name = "c"

    def __init__(self, core: int | None = None) -> None:
        if why := self.missing():
            raise DeviceError(why)
        self._folder = tempfile.TemporaryDirectory()
        program = Path(self._folder.name, "bare_loop")
        built = subprocess.run(
            ["gcc", "-O2", "-o", str(program), str(SOURCE)], capture_output=True, text=True, check=False
        )
        if built.returncode:
            self._folder.cleanup()
            line = next((x for x in built.stderr.splitlines() if "error" in x), "no reason")
            raise DeviceError(f"the loop in C does not compile: {line[:200]}")
        self.process = subprocess.Popen(
            [str(program), "-1" if core is None else str(core)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        priority_, memory, self.pinned = (x == b"1" for x in self._line())
        self.hard = priority_ and memory

    @staticmethod
    def missing() -> str:
        """Empty, or why there is no loop in C on this machine."""
        return "" if shutil.which("gcc") else "there is no gcc: the loop in C is left out"

    def block(self, rate: float, seconds: float) -> Block:
        """One block."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{round(1e9 / rate)} {max(1, round(rate * seconds))}\n".encode())
        self.process.stdin.flush()
        ticks, misses, skips, longest = map(int, self._line())
        late = np.frombuffer(self.process.stdout.read(8 * ticks), np.int64)
        return Block(late, misses, skips, longest)

    def _line(self) -> list[bytes]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise DeviceError(f"the loop in C ended with status {self.process.wait()}")
        return line.split()

    def close(self) -> None:
        """Ends the program and removes it."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(5)
        self._folder.cleanup()
