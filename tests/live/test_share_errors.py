"""What cannot be shared is refused in one line that names it and says what is allowed."""

import math

import numpy as np
import pytest
from shared_models import library

import hapsis as hs

CRANK = library.slider_crank()


def pendulum(*more):
    return hs.Model(
        hs.Rod("arm", length=0.5, mass=1.0), hs.Revolute("hinge", hs.WORLD, "arm", axis="y"), *more
    )


def sampled():
    return pendulum(hs.Controller("c", lambda s: {"hinge": -s["hinge"]}, rate=100.0, efforts=("hinge",)))


def by_python():
    return pendulum(hs.Controller("c", lambda s: {"hinge": math.sin(s["hinge"])}))


def branching():
    return pendulum(hs.Controller("c", lambda s: {"hinge": 1.0 if s["hinge"] > 0 else 0.0}))


def crowd():
    bodies = [hs.Body(f"b{k}", mass=1.0, inertia=(1.0, 1.0, 1.0)) for k in range(301)]
    return hs.Model(*bodies, *(hs.Free(f"f{k}", hs.WORLD, f"b{k}") for k in range(301)))


WRONG = [
    (sampled, {}, 'controller "c": a sampled controller is Python code .* leave out its rate'),
    (by_python, {}, r"test_share_errors.py:\d+: law .*: use hs.sin, not math.sin"),
    (branching, {}, "use hs.where, not if"),
    (CRANK, {"parameters": ["crank.mas"]}, '"crank.mas" is no parameter .*did you mean "crank.mass"'),
    (CRANK, {"parameters": ["zzz"]}, r'"zzz" is no parameter of this motion \(parameters: .*crank.mass'),
    (CRANK, {"parameters": ["hand0_force_x"]}, '"hand0_force_x" is no parameter'),
    (CRANK, {"parameters": 3}, "parameters must be names, not a int"),
    (CRANK, {"parameters": [3]}, "parameters must be names, not a int"),
    (CRANK, {"parameters": {"r": (0.2, 0.05)}}, r'range of "r" is 0.2 to 0.05; give \(0.05, 0.2\)'),
    (CRANK, {"parameters": {"r": (0.1, 0.1)}}, "give two different numbers"),
    (CRANK, {"parameters": {"r": (0.2, 0.3)}}, "expected one that holds its value, 0.1"),
    (CRANK, {"parameters": {"r": ("a", "b")}}, 'an end of the range of "r" must be a number, not "a"'),
    (CRANK, {"parameters": {"r": (math.nan, 1)}}, "must be finite"),
    (CRANK, {"parameters": {"r": (0, 1, 2)}}, r'the range of "r" is not two numbers; expected \(low, high\)'),
    (CRANK, {"parameters": {"r": 0.1}}, "is not two numbers"),
    (CRANK, {"inputs": {"crank": (1.0, -1.0)}}, r'the range of "crank" is 1 to -1; give \(-1, 1\)'),
    (CRANK, {"inputs": ["crnk"]}, 'did you mean "crank'),
    (CRANK, {"outputs": ["enrgy"]}, 'did you mean "energy"'),
    (CRANK, {"rate": 0}, "rate must be a number from 1 to 20000, not 0"),
    (CRANK, {"rate": math.nan}, "rate must be a number from 1 to 20000, not nan"),
    (CRANK, {"rate": 1e6}, "rate must be a number from 1 to 20000"),
    (CRANK, {"rate": "fast"}, "rate must be a number from 1 to 20000"),
    (CRANK, {"method": "rk5"}, 'did you mean "rk4"'),
    (CRANK, {"substeps": 0}, "substeps is 0; expected a whole number"),
    (CRANK, {"start": {"crnk": 1}}, 'did you mean "crank"'),
    (CRANK, {"title": 3}, "title must be a text"),
    (CRANK, {"follow": "rod"}, "follow must be True or False"),
    (CRANK, {"path": "page.txt"}, "expected a name ending with .html"),
    (CRANK, {"path": "/proc/page.html"}, "page.html cannot be written"),
    (CRANK, {"path": 3}, "path must be a text or a path"),
    (hs.Model, {}, "no body that moves"),
    (crowd, {}, "the model has 301 bodies; expected at most 300 in a page"),
    (lambda: hs.forward_dynamics(CRANK), {}, "expected a Model, or what hs.stepper returns"),
    (
        lambda: "arm.urdf",
        {},
        'model must be a Model or a Hybrid or a Function or a ContactStep or a Scene, not "arm.urdf"',
    ),
]


@pytest.mark.parametrize(("model", "options", "message"), WRONG, ids=[message[:40] for *_, message in WRONG])
def test_what_cannot_be_shared_is_refused_in_one_line(model, options, message):
    with pytest.raises(hs.Error, match=message) as refused:
        hs.share(model() if callable(model) else model, **options)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "option",
    [
        {"rate": 1000.0},
        {"inputs": []},
        {"outputs": ["slider"]},
        {"start": {"crank": 0.2}},
        {"near": {"slider": 0.3}},
        {"method": "rk4"},
        {"substeps": 1},
    ],
    ids=lambda option: next(iter(option)),
)
def test_a_step_has_its_own_options_also_where_the_usual_one_is_given(option):
    """500 Hz by Euler, shared with rate=1000 or "rk4": not silently at 500 Hz by Euler."""
    step = hs.stepper(CRANK, 2e-3, method="euler", substeps=2)
    with pytest.raises(hs.ModelError, match=f"a step has its own {next(iter(option))}; leave it out"):
        hs.share(step, **option)
    assert hs.share(step).content["dt"] == 2e-3


def test_a_shared_step_stays_in_its_assembly():
    """A four-bar closes in two ways; `near` chooses, also on the page."""
    model = hs.Model(
        hs.Rod("crank", length=0.25, mass=1.0),
        hs.Rod("coupler", length=0.9, mass=1.0),
        hs.Rod("rocker", length=0.8, mass=1.0),
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Revolute("B", "crank.end", "coupler", axis="y"),
        hs.Revolute("D", hs.WORLD.at(0.9, 0, 0), "rocker", axis="y"),
        hs.Revolute("C", "coupler.end", "rocker.end", axis="y"),
    )
    ways = hs.assemblies(model, {"A": 0.5})
    assert len(ways) == 2
    for way in ways:
        near = {name: way[name] + 0.02 for name in ("B", "D")}
        step = hs.stepper(model, 1e-3, start={"A": 0.5}, near=near)
        for shared in (hs.share(step), hs.share(model, start={"A": 0.5}, near=near)):
            assert np.abs(np.array(shared.content["start"][0]) - way.q).max() < 1e-9


def test_a_step_that_is_too_long_says_how_many_parts_it_needs():
    model = library.governor()
    with pytest.raises(hs.SolveError, match=r"unstable .*or substeps=\d+$") as refused:
        hs.share(model)
    count = int(str(refused.value).rpartition("=")[2])
    assert hs.share(model, substeps=count).content["dt"] == 1e-3
    with pytest.raises(hs.SolveError, match=rf"or substeps={count}$"):
        hs.share(model, substeps=2)


def test_inputs_have_the_ranges_that_are_given():
    content = hs.share(CRANK, inputs={"crank": (-0.4, 0.6)}).content
    entry = content["inputs"][0]
    assert (entry["low"], entry["value"], entry["high"]) == (-0.4, 0.0, 0.6)
