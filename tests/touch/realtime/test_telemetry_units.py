"""The telemetry of loops has the units of results, for every signal that a step can give."""

import random

import pytest
from hand import Hand
from samples import sample

import hapsis as hs
from hapsis.touch.realtime.connection import telemetry_columns, telemetry_units
from hapsis.touch.realtime.loop import Loop

FRAME = {"x": "m", "vz": "m/s", "wy": "rad/s", "speed": "m/s"}


def mechanism():
    """A hand on a hinge, a slide on it, a ball that may touch the floor; forces, states and frames."""
    return hs.Model(
        hs.Rod("crank", length=0.2, mass=0.5),
        hs.Body(
            "block",
            mass=0.3,
            inertia=(0.01, 0.01, 0.01),
            shapes=[hs.Sphere(0.02)],
            frames={"top": (0, 0, 0.02)},
        ),
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Prismatic("S", "crank.end", "block", axis="x"),
        hs.Drive("motor", "A", position="input", tracking=100.0),
        hs.Spring("spring", hs.WORLD.at(0.3, 0, 0), "block", stiffness=20.0, damping=0.5, length=0.1),
        hs.JointSpring("bow", "S", stiffness=50.0, damping=1.0),
        hs.Contact(
            "floor", hs.Surface("block"), hs.WORLD.plane("z", at=(0, 0, -1)), law=hs.HuntCrossley(1e4)
        ),
    )


@pytest.mark.parametrize("seed", range(sample(3, 40)))
def test_every_column_has_the_unit_that_it_has_in_a_result(seed):
    draw, model = random.Random(seed), mechanism()
    start = {"A": 0.1}
    result = hs.simulate(model, until=0.01, start=start, inputs={"S": 0.0, "motor.position": 0.1})
    signals = [n for n in result.names if result[n].ndim == 1 and not n.endswith(".reaction") and n != "work"]
    signals = [n for n in signals if n not in ("kinetic", "potential", "S.effort", "motor.position")]
    frames = [f"{frame}.{last}" for frame in ("crank.end", "block.top") for last in FRAME]
    outputs = draw.sample(signals, 6) + draw.sample(frames, 2) + ["motor.force", "energy.before"]
    step = hs.stepper(
        model, 1e-3, inputs=["motor.position", "S"], outputs=[n for n in outputs if n != "S"], start=start
    )
    loop = Loop(step, 1000.0, live=["spring.stiffness"], paced=False)
    hand = Hand()
    units, columns = telemetry_units(hand, loop.step), telemetry_columns(hand, loop.step)
    assert set(columns) - units.keys() == {"spring.stiffness"}
    assert units.keys() <= set(columns)
    for name in step_outputs(step):
        expected = {"motor.force": "N m", "energy.before": "J"}.get(name) or result.unit(name)
        assert units[name] == expected != "", name
    assert units["motor.position"] == "rad" and units["S"] == "N" and units["hand.x.command"] == "N m"


def step_outputs(step):
    return [port.name for port in step.outputs if port.name not in ("q", "v", "z", "t")]
