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


@pytest.mark.parametrize("friction", [None, 0.3])
def test_a_body_lands_in_every_pose(friction):
    """A ball that turns by exactly a quarter from one bounce to the next: no speed of its own is upward."""
    ball = hs.Model(hs.Body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1)), hs.Free("f", hs.WORLD, "ball"))
    bounce = hs.impact("ball", restitution=1.0, friction=friction)
    hybrid = hs.Hybrid(
        {"flight": ball}, [hs.Event("bounce", when=hs.height("ball"), falling=True, then=bounce)]
    )
    fall = np.sqrt(2 / 9.81)
    turn = np.pi / 2 / (2 * fall)
    start = {"f.z": 1.0, "f.qw": np.cos(turn * fall / 2), "f.qy": -np.sin(turn * fall / 2), "f.wy": turn}
    run = hs.simulate(hybrid, until=4 * fall, start=start, tolerance=1e-10)
    assert run.status == "done" and len(run.events) == 2
    assert run["f.z"][-1] == pytest.approx(1.0, abs=1e-9)


def test_points_that_share_a_load_with_friction_are_refused():
    corners = {f"c{k}": (x, y, 0) for k, (x, y) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)])}
    model = hs.Model(hs.Body("b", mass=1.0, inertia=(1, 1, 1), frames=corners), hs.Free("f", hs.WORLD, "b"))
    points = [f"b.{name}" for name in corners]
    for friction, words in ((None, ""), (0.5, 'friction at "b.c3": the other points hold it already')):
        lands = hs.Event(
            "lands", when=hs.height("b.c0"), falling=True, then=hs.impact(points, 0.5, friction=friction)
        )
        hybrid = hs.Hybrid({"flight": model}, [lands])
        if words:
            with pytest.raises(hs.ModelError, match=words):
                hs.simulate(hybrid, 0.6, {"f.z": 1.0})
        else:
            assert hs.simulate(hybrid, 0.6, {"f.z": 1.0})["f.vz"][-1] > 0.0
