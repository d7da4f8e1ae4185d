"""Steps with contacts: states of laws of any speed, and dry friction that falls with the speed."""

import math

import numpy as np
import pytest

import hapsis as hs

BOX = hs.Body.box("b", (0.1, 0.1, 0.1), mass=0.5)
RAIL = hs.Prismatic("x", hs.WORLD, "b", axis="x")


def motor(position, speed, U=12.0, R=2.0, L=2e-3, k=5.0, i=hs.LawState(0.0)):
    return k * i, {"i": (U - R * i - k * speed) / L}


@pytest.mark.parametrize("step", [2e-2, 5e-3, 1e-3])
def test_currents_faster_than_a_step_stay_bounded(step):
    model = hs.Model(BOX, RAIL, hs.JointForce("m", "x", law=motor))
    result = hs.simulate(model, until=1.0, method="contact", step=step)
    assert result.status == "done"
    # k² / R m is 25/s: at the end the speed is U / k, and what is lost on the way is v m R / k²
    lag = 12.0 / 5.0 * (0.5 * 2.0 / 25.0)
    assert result["x"][-1] == pytest.approx(12.0 / 5.0 - lag, abs=1e-9)
    assert abs(result["m.i"][-1]) < 1e-9


def test_states_that_feed_each_other_converge_at_first_order():
    def filtered(position, speed, T=1e-3, a=hs.LawState(0.0), b=hs.LawState(0.0)):
        return b - speed, {"a": (1.0 - a) / T, "b": (a - b) / T}

    model = hs.Model(BOX, RAIL, hs.JointForce("m", "x", law=filtered))
    exact = hs.simulate(model, until=0.1)["x"][-1]
    errors = [
        abs(hs.simulate(model, until=0.1, method="contact", step=h)["x"][-1] - exact)
        for h in (1e-2, 1e-3, 1e-4)
    ]
    orders = -np.diff(np.log10(errors))
    assert (np.abs(orders - 1.0) < 0.1).all()


@pytest.mark.parametrize(("static", "stribeck"), [(3.0, 0.5), (4.0, 0.1), (2.0, 0.5), (1.0, 0.5)])
def test_dry_friction_falls_with_the_speed(static, stribeck):
    friction = hs.Friction("f", "x", coulomb=2.0, static=static, stribeck=stribeck)
    model = hs.Model(BOX, RAIL, friction)
    far = [
        hs.simulate(model, 1.0, {"x.v": 1.0}, method="contact", step=h)["x"][-1] for h in (4e-3, 2e-3, 1e-3)
    ]
    # ∫ m v dv / g(v) by a sum over the speeds
    v = (np.arange(20000) + 0.5) / 20000
    exact = np.mean(0.5 * v / (2.0 + (static - 2.0) * np.exp(-((v / stribeck) ** 2))))
    assert far[-1] == pytest.approx(exact, abs=2e-4)
    assert math.isclose(far[-1], far[-2], abs_tol=2e-4)


@pytest.mark.parametrize("static", [None, 1.0, 8.0])
@pytest.mark.parametrize("step", [1e-2, 1e-3])
def test_a_parameter_may_raise_sliding_friction_above_the_static_one(static, step):
    """A block that falls on a rail with 5 N, where its model has 2 N: friction grows with the speed then."""
    rail = hs.Prismatic("x", hs.WORLD, "b", axis="z")
    model = hs.Model(hs.Body.box("b", (0.1, 0.1, 0.1), mass=1.0), rail, hs.Friction("f", "x", coulomb=2.0))
    given = {"f.coulomb": 5.0} | ({} if static is None else {"f.static": static})
    result = hs.simulate(model, 1.0, method="contact", step=step, parameters=given)
    assert result.success and result["x.v"][-1] == pytest.approx(5.0 - 9.81, rel=0.02)


def test_rows_stand_at_ends_of_steps():
    model = hs.Model(hs.Body.sphere("b", 0.1, mass=1.0), hs.Free("b", hs.WORLD, "b"))
    result = hs.simulate(model, until=1.0, start={"b.z": 9.0}, method="contact", step=0.05)
    assert np.allclose(result.t, np.arange(21) * 0.05, rtol=0, atol=1e-12)
    assert np.allclose(result["b.z"], 9.0 - 0.5 * 9.81 * result.t**2, rtol=0, atol=1e-12)
