"""A key with a hammer, and rows computed by its step, for tests of record and replay."""

import numpy as np

import hapsis as hs
from hapsis.touch.recording.record import run_facts

RATE = 1000


def key_and_hammer(*facts, mass=0.4):
    """A pendulum on a spring, pushed by hand through a drive on another one."""
    return hs.Model(
        hs.Rod("key", length=0.2, mass=mass),
        hs.Revolute("K", hs.WORLD, "key", axis="y"),
        hs.Rod("hammer", length=0.1, mass=0.1),
        hs.Revolute("H", "key.end", "hammer", axis="y", damping=0.001),
        hs.JointSpring("felt", "H", stiffness=2.0),
        *facts,
    )


def key_step(mass=0.4):
    hand = hs.Drive("hand", "K", position="input", tracking=200.0)
    return hs.stepper(
        key_and_hammer(hand, mass=mass), dt=1 / RATE, inputs=["hand.position"], outputs=["hand.effort", "H"]
    )


def stepped_rows(packed, count, seed=1, live=None):
    """Rows of a run by the interpreter's hand: t, inputs, live, outputs; and the run's facts."""
    step = hs.compile(packed.function)
    draw = np.random.default_rng(seed)
    y, rows = np.array(packed.start), []
    for k in range(count):
        u = draw.normal(size=max(1, len(packed.inputs)), scale=0.2)
        now = packed.live_values if live is None else live(k)
        y_new, out = step(y, u, now)
        rows.append([k / RATE, *u[: len(packed.inputs)], *now[: len(packed.live)], *out])
        y = y_new if np.isfinite(y_new).all() else y
    columns = ("t", *packed.inputs, *packed.live, *packed.outputs)
    return np.array(rows), columns, {"run": run_facts(packed, RATE)}
