"""Targets from a page, a mouse or a gamepad, made smooth by a virtual coupling."""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, isfinite, native
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices import coupling
from hapsis.touch.haptics.devices.device_base import DeviceBase, each, names, number
from hapsis.touch.realtime.device import Capabilities
from hapsis.touch.realtime.ring import Ring, RingMemory, push, written_rows

ROOM = 8  # targets that may wait
AXES, COUNTER, TAKEN = range(3)  # counts
NOTHING = float("nan")
SINCE, INTERVAL = range(2)  # ramp: times; then for each axis from where, to where


@native
def newest(ring: RingMemory, counts: Ints, found: Array) -> bool:
    """Whether there is another target; the newest one, whole."""
    written = written_rows(ring)
    if written == counts[TAKEN]:
        return False
    start = ((written - 1) % ROOM) * ring.width
    for k in range(ring.width):
        found[k] = ring.data[start + k]
    # rows that were written meanwhile may have reached this one: look again next time
    if written_rows(ring) - written >= ROOM - 1:
        return False
    counts[TAKEN] = written
    return True


@native
def target_read(
    t: Array,
    sample: Array,
    counts: Ints,
    ring: RingMemory,
    found: Array,
    ramp: Array,
    real: Array,
    aim: Array,
    force: Array,
    state: Array,
) -> None:
    """The tool, drawn to a point that goes evenly from target to target."""
    n = counts[AXES]
    if newest(ring, counts, found):
        for k in range(n):
            ramp[2 + k] = aim[k]
            ramp[2 + n + k] = found[k]
        ramp[SINCE] = t[0]
    part = min(1.0, max(0.0, (t[0] - ramp[SINCE]) / ramp[INTERVAL]))
    for k in range(n):
        aim[k] = ramp[2 + k] + part * (ramp[2 + n + k] - ramp[2 + k])
    coupling.drawn(n, t[0], real, aim, force, state)
    for k in range(n):
        sample[k], sample[n + k], sample[2 * n + k] = state[k], state[n + k], NOTHING
    counts[COUNTER] += 1
    sample[3 * n], sample[3 * n + 1] = 0.0, float(counts[COUNTER])


@native
def target_write(t: Array, command: Array, counts: Ints, force: Array) -> None:
    """The force on the tool."""
    for k in range(counts[AXES]):
        force[k] = command[k] if isfinite(command[k]) else 0.0


class Target(DeviceBase):
    """A virtual tool, drawn by spring and damper to what `set` said last.

        start      where it begins, one number for each axis
        interval   s between two targets: the tool goes evenly to a new one for that long
        mass, stiffness, damping
                   of the coupling; critically damped if `damping` is not given

    The model pushes the tool, and the tool pulls the coupling: a wall is felt by the eye as the gap
    between pointer and tool. An even motion of the pointer arrives `delay` = `interval` later.
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
        self._counts, self._real = np.array([n, 0, 0]), np.zeros(coupling.REALS)
        self._real[: coupling.STIFFNESS + 1] = mass, number(loss, "damping", least=0.0), stiffness
        self._ring, self._lock = Ring(ROOM, n), threading.Lock()
        self._ramp, self._aim, self._force = np.zeros(2 + 2 * n), np.zeros(n), np.zeros(n)
        self.read = target_read.bound(
            vary=("t", "sample"),
            counts=self._counts,
            ring=self._ring.memory,
            found=np.zeros(n),
            ramp=self._ramp,
            real=self._real,
            aim=self._aim,
            force=self._force,
            state=np.zeros(3 * n),
        )
        self.write = target_write.bound(vary=("t", "command"), counts=self._counts, force=self._force)
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
        n = len(self.axes)
        self._real[coupling.LAST] = self._real[coupling.STEP] = -1.0
        self._counts[TAKEN] = self._ring.written
        self._aim[:], self._force[:] = self._start, 0.0
        self._ramp[:] = 0.0, self.delay, *self._start, *self._start
        assert len(self._ramp) == 2 + 2 * n

    def close(self) -> None:
        """No force."""
        self._force[:] = 0.0
