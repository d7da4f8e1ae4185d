"""A device for tests: a hand that moves as told, and notes what it feels; and a crank that it turns."""

import numpy as np

import hapsis as hs
from hapsis.compiler.native import Array, Ints, clock, later, native, record, sized, wait_until
from hapsis.touch.realtime.device import Capabilities
from hapsis.touch.realtime.guard_memory import STALLED
from hapsis.touch.realtime.loop import Loop

KEPT = 20_000  # ticks


@record
class HandMemory:
    """A motion x0 + x1 t + x2 t², and what happened so far."""

    kept: int = KEPT
    x0: float = 0.0
    x1: float = 0.0
    x2: float = 0.0
    counter_step: float = 1.0  # 0: samples are stale
    status: float = 0.0
    delay: int = 0  # ns, of the reads number `delay_from` up to `delay_to`
    delay_from: int = 0
    delay_to: int = 0
    reads: int = 0
    writes: int = 0
    largest: float = 0.0  # command
    moments: Ints = sized("kept")  # when each read began
    written: Array = later()  # the last command, the commands of all ticks, their times


@native
def read(t: Array, sample: Array, hand: HandMemory) -> None:
    number = hand.reads
    hand.reads = number + 1
    if number < hand.kept:
        hand.moments[number] = clock()
    if hand.delay_from <= number and number < hand.delay_to:
        end = clock() + hand.delay
        while clock() < end:
            wait_until(end)
    sample[0] = hand.x0 + (hand.x1 + hand.x2 * t[0]) * t[0]
    sample[1] = hand.x1 + 2.0 * hand.x2 * t[0]
    sample[2], sample[3] = 0.0, hand.status
    sample[4] += hand.counter_step


@native
def write(t: Array, command: Array, hand: HandMemory) -> None:
    number = hand.reads - 1
    if 0 <= number and number < hand.kept:
        hand.written[1 + number] = command[0]
        hand.written[1 + hand.kept + number] = t[0]
    hand.written[0] = command[0]
    hand.largest = max(hand.largest, abs(command[0]))
    hand.writes += 1


class Hand:
    """course: x0, x1, x2; delay: the first delayed read, the one behind the last, nanoseconds."""

    name, axes = "hand", ("x",)

    def __init__(
        self, *course, hardware=False, measures=("position", "velocity"), delay=(0, 0, 0), written=None
    ):
        x0, x1, x2 = [*(course or (0.3, 0.01)), 0.0, 0.0][:3]
        self.capabilities = Capabilities("impedance", measures, (50.0,), ("rad",), hardware)
        self.memory = HandMemory(x0=x0, x1=x1, x2=x2)
        self.memory.written = np.zeros(1 + 2 * KEPT) if written is None else written
        self.memory.delay_from, self.memory.delay_to, self.memory.delay = delay
        self.read = read.bound(vary=("t", "sample"), hand=self.memory)
        self.write = write.bound(vary=("t", "command"), hand=self.memory)
        self.calls = []

    @property
    def moments(self):
        """When each read began, ns."""
        return self.memory.moments[: min(KEPT, self.memory.reads)].copy()

    @property
    def commands(self):
        """What was written in each tick."""
        return self.memory.written[1 : 1 + min(KEPT, self.memory.reads)].copy()

    @property
    def last(self):
        """The last command."""
        return self.memory.written[0]

    def open(self):
        self.calls.append("open")

    def close(self):
        self.calls.append("close")


def crank_loop(rate=1000.0, live=(), **settings):
    """A loop about a crank that a hand turns: its weight is felt."""
    model = hs.Model(
        hs.Rod("crank", length=0.2, mass=2.0),
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Drive("motor", "A", position="input", tracking=300.0),
        poses={"start": {"A": 0.3}},
    )
    step = hs.stepper(model, 1.0 / rate, inputs=["motor.position"], outputs=["motor.effort"], method="euler")
    return Loop(step, rate, live=live, **settings)


def crank_step(rate):
    """The step of a crank that a hand turns: its position, velocity and acceleration are inputs."""
    model = hs.Model(
        hs.Rod("crank", length=0.1, mass=0.2),
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Drive("hand", "A", position="input"),
        gravity=(0, 0, 0),
    )
    inputs = ["hand.position", "hand.velocity", "hand.acceleration"]
    return hs.stepper(model, 1 / rate, inputs=inputs, outputs=["hand.force"])


def undisturbed(connected, use):
    """A loop from `connected()` after `use(loop)`, once more while this machine was late: a loop that stood
    still has no force, and that is another test's matter."""
    for _ in range(50):
        loop = connected()
        use(loop)
        if loop.guard.fault != STALLED:
            break
    return loop
