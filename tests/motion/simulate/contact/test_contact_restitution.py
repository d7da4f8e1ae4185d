"""A ball rebounds by the restitution of its law, whether steps resolve its impact or not."""

import numpy as np
import pytest

import hapsis as hs


def rebound(law, speed, step):
    """The speed after an impact by that before, without gravity; the impact begins anywhere in a step."""
    model = hs.Model(
        hs.Body.sphere("b", 0.1, mass=1.0),
        hs.Free("b", hs.WORLD, "b"),
        hs.Contact("c", hs.Surface("b"), hs.WORLD.plane(), law=law),
        gravity=(0, 0, 0),
    )
    until = max(0.02, 8 * step)
    start = {"b.z": 0.1 + 0.237 * speed * until, "b.vz": -speed}
    result = hs.simulate(model, until, start, method="contact", step=step)
    return result["b.vz"][-1] / speed


@pytest.mark.parametrize("step", [1e-2, 2e-3, 5e-4, 1e-5])
@pytest.mark.parametrize("speed", [0.5, 2.0, 8.0])
@pytest.mark.parametrize("e", [1.0, 0.9, 0.5, 0.1])
def test_a_ball_has_the_restitution_of_its_law(e, speed, step):
    """Within 0.3 %, also of an impact that takes 300 steps."""
    law = hs.HuntCrossley(1e6, 1.0, restitution=e, speed=speed)
    assert rebound(law, speed, step) == pytest.approx(e, abs=3e-3)


@pytest.mark.parametrize("step", [5e-3, 1e-3])
@pytest.mark.parametrize("ratio", [0.0, 0.2, 0.8])
def test_of_a_spring_and_damper_it_is_that_of_its_damping_ratio(ratio, step):
    """e = exp(-ζ (π - φ) / √(1 - ζ²)), where the force ends before it would pull."""
    root = np.sqrt(1 - ratio**2)
    e = np.exp(-ratio / root * (np.pi - np.arctan2(2 * ratio * root, 1 - 2 * ratio**2)))
    assert rebound(hs.Linear(1e6, 2e3 * ratio), 2.0, step) == pytest.approx(e, abs=3e-3)


def test_faster_impacts_rebound_less_by_hunt_and_crossley():
    """The restitution falls with the speed by the law of its damping, e = 1 - 2/3 c u for what is slow."""
    law = hs.HuntCrossley(1e6, 1.0, damping=0.1)
    found = [rebound(law, speed, 1e-3) for speed in (0.5, 1.0, 2.0, 4.0)]
    assert (np.diff(found) < -0.02).all() and found[0] == pytest.approx(1 - 2 / 30 * 0.5, abs=3e-3)


def bouncing(step):
    """A ball dropped from 1 m that bounces for 3 s."""
    model = hs.Model(
        hs.Body.sphere("b", 0.1, mass=1.0),
        hs.Free("b", hs.WORLD, "b"),
        hs.Contact(
            "c", hs.Surface("b"), hs.WORLD.plane(), law=hs.HuntCrossley(1e8, 1.0, restitution=0.9, speed=4.4)
        ),
    )
    return hs.simulate(model, 1.3, {"b.z": 1.1}, method="contact", step=step, every=step)


@pytest.mark.parametrize("step", [5e-3, 1e-3])
def test_a_ball_bounces_as_high_as_the_square_of_its_restitution(step):
    result = bouncing(step)
    t = np.sqrt(2 / 9.81)
    after = (result.t > t) & (result.t < 2.7 * t)
    e = np.sqrt(result["b.z"][after].max() - 0.1)
    assert e == pytest.approx(0.9, abs=0.01 + step)
