"""Runs: they pause anywhere, say why they stop, and do only what was asked."""

import numpy as np
import pytest
from motion_problems import (
    ADAPTIVE,
    METHODS,
    both,
    finished,
    kernel,
    oscillator,
    pendulum,
    position,
    run_of,
    steps_of,
)

import hapsis as hs
from hapsis.errors import CompileError, SolveError
from hapsis.motion.solvers.run.integration import Integration, advance
from hapsis.motion.solvers.run.run_memory import DONE, EVENT, NOT_FINITE, PAUSED, SMALL_STEP, TOO_MANY

TIMES = np.linspace(0.0, 9.0, 31)


def eventful(method, **options):
    """A run with samples and events; every part of a method has work to do."""
    options = {"step": 0.03} | options if method not in ADAPTIVE else options
    return run_of(
        method,
        2,
        pendulum,
        (0.0, 9.0),
        [1.0, 0.2],
        samples=TIMES,
        g=kernel(2, both),
        directions=[0, -1],
        terminals=[False, False],
        **options,
    )


def same(a, b):
    assert a.t == b.t
    assert (a.y == b.y).all()
    assert a.sampled.tobytes() == b.sampled.tobytes()
    assert [(e.time, e.index) for e in a.events] == [(e.time, e.index) for e in b.events]
    counters = ("steps", "rejected", "evaluations", "jacobians")
    assert [getattr(a, c) for c in counters] == [getattr(b, c) for c in counters]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("pause", [1, 7])
def test_pauses_change_no_bit(method, pause):
    whole, paused = eventful(method), eventful(method)
    assert finished(whole) == DONE
    assert finished(paused, pause) == DONE
    same(whole, paused)
    assert len(whole.events) >= 3


@pytest.mark.parametrize("method", METHODS)
def test_python_gives_the_same_bits(method):
    native, plain = eventful(method), eventful(method, plain=True)
    assert finished(native) == finished(plain) == DONE
    same(native, plain)


@pytest.mark.parametrize("method", METHODS)
def test_samples_do_not_change_the_steps(method):
    options = {"rtol": 1e-7, **steps_of(method, 0.05)}
    runs = [
        run_of(method, 2, pendulum, (0.0, 5.0), [1.0, 0.0], samples=samples, **options)
        for samples in ([], np.linspace(0.0, 5.0, 173), [0.0, 0.0, 2.5, 2.5, 5.0, 5.0])
    ]
    assert [finished(run) for run in runs] == [DONE] * 3
    assert (runs[0].y == runs[1].y).all()
    assert runs[0].steps == runs[1].steps == runs[2].steps
    last = runs[2].sampled
    assert (last[0] == [1.0, 0.0]).all()
    assert (last[2] == last[3]).all()
    assert (last[4] == runs[2].y).all()
    assert (last[5] == runs[2].y).all()


@pytest.mark.parametrize("method", METHODS)
def test_backwards_in_time(method):
    times = np.linspace(3.0, 1.0, 9)
    options = steps_of(method, 1e-3)
    run = run_of(method, 2, oscillator, (3.0, 1.0), [np.cos(3), -np.sin(3)], samples=times, **options)
    assert finished(run) == DONE
    assert run.t == 1.0
    assert np.abs(run.sampled[:, 0] - np.cos(times)).max() < (2e-3 if method == "euler" else 1e-5)


def blow_up(t, y):
    return [y[0] * y[0]]


@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_blow_up_ends_with_small_steps(method):
    run = run_of(method, 1, blow_up, (0.0, 2.0), [1.0])
    run.watch_stiffness = False
    assert finished(run) == SMALL_STEP
    assert run.t == pytest.approx(1.0, abs=1e-6)
    assert "resolution" in run.trouble()


def half_way(t, y):
    return [hs.sqrt(0.5 - t), y[0]]


@pytest.mark.parametrize("method", METHODS)
def test_the_time_where_something_is_not_finite(method):
    run = run_of(method, 2, half_way, (0.0, 1.0), [0.0, 0.0], **steps_of(method, 0.01))
    assert finished(run) == NOT_FINITE
    assert run.t == pytest.approx(0.5, abs=0.011)
    assert run.trouble().startswith("t = 0.")
    assert np.isfinite(run.y).all()


def event_half_way(t, y):
    return [hs.sqrt(0.5 - t) + 1.0]


@pytest.mark.parametrize("method", METHODS)
def test_events_that_are_not_finite(method):
    run = run_of(
        method,
        2,
        oscillator,
        (0.0, 1.0),
        [1.0, 0.0],
        g=kernel(2, event_half_way),
        directions=[0],
        terminals=[True],
        **steps_of(method, 0.01),
    )
    assert finished(run) == NOT_FINITE
    assert run.t == pytest.approx(0.5, abs=0.011)


