"""A crank, and a device that does what a test tells it, for tests of the loop."""

import numpy as np

import hapsis as hs
from hapsis.compiler.native import Array, Ints, clock, native, wait_until
from hapsis.touch.realtime.device import Capabilities
from hapsis.touch.realtime.loop import Loop

FROM, TO, DELAY = 0, 1, 2  # settings: in which ticks a read takes how many nanoseconds
TICK, WAKE = 3, 4  # how many there were; the first place of the moments in which it was read
KEPT = 20_000


@native
def reading(t: Array, sample: Array, memory: Array, settings: Ints) -> None:
    """A position that rises, slowly; and a delay where one is asked for."""
    tick = settings[TICK]
    settings[TICK] = tick + 1
    if tick < KEPT:
        settings[WAKE + tick] = clock()
    if settings[FROM] <= tick and tick < settings[TO]:
        end = clock() + settings[DELAY]
        while clock() < end:
            wait_until(end)
    sample[0] = memory[0] + memory[1] * t[0]
    sample[1] = memory[1]
    sample[2] = 0.0
    sample[3] = 0.0
    sample[4] = float(tick)


@native
def writing(t: Array, command: Array, written: Array, settings: Ints) -> None:
    """Keeps the last command, the commands of all ticks, and their times."""
    tick = settings[TICK] - 1
    if 0 <= tick and tick < KEPT:
        written[1 + tick] = command[0]
        written[1 + KEPT + tick] = t[0]
    written[0] = command[0]


class Hand:
    """A device of one axis whose reads are as slow as told."""

    name, axes = "hand", ("x",)

    def __init__(self, *, hardware=False, position=0.3, speed=0.01, delay=(0, 0, 0)):
        self.capabilities = Capabilities("impedance", ("position", "velocity"), (50.0,), ("rad",), hardware)
        self.settings = np.zeros(WAKE + KEPT, np.int64)
        self.settings[:3] = delay
        self.memory, self.written = np.array([position, speed]), np.zeros(1 + 2 * KEPT)
        self.read = reading.bound(vary=("t", "sample"), memory=self.memory, settings=self.settings)
        self.write = writing.bound(vary=("t", "command"), written=self.written, settings=self.settings)
        self.calls = []

    @property
    def moments(self):
        """When each read began, ns."""
        return self.settings[WAKE : WAKE + min(KEPT, int(self.settings[TICK]))].copy()

    @property
    def commands(self):
        """What was written in each tick."""
        return self.written[1 : 1 + min(KEPT, int(self.settings[TICK]))].copy()

    def open(self):
        self.calls.append("open")

    def close(self):
        self.calls.append("close")


def crank(rate=1000.0, live=(), **settings):
    """A crank that a hand turns: its weight is felt."""
    model = hs.Model(
        hs.Rod("crank", length=0.2, mass=2.0),
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Drive("motor", "A", position="input", tracking=300.0),
        poses={"start": {"A": 0.3}},
    )
    step = hs.stepper(model, 1.0 / rate, inputs=["motor.position"], outputs=["motor.effort"], method="euler")
    return Loop(step, rate, live=live, **settings)
