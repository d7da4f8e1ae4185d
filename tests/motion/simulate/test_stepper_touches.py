"""What a step tells of the time within it: extremes over its substeps, first touches of contacts."""

import numpy as np
import pytest
from samples import sample

import hapsis as hs
from hapsis.mechanics.model.signals.column_units import column_units

pytestmark = pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")


def run(step, count, **inputs):
    """The outputs of a step, called so often, by name: one row each time."""
    f, names = hs.compile(step), [port.name for port in step.outputs]
    states = {port.name for port in step.inputs}
    known, rows = dict(inputs), []
    for _ in range(count):
        row = dict(zip(names, f(**known), strict=True))
        known |= {name: row[name] for name in names if name in states}
        rows.append(row)
    return {name: np.array([row[name] for row in rows]) for name in names}


def hammer(draw):
    """A small mass that falls or is thrown onto felt or wood; a random law, size and place."""
    law = hs.HuntCrossley(10.0 ** draw.uniform(4, 7), 1.5, damping=draw.uniform(0.0, 0.5))
    if draw.random() < 0.5:
        law = hs.Felt(10.0 ** draw.uniform(5, 7), 2.3, draw.uniform(0.0, 0.7), 10.0 ** draw.uniform(-4, -2))
    model = hs.Model(
        hs.Rod("shank", length=0.1, mass=0.004),
        hs.Revolute("hinge", hs.WORLD, "shank", axis="y"),
        hs.Body("head", mass=draw.uniform(0.004, 0.02), inertia=(1e-6,) * 3),
        hs.Weld("glue", "shank.end", "head"),
        hs.Contact("string", ("head", hs.Sphere(0.005)), (hs.WORLD.at(0, 0, -0.03), hs.Plane()), law),
    )
    return model, {"hinge": 0.0, "hinge.v": draw.uniform(15.0, 40.0)}


@pytest.mark.parametrize("rate", [1000, 4000, 10_000])
def test_first_touches_are_those_of_a_run_with_events(rate):
    """Time and speed of every touch of random impacts, against a run whose steps end there."""
    draw = np.random.default_rng(rate)
    for _ in range(sample(4, 60)):
        model, start = hammer(draw)
        depth = 1e-4 + abs(float(hs.simulate(model, 0.02, start, every=1e-5)["string.gap"].min()))
        names = ["string.touch.time", "string.touch.speed", "string.force", "string.force.max"]
        step = hs.stepper(model, 1.0 / rate, start=start, outputs=names, substeps="auto", depth=depth)
        rows = run(step, round(0.02 * rate))
        result = hs.simulate(model, 0.02, start, every=1e-5)
        expected = [event.time for event in result.events if event.name == "string.touch"]
        at = np.searchsorted(result.t, expected)
        speeds = 0.1 * np.cos(result["hinge"][at]) * result["hinge.v"][at]
        times = rows["string.touch.time"]
        seen = times[times >= 0.0]
        h = 1.0 / rate / step.options["substeps"]
        assert len(seen) == len(expected) >= 1
        assert abs(seen[0] - expected[0]) < 5e-3 * h
        found = rows["string.touch.speed"][times >= 0.0]
        assert found[0] == pytest.approx(speeds[0], rel=1e-2)  # the force of the rest of the substep is in it
        assert (rows["string.touch.speed"][times < 0.0] == 0.0).all() and set(times[times < 0.0]) <= {-1.0}
        # each in its own step, and of the largest force at most 1 - cos(h ω / 2) is missed, h ω = 0.9
        ends = rows["t"][times >= 0.0]
        assert (seen <= ends).all() and (seen >= ends - 1.0 / rate - 1e-12).all()
        assert rows["string.force.max"].max() == pytest.approx(result["string.force"].max(), rel=0.1)


def test_a_contact_of_a_millisecond_is_not_missed():
    """At 1 kHz the force at the ends of steps shows little of an impact; its largest does."""
    model = hs.Model(
        hs.Body("ball", mass=0.01),
        hs.Prismatic("height", hs.WORLD, "ball", axis="z"),
        hs.Contact("floor", "ball", hs.WORLD.plane("z"), hs.Linear(0.01 * (np.pi / 0.9e-3) ** 2)),
        gravity=(0, 0, 0),
    )
    outputs = ["floor.force", "floor.force.max", "floor.touch.speed", "height.min", "height.v.max"]
    start = {"height": 0.00505, "height.v": -1.0}
    step = hs.stepper(model, 1e-3, start=start, outputs=outputs, substeps=40)
    rows = run(step, 8)
    assert rows["floor.force"].max() < 0.2 * rows["floor.force.max"].max()
    assert rows["floor.force.max"].max() == pytest.approx(0.01 * np.pi / 0.9e-3, rel=2e-3)
    assert rows["floor.touch.speed"].max() == pytest.approx(1.0, rel=1e-9)
    assert (rows["floor.touch.speed"] > 0.0).sum() == 1
    assert rows["height.min"].min() == pytest.approx(-0.9e-3 / np.pi, rel=2e-3)
    assert rows["height.v.max"].max() == pytest.approx(1.0, rel=1e-3)


