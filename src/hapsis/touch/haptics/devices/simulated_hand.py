"""A simulated hand: a device for tests, demonstrations and replays."""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import Array, native, observe, place, record, sized
from hapsis.errors import DeviceError, near
from hapsis.touch.haptics.devices import coupling, trajectory
from hapsis.touch.haptics.devices.coupling import Coupling
from hapsis.touch.haptics.devices.device_base import DeviceBase, each, names, number
from hapsis.touch.haptics.devices.trajectory import Trajectory
from hapsis.touch.realtime.device import Capabilities

PRESCRIBED, IMPEDANCE, ADMITTANCE = range(3)
FAULTS = {"": 0, "stale": 1, "nan": 2, "unplugged": 3, "jump": 4}
STALE, NAN, UNPLUGGED, JUMP = 1, 2, 3, 4
STEP = 0.05  # m, of a jump
NOTHING = float("nan")


@record
class HandMemory:
    """The hand between two ticks; `aim` has positions and velocities of the trajectory."""

    axes: int
    mode: int
    counter: int = 0
    trouble: int = 0  # one of FAULTS, from another thread
    trajectory: Trajectory
    coupling: Coupling
    aim: Array = sized("2 * axes")


@native
def hand_read(t: Array, sample: Array, own: HandMemory) -> None:
    """Moves the hand to time t, and gives its sample."""
    n, trouble, aim, hand = own.axes, observe(place(own, "trouble"), 0), own.aim, own.coupling
    trajectory.evaluate(t[0], own.trajectory, aim)
    if own.mode == IMPEDANCE:
        coupling.follow(t[0], aim, hand)
    elif own.mode == PRESCRIBED:
        for k in range(n):
            hand.position[k], hand.velocity[k] = aim[k], aim[n + k]
    sample[3 * n] = 0.0
    if trouble == UNPLUGGED:
        sample[3 * n] = 1.0
    if trouble == UNPLUGGED or trouble == STALE:
        return
    for k in range(n):
        sample[k] = hand.position[k] + (STEP if trouble == JUMP else 0.0)
        if trouble == NAN:
            sample[k] = NOTHING
        sample[n + k] = hand.velocity[k]
        sample[2 * n + k] = NOTHING
        if own.mode == ADMITTANCE:
            stretch, rate = aim[k] - hand.position[k], aim[n + k] - hand.velocity[k]
            sample[2 * n + k] = hand.stiffness * stretch + hand.damping * rate
    own.counter += 1
    sample[3 * n + 1] = float(own.counter)


@native
def hand_write(t: Array, command: Array, own: HandMemory) -> None:
    """Forces act from now on; a hand of admittance is put to the position."""
    hand = own.coupling
    if own.mode != ADMITTANCE:
        coupling.apply_force(command, hand)
        return
    dt = t[0] - hand.last
    for k in range(own.axes):
        if dt > 0.0 and hand.last >= 0.0:
            hand.velocity[k] = (command[k] - hand.position[k]) / dt
        hand.position[k] = command[k]
    hand.last = t[0]


@verb
class SimulatedHand(DeviceBase):
    """A hand that follows a trajectory, exactly or by a spring and a damper.

        speed, travel    presses at that speed, holds (`hold` s), returns, `times` over; first it
                         waits (`wait` s). With `rise` the speed sets in and ends softly
        start            where it is at first
        motion           (t, x): a recorded motion instead; x has a column for each axis
        aim              a place to be instead, one number for each axis
        mass, damping, stiffness
                         the hand is that mass, drawn to the trajectory by spring and damper, and the
                         forces of the loop move it. Without a mass nothing stops it
        causality        "admittance": it follows commanded positions; its spring and damper give the force
        axes, unit       names of its axes, and "m" or "rad"
        max_force        N or N m per axis that it can give
        name             of the device, in reports

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
            raise DeviceError("a hand follows one trajectory: speed and travel, motion, or aim")
        if speed is not None and travel is not None:
            path = trajectory.press(speed, travel, hold, wait, rise, start, times)
        elif motion is not None:
            path = trajectory.recorded(*_pair(motion))
        else:
            path = trajectory.still(each(aim, len(self.axes), "aim"))
        n = len(self.axes)
        if path.axes != n:
            raise DeviceError(
                f"the trajectory has {path.axes} axes, and the hand {n}: {', '.join(self.axes)}"
            )
        admits = causality == "admittance"
        self.capabilities = Capabilities(
            causality,
            ("position", "velocity", *(("force",) if admits else ())),
            each(max_force, n, "max_force"),
            (unit,) * n,
            hardware=False,
            facts={"simulated": True, "trajectory ends": path.end},
        )
        self.memory = HandMemory(
            axes=n,
            mode=ADMITTANCE if admits else PRESCRIBED if mass is None else IMPEDANCE,
            trajectory=path,
            coupling=Coupling(
                axes=n,
                mass=1.0 if mass is None else number(mass, "mass", above=0.0),
                damping=number(damping, "damping", least=0.0),
                stiffness=number(stiffness, "stiffness", least=0.0),
            ),
        )
        self.read = hand_read.bound(vary=("t", "sample"), own=self.memory)
        self.write = hand_write.bound(vary=("t", "command"), own=self.memory)
        self.open()

    @property
    def trajectory(self) -> Trajectory:
        """The motion that the hand follows."""
        return self.memory.trajectory

    def open(self) -> None:
        """Back to the start of the trajectory."""
        self.memory.coupling.restart()
        if self.memory.mode == ADMITTANCE:
            self.memory.coupling.position[:] = self.trajectory.at(0.0)[0]

    def close(self) -> None:
        """No force."""
        self.memory.coupling.force[:] = 0.0

    def fault(self, kind: str = "") -> None:
        """Fails from now on: "stale", "nan", "unplugged", "jump" (5 cm); "" ends the fault."""
        if kind not in FAULTS:
            raise DeviceError(
                f'there is no fault "{kind[:40]}"{near(kind, FAULTS)}',
                expected=", ".join(name for name in FAULTS if name),
            )
        self.memory.trouble = FAULTS[kind]


def _pair(motion: Any) -> tuple[Any, Any]:
    if not isinstance(motion, tuple | list) or len(motion) != 2:
        raise DeviceError("motion is a pair: times and positions")
    return motion[0], motion[1]
