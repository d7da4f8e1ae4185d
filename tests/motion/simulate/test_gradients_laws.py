"""Derivatives of motions: forwards, backwards and by differences they are the same."""

import gradient_cases as cases
import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.simulate.gradient import gradient
from hapsis.motion.simulate.sensitivities import sensitivities

TIGHT = 1e-12


def loss(s):
    """Something of everything, whatever the model has."""
    names = [n for n in s if not hasattr(s[n], "__len__")]
    return sum((0.3 + 0.1 * k) * s[n] for k, n in enumerate(names) if n != "work")


def loss_slope(found, by):
    """The same by the chain rule, from sensitivities."""
    names = [n for n in _scalars(found.result) if n != "work"]
    return sum((0.3 + 0.1 * k) * found[n, by][-1] for k, n in enumerate(names))


def _scalars(result):
    """The names that a loss sees, in its order."""
    order = ["kinetic", "potential"]
    rest = [n for n in result.names if n not in ("kinetic", "potential", "energy", "work")]
    rest = [n for n in rest if not n.endswith(".a") and result[n].ndim == 1]
    states = [n for n in rest if n in result.coordinates or n in result.last.speeds]
    return [*states, *order, *(n for n in rest if n not in states), "energy"]


@pytest.mark.parametrize("options", [{"method": "order5", "tolerance": TIGHT}, {"step": 2e-4}])
@pytest.mark.parametrize("name", cases.CASES)
def test_backwards_is_forwards_transposed(name, options):
    model, to, start, until, more = cases.CASES[name]()
    found = sensitivities(model, until, to, start, every=until, **more, **options)
    back = gradient(model, loss, to, until, start, **more, **options)
    for by in to:
        forward = loss_slope(found, by)
        scale = np.abs(forward).max() + 1e-3 * abs(back.value)
        assert np.abs(forward - back[by]).max() <= 1e-9 * scale, by


@pytest.mark.slow
@pytest.mark.parametrize("name", cases.CASES)
def test_forwards_is_what_differences_say(name):
    case = cases.CASES[name]()
    model, to, start, until, more = case
    found = sensitivities(model, until, to, start, every=until, tolerance=TIGHT, **more)
    for by in to:
        slope = found[model.coordinates[0], by]
        for k in range(slope.shape[1] if slope.ndim == 2 else 1):
            ends = []
            h = 2e-4 * max(1e-2, abs(cases.value_of(model, by)) if _is_parameter(model, by) else 1)
            for step in (-2 * h, -h, h, 2 * h):
                options = cases.changed(case, by, step, k)
                run = end_of(model, name, **options)
                ends.append([run[n][-1] for n in (*model.coordinates, *model.speeds)])
            a, b, c, d = np.array(ends)
            by_differences = (a - 8 * b + 8 * c - d) / (12 * h)
            names = (*model.coordinates, *model.speeds)
            ours = np.array([np.atleast_1d(found[n, by][-1])[k] for n in names])
            scale = np.abs(by_differences).max()
            assert np.abs(ours - by_differences).max() <= 1e-6 * scale + 1e-10, (by, k)


def end_of(model, name, until, **options):
    """The motion itself; where forces jump that `simulate` does not look out for, more exactly."""
    options |= {"every": until, "tolerance": 1e-13}
    plain = hs.simulate(model, until, method="order8", **options)
    if name != "stopped_slider":
        return plain
    found = sensitivities(model, until, "x", **options).result
    assert abs(found["x"][-1] - plain["x"][-1]) < 1e-9
    return found


def _is_parameter(model, name):
    from hapsis.motion.simulate.equations.inputs import Inputs
    from hapsis.motion.simulate.initial_value_problem import initial_value_problem

    return name in initial_value_problem(model, Inputs(model, None)).system.motion().parameters


def test_the_run_itself_is_that_of_simulate():
    model, to, start, until, _ = cases.pendulum()
    found = sensitivities(model, until, to, start)
    plain = hs.simulate(model, until, start, method="order8")
    assert found.result.report["steps"] == plain.report["steps"]
    assert np.abs(found.result["hinge"] - plain["hinge"]).max() < 1e-13
    assert found.t.shape == plain.t.shape


def test_the_order_of_the_steps_is_the_order_of_the_slopes():
    """Fixed steps: halving them divides the error of S by 2⁴."""
    model, to, start, until, _ = cases.pendulum()
    right = sensitivities(model, until, to, start, every=until, tolerance=1e-13)
    errors = []
    for step in (0.02, 0.01, 0.005):
        found = sensitivities(model, until, to, start, every=until, step=step)
        errors.append(max(abs(found["hinge", n][-1] - right["hinge", n][-1]) for n in to))
    assert 14 < errors[0] / errors[1] < 18 and 14 < errors[1] / errors[2] < 18


def test_a_running_loss_is_an_integral():
    model, to, start, until, _ = cases.pendulum()
    found = sensitivities(model, until, to, start, every=until / 4000, tolerance=1e-11)
    q = found.result["hinge"]
    back = gradient(model, None, to, until, start, running=lambda s: s["hinge"] ** 2, tolerance=1e-11)
    t = found.t
    assert back.value == pytest.approx(np.trapezoid(q * q, t), rel=1e-6)
    for name in to:
        along = np.trapezoid(2 * q * found["hinge", name], t)
        assert back[name] == pytest.approx(along, rel=1e-5, abs=1e-6)