@pytest.mark.parametrize("substeps", [1, 5])
def test_extremes_are_those_of_shorter_steps(substeps):
    """Of coordinates, accelerations, drives, signals, frames and the energy: by steps of a substep each."""
    model = hs.Model(
        hs.Rod("rod", length=0.5, mass=1.0),
        hs.Revolute("hinge", hs.WORLD, "rod", axis="y"),
        hs.Body("cart", 1.0, inertia=(0.1,) * 3),
        hs.Prismatic("x", hs.WORLD, "cart", axis="x"),
        hs.Spring("spring", ("rod", hs.Frame((0.5, 0, 0))), "cart", 80.0, 0.5, 0.2),
        hs.Drive("motor", "x", position="0.2 + 0.1 * sin(40 * t)"),
    )
    names = ["hinge", "hinge.v", "hinge.a", "motor.effort", "spring.force", "rod.end.z", "energy"]
    asked = [f"{name}{ending}" for name in names for ending in (".max", ".min")]
    dt = 0.01
    long = run(hs.stepper(model, dt, outputs=[*names, *asked], substeps=substeps), 20)
    short = run(hs.stepper(model, dt / substeps, outputs=names), 20 * substeps)
    for name in names:
        values = short[name].reshape(20, substeps)
        assert long[f"{name}.max"] == pytest.approx(values.max(axis=1), rel=1e-9, abs=1e-9)
        assert long[f"{name}.min"] == pytest.approx(values.min(axis=1), rel=1e-9, abs=1e-9)
    units = column_units(model, asked)
    assert units["spring.force.max"] == "N" and units["hinge.v.min"] == "rad/s"


def test_two_touches_in_one_step_tell_of_the_first():
    """A ball between two walls that are near: each contact tells of its own."""
    model = hs.Model(
        hs.Body("ball", mass=0.01),
        hs.Prismatic("x", hs.WORLD, "ball", axis="x"),
        hs.Contact("left", "ball", hs.WORLD.plane("x"), hs.Linear(1e5)),
        hs.Contact("right", "ball", (hs.WORLD.at(0.01, 0, 0), hs.Plane("-x")), hs.Linear(1e5)),
        gravity=(0, 0, 0),
    )
    outputs = [f"{c}.touch.{x}" for c in ("left", "right") for x in ("time", "speed")]
    step = hs.stepper(model, 0.05, start={"x": 0.005, "x.v": 1.0}, outputs=outputs, substeps=500)
    rows = run(step, 2)
    inside = np.pi * np.sqrt(0.01 / 1e5)  # s in a wall
    assert rows["right.touch.time"][0] == pytest.approx(0.005, abs=1e-7)
    assert rows["left.touch.time"][0] == pytest.approx(0.015 + inside, abs=1e-5)
    assert rows["left.touch.speed"] == pytest.approx([1.0, 1.0], rel=5e-3)
    assert column_units(model, outputs)["left.touch.speed"] == "m/s"


def test_a_ball_that_lies_on_the_floor_touches_once():
    """What is in contact at the start of a step is no touch; nor is a step that only leaves."""
    model = hs.Model(
        hs.Body("ball", mass=0.1, inertia=(1e-4,) * 3),
        hs.Free("j", hs.WORLD, "ball"),
        hs.Contact("floor", ("ball", hs.Sphere(0.05)), hs.WORLD.plane("z"), hs.Linear(1e4, 200.0), 0.3),
    )
    outputs = ["floor.touch.time", "floor.gap.min"]
    rows = run(hs.stepper(model, 1e-3, start={"j.z": 0.0501}, outputs=outputs, substeps=10), 300)
    assert (rows["floor.touch.time"] >= 0.0).sum() == 1
    assert rows["floor.touch.time"].max() == pytest.approx(np.sqrt(2 * 1e-4 / 9.81), rel=1e-3)


def test_names_that_are_wrong_are_said():
    model, start = hammer(np.random.default_rng(1))
    for name, text in (
        ("strin.touch.time", "no contact"),
        ("string.push.max", "is a vector"),
        ("strin.force.max", "does not have"),
        ("energy.before.max", "one energy before"),
        ("work.min", "does not compute it"),
    ):
        with pytest.raises(hs.ModelError, match=text):
            hs.stepper(model, 1e-4, start=start, outputs=[name], substeps=4)


def test_they_are_part_of_code_in_c(tmp_path):
    model, start = hammer(np.random.default_rng(3))
    step = hs.stepper(
        model, 1e-3, start=start, outputs=["string.touch.time", "string.force.max"], substeps=20
    )
    assert "step" in hs.source(step, "c")
    one, two = (hs.compile(step, backend=backend) for backend in ("llvm", "python"))
    q, v, t = (np.array(x) for x in (one().q, one().v, one().t))
    for a, b in zip(one(q, v, t), two(q, v, t), strict=True):
        assert np.allclose(a, b, rtol=1e-12, atol=1e-15)
