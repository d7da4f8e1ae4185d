"""Contacts that last a moment are not jumped over, however long the steps between them could be."""

import numpy as np
import pytest

import hapsis as hs


def balls(radius):
    """Two equal balls in space, and a law that gives everything back."""
    return hs.Model(
        [hs.Body(name, 1.0, inertia=(1e-3,) * 3) for name in "ab"],
        [hs.Free(f"j{name}", hs.WORLD, name) for name in "ab"],
        hs.Contact("c", ("a", hs.Sphere(radius)), ("b", hs.Sphere(radius)), hs.Linear(1e9)),
        gravity=(0, 0, 0),
    )


@pytest.mark.parametrize("method", ["auto", "order5", "stiff"])
def test_two_balls_meet(method):
    """Free flight is exact at any step; the impact is short."""
    model, rng = balls(0.03), np.random.default_rng(0)
    for _ in range(20):
        way, speed, aside = rng.uniform(0.3, 3), rng.uniform(0.5, 10), rng.uniform(0, 0.02)
        start = {"ja.x": -way, "ja.vx": speed, "ja.y": aside}
        until = rng.uniform(1.2, 4) * way / speed
        result = hs.simulate(model, until=until, start=start, method=method, every=until)
        assert result.success
        assert [event.name for event in result.events] == ["c.touch", "c.leave"]
        # stiff balls: along the line of centres all is handed over
        across = speed * (aside / 0.06) ** 2
        assert result["ja.vx"][-1] == pytest.approx(across, abs=0.01 * speed)


@pytest.mark.parametrize("way", [10.0, 100.0, 1000.0])
def test_a_small_target_far_away(way):
    """A hit of 2 mm after a flight of up to a kilometre, with few rows to see it by chance."""
    result = hs.simulate(
        balls(1e-3), until=2 * way / 10, every=way / 10, start={"ja.x": -way - 0.0371, "ja.vx": 10.0}
    )
    assert result.success
    assert (result["ja.vx"][-1], result["jb.vx"][-1]) == pytest.approx((0.0, 10.0), abs=1e-6)
