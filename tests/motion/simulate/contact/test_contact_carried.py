"""What is carried sticks: on a belt, on a turntable, on a spinning arm; and drives cost no iterations."""

import numpy as np
import pytest

import hapsis as hs

G = 9.81
LAW = {"law": hs.Linear(1e5, 300.0), "friction": 0.5}


def turntable(speed):
    """A flat box of 1 kg, 0.2 m from the axis of a table that a drive brings to a speed in a second."""
    return hs.Model(
        hs.Body.cylinder("table", 0.5, 0.1, mass=10.0),
        hs.Revolute("axis", hs.WORLD, "table", axis="z"),
        hs.Drive("motor", "axis", velocity=lambda t: speed * hs.minimum(t, 1.0)),
        hs.Body.box("box", (0.05, 0.05, 0.01), mass=1.0),
        hs.Free("box", hs.WORLD, "box"),
        hs.Contact("c", hs.Surface("box"), hs.Surface("table"), **LAW),
        poses={"start": {"box.x": 0.2, "box.z": 0.055 - G / 4e5}},
    )


@pytest.mark.parametrize("step", [1e-2, 5e-3, 1e-3])
def test_a_box_on_a_turntable_stays_on_its_circle(step):
    """μ g > ω² r: friction is the centripetal force; what is left of creep is of order 4 in the step."""
    result = hs.simulate(turntable(3.0), 4.0, method="contact", step=step, every=10 * step)
    radius, late = np.hypot(result["box.x"], result["box.y"]), result.t > 2.0
    assert result.success and result["c.stuck"][-1] == 4
    creep = (step / 1e-2) ** 4 * 2e-8 + 1e-12  # m/s
    assert abs(radius[-1] - radius[late][0]) / 2.0 < creep
    way = 0.2 * (np.unwrap(np.arctan2(result["box.y"], result["box.x"])) - result["axis"])
    assert abs(way[-1] - way[late][0]) / 2.0 < creep
    assert np.linalg.norm(result["c.push"][-1][:2]) == pytest.approx(9.0 * radius[-1], rel=5e-3)
    assert result["box.wz"][-1] == pytest.approx(3.0, rel=1e-3)
    # the rounding of a rigid drive must not count as work that is left
    assert result.report["iterations"] < 10 * result.report["steps"]


def test_a_box_on_a_turntable_that_is_too_fast_leaves_it():
    result = hs.simulate(turntable(5.5), 4.0, method="contact", step=2e-3, every=0.02)
    assert result.success and np.hypot(result["box.x"], result["box.y"])[-1] > 1.0


@pytest.mark.parametrize("step", [1e-2, 2e-3])
def test_a_slider_on_a_spinning_arm_is_held_by_dry_friction(step):
    """2 N hold 0.9 N."""
    model = hs.Model(
        hs.Rod("arm", length=0.5, mass=1.0),
        hs.Body.box("slider", (0.05, 0.05, 0.05), mass=0.5),
        hs.Revolute("axis", hs.WORLD, "arm", axis="z"),
        hs.Prismatic("x", "arm", "slider", axis="x", friction=2.0),
        hs.Drive("motor", "axis", velocity=lambda t: 3.0 * hs.minimum(t, 1.0)),
    )
    result = hs.simulate(model, 4.0, {"x": 0.2}, method="contact", step=step, every=10 * step)
    late = result["x"][result.t > 2.0]
    assert abs(late[-1] - late[0]) / 2.0 < 5e-7 * (step / 1e-2) ** 3
    assert -result["x.friction"][-1] == pytest.approx(0.5 * 9.0 * late[-1], rel=1e-3)


@pytest.mark.parametrize("step", [1e-2, 1e-3])
def test_a_box_on_a_belt_comes_to_its_speed(step):
    """It slides back by v² / 2 μ g; the motor carries the friction meanwhile."""
    model = hs.Model(
        hs.Body.box("belt", (2.0, 1.0, 0.1), mass=10.0),
        hs.Prismatic("x", hs.WORLD, "belt", axis="x"),
        hs.Drive("motor", "x", velocity=lambda t: 1.0 + 0.0 * t),
        hs.Body.box("box", (0.1, 0.1, 0.1), mass=1.0),
        hs.Free("box", hs.WORLD, "box"),
        hs.Contact("c", hs.Surface("box"), hs.Surface("belt"), **LAW),
    )
    result = hs.simulate(model, 0.8, {"box.z": 0.1 - G / 4e5}, method="contact", step=step)
    assert result["box.vx"][-1] == pytest.approx(1.0, abs=1e-9)
    assert result["x"][-1] - result["box.x"][-1] == pytest.approx(1.0 / (2 * 0.5 * G), abs=0.02 * step)
    assert result["motor.effort"][len(result.t) // 10] == pytest.approx(0.5 * G, rel=1e-6)


def wrist(axis):
    """A hand of two sprung fingers that holds a box beside its middle; a drive turns it at 3 rad/s."""
    law = {"law": hs.HuntCrossley(1e6, power=1.0, damping=2.0), "friction": 0.8}
    fingers = [("left", -0.03, "y"), ("right", 0.03, "-y")]
    return hs.Model(
        hs.Body.box("palm", (0.04, 0.2, 0.02), mass=0.5),
        hs.Body.box("box", (0.05, 0.05, 0.06), mass=0.5),
        [hs.Body.box(name, (0.03, 0.01, 0.08), mass=0.05) for name, *_ in fingers],
        hs.Revolute("turn", hs.WORLD.at(0, 0, 1.0), "palm", axis=axis),
        [hs.Prismatic(name, ("palm", hs.Frame((0, y, -0.07))), name, axis=way) for name, y, way in fingers],
        [hs.JointSpring(f"{name} spring", name, 4e3, 50.0, 0.01) for name, *_ in fingers],
        hs.Free("box", hs.WORLD, "box"),
        hs.Drive("motor", "turn", position=lambda t: 3.0 * hs.maximum(t - 0.5, 0.0)),
        [hs.Contact(f"{name} pad", hs.Surface("box"), hs.Surface(name), **law) for name, *_ in fingers],
        poses={"start": {"box.z": 0.93, "box.x": 0.008}},
    )


@pytest.mark.parametrize(("axis", "creep", "turn"), [("x", 6e-6, 1e-3), ("y", 9e-6, 5e-4), ("z", 1e-7, 1e-5)])
def test_a_hand_that_turns_keeps_what_it_holds(axis, creep, turn):
    """Weight goes round the pads; the box slips by um and mrad, and by less, in a turn of 400 steps."""
    turns, step = 4, 2.0 * np.pi / 3.0 / 400
    until = 0.5 + (turns + 2) * 400 * step
    result = hs.simulate(wrist(axis), until, method="contact", step=step, every=400 * step)
    R, own = (np.reshape(result[f"{name}.R"], (-1, 3, 3)) for name in ("palm", "box"))
    at = np.einsum("nji,nj->ni", R, result["box.position"] - result["palm.position"])[2:-1]
    turned = np.einsum("nji,njk->nik", R, own)[2:-1]
    assert result.success and np.linalg.norm(at[-1] - at[0]) < creep * (len(at) - 1)
    assert np.linalg.norm(turned[0].T @ turned[-1] - np.eye(3)) < turn * (len(at) - 1)
