"""A hand that is not there: a device for tests, demonstrations and replays."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, isfinite, native, observe
from hapsis.errors import DeviceError, near
from hapsis.touch.haptics.devices import coupling
from hapsis.touch.haptics.devices import trajectory as courses
from hapsis.touch.haptics.devices.device_base import DeviceBase, each, names, number
from hapsis.touch.realtime.device import Capabilities

# counts
AXES, MODE, COUNTER, TROUBLE = range(4)
PRESCRIBED, IMPEDANCE, ADMITTANCE = range(3)
FAULTS = {"": 0, "stale": 1, "nan": 2, "unplugged": 3, "jump": 4}
STALE, NAN, UNPLUGGED, JUMP = 1, 2, 3, 4
STEP = 0.05  # m, of a jump
NOTHING = float("nan")


@native
def hand_read(
    t: Array,
    sample: Array,
    counts: Ints,
    sizes: Ints,
    knots: Array,
    coefficients: Array,
    real: Array,
    aim: Array,
    force: Array,
    state: Array,
) -> None:
    """Moves the hand to time t, and tells where it is."""
    n, trouble = counts[AXES], observe(counts, TROUBLE)
    courses.follow(t[0], sizes, knots, coefficients, aim)
    if counts[MODE] == IMPEDANCE:
        coupling.drawn(n, t[0], real, aim, force, state)
    elif counts[MODE] == PRESCRIBED:
        for k in range(2 * n):
            state[k] = aim[k]
    sample[3 * n] = 0.0
    if trouble == UNPLUGGED:
        sample[3 * n] = 1.0
    if trouble == UNPLUGGED or trouble == STALE:
        return
    for k in range(n):
        sample[k] = state[k] + (STEP if trouble == JUMP else 0.0)
        if trouble == NAN:
            sample[k] = NOTHING
        sample[n + k] = state[n + k]
        sample[2 * n + k] = NOTHING
        if counts[MODE] == ADMITTANCE:
            stretch, rate = aim[k] - state[k], aim[n + k] - state[n + k]
            sample[2 * n + k] = real[coupling.STIFFNESS] * stretch + real[coupling.DAMPING] * rate
    counts[COUNTER] += 1
    sample[3 * n + 1] = float(counts[COUNTER])


@native
def hand_write(t: Array, command: Array, counts: Ints, real: Array, force: Array, state: Array) -> None:
    """Forces are felt from now on; where positions are given, the hand is put there."""
    n = counts[AXES]
    if counts[MODE] != ADMITTANCE:
        for k in range(n):
            force[k] = command[k] if isfinite(command[k]) else 0.0
        return
    dt = t[0] - real[coupling.LAST]
    for k in range(n):
        if dt > 0.0 and real[coupling.LAST] >= 0.0:
            state[n + k] = (command[k] - state[k]) / dt
        state[k] = command[k]
    real[coupling.LAST] = t[0]


class SimulatedHand(DeviceBase):
    """A hand that follows a course, exactly or by a spring and a damper.

        speed, travel    presses at that speed, holds (`hold` s), returns, `times` over; first it
                         waits (`wait` s). With `rise` the speed sets in and ends softly
        motion           (t, x): a recorded motion instead; x has a column for each axis
        aim              a place to be instead, one number for each axis
        mass, damping, stiffness
                         the hand is that mass, drawn to the course by spring and damper, and the
                         forces of the loop move it. Without a mass nothing stops it
        causality        "admittance": it goes where it is told, and its spring and damper press

    It takes its time from the loop, so the same loop gives the same bits.
    """

    def __init__(
        self,
        *,
        speed: float | None = None,
        travel: float | None = None,
        hold: float = 0.1,
        wait: float = 0.0,
        rise: float = 0.0,
        times: int = 1,
        start: float = 0.0,
        motion: Any = None,
        aim: Any = None,
        mass: float | None = None,
        damping: float = 0.0,
        stiffness: float = 0.0,
        causality: str = "impedance",
        axes: Sequence[str] | str = "x",
        unit: str = "m",
        max_force: Any = 100.0,
        name: str = "hand",
    ) -> None:
        self.name, self.axes = name, names(axes)
        if sum(x is not None for x in (speed, motion, aim)) != 1 or (speed is None) != (travel is None):
            raise DeviceError("a hand follows one course: speed and travel, motion, or aim")
        if speed is not None and travel is not None:
            self.course = courses.press(speed, travel, hold, wait, rise, start, times)
        elif motion is not None:
            if not isinstance(motion, tuple | list) or len(motion) != 2:
                raise DeviceError("motion is a pair: times and positions")
            self.course = courses.recorded(*motion)
        else:
            self.course = courses.still(each(aim, len(self.axes), "aim"))
        n = len(self.axes)
        if self.course.sizes[courses.AXES] != n:
            raise DeviceError(
                f"the course has {self.course.sizes[courses.AXES]} axes, and the "
                f"hand {n}: {', '.join(self.axes)}"
            )
        admits = causality == "admittance"
        self.capabilities = Capabilities(
            causality,
            ("position", "velocity", *(("force",) if admits else ())),
            each(max_force, n, "max_force"),
            (unit,) * n,
            hardware=False,
            facts={"simulated": True, "course ends": self.course.end},
        )
        mode = ADMITTANCE if admits else PRESCRIBED if mass is None else IMPEDANCE
        self._counts, self._real = np.array([n, mode, 0, 0]), np.zeros(coupling.REALS)
        self._real[: coupling.STIFFNESS + 1] = (
            1.0 if mass is None else number(mass, "mass", above=0.0),
            number(damping, "damping", least=0.0),
            number(stiffness, "stiffness", least=0.0),
        )
        self._state, self._force = np.zeros(3 * n), np.zeros(n)
        shared = {"counts": self._counts, "real": self._real, "force": self._force}
        shared["state"] = self._state
        self.read = hand_read.bound(vary=("t", "sample"), aim=np.zeros(2 * n), **self.course.arrays, **shared)
        self.write = hand_write.bound(vary=("t", "command"), **shared)
        self.open()

    def open(self) -> None:
        """Back to the start of the course."""
        self._real[coupling.LAST] = self._real[coupling.STEP] = -1.0
        self._state[:], self._force[:] = 0.0, 0.0
        n = len(self.axes)
        if self._counts[MODE] == ADMITTANCE:
            self._state[:n] = self.course.at(0.0)[0]

    def close(self) -> None:
        """No force."""
        self._force[:] = 0.0

    def fault(self, kind: str = "") -> None:
        """Fails from now on: "stale", "nan", "unplugged", "jump" (5 cm); "" is well again."""
        if kind not in FAULTS:
            raise DeviceError(
                f'there is no fault "{kind[:40]}"{near(kind, FAULTS)}',
                expected=", ".join(name for name in FAULTS if name),
            )
        self._counts[TROUBLE] = FAULTS[kind]
