"""What rocks from one point to another comes to rest: wheels on slopes that are too flat for them."""

import math

import numpy as np
import pytest
from samples import sample

import hapsis as hs

FLAT = [(5, 0.001), (5, 0.02), (5, 0.08), (6, 0.05), (7, 0.005), (7, 0.08), (8, 0.01), (20, 0.001)]
WHEELS = sample([(5, 0.02), (7, 0.02), (8, 0.01), (20, 0.001)], FLAT)


def lowest(run: hs.Result) -> float:
    """How far spokes go into the ground."""
    return -min(run["wheel.next.z"].min(), run["wheel.last.z"].min())


@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-11])
@pytest.mark.parametrize(("n", "slope"), WHEELS)
def test_a_wheel_rocks_to_rest_and_stays_on_the_ground(n, slope, tolerance):
    """Its last strikes follow each other within 1e-7 s and less, and spokes rise by less than rounding."""
    run = hs.simulate(hs.library.rimless_wheel(n, slope), 10.0, tolerance=tolerance)
    assert run.success and lowest(run) < 1e-8
    assert np.abs(run["wheel.Ry"]).max() < math.pi / n + 1e-8
    if run.events[-1].after == "rest":
        assert abs(run["wheel.Ry"][-1]) == pytest.approx(math.pi / n, abs=1e-9)
        assert {event.name for event in run.events[-2:]} == {"spoke hits", "rocks back"}


@pytest.mark.parametrize(("n", "slope"), WHEELS)
def test_each_pair_of_strikes_takes_the_same_part_of_the_speed(n, slope):
    """ω⁺ = cos(2π/n) ω⁻ at each of them, and energy is kept between; so times are a geometric series."""
    run = hs.simulate(hs.library.rimless_wheel(n, slope), 10.0, tolerance=1e-11)
    pauses = np.diff([event.time for event in run.events])
    pauses = pauses[(pauses < 1e-2) & (pauses > 1e-5)]
    assert pauses[2:] / pauses[:-2] == pytest.approx(math.cos(2 * math.pi / n) ** 2, rel=0.02)


@pytest.mark.parametrize("dt", [1e-2, 1e-3])
@pytest.mark.parametrize(("n", "slope"), [(5, 0.01), (8, 0.01), (20, 0.001)])
def test_steps_of_it_come_to_rest_as_the_run(n, slope, dt):
    wheel, until = hs.library.rimless_wheel(n, slope), 2.0
    run = hs.simulate(wheel, until, tolerance=1e-11)
    step = hs.compile(hs.stepper(wheel, dt, outputs=["phase", "status"]))
    state = step()
    for _ in range(round(until / dt) - 1):
        state = step(state.q, state.v, state.z, state.t)
    assert state.status == 0.0 and state.phase == run["phase"][-1]
    # on two spokes; which of them is the last one to be struck is a matter of 1e-7 s
    end = [run[name][-1] for name in wheel.coordinates]
    assert np.allclose(np.abs(state.q), np.abs(end), rtol=0, atol=1e-6)


def test_without_a_phase_of_rest_it_is_told():
    wheel = hs.library.rimless_wheel(6, 0.05)
    strikes = [
        hs.Event(event.name, event.when, falling=True, then=[event.then[0], hs.impact("wheel.foot")])
        for event in wheel.events
    ]
    endless = hs.Hybrid({"stance": wheel.phases["stance"]}, strikes)
    with pytest.warns(hs.Notice, match="chattering"):
        run = hs.simulate(endless, 8.0)
    assert run.status == "chattering" and run.t[-1] == pytest.approx(0.498424, abs=1e-5)
    step = hs.compile(hs.stepper(endless, 1e-2))
    state = step()
    for _ in range(99):
        state = step(state.q, state.v, state.z, state.t)
    assert endless.ending(state.z).startswith("chattering: t = 0.49842")


def tipping() -> hs.Hybrid:
    """A bar with all of its mass in the middle: where one end is struck, the other one goes down."""
    ends = {"a": (0.5, 0, 0), "b": (-0.5, 0, 0)}
    bar = hs.Model(
        hs.Body("bar", mass=1.0, inertia=(0.01,) * 3, frames=ends),
        hs.Chain("at", hs.WORLD, "bar", "Tx Tz Ry"),
    )
    phases = {end: bar.pinned(f"bar.{end}") for end in "ab"}
    strikes = [
        hs.Event(
            f"on {end}", hs.height(f"bar.{end}"), falling=True, during=other, to=end,
            then=hs.impact(f"bar.{end}"),
        )
        for end, other in ("ab", "ba")
    ]  # fmt: skip
    return hs.Hybrid(phases, strikes, start="b")


@pytest.mark.filterwarnings("ignore::hapsis.Notice")
@pytest.mark.parametrize("offset", [1e-8, 1e-12, 0.0, -1e-12, -1e-8])
def test_an_end_that_was_held_begins_beyond_zero_on_whichever_side_rounding_has_put_it(offset):
    """Of an end that goes down when it is let go there is one answer, and it is told."""
    turn, until = -0.2, 0.3
    start = {"at.Ry": turn, "at.Tx": 0.5 * math.cos(turn), "at.Tz": offset - 0.5 * math.sin(turn)}
    run = hs.simulate(tipping(), until, start)
    assert [event.name for event in run.events] == ["on a"]
    assert '"bar.b"' in run.warnings[-1] and 'below the ground of event "on b"' in run.warnings[-1]
    step = hs.compile(hs.stepper(tipping(), 1e-2, start=start, outputs=["phase"]))
    state = step()
    for _ in range(round(until / 1e-2) - 1):
        state = step(state.q, state.v, state.z, state.t)
    assert state.phase == run["phase"][-1]
    assert np.allclose(state.q, [run[name][-1] for name in run.last.coordinates], atol=1e-6)
