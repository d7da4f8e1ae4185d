"""A device that keeps every command, whoever wrote it, and fails as it is told."""

from typing import Any

import numpy as np

from hapsis.compiler.native import (
    Array,
    Ints,
    clock,
    later,
    native,
    observe,
    place,
    record,
    sized,
    wait_until,
)
from hapsis.touch.realtime.device import Capabilities

KEPT = 20_000  # commands
GOOD, STATUS, NAN, STALE, JUMP = range(5)  # of a sample
FAR = 0.4  # m or rad, of a jump


@record
class RecorderMemory:
    """Motion, faults by the number of the read or write, and what was written."""

    axes: int
    kept: int
    plan: int  # reads and writes with a fault of their own; the others are good
    reads: int = 0
    writes: int = 0
    inside: int = 0  # writes under way
    together: int = 0  # writes that began while another was under way
    place: float = 0.0
    speed: float = 0.0
    samples: Ints = sized("plan")  # GOOD, STATUS, ...
    read_stalls: Ints = sized("plan")  # ns
    write_stalls: Ints = sized("plan")  # ns; below 0: the command is delivered before the stall
    log: Array = later()  # for each command the time and the values


@native
def stall(time: int) -> None:
    """Does not come back for so many ns."""
    end = clock() + time
    while clock() < end:
        wait_until(end)


@native
def recorder_read(t: Array, sample: Array, own: RecorderMemory) -> None:
    """The motion; or what is wrong with this read."""
    n, number = own.axes, own.reads
    own.reads = number + 1
    fault = own.samples[number] if number < own.plan else 0
    if number < own.plan and own.read_stalls[number] > 0:
        stall(own.read_stalls[number])
    sample[3 * n] = 1.0 if fault == STATUS else 0.0
    for k in range(n):
        sample[k] = own.place + own.speed * t[0] + (FAR if fault == JUMP else 0.0)
        sample[n + k] = own.speed
    if fault == NAN:
        sample[n - 1] = (sample[0] - sample[0]) / (sample[0] - sample[0])
    if fault != STALE:
        sample[3 * n + 1] += 1.0


@native
def deliver(command: Array, own: RecorderMemory) -> None:
    """Keeps a command with the time."""
    if own.writes < own.kept:
        start = own.writes * (1 + own.axes)
        own.log[start] = float(clock())
        for k in range(own.axes):
            own.log[start + 1 + k] = command[k]
    own.writes += 1


@native
def recorder_write(t: Array, command: Array, own: RecorderMemory) -> None:
    """Takes a command; it may arrive late, or keep the writer."""
    if observe(place(own, "inside"), 0) != 0:
        own.together += 1
    own.inside += 1
    number = own.writes
    time = own.write_stalls[number] if number < own.plan else 0
    if time > 0:
        stall(time)
    deliver(command, own)
    if time < 0:
        stall(-time)
    own.inside -= 1


class Recorder:
    """A device of so many axes that keeps every command."""

    name = "recorder"

    def __init__(
        self,
        max_force: tuple[float, ...],
        *,
        unit: str = "rad",
        hardware: bool = False,
        place: float = 0.3,
        speed: float = 0.0,
        plan: int = 2000,
        kept: int = KEPT,
        log: Any = None,
    ) -> None:
        n = len(max_force)
        self.axes = tuple("xyzabc"[:n])
        self.capabilities = Capabilities(
            "impedance", ("position", "velocity"), max_force, (unit,) * n, hardware=hardware
        )
        self.memory = RecorderMemory(axes=n, kept=kept, plan=plan, place=place, speed=speed)
        self.memory.log = np.zeros(kept * (1 + n)) if log is None else log
        self.read = recorder_read.bound(vary=("t", "sample"), own=self.memory)
        self.write = recorder_write.bound(vary=("t", "command"), own=self.memory)
        self.calls: list[str] = []

    def open(self) -> None:
        """Counts."""
        self.calls.append("open")

    def close(self) -> None:
        """Counts."""
        self.calls.append("close")

    @property
    def times(self) -> Any:
        """When each command was delivered, s."""
        return self._rows[:, 0] * 1e-9

    @property
    def commands(self) -> Any:
        """All commands, a row each."""
        return self._rows[:, 1:]

    @property
    def _rows(self) -> Any:
        count, width = min(int(self.memory.kept), int(self.memory.writes)), 1 + len(self.axes)
        return self.memory.log[: count * width].reshape(count, width).copy()
