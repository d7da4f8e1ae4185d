"""Steps of hybrids: the same motion as that of `simulate`, through events within a step."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from samples import sample

import hapsis as hs
from hapsis.compiler.backends import interpreter


def ball(restitution: float, rest: str | None = "rest", drop: float = 1.0) -> hs.Hybrid:
    free = hs.Model(
        hs.Body("ball", mass=2.0, inertia=(0.01, 0.01, 0.01)),
        hs.Prismatic("height", hs.WORLD, "ball", axis="z"),
        poses={"start": {"height": drop}},
    )
    bounce = hs.Event(
        "bounce",
        when=hs.height("ball"),
        falling=True,
        during="flight",
        then=[hs.impact("ball", restitution=restitution, rest=rest)],
    )
    return hs.Hybrid(phases={"flight": free, "rest": free.pinned("ball")}, events=[bounce])


def stepped(step: hs.Function, count: int, **inputs: float) -> list[Any]:
    """The outputs of all steps from the start."""
    native = hs.compile(step)
    state = {name: np.ravel(step.input(name).stand_in).astype(float) for name in ("q", "v", "z")}
    t, rows = 0.0, []
    for _ in range(count):
        row = native(**state, t=t, **inputs)
        state, t = {"q": row.q, "v": row.v, "z": row.z}, float(row.t)
        rows.append(row)
    return rows


@settings(max_examples=sample(3, 8), deadline=None, phases=[Phase.explicit, Phase.generate])
@given(e=st.floats(0.0, 0.95), drop=st.floats(0.05, 5.0), dt=st.sampled_from([1e-4, 1e-3, 7e-3]))
def test_bounces_are_those_of_the_closed_form_and_end_in_rest(e: float, drop: float, dt: float) -> None:
    g, first = 9.81, math.sqrt(2.0 * drop / 9.81)
    speed, end = g * first, first * (1.0 + e) / (1.0 - e)
    count = min(int(1.05 * end / dt) + 30, 30_000)
    rows = stepped(hs.stepper(ball(e, drop=drop), dt, outputs=["phase"]), count)
    heights = np.array([float(row.q[0]) for row in rows])
    t, start, times = first, first, np.arange(1, count + 1) * dt
    expected = drop - 0.5 * g * times**2
    for _ in range(2000):  # bounce after bounce
        speed *= e
        if speed < 5.0 * g * dt:  # those near the length of a step end in rest
            break
        start, t = t, t + 2.0 * speed / g
        inside = (times > start) & (times <= t)
        since = times[inside] - start
        expected[inside] = speed * since - 0.5 * g * since**2
    told = times <= t
    assert np.abs(heights - expected)[told].max() < 1e-9 * (1.0 + drop)
    assert heights.min() > -1e-8
    if count < 30_000:
        assert float(rows[-1].phase) == 1.0 and abs(heights[-1]) < 1e-8


def test_a_bounce_without_a_phase_of_rest_never_falls_through() -> None:
    rows = stepped(hs.stepper(ball(0.5, rest=None, drop=0.1), 1e-3), 3000)
    heights = np.array([float(row.q[0]) for row in rows])
    assert heights.min() > -1e-8 and abs(heights[-1]) < 1e-6


def test_an_event_that_ends_the_motion_holds_it() -> None:
    free = ball(0.5).phases["flight"]
    lands = hs.Event("lands", when=hs.height("ball"), falling=True, stop=True)
    rows = stepped(hs.stepper(hs.Hybrid({"flight": free}, [lands]), 1e-3, outputs=["phase"]), 600)
    assert float(rows[-1].phase) == -1.0 and float(rows[-1].t) == pytest.approx(0.6)
    assert abs(float(rows[-1].q[0])) < 1e-9
    assert np.array_equal(rows[-1].v, rows[-20].v)


@pytest.mark.parametrize("name", ["compass_gait", "simplest_walker", "rimless_wheel", "hopper"])
def test_walkers_step_as_they_are_simulated(name: str) -> None:
    hybrid, until, dt = getattr(hs.library, name)(), 4.5 if name == "simplest_walker" else 3.0, 1e-3
    result = hs.simulate(hybrid, until=until, tolerance=1e-11)
    rows = stepped(hs.stepper(hybrid, dt, outputs=["phase", "energy"]), round(until / dt))
    assert len(result.events) >= 1
    end = [result[n][-1] for n in (*hybrid.coordinates, *hybrid.speeds)]
    assert np.abs(np.concatenate([rows[-1].q, rows[-1].v]) - end).max() < 5e-7  # of fourth order in dt
    assert float(rows[-1].phase) == result["phase"][-1]
    assert float(rows[-1].energy) == pytest.approx(result["energy"][-1], abs=1e-6)


def test_efforts_are_inputs_and_a_step_is_of_fourth_order() -> None:
    hybrid = ball(0.7)
    errors = []
    for dt in (8e-3, 4e-3):
        step = hs.stepper(hybrid, dt, inputs=["height"], outputs=["height.v"])
        rows = stepped(step, round(1.2 / dt), height=1.5)
        errors.append(float(rows[-1].q[0]))
    result = hs.simulate(hybrid, until=1.2, inputs={"height": 1.5}, tolerance=1e-12)
    assert errors == pytest.approx([result["height"][-1]] * 2, abs=1e-9)


def test_the_same_bits_come_from_the_interpreter() -> None:
    step = hs.stepper(ball(0.8, drop=0.01), 1e-2, outputs=["phase"])
    native = hs.compile(step, contract=False)
    parameters = list(step.parameters.values())
    q, v, z, t = np.array([0.01]), np.zeros(1), np.zeros(4), 0.0
    for _ in range(30):
        row = native(q=q, v=v, z=z, t=t)
        plain = interpreter.evaluate(step, np.concatenate([q, v, z, [t], parameters]))
        q, v, z, t = row.q, row.v, row.z, float(row.t)
        assert np.array_equal(np.concatenate([q, v, z, [t], [row.phase]]), plain)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "euler"}, "rk4"),
        ({"hold": "linear"}, "zero"),
        ({"outputs": ["heigth"]}, "height"),
        ({"outputs": ["z"]}, "state of every step"),
        ({"start": {"phase": "fligth"}}, "flight"),
        ({"dt": 0.0}, "dt is 0"),
    ],
)
def test_what_a_step_of_a_hybrid_refuses(options: dict[str, Any], message: str) -> None:
    with pytest.raises(hs.Error, match=message):
        hs.stepper(ball(0.5), **{"dt": 1e-3, **options})


def test_a_phase_that_the_state_does_not_fit_ends_the_motion() -> None:
    free = ball(0.5).phases["flight"]
    lands = hs.Event("lands", when=hs.height("ball"), falling=True, during="flight", to="rest")  # no impact
    hybrid = hs.Hybrid({"flight": free, "rest": free.pinned("ball")}, [lands])
    assert hs.simulate(hybrid, until=1.0).status == "contradiction"
    rows = stepped(hs.stepper(hybrid, 1e-3, outputs=["phase"]), 600)
    assert float(rows[-1].phase) == -1.0 and abs(float(rows[-1].q[0])) < 1e-6


@pytest.mark.parametrize("z", [None, 1.0, [0.0] * 3, [0.0] * 3 + [float("nan")], [0.5, 0.0, 0.0, 0.0], "xx"])
def test_an_ending_is_read_from_what_a_step_gives(z: Any) -> None:
    with pytest.raises(hs.ModelError, match=r"^z (is|must be)"):
        ball(0.5).ending(z)
