"""Loops, drives, stops and dry friction as rows of a step: energy never grows, drives are met."""

import numpy as np
import pytest

import hapsis as hs

G = 9.81


def four_bar(*facts):
    return hs.Model(
        hs.Rod("crank", length=0.2, mass=0.2),
        hs.Rod("coupler", length=0.5, mass=0.5),
        hs.Rod("rocker", length=0.4, mass=0.4),
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Revolute("B", "crank.end", "coupler", axis="y"),
        hs.Revolute("D", hs.WORLD.at(0.45, 0, 0), "rocker", axis="y"),
        hs.Revolute("C", "coupler.end", "rocker.end", axis="y"),
        *facts,
    )


def block(**joint):
    return hs.Model(
        hs.Body.box("b", (0.1, 0.1, 0.1), mass=2.0), hs.Prismatic("x", hs.WORLD, "b", axis="z", **joint)
    )


def stepped(model, until, step=1e-3, **more):
    return hs.simulate(model, until, method="contact", step=step, **more)


@pytest.mark.parametrize("step", [4e-3, 1e-3])
def test_a_loop_stays_closed_and_its_energy_never_grows(step):
    result = stepped(four_bar(), 5.0, step, start={"A": 0.3}, every=0.01)
    energy = result["energy"]
    assert energy.max() - energy[0] <= 1e-9 and result.success
    gap = hs.compile(hs.constraints(four_bar()))
    for k in range(0, len(result.t), 50):
        q = [result[name][k] for name in ("A", "B", "D")]
        v = [result[f"{name}.v"][k] for name in ("A", "B", "D")]
        h, J, _ = gap(q, v)
        assert np.abs(h).max() < 1e-8 and np.abs(J @ v).max() < 1e-6


def test_a_loop_approaches_the_exact_motion_at_first_order():
    exact = hs.simulate(four_bar(), until=0.5, start={"A": 0.3})
    errors = [
        abs(stepped(four_bar(), 0.5, h, start={"A": 0.3})["A"][-1] - exact["A"][-1])
        for h in (4e-3, 2e-3, 1e-3)
    ]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(np.abs(orders - 1.0) < 0.2)


def test_a_drive_is_met_and_its_effort_is_that_of_the_exact_motion():
    driven = four_bar(hs.Drive("motor", "A", position=lambda t: 0.3 + 3.0 * t + 0.5 * hs.sin(4 * t)))
    exact = hs.simulate(driven, until=1.0, every=0.1)
    errors = []
    for step in (2e-3, 1e-3):
        result = stepped(driven, 1.0, step, every=0.1)
        assert np.abs(result["A"] - exact["A"]).max() < 1e-10
        assert np.abs(result["D"] - exact["D"]).max() < 1e-8
        # the effort of a step is its mean, that of half a step earlier
        errors.append(np.abs(result["motor.effort"] - exact["motor.effort"])[1:].max())
    assert errors[1] < 0.6 * errors[0] and errors[1] < 0.02 * np.abs(exact["motor.effort"]).max()


def test_limits_act_only_where_they_are_asked_for():
    model = block(limits=(-0.2, 0.2))
    with pytest.warns(hs.Notice, match="leaves its limits"):
        free = stepped(model, 0.5)
    held = stepped(model, 0.5, limits="stops")
    assert free["x"][-1] < -1.0 and not held.warnings
    assert abs(held["x"][-1] + 0.2) < 1e-6 and abs(held["x limit.effort"][-1] - 2.0 * G) < 1e-4
    assert held["x"].min() > -0.2 - 1e-6


def test_a_stop_presses_as_its_spring_says():
    model = block() + hs.Stop("s", "x", stiffness=1e4, damping=200.0, low=-0.1)
    result = stepped(model, 2.0, 2e-3)
    assert abs(result["x"][-1] + 0.1 + 2.0 * G / 1e4) < 1e-9 and abs(result["s.effort"][-1] - 2.0 * G) < 1e-6


@pytest.mark.parametrize(("friction", "moves"), [(25.0, False), (15.0, True)])
def test_dry_friction_holds_or_slides(friction, moves):
    result = stepped(block(friction=friction), 1.0)
    if moves:
        wanted = -(G - friction / 2.0)
        assert (
            abs((result["x.v"][-1] - result["x.v"][5000]) / (result.t[-1] - result.t[5000]) - wanted) < 1e-6
        )
    else:
        assert abs(result["x.v"][-1]) < 1e-9 and -1e-4 < result["x"][-1] < -1e-4 * 2.0 * G / friction + 1e-9
    assert abs(result["x.friction"][-1] - min(friction, 2.0 * G)) < 1e-6


def test_friction_that_sticks_breaks_loose_at_its_static_value():
    def pushed(force):
        model = hs.Model(
            hs.Body.box("b", (0.1, 0.1, 0.1), mass=2.0),
            hs.Prismatic("x", hs.WORLD, "b", axis="x"),
            hs.Friction("f", "x", coulomb=2.0, static=3.0),
        )
        return stepped(model, 3.0, inputs={"x": lambda t: force * hs.minimum(t, 1.0)}, every=0.01)

    held, gone = pushed(2.9), pushed(3.2)
    assert abs(held["x"][-1]) < 1e-3 and gone["x"][-1] > 0.1


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (hs.Drive("d", "x", position="input", tracking=10.0), "a drive that tracks"),
        (hs.Drive("d", "x", position="input", velocity="input"), "a drive by inputs"),
        (hs.Drive("d", "x", acceleration=lambda t: 0.0 * t), "by its acceleration"),
        (hs.Stop("s", "x", low=-0.1, law=hs.HuntCrossley(1e4)), "a stop with a law"),
    ],
)
def test_what_is_no_row_of_a_step_is_refused(fact, words):
    with pytest.raises(hs.Error, match=words):
        stepped(block() + fact, 0.1)


def test_words_of_limits_are_checked():
    with pytest.raises(hs.SolveError, match="limits is 'yes'"):
        stepped(block(), 0.1, limits="yes")
    with pytest.raises(hs.SolveError, match="limits act in the method"):
        hs.simulate(block(), until=0.1, limits="stops")
