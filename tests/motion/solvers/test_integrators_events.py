"""Events: found where they are, once, in order; and what becomes of the step."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from motion_problems import (
    ADAPTIVE,
    METHODS,
    both,
    falling,
    finished,
    kernel,
    oscillator,
    position,
    run_of,
    steps_of,
)

from hapsis.motion.solvers.run.integration import Integration, advance
from hapsis.motion.solvers.run.run_memory import DONE, EVENT, TOO_MANY

CLOSE = 1e-9  # s
TIGHT = {"rtol": 1e-12, "atol": 1e-12}


def watching(method, events, directions, terminals=None, span=(0.0, 20.0), y=(1.0, 0.0), **options):
    terminals = terminals or [False] * len(directions)
    g = kernel(2, events)
    options = {"g": g, "directions": directions, "terminals": terminals, **TIGHT, **options}
    return run_of(method, 2, oscillator, span, list(y), **options)


@pytest.mark.parametrize("method", ADAPTIVE)
def test_zeros_of_an_oscillator(method):
    run = watching(method, both, [0, 0])
    assert finished(run) == DONE
    quarters = np.array([e.time for e in run.events]) / (np.pi / 2)
    assert np.abs(quarters - np.arange(1, len(quarters) + 1)).max() < CLOSE
    assert [e.index for e in run.events] == [k % 2 for k in range(len(quarters))]
    assert len(quarters) == 12
    for event in run.events:
        assert event.state[event.index] == pytest.approx(0.0, abs=CLOSE)


@pytest.mark.parametrize(("direction", "first"), [(1, 3), (-1, 1)])
def test_only_the_asked_direction(direction, first):
    run = watching("order8", position, [direction])
    finished(run)
    times = np.array([e.time for e in run.events])
    expected = first * np.pi / 2 + 2 * np.pi * np.arange(len(times))
    assert len(times) == 3
    assert np.abs(times - expected).max() < CLOSE
    # the state lies on the far side
    assert all(direction * e.state[0] > 0 for e in run.events)


def test_a_long_run_with_more_events_than_first_fit():
    run = watching("order8", position, [0], span=(0.0, 400.0), rtol=1e-13, atol=1e-14)
    free = run_of("order8", 2, oscillator, (0.0, 400.0), [1.0, 0.0], rtol=1e-13, atol=1e-14)
    assert finished(run) == finished(free) == DONE
    times = np.array([e.time for e in run.events])
    assert len(times) == 127
    assert np.abs(times - np.pi * (np.arange(127) + 0.5)).max() < CLOSE
    # a cut costs a step, not a start from tiny ones
    assert run.steps + run.rejected <= free.steps + free.rejected + 2 * len(times)


def bounces(count, speed, back):
    """Times at which a ball thrown up at `speed` hits the ground, keeping a part of its speed."""
    flights = 2 * speed / 9.81 * back ** np.arange(count)
    return np.cumsum(flights)


@pytest.mark.parametrize("method", ["rk4", *ADAPTIVE])
def test_a_ball_that_bounces(method):
    g = kernel(2, position)
    run = run_of(
        method,
        2,
        falling,
        (0.0, 100.0),
        [0.0, 5.0],
        g=g,
        directions=[-1],
        terminals=[True],
        **TIGHT,
        **steps_of(method, 0.02),
    )
    times = []
    while len(times) < 12:
        assert finished(run) == EVENT
        assert run.y[0] <= 0.0
        times.append(run.t)
        run.restart([0.0, -0.8 * run.y[1]])
    assert np.abs(times - bounces(12, 5.0, 0.8)).max() < CLOSE
    assert run.steps < 2000


def test_infinitely_many_events_end_with_the_budget():
    g = kernel(2, position)
    run = run_of(
        "order5", 2, falling, (0.0, 100.0), [0.0, 5.0], g=g, directions=[-1], terminals=[True], limit=5000
    )
    answers = []
    for _ in range(10_000):
        answers.append(finished(run))
        if answers[-1] != EVENT:
            break
        run.restart([0.0, -0.5 * run.y[1]])
    # all bounces end before this time; the ball then falls through the ground, or time stands
    assert answers[-1] in (TOO_MANY, DONE)
    last = max(e.time for e in run.events)
    assert last == pytest.approx(2 * 5.0 / 9.81 / (1 - 0.5), abs=1e-6)


def same_place(t, y):
    return [y[0], 3.0 * y[0], y[0] * (2.0 + y[1]), -y[0], y[1] + 10.0]


@pytest.mark.parametrize("method", ["order5", "order8"])
def test_events_of_one_moment(method):
    run = watching(method, same_place, [0, -1, 0, 1, 0], [False, False, True, False, False])
    assert finished(run) == EVENT
    assert [e.index for e in run.events] == [0, 1, 2, 3]
    assert {e.time for e in run.events} == {run.t}
    assert run.t == pytest.approx(np.pi / 2, abs=CLOSE)
    assert finished(run) == EVENT
    assert [e.index for e in run.events[4:]] == [0, 2]
    assert run.t == pytest.approx(3 * np.pi / 2, abs=CLOSE)


def touching(t, y):
    return [y[0] * y[0], y[0] + 1.0 + 1e-7, y[0] - 1.0 - 1e-7]


def test_touching_is_not_crossing():
    run = watching("order8", touching, [0, 0, 0])
    assert finished(run) == DONE
    assert run.events == []


def test_a_start_at_zero_is_no_event():
    run = watching("order8", both, [0, 0], y=(1.0, 0.0), span=(0.0, 1.0))
    assert finished(run) == DONE
    assert run.events == []


def one(t, y):
    return [1.0 + 0.0 * y[0]]


def rungs(t, y):
    return [y[0] - 0.7, y[0] - 0.3, y[0] - 0.3000001, y[0] - 2.5]


def test_the_first_of_a_step_comes_first():
    run = Integration(
        "rk4",
        kernel(1, one),
        (0.0, 3.0),
        [0.0],
        step=1.0,
        g=kernel(1, rungs),
        directions=[0] * 4,
        terminals=[False] * 4,
    )
    assert finished(run) == DONE
    assert [e.index for e in run.events] == [1, 2, 0, 3]
    assert np.allclose([e.time for e in run.events], [0.3, 0.3000001, 0.7, 2.5], rtol=0, atol=1e-12)


def cubic(t, y):
    # y = (a, b, c, p): p' is the derivative of (t - a)(t - b)(t - c)
    a, b, c = y[0], y[1], y[2]
    zero = 0.0 * a
    return [zero, zero, zero, (t - b) * (t - c) + (t - a) * (t - c) + (t - a) * (t - b)]


def value(t, y):
    return [y[3]]


@given(
    st.lists(st.floats(0.05, 9.95), min_size=3, max_size=3),
    st.floats(0.01, 3.0),
    st.sampled_from(["rk4", "order5", "order8", "stiff"]),
)
def test_all_roots_of_a_cubic(roots, step, method):
    a, b, c = sorted(roots)
    # a step sees one change of sign
    step = min(step, 0.9 * min(b - a, c - b))
    if step < 0.01:
        return
    run = run_of(
        method,
        4,
        cubic,
        (0.0, 10.0),
        [a, b, c, -a * b * c],
        step=step,
        g=kernel(4, value),
        directions=[0],
        terminals=[False],
    )
    assert finished(run) == DONE
    slack = [
        1e-12 * 2000 / min(abs((x - p) * (x - q)) for p, q in [others])
        for x, others in ((a, (b, c)), (b, (a, c)), (c, (a, b)))
    ]
    assert len(run.events) == 3
    for event, root, room in zip(run.events, (a, b, c), slack, strict=True):
        assert abs(event.time - root) < max(CLOSE, room)


@pytest.mark.parametrize("method", METHODS)
def test_samples_and_events_in_one_run(method):
    times = np.linspace(0.0, 10.0, 41)
    run = watching(method, both, [0, 0], span=(0.0, 10.0), samples=times, **steps_of(method, 1e-3))
    assert finished(run) == DONE
    allowed = {"euler": 2e-3, "symplectic": 1e-5}.get(method, 1e-9)
    assert np.abs(run.sampled[:, 0] - np.cos(times)).max() < allowed
    assert len(run.events) == 6


def test_an_event_is_not_found_again_after_a_restart():
    run = watching("order8", position, [0], [True])
    assert finished(run) == EVENT
    first = run.t
    run.restart()
    assert finished(run) == EVENT
    assert run.t == pytest.approx(first + np.pi, abs=CLOSE)


def test_pauses_in_the_middle_of_events_change_nothing():
    whole, paused = (watching("order5", both, [0, 0], span=(0.0, 200.0)) for _ in range(2))
    assert finished(whole) == DONE
    while advance(paused, 1) != DONE:
        pass
    assert [(e.time, e.index) for e in whole.events] == [(e.time, e.index) for e in paused.events]
    assert (whole.y == paused.y).all()


@pytest.mark.parametrize("height", [-1e-12, -0.1, -1.27])
@pytest.mark.parametrize("direction", [-1, 0, 1])
@pytest.mark.parametrize("method", ["rk4", "order5", "order8", "stiff"])
def test_up_and_down_within_one_step(method, direction, height):
    # thrown up from below the ground: one step sees the ball below at both of its ends
    roots = 5.0 / 9.81 + np.array([-1.0, 1.0]) * np.sqrt(25.0 + 2 * 9.81 * height) / 9.81
    run = run_of(
        method,
        2,
        falling,
        (0.0, 8.0),
        [height, 5.0],
        step=4.0,
        g=kernel(2, position),
        directions=[direction],
        terminals=[False],
    )
    assert finished(run) == DONE
    expected = {-1: roots[1:], 0: roots, 1: roots[:1]}[direction]
    assert len(run.events) == len(expected)
    assert np.abs([e.time for e in run.events] - expected).max() < CLOSE


@pytest.mark.parametrize("method", ["rk4", "order5", "order8", "stiff"])
def test_nearly_up_within_one_step(method):
    run = run_of(
        method,
        2,
        falling,
        (0.0, 8.0),
        [-1.28, 5.0],
        step=4.0,
        g=kernel(2, position),
        directions=[0],
        terminals=[False],
    )
    assert finished(run) == DONE
    assert run.events == []
    assert run.steps == 2
