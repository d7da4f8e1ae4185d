"""A crank, a device that moves it, and rows made by its step, for tests of record and replay."""

import numpy as np

import hapsis as hs
from hapsis.compiler.native import Array, native
from hapsis.touch.realtime.device import Capabilities
from hapsis.touch.recording.record import run_facts

RATE = 1000


def crank(*facts, mass=0.4):
    """A pendulum on a spring, pushed by hand through a drive on another one."""
    return hs.Model(
        hs.Rod("key", length=0.2, mass=mass),
        hs.Revolute("K", hs.WORLD, "key", axis="y"),
        hs.Rod("hammer", length=0.1, mass=0.1),
        hs.Revolute("H", "key.end", "hammer", axis="y", damping=0.001),
        hs.JointSpring("felt", "H", stiffness=2.0),
        *facts,
    )


def crank_step(mass=0.4):
    hand = hs.Drive("hand", "K", position="input", tracking=200.0)
    return hs.stepper(
        crank(hand, mass=mass), dt=1 / RATE, inputs=["hand.position"], outputs=["hand.effort", "H"]
    )


@native
def wave(t: Array, sample: Array) -> None:
    """A position that comes and goes, as a polynomial."""
    x = (t[0] * 3.0) % 2.0 - 1.0
    sample[0] = 0.3 * (1.0 - x * x)
    sample[1] = from_nothing()
    sample[2] = from_nothing()
    sample[3] = 0.0
    sample[4] += 1.0


@native
def from_nothing() -> float:
    zero = 0.0
    return zero / zero


@native
def swallow(t: Array, command: Array) -> None:
    """Nobody feels it."""


class Finger:
    """A device of one axis."""

    name, axes = "finger", ("x",)
    capabilities = Capabilities("impedance", ("position",), (10.0,), ("rad",), hardware=False)

    def __init__(self):
        self.read, self.write = (f.bound(f.definition.parameters) for f in (wave, swallow))

    def open(self):
        pass

    def close(self):
        pass


def stepped_rows(tick, count, seed=1, live=None):
    """Rows of a run by the interpreter's hand: t, inputs, live, outputs; and the run's facts."""
    step = hs.compile(tick.function)
    draw = np.random.default_rng(seed)
    y, rows = np.array(tick.start), []
    for k in range(count):
        u = draw.normal(size=max(1, len(tick.inputs)), scale=0.2)
        now = tick.values if live is None else live(k)
        y_new, out = step(y, u, now)
        rows.append([k / RATE, *u[: len(tick.inputs)], *now[: len(tick.live)], *out])
        y = y_new if np.isfinite(y_new).all() else y
    columns = ("t", *tick.inputs, *tick.live, *tick.outputs)
    return np.array(rows), columns, {"run": run_facts(tick, RATE)}
