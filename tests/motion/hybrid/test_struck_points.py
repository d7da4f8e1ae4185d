"""Several points that hit at once: none is pulled, more than four are refused."""

import numpy as np
import pytest

import hapsis as hs


def struck(count):
    """Balls beside each other on sliders, which all hit at one moment, and what the impact names."""
    facts = []
    for k in range(count):
        facts += [hs.Body(f"b{k}", mass=1.0 + k), hs.Prismatic(f"z{k}", hs.WORLD, f"b{k}", axis="z")]
    model = hs.Model(*facts, gravity=(0, 0, 0))
    points = [f"b{k}" for k in range(count)]
    blow = hs.Event(
        "blow",
        when=lambda s: s.since - 0.1,
        rising=True,
        during="flight",
        to="then",
        then=hs.impact(points, restitution=0.5),
    )
    return hs.Hybrid({"flight": model, "then": model}, [blow]), model


@pytest.mark.parametrize("seed", range(3))
def test_each_of_four_is_struck_for_itself(seed):
    """Balls that come down bounce with half their speed; those that rise are left alone."""
    hybrid, model = struck(4)
    v = np.random.default_rng(seed).uniform(-1, 1, 4)
    run = hs.simulate(hybrid, 0.2, dict(zip(model.speeds, v.tolist(), strict=True)))
    after = [run[name][-1] for name in model.speeds]
    assert after == pytest.approx(np.where(v < 0, -0.5 * v, v).tolist(), abs=1e-12)
    normal = [run.events[0].impulses[f"b{k} impact.z"] for k in range(4)]
    wanted = np.where(v < 0, -1.5 * v, 0.0) * np.arange(1, 5)
    assert normal == pytest.approx(wanted.tolist(), abs=1e-12)


def test_five_are_refused():
    hybrid, _ = struck(5)
    with pytest.raises(hs.ModelError, match="5 points that nothing holds in one impact; expected at most 4"):
        hs.simulate(hybrid, 0.2)
