"""Targets from a page, a mouse or a gamepad, smoothed by a virtual coupling."""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import Array, native, record, sized
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices import coupling
from hapsis.touch.haptics.devices.coupling import Coupling
from hapsis.touch.haptics.devices.device_base import DeviceBase, each, names, number
from hapsis.touch.realtime.device import Capabilities
from hapsis.touch.realtime.ring import Ring, RingMemory, push, written_rows

ROOM = 8  # targets that may wait
NOTHING = float("nan")


@record
class TargetMemory:
    """The way from one target to the next, and the tool that follows it."""

    axes: int
    counter: int = 0
    taken: int = 0  # targets taken from the ring
    ring: RingMemory
    since: float = 0.0  # when the last target came
    interval: float
    start: Array = sized("axes")
    goal: Array = sized("axes")
    newest: Array = sized("axes")
    aim: Array = sized("axes")
    coupling: Coupling


@native
def take_newest(own: TargetMemory) -> bool:
    """Whether there is another target; the newest one, whole."""
    written = written_rows(own.ring)
    if written == own.taken:
        return False
    first = ((written - 1) % ROOM) * own.axes
    for k in range(own.axes):
        own.newest[k] = own.ring.data[first + k]
    # rows that were written meanwhile may have reached this one: look again next time
    if written_rows(own.ring) - written >= ROOM - 1:
        return False
    own.taken = written
    return True


@native
def target_read(t: Array, sample: Array, own: TargetMemory) -> None:
    """The tool, drawn to a point that goes evenly from target to target."""
    n, aim, start, goal, tool = own.axes, own.aim, own.start, own.goal, own.coupling
    if take_newest(own):
        for k in range(n):
            start[k], goal[k] = aim[k], own.newest[k]
        own.since = t[0]
    part = min(1.0, max(0.0, (t[0] - own.since) / own.interval))
    for k in range(n):
        aim[k] = start[k] + part * (goal[k] - start[k])
    coupling.follow(t[0], aim, tool)
    for k in range(n):
        sample[k], sample[n + k], sample[2 * n + k] = tool.position[k], tool.velocity[k], NOTHING
    own.counter += 1
    sample[3 * n], sample[3 * n + 1] = 0.0, float(own.counter)


@native
def target_write(t: Array, command: Array, own: TargetMemory) -> None:
    """The force on the tool."""
    coupling.apply_force(command, own.coupling)


@verb
class Target(DeviceBase):
    """A virtual tool, drawn by spring and damper to what `set` said last.

        start      where it begins, one number for each axis
        interval   s between two targets: the tool goes evenly to a new one for that long
        mass, stiffness, damping
                   of the coupling; critically damped if `damping` is not given
        axes, unit names of its axes, and "m" or "rad"
        max_force  N or N m per axis that it can give
        name       of the device, in reports

    The model pushes the tool, and the tool pulls the coupling: at a wall the eye sees a gap between
    pointer and tool. A uniform motion of the pointer arrives `delay` = `interval` later.
    """

    def __init__(
        self,
        start: Any = 0.0,
        *,
        interval: float = 1 / 60,
        mass: float = 0.1,
        stiffness: float = 400.0,
        damping: float | None = None,
        axes: Sequence[str] | str = "x",
        unit: str = "m",
        max_force: Any = 100.0,
        name: str = "target",
    ) -> None:
        self.name, self.axes = name, names(axes)
        n = len(self.axes)
        self._start = np.array(each(start, n, "start"))
        mass = number(mass, "mass", above=0.0)
        stiffness = number(stiffness, "stiffness", above=0.0)
        loss = 2.0 * (mass * stiffness) ** 0.5 if damping is None else damping
        self.delay = number(interval, "interval", above=0.0)
        self.capabilities = Capabilities(
            "impedance",
            ("position", "velocity"),
            each(max_force, n, "max_force"),
            (unit,) * n,
            hardware=False,
            facts={"simulated": True, "delay": self.delay},
        )
        self._ring, self._lock = Ring(ROOM, n), threading.Lock()
        tool = Coupling(axes=n, mass=mass, damping=number(loss, "damping", least=0.0), stiffness=stiffness)
        self.memory = TargetMemory(axes=n, ring=self._ring.memory, interval=self.delay, coupling=tool)
        self.read = target_read.bound(vary=("t", "sample"), own=self.memory)
        self.write = target_write.bound(vary=("t", "command"), own=self.memory)
        self.open()

    def set(self, *values: float) -> None:
        """A new target, one number for each axis; from any thread."""
        if len(values) != len(self.axes):
            raise DeviceError(f'"{self.name}" takes {len(self.axes)} numbers, not {len(values)}')
        row = np.array([number(x, "a target") for x in values])
        with self._lock:
            push(self._ring.memory, row)

    def open(self) -> None:
        """Back to the start; targets set before are forgotten."""
        own = self.memory
        own.coupling.restart()
        own.taken, own.since = self._ring.written, 0.0
        own.aim, own.start, own.goal = self._start, self._start, self._start

    def close(self) -> None:
        """No force."""
        self.memory.coupling.force[:] = 0.0