@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_start_that_is_not_finite(method):
    bad = run_of(method, 2, oscillator, (0.0, 1.0), [np.nan, 0.0])
    assert finished(bad) == NOT_FINITE
    late = run_of(method, 2, half_way, (0.7, 1.0), [0.0, 0.0])
    assert finished(late) == NOT_FINITE
    assert late.t == 0.7


def wall(t, y):
    # not finite beyond a wall that the motion never passes, though long steps would
    return [y[1], -y[0] + 0.0 * hs.sqrt(1.3 - y[0])]


@pytest.mark.parametrize("method", ["order5", "order8"])
def test_shorter_steps_avoid_what_is_not_finite(method):
    run = run_of(method, 2, wall, (0.0, 20.0), [0.0, 1.0], first=3.0, rtol=1e-3, atol=1e-3)
    assert finished(run) == DONE
    assert run.rejected > 0


@pytest.mark.parametrize("method", METHODS)
def test_the_budget_of_the_run(method):
    run = run_of(method, 2, pendulum, (0.0, 9.0), [1.0, 0.0], limit=5, **steps_of(method, 0.01))
    assert finished(run, 2) == TOO_MANY
    assert run.steps + run.rejected == 5


@pytest.mark.parametrize("method", METHODS)
def test_fixed_steps_lie_on_the_grid(method):
    run = run_of(method, 2, pendulum, (0.2, 1.0), [1.0, 0.0], step=0.1)
    times = [run.t]
    while advance(run, 1) == PAUSED:
        times.append(run.t)
    times.append(run.t)
    assert times == [0.2 + k * 0.1 for k in range(8)] + [1.0]
    # the last step is shorter where the end is not on the grid
    run = run_of(method, 2, pendulum, (0.0, 1.0), [1.0, 0.0], step=0.3)
    assert finished(run) == DONE
    assert (run.t, run.steps) == (1.0, 4)


def test_a_million_steps_of_a_tenth_end_where_they_should():
    run = run_of("euler", 2, oscillator, (0.0, 1e5), [1.0, 0.0], step=0.1)
    assert finished(run) == DONE
    assert (run.t, run.steps) == (1e5, 1_000_000)


@pytest.mark.parametrize("method", METHODS)
def test_going_on_after_the_end(method):
    options = steps_of(method, 0.01)
    run = run_of(method, 2, oscillator, (0.0, 1.0), [1.0, 0.0], **options)
    assert finished(run) == DONE
    run.until(2.0)
    assert finished(run) == DONE
    assert run.y[0] == pytest.approx(np.cos(2.0), abs=2e-2 if method == "euler" else 1e-4)
    with pytest.raises(SolveError, match="before t = 2"):
        run.until(1.0)


@pytest.mark.parametrize("method", ADAPTIVE)
def test_the_first_and_the_longest_step(method):
    run = run_of(method, 2, oscillator, (0.0, 10.0), [1.0, 0.0], first=1e-3, max_step=0.01)
    assert advance(run, 1) == PAUSED
    assert run.t == 1e-3
    longest, before = 0.0, run.t
    while advance(run, 1) == PAUSED:
        longest, before = max(longest, run.t - before), run.t
    assert 0.00999 < longest <= 0.01 * (1 + 1e-12)
    assert run.steps >= 1000


def with_a_fast_one(t, y):
    return [y[1], -y[0], 1e3 * hs.cos(50.0 * t)]


@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_component_that_is_not_looked_at(method):
    steps = [
        (run := run_of(method, 3, with_a_fast_one, (0.0, 10.0), [1.0, 0.0, 0.0], atol=atol), finished(run))
        for atol in ([1e-9, 1e-9, np.inf], 1e-9)
    ]
    alone = run_of(method, 2, oscillator, (0.0, 10.0), [1.0, 0.0], atol=1e-9)
    assert finished(alone) == DONE
    assert steps[0][0].steps == alone.steps
    assert steps[1][0].steps > 2 * alone.steps


def spinning(t, y):
    # quaternion rates of a body that turns about changing axes
    w = [hs.cos(t), 2.0 * hs.sin(2.0 * t), 0.5 + 0.0 * t]
    a, b, c, d = y[0], y[1], y[2], y[3]
    return [
        -0.5 * (b * w[0] + c * w[1] + d * w[2]),
        0.5 * (a * w[0] + c * w[2] - d * w[1]),
        0.5 * (a * w[1] - b * w[2] + d * w[0]),
        0.5 * (a * w[2] + b * w[1] - c * w[0]),
    ]


