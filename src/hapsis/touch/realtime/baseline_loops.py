"""Loops without device, model and guard, for comparison: ours, and one in C.

The speed of a machine changes from one minute to the next, so loops are compared in turns: a block
of about a second of one, a block of the other, and so on.
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
from hapsis.touch.realtime import native_loop, priority
from hapsis.touch.realtime.guard_memory import GuardMemory
from hapsis.touch.realtime.loop_memory import HEAD, LATE, LoopMemory, ModelState
from hapsis.touch.realtime.priority import Granted
from hapsis.touch.realtime.report import PERCENTILES
from hapsis.touch.realtime.ring import Ring

SOURCE = Path(__file__).with_name("bare_loop.c")
BINS = 1000  # of a microsecond, in the loop's own histograms: rows tell more


class Block(NamedTuple):
    """The ticks of some time: how late each woke, ns, and the counts of missed periods."""

    late: Any
    misses: int
    skips: int
    longest: int

    @property
    def percentiles(self) -> tuple[float, ...]:
        """Lateness in s: 50, 99, 99.9, 99.99 percent, and the largest."""
        if not len(self.late):
            return (0.0,) * (len(PERCENTILES) + 1)
        late = np.percentile(self.late, (*PERCENTILES, 100.0), method="higher")
        return tuple(float(x) * 1e-9 for x in late)


def joined(blocks: list[Block]) -> Block:
    """Several blocks as one."""
    late, misses, skips, longest = zip(*blocks, strict=True)
    return Block(np.concatenate(late), sum(misses), sum(skips), max(longest))


@native
def idle(t: Array, x: Array) -> None:
    """Reads or writes nothing."""
    pass


@native
def no_step(y: Array, u: Array, live: Array, y_new: Array, out: Array) -> None:
    """Computes nothing."""
    pass


@native
def no_guard(wanted: Array, sample: Array, safe: Array) -> None:
    """Guards nothing."""
    pass


def idle_memory(period: int, limit: int, ring: Ring, **kernels: Any) -> LoopMemory:
    """The memory of a loop without axes, whose kernels do nothing unless they are given."""
    device = idle.bound(vary=("t", "x"))
    defaults = {
        "read": device,
        "step": no_step.bound(vary=("y", "u", "live", "y_new", "out")),
        "guard_tick": no_guard.bound(vary=("wanted", "sample", "safe")),
        "write": device,
    }
    return LoopMemory(
        axes=0,
        inputs=0,
        outputs=0,
        lives=0,
        bins=BINS,
        period=period,
        limit=limit,
        state=ModelState(size=0),
        guard=GuardMemory(),
        telemetry=ring.memory,
        **{**defaults, **kernels},
    )


class Ours:
    """The native loop without device, model and guard: it waits, counts and writes telemetry."""

    name = "ours"

    def __init__(self, core: int | None = None) -> None:
        self.core = core
        self.granted: Granted | None = None

    def block(self, rate: float, seconds: float) -> Block:
        """One block, in a thread of its own."""
        periods = max(1, round(rate * seconds))
        ring = Ring(periods + 1, HEAD + 2)
        memory = idle_memory(round(1e9 / rate), periods, ring)
        self._run(memory)
        rows, _ = ring.take()
        late = np.rint(1e9 * rows[:, LATE]).astype(np.int64)
        return Block(late, int(memory.misses), int(memory.skips), int(memory.longest))

    def _run(self, memory: LoopMemory) -> None:
        _ = native_loop.run.address  # compiled here, not in the thread
        problems: list[BaseException] = []

        def work() -> None:
            try:
                self.granted = priority.ask(self.core)
                native_loop.run(memory)
            except BaseException as error:
                problems.append(error)
            finally:
                priority.release()

        thread = threading.Thread(target=work, name="bare loop")
        thread.start()
        thread.join()
        if problems:
            raise problems[0]

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
