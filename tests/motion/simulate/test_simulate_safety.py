"""Fixed steps: what is stable runs, what is not is refused with the longest step that is."""

import re

import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.simulate.run import step_stability as safety


def spring(k, c=0.0, mass=1.0):
    return hs.Model(
        hs.Body("m", mass=mass),
        hs.Prismatic("x", hs.WORLD, "m", axis="x"),
        hs.JointSpring("s", "x", stiffness=k, damping=c),
        gravity=(0, 0, 0),
    )


def wall(k, c=0.0):
    return hs.Model(
        hs.Body("m", mass=1.0, inertia=(0.1, 0.1, 0.1)),
        hs.Free("f", hs.WORLD, "m"),
        hs.Contact("wall", ("m", hs.Sphere(0.1)), hs.WORLD.plane(), law=hs.Linear(k, c)),
    )


def longest(model, method, start=None):
    with pytest.raises(hs.SolveError, match="largest safe step") as error:
        hs.simulate(model, until=1.0, start=start, method=method, step=0.5)
    return float(re.search(r"largest safe step is ([-+.e0-9]+) s", error.value.what)[1])


# h ω on the boundary of stability: of leapfrog 2, of the order-4 polynomial 2√2
@pytest.mark.parametrize(("method", "limit"), [("euler", 2.0), ("rk4", 2.0 * 2**0.5)])
@pytest.mark.parametrize("k", [1e3, 1e6, 1e8])
def test_the_longest_step_of_a_spring(method, limit, k):
    found = longest(spring(k), method, {"x": 0.1})
    assert found == pytest.approx(0.95 * limit / k**0.5, rel=0.02)


@pytest.mark.parametrize("method", ["euler", "rk4"])
@pytest.mark.parametrize("k", [1e4, 1e6, 1e8])
def test_contacts_count_before_they_touch(method, k):
    step = longest(wall(k), method, {"f.z": 0.2})
    # half of a spring's: what enters within a step is thrown back harder
    assert step == pytest.approx(longest(spring(k), method, {"x": 0.1}) / 2, rel=0.04)
    # the step it names is safe: nothing grows, nothing is nan
    result = hs.simulate(wall(k), until=0.6, start={"f.z": 0.2}, method=method, step=step, watchdog=False)
    assert result.success and np.isfinite(result["f.z"]).all()
    assert np.abs(result["f.vz"]).max() < 1.02 * (2 * 9.81 * 0.1) ** 0.5  # it fell 10 cm


@pytest.mark.parametrize("method", ["euler", "rk4"])
@pytest.mark.parametrize("k", [1e4, 1e8])
def test_stops_count_before_they_are_reached(method, k):
    def stopped(k):
        slider = hs.Body("m", mass=1.0), hs.Prismatic("x", hs.WORLD, "m", axis="x", limits=(-1.0, 0.1))
        return hs.Model(*slider, hs.Stop("buffer", "x", stiffness=k), gravity=(1.0, 0, 0))

    step = longest(stopped(k), method)
    assert step == pytest.approx(longest(spring(k), method, {"x": 0.1}) / 2, rel=0.04)
    assert hs.simulate(stopped(k), until=1.0, method=method, step=step, watchdog=False)["x"].max() < 0.2
    with pytest.raises(hs.SolveError, match='stop "buffer" is the stiffest part'):
        hs.simulate(stopped(1.0), 1.0, method=method, step=1.5 * step, parameters={"buffer.stiffness": k})


def test_contacts_count_with_the_parameters_of_the_run():
    step = longest(wall(1e8), "rk4", {"f.z": 0.2})
    with pytest.raises(hs.SolveError, match=f"safe step is {step:.2g} s"):
        stiffer = {"wall.stiffness": 1e8}
        hs.simulate(wall(1e2), 1.0, {"f.z": 0.2}, method="rk4", step=10 * step, parameters=stiffer)


def test_the_contact_is_named():
    with pytest.raises(hs.SolveError, match='contact "wall" is the stiffest part'):
        hs.simulate(wall(1e8), until=1.0, start={"f.z": 0.2}, method="rk4", step=1e-3)


def test_damping_counts_too():
    assert longest(spring(1.0, c=1e4), "rk4") == pytest.approx(0.95 * 2.785e-4, rel=0.03)
    assert longest(spring(1.0, c=1e4), "euler") == pytest.approx(0.95 * 2e-4, rel=0.03)


def test_what_falls_over_is_no_fault_of_the_step():
    """An inverted pendulum runs away by itself, at any step."""
    model = hs.Model(hs.Body("p", mass=1.0, com=(0, 0, 1)), hs.Revolute("a", hs.WORLD, "p", axis="x"))
    assert hs.simulate(model, until=0.5, start={"a": 0.01}, method="rk4", step=0.01).success


@pytest.mark.parametrize("k", [1e4, 1e6, 1e8])
@pytest.mark.parametrize("method", ["auto", "order5", "order8", "stiff"])
def test_adaptive_steps_take_any_wall(k, method):
    result = hs.simulate(wall(k), until=0.4, start={"f.z": 0.15}, method=method)
    assert result.success and result.energy_drift < 1e-5
    depth = 0.1 - result["f.z"].min()
    # what fell 5 cm has all its energy in the spring: k d²/2 = m g (h + d)
    expected = (9.81 + (9.81**2 + 2 * k * 9.81 * 0.05) ** 0.5) / k
    assert depth == pytest.approx(expected, rel=1e-2)


def test_large_models_are_left_to_the_watchdog(monkeypatch):
    monkeypatch.setattr(safety, "MOST", 1)
    result = hs.simulate(spring(1e6), until=1.0, start={"x": 0.1}, method="rk4", step=0.01, every=0.01)
    assert result.status == "energy" and result.t[-1] < 1.0
