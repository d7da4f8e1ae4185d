"""Events that pass zero several times within one step: all of them are told."""

import math

import numpy as np
import pytest
from samples import sample

import hapsis as hs

UNTIL = 5.0
ROWS = 100_000  # of the motion that changes of sign are counted in


def pendulum():
    return hs.Model(
        hs.Body("a", mass=1.0, com=(0, 0, -0.5), inertia=(0.083, 0.083, 0.001)),
        hs.Revolute("j", hs.WORLD, "a", axis="y"),
        hs.Body("b", mass=0.5, com=(0, 0, -0.2), inertia=(0.01, 0.01, 0.001)),
        hs.Revolute("k", ("a", hs.Frame((0, 0, -1.0))), "b", axis="y"),
    )


def sine(x, at):
    return (np.sin if isinstance(x, np.ndarray) else hs.sin)(x + at)


def bell(x):
    return (np.exp if isinstance(x, np.ndarray) else hs.exp)(-x * x)


def decided(condition, then, otherwise):
    return (np.where if isinstance(condition, np.ndarray) else hs.where)(condition, then, otherwise)


def random_event(draw):
    """A function of the time, two angles and their speeds, of numbers or of expressions."""
    a, b = 10.0 ** draw.uniform(0.5, 2.7), 10.0 ** draw.uniform(0.5, 2.7)
    at, c = draw.uniform(0, 2 * math.pi), draw.uniform(-0.7, 0.7)
    t0, width = draw.uniform(0.5, 4.5), 10.0 ** draw.uniform(-3, 0)
    return [
        lambda t, j, k, w: sine(a * j, at),
        lambda t, j, k, w: sine(a * t, at),
        lambda t, j, k, w: sine(a * k, at) - c,
        lambda t, j, k, w: sine(a * j, at) * sine(b * t, c) + 0.3 * c,
        lambda t, j, k, w: sine(3.0 * w, at),
        lambda t, j, k, w: j * sine(a * t, at) + 0.3 * c,
        lambda t, j, k, w: bell((t - t0) / width) - 0.5,
        lambda t, j, k, w: decided(sine(a * t, at) > c, 1.0, -1.0),
        lambda t, j, k, w: decided(sine(0.2 * a * j, at) > c, 1.0, -1.0),
        lambda t, j, k, w: sine(a * (j + 0.1 * t), at) + 0.5 * c,
    ][draw.integers(10)]


def counted(values, t):
    """The places in t after which values change their sign, and the way they do."""
    side = np.sign(values)
    keep = side != 0
    where, side = np.flatnonzero(keep), side[keep]
    turns = np.flatnonzero(side[1:] != side[:-1])
    return where[turns], np.array([side[k + 1] for k in turns])


def check(draw, method, options):
    functions = [random_event(draw) for _ in range(8)]
    ways = [draw.choice([0, 0, 1, -1]) for _ in functions]
    events = [
        hs.Event(f"e{n}", lambda s, f=f: f(s.t, s["j"], s["k"], s["j.v"]), rising=way > 0, falling=way < 0)
        for n, (f, way) in enumerate(zip(functions, ways, strict=True))
    ]
    start = {"j": draw.uniform(0.2, 1.5), "k": draw.uniform(-1, 1)}
    result = hs.simulate(
        pendulum(), until=UNTIL, start=start, every=UNTIL / ROWS, method=method, events=events, **options
    )
    assert result.success and ("step" in options or not result.warnings)
    t = result.t
    for n, (f, way) in enumerate(zip(functions, ways, strict=True)):
        told = np.array([e.time for e in result.events if e.name == f"e{n}"])
        places, sides = counted(f(t, result["j"], result["k"], result["j.v"]), t)
        places = places[sides == way] if way else places
        # each change in the rows has its event, and what is more comes and goes between two rows
        for place in places:
            near = np.abs(told - t[place]) < 3 * UNTIL / ROWS
            assert near.any(), (n, way, float(t[place]))
        assert len(places) <= len(told) <= len(places) + max(2, 0.01 * len(places)), (n, way)


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("auto", {}),
        ("order5", {}),
        ("stiff", {"tolerance": 1e-7}),
        ("rk4", {"step": 5e-3}),
        ("symplectic", {"step": 5e-3}),
        ("euler", {"step": 1e-3}),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_random_waves_against_counting_in_dense_rows(method, options):
    for seed in range(sample(1, 40)):
        check(np.random.default_rng([len(method), seed]), method, options)


def test_dips_before_the_first_and_behind_the_last_place_that_is_looked_at():
    """Steps that other events have cut begin and end anywhere, also just before a wave dips below zero."""
    check(np.random.default_rng([4, 18]), "auto", {})


def test_an_encoder_has_all_its_ticks():
    """sin(200 q) of a pendulum: every change of sign in dense rows is told, and sin(200 t) too."""
    model = hs.Model(
        hs.Body("a", mass=1.0, com=(0, 0, -0.5), inertia=(0.083, 0.083, 0.001)),
        hs.Revolute("j", hs.WORLD, "a", axis="y"),
    )
    result = hs.simulate(
        model, until=10.0, start={"j": 0.5}, every=1e-4, events={"e": lambda s: hs.sin(200 * s["j"] + 0.1)}
    )
    assert len(result.events) == (np.diff(np.sign(np.sin(200 * result["j"] + 0.1))) != 0).sum() == 756
    events = {"e": lambda s: hs.sin(200 * s.t + 0.1)}
    assert len(hs.simulate(model, until=10.0, start={"j": 0.5}, events=events).events) == 636


def test_what_is_too_fine_is_said():
    """A wave with more turns than any step can tell: a warning that says how fine it can."""
    model = pendulum()
    events = {"e": lambda s: hs.sin(1e13 * s["j"])}
    with pytest.warns(hs.Notice, match="an event passes zero more often than every"):
        hs.simulate(model, until=1e-3, start={"j": 1.0, "j.v": 3.0}, events=events, most_steps=50)
