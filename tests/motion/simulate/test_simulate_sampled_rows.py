"""Rows at sampling instants show what is true after the sample, exactly; laws over random controllers."""

import numpy as np
import pytest
from samples import sample

import hapsis as hs


def block(*facts, mass=1.0):
    return hs.Model(
        hs.Body("b", mass=mass), hs.Prismatic("x", hs.WORLD, "b", axis="x"), *facts, gravity=(0, 0, 0)
    )


def exact(rate, law, until, mass, x, v):
    """The samples t, x, v, f of a mass whose effort is held between them."""
    rows, k = [], 0
    while k / rate < until * (1 - 1e-12):
        f, h = law(x, v, k), 1.0 / rate
        rows.append((k / rate, x, v, f))
        x, v, k = x + h * v + 0.5 * h * h * f / mass, v + h * f / mass, k + 1
    return np.array(rows)


def test_random_sampled_controllers_hold_exactly():
    """Rows at the controller's own rate, a multiple or a part of it: efforts are those of the sample."""
    draw = np.random.default_rng(3)
    for _ in range(sample(20, 500)):
        rate = float(draw.choice([10.0, 33.0, 48.0, 100.0, 1e3 / 7, 999.0, 44.1]))
        every = float(draw.choice([1.0, 0.5, 2.0, 1 / 3, 5.0])) / rate
        until = float(draw.uniform(0.5, 2.0)) if draw.random() < 0.5 else round(20 * draw.random() + 5) / rate
        mass, stiffness, damping = draw.uniform(0.5, 3), draw.uniform(1, 20), draw.uniform(0, 2)
        told = []

        def law(x, v, k, stiffness=stiffness, damping=damping):
            return -stiffness * x - damping * v + 0.1 * (k % 3)

        def control(s, law=law, rate=rate, told=told):
            told.append(s.t)
            return {"x": law(s["x"], s["x.v"], round(s.t * rate))}

        model = block(hs.Controller("c", control, rate=rate, efforts="x"), mass=mass)
        result = hs.simulate(model, until=until, start={"x": 0.3, "x.v": -0.2}, every=every)
        rows = exact(rate, law, until, mass, 0.3, -0.2)
        assert len(told) == len(rows) and np.allclose(told, rows[:, 0], atol=1e-12)
        place = np.floor(result.t * rate + 1e-6).astype(int)[:-1]  # no sample is taken at the end
        assert result["c.x"][:-1] == pytest.approx(rows[place, 3], rel=1e-6, abs=1e-8)
        at = np.abs(result.t[:-1] * rate - np.round(result.t[:-1] * rate)) < 1e-6
        assert result["x"][:-1][at] == pytest.approx(rows[place[at], 1], rel=1e-7, abs=1e-9)


def test_the_leak_of_a_sampled_spring():
    """A spring of 1 kHz pressed evenly by 20 mm and let out: K v T d leaks, and rows add up to that."""
    K, v, T, d = 1000.0, 0.1, 1e-3, 0.02
    wall = hs.Controller("wall", lambda s: {"x": -K * s["x"]}, rate=1 / T, efforts="x")
    hand = hs.Drive("hand", "x", position=lambda t: hs.where(t < d / v, v * t, 2 * d - v * t))
    result = hs.simulate(block(wall, hand), until=2 * d / v, every=T)
    age = (-result["wall.x"] / K - result["x"])[:-1]
    assert np.abs(age).max() < 1e-12
    leak = np.sum(result["wall.x"][:-1] * np.diff(result["x"]))
    assert leak == pytest.approx(K * v * T * d, rel=1e-6)


def test_events_of_what_a_sample_changes():
    """An effort that changes its sign at a sample is an event there, though it never passes zero."""
    model = block(hs.Controller("c", lambda s: {"x": (-1.0) ** round(s.t * 10)}, rate=10.0, efforts="x"))
    result = hs.simulate(model, until=1.05, events={"turn": lambda s: s["c.x"]})
    assert [e.time for e in result.events] == pytest.approx(np.arange(1, 11) / 10, abs=1e-9)


@pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")
def test_rates_that_no_clock_has_are_refused_and_many_samples_need_no_memory():
    fast = block(hs.Controller("c", lambda s: {"x": 0.0}, rate=1e300, efforts="x"))
    with pytest.raises(hs.SolveError, match="cannot be distinguished"):
        hs.simulate(fast, until=1.0)
    long = block(hs.Controller("c", lambda s: {"x": 0.0}, rate=1e6, efforts="x"))
    assert hs.simulate(long, until=1e5, most_steps=10).status == "too many steps"
