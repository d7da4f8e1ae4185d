"""The force at the tip from the current: from simulated currents, by another route than the formula."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hapsis as hs
from hapsis.errors import ModelError, SolveError
from hapsis.touch import haptics

RATE = 2000.0


def path(seconds=2.0, seed=0):
    """A smooth motion of some millimetres, with its derivatives."""
    t = np.arange(round(seconds * RATE)) / RATE
    random = np.random.default_rng(seed)
    parts = [(1e-3 * random.uniform(0.5, 2), 2 * np.pi * f, random.uniform(0, 6)) for f in (0.7, 1.9, 4.3)]
    x = sum(a * np.sin(w * t + p) for a, w, p in parts)
    v = sum(a * w * np.cos(w * t + p) for a, w, p in parts)
    return t, x, v, -sum(a * w * w * np.sin(w * t + p) for a, w, p in parts)


def test_an_actuator_in_a_model_presses_a_spring():
    """The drive's effort in a simulation is the motor's; what the spring takes is what its current says."""
    model = hs.Model(
        hs.Body("rod", mass=0.06, inertia=(1e-5, 1e-5, 1e-5)),
        hs.Prismatic("slide", hs.WORLD, "rod", axis="z", damping=1.5),
        hs.JointSpring("load", "slide", stiffness=300.0, damping=2.0),
        hs.Drive("motor", "slide", position=lambda t: 2.5e-3 * (1 - hs.cos(12 * t))),
        gravity=(0, 0, -9.81),
    )
    result = hs.simulate(model, until=1.5, every=1 / RATE)
    actuator = haptics.LinearActuator(6.43, mass=0.06, viscosity=1.5, weight=0.06 * 9.81)
    current = result["motor.effort"] / 6.43
    force = actuator.force(result.t, current, result["slide"])
    assert force[10:-10] == pytest.approx(-result["load.effort"][10:-10], abs=2e-4)
    assert np.ptp(force) > 1.0


@settings(max_examples=30, deadline=None)
@given(
    st.floats(0.5, 20.0) | st.floats(-20.0, -0.5),
    st.floats(0.0, 0.5),
    st.floats(0.0, 2.0),
    st.floats(0.0, 5.0),
    st.floats(-2.0, 2.0),
    st.integers(0, 99),
)
def test_the_force_comes_back(constant, mass, friction, viscosity, weight, seed):
    actuator = haptics.LinearActuator(constant, mass, friction, viscosity, weight, creep=5e-3)
    t, x, v, a = path(seed=seed)
    force = 3.0 * np.sin(5 * t) + 1.0
    current = actuator.current_of(force, v, a)
    inner = slice(10, -10)
    found = actuator.force(t, current, x)
    # the cubic through 15 samples knows v to 1e-6 of its size, and a to 1e-4
    bound = 1e-3 * np.abs(mass * a).max() + 1e-3 * (friction + np.abs(viscosity * v).max()) + 1e-9
    assert np.abs(found - force)[inner].max() < bound


def test_its_own_forces_are_found_from_free_motion():
    truth = {"mass": 0.03, "friction": 0.4, "viscosity": 1.2, "weight": -0.3}
    actuator = haptics.LinearActuator(6.43, creep=5e-3, **truth)
    t, x, v, a = path(4.0)
    random = np.random.default_rng(3)
    current = actuator.current_of(np.zeros(len(t)), v, a) + 2e-3 * random.normal(size=len(t))
    found = haptics.LinearActuator(6.43, creep=5e-3).calibrate(t, current, x)
    for name, value in truth.items():
        assert abs(found[name] - value) < 5 * found.errors[name] + 1e-3 * abs(value), name
    pressed = actuator.current_of(np.full(len(t), 2.5), v, a)
    assert found.sensor.force(t, pressed, x)[20:-20] == pytest.approx(2.5, abs=0.02)


def test_a_motion_of_one_speed_does_not_tell_them_apart():
    t = np.arange(1000) / RATE
    actuator = haptics.LinearActuator(6.43)
    found = actuator.calibrate(t, np.full(1000, 0.1), 0.01 * t)
    assert found.unclear
    with pytest.raises(SolveError, match="richer motion"):
        _ = found.sensor


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda a, t: haptics.LinearActuator(0.0), "constant is zero"),
        (lambda a, t: haptics.LinearActuator(1.0, mass=-1.0), "mass must be zero or more"),
        (lambda a, t: a.force(t, t, t[:-1]), "expected vectors of one length, 15 or more"),
        (lambda a, t: a.force(t**2, t, t), "not at equal distances; interpolate the record"),
        (lambda a, t: a.force(t, t * np.nan, t), "a number of the record is not finite"),
        (lambda a, t: a.force(t, t, t, window=8), "expected an odd number"),
    ],
)
def test_what_is_refused(make, told):
    with pytest.raises(ModelError) as error:
        make(haptics.LinearActuator(2.0), np.arange(50.0))
    assert told in str(error.value)