@pytest.mark.parametrize("method", METHODS)
def test_quaternions_keep_their_length(method):
    times = np.linspace(0.0, 8.0, 57)
    unit = np.array([0.5, 0.5, 0.5, 0.5])
    runs = [
        run_of(
            method,
            4,
            spinning,
            (0.0, 8.0),
            unit,
            samples=times,
            quaternions=groups,
            **{"rtol": 1e-5, **steps_of(method, 0.02)},
        )
        for groups in ([0], [])
    ]
    assert [finished(run) for run in runs] == [DONE, DONE]
    assert np.abs(np.linalg.norm(runs[0].sampled, axis=1) - 1.0).max() < 4e-16
    assert np.abs(runs[0].y - runs[1].y).max() < (0.1 if method == "euler" else 5e-3)
    if method != "symplectic":  # which keeps the length anyway
        assert np.abs(np.linalg.norm(runs[1].sampled, axis=1) - 1.0).max() > 1e-13


@pytest.mark.parametrize("method", METHODS)
def test_what_prepare_does_holds_for_the_whole_step(method):
    # f is a push that is chosen at the start of each step: the sum of h times t at the starts
    held, told = np.zeros(1), []

    def prepare(h, t, y):
        held[0] = t[0]
        told.append((t[0], h[0]))

    def f(t, y, dy):
        dy[0] = 0.0
        dy[1] = held[0]

    def df(t, y, J, ft):
        J[:4] = 0.0
        ft[:2] = 0.0

    run = Integration(
        method,
        f,
        (0.0, 1.0),
        [0.0, 0.0],
        step=0.125,
        prepare=prepare,
        jacobian=df,
        rates=f,
        split=(1, 1),
        plain=True,
    )
    assert finished(run) == DONE
    assert told == [(0.125 * k, 0.125) for k in range(8)]
    assert run.y[1] == pytest.approx(0.125 * 0.125 * 28, rel=1e-14)


def test_evaluations_are_counted():
    calls = []

    def f(t, y, dy):
        calls.append(t[0])
        dy[0], dy[1] = y[1], -y[0]

    for method in ("order5", "order8"):
        calls.clear()
        run = Integration(method, f, (0.0, 10.0), [1.0, 0.0], samples=[3.3, 7.7], plain=True)
        assert finished(run) == DONE
        assert run.evaluations == len(calls)
        stages = {"order5": 6, "order8": 12}[method]
        assert len(calls) <= 3 + stages * (run.steps + run.rejected) + 2 * 3


def test_a_terminal_event_leaves_the_samples_before_it():
    run = run_of(
        "order8",
        2,
        oscillator,
        (0.0, 9.0),
        [1.0, 0.0],
        samples=TIMES,
        g=kernel(2, position),
        directions=[0],
        terminals=[True],
    )
    assert finished(run) == EVENT
    assert len(run.sampled) == np.searchsorted(TIMES, np.pi / 2)
    assert np.abs(run.sampled[:, 0] - np.cos(TIMES[: len(run.sampled)])).max() < 1e-5
    assert finished(run) == EVENT


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "rk5"}, 'no method "rk5".*did you mean "rk4"'),
        ({"method": "rk4"}, "fixed steps; give step="),
        ({"step": 0.0}, "the step is 0.0"),
        ({"step": np.inf}, "the step is inf"),
        ({"samples": [1.0, 0.5]}, "not in the order of the run"),
        ({"samples": [-1.0]}, "before the start"),
        ({"span": (0.0, np.nan)}, "finite times"),
        ({"rtol": -1.0}, "a tolerance is negative"),
        ({"rtol": 0.0, "atol": 0.0}, "both zero"),
        ({"directions": [1]}, "one of each for each value of g"),
        ({"first": -1.0}, "the first step is -1.0"),
        ({"max_step": 0.0}, "the longest step is 0.0"),
        ({"atol": [1.0, 1.0, 1.0]}, r"atol has the shape \(3,\); expected a number, or 2"),
        ({"quaternions": [0]}, r"quaternions at \[0\] of 2 numbers"),
        ({"method": "stiff"}, "needs the Jacobian"),
        ({"method": "euler", "step": 0.1}, "rates= and split="),
    ],
)
def test_what_is_refused(options, words):
    options = {"method": "order5", "span": (0.0, 1.0), **options}
    method, span = options.pop("method"), options.pop("span")
    with pytest.raises(SolveError, match=words):
        Integration(method, kernel(2, oscillator), span, [1.0, 0.0], **options)


def test_kernels_that_write_too_much_are_refused():
    long = kernel(3, with_a_fast_one)
    for options in ({}, {"g": long, "directions": [0], "terminals": [False]}):
        f = kernel(2, oscillator) if options else long
        with pytest.raises(CompileError, match="at least 3 numbers"):
            Integration("rk4", f, (0.0, 1.0), [1.0, 0.0], step=0.1, **options)


@pytest.mark.parametrize("method", ["rk4", "order5", "order8"])
def test_nothing_to_integrate(method):
    run = Integration(method, lambda t, y, dy: None, (0.0, 1.0), [], plain=True, **steps_of(method, 0.1))
    assert finished(run) == DONE
    still = run_of(method, 2, oscillator, (1.0, 1.0), [1.0, 0.0], **steps_of(method, 0.1))
    assert finished(still) == DONE
    assert still.steps == 0
