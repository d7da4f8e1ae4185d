"""Cycles over a parameter: where steps double, and the doubled ones."""

import math
from functools import cache

import numpy as np
import pytest

import hapsis as hs

DEGREES = math.pi / 180


@cache
def branch():
    """The compass gait over the slope, beyond where its steps double."""
    return hs.continue_cycle(hs.library.compass_gait(), {"slope": DEGREES * np.array([4.0, 4.3, 4.6])})


@cache
def doubled():
    return branch().doubled(4.7 * DEGREES, steps=3)


def test_a_doubling_is_located():
    found = branch()
    assert found.values / DEGREES == pytest.approx([4.0, 4.3, 4.6]) and found.end == ""
    assert found.stable.tolist() == [True, True, False]
    [at] = found.doublings
    assert at.cycle.multipliers[0] == pytest.approx(-1.0, abs=1e-6)
    assert at.value / DEGREES == pytest.approx(4.390898, abs=1e-5)
    assert found["stance"].shape == (3, 1) and found.periods.shape == (3,)
    assert found.multipliers.shape == (3, 5)
    assert "doubling     at slope = 0.0766" in str(found)


def test_the_doubled_branch():
    """Long and short steps in turn; stable, and where it begins they differ as a square root."""
    found = doubled()
    assert all(cycle.strides == 2 for cycle in found.cycles) and found.stable.all()
    steps = found["stance"]
    assert steps.shape == (len(found), 2)
    gaps = np.abs(np.diff(steps, axis=1))[:, 0]
    assert (np.diff(gaps) > 0).all() and gaps[-1] > 0.01
    past = found.values - branch().doublings[0].value
    assert gaps[1] / gaps[0] == pytest.approx(math.sqrt(past[1] / past[0]), rel=0.2)
    # a motion that starts near it goes there
    last = found.cycles[-1]
    run = hs.simulate(
        hs.library.compass_gait(), 60 * last.period, last.start, parameters=last.parameters, tolerance=1e-10
    )
    times = np.diff([event.time for event in run.events])[-2:]
    assert times.sum() == pytest.approx(last.period, abs=1e-6) and abs(times[0] - times[1]) > 0.01


def test_plots_of_branches():
    """Stable and unstable cycles are lines of their own, which meet; a doubled branch has two of each."""
    lines = branch().lines("stance")
    assert [line.name for line in lines] == ["stable, 1", "unstable, 1"]
    assert np.isfinite(lines[0].y).tolist() == [True, True, False]
    assert np.isfinite(lines[1].y).tolist() == [False, True, True]
    assert len(doubled().lines("stance")) == 2
    assert "<svg" in branch().plot("stance").svg
    with pytest.raises(hs.ModelError, match='there is no coordinate or speed "stanc"'):
        branch().plot("stanc")


def test_a_branch_ends_where_there_is_no_cycle():
    """A rimless wheel rolls above a slope; below it the spoke in front is not reached."""
    wheel = hs.library.rimless_wheel(8, 0.08)
    found = hs.continue_cycle(wheel, {"slope": [0.08, 0.05, 0.03]}, event="spoke hits")
    assert found.end.startswith("beyond slope = 0.0")
    half, c = math.pi / 8, math.cos(math.pi / 4)
    for slope, cycle in zip(found.values, found.cycles, strict=True):
        speed = math.sqrt(c * c / (1 - c * c) * 4 * 9.81 * math.sin(slope) * math.sin(half))
        assert cycle.start["wheel.Ry.v"] == pytest.approx(speed, rel=1e-8)
        assert speed**2 > 2 * 9.81 * (1 - math.cos(slope - half))


def test_what_is_refused():
    wheel = hs.library.rimless_wheel()
    for along in (["slope"], {}, {"slope": [1], "g": [2]}):
        with pytest.raises(hs.ModelError, match="along must be"):
            hs.continue_cycle(wheel, along)
    with pytest.raises(hs.ModelError, match='along has 1 value of "slope"'):
        hs.continue_cycle(wheel, {"slope": [0.1]})
    found = hs.continue_cycle(wheel, {"slope": [0.08, 0.09, 0.1]})
    with pytest.raises(hs.SolveError, match="no multiplier passes -1"):
        found.doubled(0.2)


def test_doublings_that_are_not_there():
    for given in ({"to": "x"}, {"to": 0.08, "steps": 1}, {"to": 0.08, "which": 1}, {"to": 0.08, "which": -1}):
        with pytest.raises(hs.ModelError):
            branch().doubled(**given)


def test_a_map_that_doubles_where_it_must():
    """A ball whose speed after a bounce is r x (1 - x): it doubles at 3 and at 1 + √6, and ends at 1."""
    ball = hs.Model(
        hs.Body("ball", mass=1.0, frames={"mark": ("r", 0, 0)}),
        hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
        gravity=(0, 0, -1.0),
        parameters={"r": 2.8},
    )
    kick = hs.reset({"z.v": lambda s: -s["ball.mark.x"] * s["z.v"] * (1.0 + s["z.v"])})
    hit = hs.Event("hit", when=hs.height("ball"), falling=True, then=kick)
    found = hs.continue_cycle(hs.Hybrid({"flight": ball}, [hit]), {"r": [2.8, 2.9, 3.1]}, {"z.v": 0.6})
    assert found["z.v"][:, 0] == pytest.approx(1.0 - 1.0 / found.values, abs=1e-9)
    assert found.multipliers[:, 0].real == pytest.approx(2.0 - found.values, abs=1e-6)
    assert found.doublings[0].value == pytest.approx(3.0, abs=1e-8)
    pairs = found.doubled(3.5, steps=3)
    r = pairs.values
    assert pairs.multipliers[:, 0].real == pytest.approx(4.0 + 2.0 * r - r * r, abs=1e-5)
    assert pairs.doublings[0].value == pytest.approx(1.0 + math.sqrt(6.0), abs=1e-8)
