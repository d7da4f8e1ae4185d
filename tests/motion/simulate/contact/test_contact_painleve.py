"""A rod that slides on its tip: friction changes the force that it comes from, or leaves none that lasts."""

import numpy as np
import pytest

import hapsis as hs

G = 9.81


def sliding_rod(mu, tilt, speed):
    """A rod of 1 m whose tip touches the ground, leaning by `tilt`, and how it starts."""
    model = hs.Model(
        hs.Body("rod", mass=1.0, inertia=(1 / 12, 1 / 12, 1e-3)),
        hs.Free("j", hs.WORLD, "rod"),
        hs.Contact(
            "tip", ("rod", hs.Frame((0, 0, -0.5))), hs.WORLD.plane("z"), law=hs.Linear(1e6, 1e3), friction=mu
        ),
        gravity=(0, 0, -G),
    )
    c, s = np.cos(tilt), np.sin(tilt)
    start = {"j.z": 0.5 * c, "j.qw": np.cos(tilt / 2), "j.qy": np.sin(tilt / 2)}
    return model, start | {"j.vx": c * speed, "j.vz": s * speed}


@pytest.mark.parametrize("mu", [0.5, 1.0, 2.0, 10.0])
@pytest.mark.parametrize("tilt", [0.3, 0.5, 1.0])
@pytest.mark.parametrize("step", [1e-3, 2e-4])
def test_dragged_the_force_is_that_of_the_formula(mu, tilt, step):
    """N = m (g - l θ̇² cos θ) / (1 + 3 sin² θ + 3 μ sin θ cos θ) with half the length l."""
    model, start = sliding_rod(mu, tilt, 3.0)
    result = hs.simulate(model, 0.05, start, method="contact", step=step, every=step)
    force = result["tip.force"]
    friction = np.linalg.norm(result["tip.push"][:, :2], axis=1)
    assert result.success and result.report["lagged_steps"] == 0
    assert friction == pytest.approx(mu * force, rel=1e-6)
    at = 2.0 * np.arctan2(result["j.qy"][-1], result["j.qw"][-1])
    sine, cosine = np.sin(at), np.cos(at)
    expected = (G - 0.5 * result["rod.wy"][-1] ** 2 * cosine) / (1 + 3 * sine**2 + 3 * mu * sine * cosine)
    assert force[-1] == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize("mu", [1.4, 2.0, 5.0])
@pytest.mark.parametrize("tilt", [0.3, 0.5, 0.8])
@pytest.mark.parametrize("step", [1e-2, 1e-3, 1e-4])
def test_pushed_it_jams_and_jumps_without_gaining_energy(mu, tilt, step):
    """Above μ = 4/3 no steady force exists: the tip catches, in finite time and with a finite force."""
    model, start = sliding_rod(mu, tilt, -3.0)
    result = hs.simulate(model, 0.3, start, method="contact", step=step)
    energy = result["energy"]
    assert result.success
    assert energy.max() <= energy[0] * (1 + 1e-9)
    assert (
        np.linalg.norm(result["tip.push"][:, :2], axis=1) <= mu * result["tip.force"] * (1 + 1e-6) + 1e-9
    ).all()