def test_every_value_of_a_table_at_the_price_of_one():
    """Forwards one direction for all values at once, backwards each of them."""
    model, _, start, until, _ = cases.pendulum()
    times = np.linspace(0, until, 201)
    values = np.sin(5 * times)
    back = gradient(
        model,
        lambda s: s["hinge"],
        "hinge.effort",
        until,
        start,
        inputs={"hinge": (times, values)},
        tolerance=1e-11,
    )
    assert back["hinge.effort"].shape == (201,)
    h = 1e-5
    ends = [
        hs.simulate(
            model,
            until,
            start,
            inputs={"hinge": (times, values + d * np.cos(times))},
            tolerance=1e-13,
            method="order8",
            every=until,
        )["hinge"][-1]
        for d in (h, -h)
    ]
    along = (ends[0] - ends[1]) / (2 * h)
    assert back["hinge.effort"] @ np.cos(times) == pytest.approx(along, rel=1e-6)
    assert back.report["steps"] >= 200


def test_a_symmetric_bounce_of_two_feet_jumps_once():
    """Two contacts on one body that touch at one moment: one surface, both forces."""
    both = hs.Model(
        hs.Body("ball", mass=1.0, frames={"left": (-0.1, 0, 0), "right": (0.1, 0, 0)}),
        hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
        *(
            hs.Contact(
                f"{side} foot",
                f"ball.{side}",
                hs.WORLD.plane(normal="z"),
                law=hs.Linear(stiffness=4e3, damping=6.0),
            )
            for side in ("left", "right")
        ),
    )
    one = hs.Model(
        hs.Body("ball", mass=1.0),
        hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
        hs.Contact("tip", "ball", hs.WORLD.plane(normal="z"), law=hs.Linear(stiffness=8e3, damping=12.0)),
    )
    runs = [
        sensitivities(m, 0.9, ("ball.mass", "z"), {"z": 0.4}, every=0.9, tolerance=TIGHT) for m in (both, one)
    ]
    for name in ("ball.mass", "z"):
        assert runs[0]["z", name][-1] == pytest.approx(runs[1]["z", name][-1], rel=1e-8)


@pytest.mark.parametrize("tilt", [0.0, 0.05])
def test_two_feet_of_a_bar_are_two_surfaces(tilt):
    """They touch at one moment, or one after the other; each has its own moment."""
    model = hs.Model(
        hs.Body(
            "bar", mass=1.0, inertia=(0.02, 0.02, 0.02), frames={"left": (-0.3, 0, 0), "right": (0.3, 0, 0)}
        ),
        hs.Planar("base", hs.WORLD.at(0, 0, 0, rpy=(np.pi / 2, 0, 0)), "bar"),
        *(
            hs.Contact(
                f"{side} foot",
                f"bar.{side}",
                hs.WORLD.plane(normal="z"),
                law=hs.Linear(stiffness=2e3, damping=5.0),
            )
            for side in ("left", "right")
        ),
    )
    height, turn = model.coordinates[1], model.coordinates[2]
    start = {height: 0.2, turn: tilt}
    found = sensitivities(model, 0.5, (height, turn), start, every=0.5, tolerance=TIGHT)
    # where both touch at once the slope by the tilt depends on the side it is taken from
    for by in (height,) if tilt == 0.0 else (height, turn):
        h = 2e-5
        ends = [
            hs.simulate(model, 0.5, {**start, by: start[by] + d}, every=0.5, tolerance=1e-12, method="order8")
            for d in (h, -h)
        ]
        for name in model.coordinates:
            along = (ends[0][name][-1] - ends[1][name][-1]) / (2 * h)
            assert found[name, by][-1] == pytest.approx(along, rel=1e-6, abs=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pendulum", "double_pendulum", "tumbling_body"])
def test_backwards_is_exact_for_coarse_steps_too(name):
    """The slope of the computed motion, not of the true one, which is far away by then."""
    case = cases.CASES[name]()
    model, to, start, until, more = case
    step = until / 40
    back = gradient(model, loss, to, until, start, step=step, **more)
    fine = gradient(model, loss, to, until, start, tolerance=1e-11, **more)
    assert abs(back.value - fine.value) > 1e-8 * abs(fine.value)
    for by in [n for n in to if not n.endswith(".effort") and n != "base.qx"]:
        h = 1e-3 * max(1e-2, abs(cases.value_of(model, by)) if _is_parameter(model, by) else 1)
        ends = [
            gradient(model, loss, by, step=step, **cases.changed(case, by, d)).value
            for d in (-2 * h, -h, h, 2 * h)
        ]
        along = (ends[0] - 8 * ends[1] + 8 * ends[2] - ends[3]) / (12 * h)
        assert back[by] == pytest.approx(along, rel=2e-7, abs=1e-8 * abs(back.value)), by


@pytest.mark.parametrize("power", [1.5, 2.5])
@pytest.mark.parametrize("more", [{"restitution": 0.5}, {"damping": 0.3}, {}], ids=str)
def test_contacts_whose_force_is_a_power_of_the_depth(power, more):
    """A ball that touches and leaves: the power of a depth is not asked for behind the leaving."""
    law = hs.HuntCrossley(stiffness=1e6, power=power, **more)
    model = hs.Model(
        hs.Body("b", mass=1.0),
        hs.Prismatic("z", hs.WORLD, "b", axis="z"),
        hs.Contact("c", ("b", hs.Sphere(0.03)), hs.WORLD.plane(normal="z"), law=law),
    )
    start, h = {"z": 0.1}, 1e-5
    found = sensitivities(model, 0.3, ("z", "c.stiffness"), start, every=0.3, tolerance=1e-11)
    ends = [
        hs.simulate(model, 0.3, {"z": 0.1 + d}, every=0.3, tolerance=TIGHT, method="order8")["z"][-1]
        for d in (h, -h)
    ]
    assert found["z", "z"][-1] == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-3)
    back = gradient(model, lambda s: s["z"], ("z", "c.stiffness"), 0.3, start, tolerance=1e-11)
    for name in ("z", "c.stiffness"):
        assert back[name] == pytest.approx(found["z", name][-1], rel=1e-3)
