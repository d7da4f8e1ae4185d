"""Motions without forces in steps with contacts: as exact at any speed and step as for a fast one."""

import numpy as np
import pytest

import hapsis as hs


def swimmer():
    """A tree in space with a free base, a hinge, a slide and a ball joint; the ground is far below."""
    return hs.Model(
        hs.Body("a", mass=1.0, inertia=(0.02, 0.03, 0.04), com=(0.1, 0.02, 0.0)),
        hs.Body("b", mass=0.5, inertia=(0.01, 0.02, 0.02), com=(0.2, 0.0, 0.05)),
        hs.Body("c", mass=0.3, inertia=(0.01, 0.01, 0.005)),
        hs.Body("d", mass=0.3, inertia=(0.002, 0.003, 0.004), com=(0.0, 0.1, 0.1)),
        hs.Free("f", hs.WORLD, "a"),
        hs.Revolute("r", ("a", hs.Frame((0.3, 0.0, 0.0))), "b", axis=(0, 1, 1)),
        hs.Prismatic("p", "b", "c", axis="x"),
        hs.Ball("s", ("c", hs.Frame((0.1, 0.0, 0.0))), "d"),
        hs.Contact("x", ("d", hs.Sphere(0.01)), hs.WORLD.plane("z", at=(0, 0, -1e6)), law=hs.Linear(1.0)),
        gravity=(0, 0, 0),
    )


@pytest.mark.parametrize("speed", [1e-3, 1e-2, 0.1, 1.0, 10.0])
@pytest.mark.parametrize("step", [1e-2, 1e-3])
def test_energy_and_motion_of_a_drift_are_exact_to_1e_8_for_each_rad(speed, step):
    """Rules of order 2, 3 and 4 take turns as speeds fall; none of them may be seen in the motion."""
    model, draw = swimmer(), np.random.default_rng(1)
    start = {name: float(speed * draw.normal()) for name in model.speeds}
    until = min(10.0 / speed, 5.0)
    exact = hs.simulate(model, until, start, method="order8", tolerance=1e-12, every=until)
    result = hs.simulate(model, until, start, method="contact", step=step, every=until / 10)
    turned = max(1.0, speed * until)
    assert np.abs(result["energy"] / result["energy"][0] - 1.0).max() < 1e-8 * turned
    for name in model.coordinates:
        assert result[name][-1] == pytest.approx(exact[name][-1], abs=1e-8 * turned)
