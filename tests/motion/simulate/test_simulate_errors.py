"""Mistakes in what a simulation is given: one line each, before anything runs."""

import math

import pytest

import hapsis as hs

MODEL = hs.Model(
    hs.Rod("arm", length=1.0, mass=1.0),
    hs.Body("ball", mass=1.0, inertia=(1, 1, 1)),
    hs.Revolute("elbow", hs.WORLD, "arm", axis="y"),
    hs.Free("base", hs.WORLD, "ball"),
    hs.Spring("s", "arm.end", "ball", stiffness=10.0),
)


def refused(match, kind=hs.Error, model=MODEL, until=1.0, **options):
    with pytest.raises(kind, match=match) as caught:
        hs.simulate(model, until=until, **options)
    text = str(caught.value)
    assert "\n" not in text and "Traceback" not in text and len(text) < 400


@pytest.mark.parametrize("until", [0.0, -1.0, math.nan, math.inf, "1", None, True, 1e400])
def test_until(until):
    refused("until", until=until)


@pytest.mark.parametrize(
    ("start", "match"),
    [
        ({"elbw": 0.1}, r'"elbw".*did you mean "elbow"'),
        ({"elbow.speed": 0.1}, r'"elbow\.speed"'),
        ({"s.force": 0.1}, r'"s\.force"'),
        ({"elbow": "high"}, "elbow"),
        ({"elbow": math.nan}, "elbow"),
        ({"elbow.v": math.inf}, r"elbow\.v"),
        ({"elbow.v": None}, r"elbow\.v"),
        ({"base.qw": 0.0}, "quaternion"),
        ({3: 1.0}, "3"),
        ([0.0, 1.0], "8|coordinates"),
        ("start", "start"),
        (7, "start|7"),
    ],
)
def test_start(start, match):
    refused(match, start=start)


def test_start_of_another_model():
    other = hs.Model(hs.Rod("arm", 1, 1), hs.Revolute("knee", hs.WORLD, "arm", axis="y"))
    result = hs.simulate(other, until=0.1)
    refused("another model", start=result)
    refused("another model", start=result.last)
    refused(r"until is 0\.05 s and the start at 0\.1 s", model=other, until=0.05, start=result)


@pytest.mark.parametrize(
    ("inputs", "match"),
    [
        ({"elbw": 1.0}, r'"elbw".*did you mean "elbow\.effort"'),
        ({"base.qw": 1.0}, r'"base\.qw"'),
        ({"base": 1.0}, '"base"'),
        ({"elbow": math.nan}, "elbow"),
        ({"elbow": "strong"}, "elbow"),
        ({"elbow": 1.0, "elbow.effort": 2.0}, "twice"),
        ({"elbow": ([0, 1, 1], [1, 2, 3])}, "times must grow"),
        ({"elbow": ([0, 1], [1, 2, 3])}, "shapes"),
        ({"elbow": ([0, math.nan], [1, 2])}, "finite"),
        ({"elbow": (["a", "b"], [1, 2])}, "numbers"),
        ({"elbow": lambda t: "much"}, "elbow"),
        ({"elbow": lambda t: [t, t]}, "elbow"),
        ({"elbow": lambda: 1.0}, "elbow"),
        ([1.0], "inputs must be"),
    ],
)
def test_inputs(inputs, match):
    refused(match, inputs=inputs)


@pytest.mark.parametrize(
    ("events", "match"),
    [
        ({"e": lambda s: s["elbo"]}, r'"elbo".*did you mean "elbow"'),
        ({"e": lambda s: s["s.force"] > 1.0 and "yes"}, "e"),
        ({"e": lambda s: "now"}, 'event "e".*one number'),
        ({"e": lambda s: [s["elbow"], s.t]}, 'event "e".*one number'),
        ({"e": 3.0}, 'event "e".*function'),
        ({"": lambda s: s.t}, "name"),
        ([lambda s: s["elbow"]], "hs.Event"),
        (5, "events"),
    ],
)
def test_events(events, match):
    refused(match, events=events)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"method": "order9"}, r'"order9".*did you mean "order'),
        ({"method": None}, "None"),
        ({"method": "rk4"}, "fixed steps.*give step="),
        ({"step": 0.0}, "step"),
        ({"step": -1e-3}, "step"),
        ({"step": "small"}, "step"),
        ({"step": math.nan}, "step"),
        ({"tolerance": 0.0}, "tolerance"),
        ({"tolerance": 1.0}, "tolerance"),
        ({"tolerance": None}, "tolerance"),
        ({"every": 0.0}, "every"),
        ({"every": 1e-12}, "every"),
        ({"every": "often"}, "every"),
        ({"most_steps": "many"}, "most_steps"),
        ({"most_steps": 0}, "most_steps"),
        ({"most_steps": math.inf}, "most_steps"),
        ({"threads": -1}, "threads"),
        ({"threads": "all"}, "threads"),
        ({"parameters": {"arm.mas": 1.0}}, r'"arm\.mas".*did you mean "arm\.mass"'),
        ({"parameters": {"arm.mass": "heavy"}}, r"arm\.mass"),
        ({"parameters": {"arm.mass": math.nan}}, r"arm\.mass"),
        ({"parameters": [1.0]}, "parameters must be"),
    ],
)
def test_options(options, match):
    refused(match, **options)


def test_what_is_no_model():
    for thing in (3, "arm.urdf", None, [MODEL]):
        with pytest.raises(hs.ModelError, match="simulate takes a Model, a Hybrid or a Scene, not") as caught:
            hs.simulate(thing, 1.0)
        assert "\n" not in str(caught.value)


def test_what_cannot_move():
    fixed = hs.Model(hs.Body("b", mass=1.0), hs.Weld("w", hs.WORLD, "b"))
    refused("nothing in this model can move", model=fixed)
    refused("nothing in this model can move", model=hs.Model())


def test_stop_without_a_limit():
    stop = hs.Stop("end", "elbow", stiffness=1e4)
    refused('stop "end": neither it nor "elbow" has a limit', model=hs.Model(MODEL, stop))


def controlled(law, rate=None, efforts=()):
    return hs.Model(MODEL, hs.Controller("hand", law, rate=rate, efforts=efforts))


@pytest.mark.parametrize(
    ("law", "rate", "efforts", "match"),
    [
        (lambda s: {"elbow": s["elbw"]}, None, (), r'controller "hand".*"elbw".*did you mean'),
        (lambda s: {"elbw": 1.0}, None, (), r'controller "hand".*"elbw".*did you mean "elbow"'),
        (lambda s: {"base.qw": 1.0}, None, (), 'controller "hand"'),
        (lambda s: 1.0, None, (), r'controller "hand".*must give \{coordinate: effort\}'),
        (lambda s: {"elbow": s["elbw"]}, 10.0, ("elbow",), r'"elbw".*did you mean "elbow"'),
        (lambda s: {"elbw": 1.0}, 10.0, ("elbow",), r'"elbw".*did you mean "elbow"'),
        (lambda s: {"elbow": "much"}, 10.0, ("elbow",), 'controller "hand".*"elbow"'),
        (lambda s: {"elbow": math.nan}, 10.0, ("elbow",), 'controller "hand".*"elbow"'),
        (lambda s: None, 10.0, ("elbow",), r'controller "hand".*must give'),
    ],
)
def test_controllers(law, rate, efforts, match):
    refused(match, model=controlled(law, rate, efforts))


@pytest.mark.parametrize(
    ("law", "match"),
    [
        (lambda length, rate: None, 'link "l"'),
        (lambda length, rate: "strong", 'link "l"'),
        (lambda length, rate: (length, {"x": 1.0}), 'link "l".*no state of it'),
        (lambda length, rate, x=hs.LawState(0.0): length, 'link "l".*must return'),
        (lambda length, rate: [length, rate], 'link "l"'),
    ],
)
def test_laws(law, match):
    refused(match, model=hs.Model(MODEL, hs.Link("l", "arm", "ball", law)))


BALL = (hs.Body("b", mass=1.0), hs.Prismatic("z", hs.WORLD, "b", axis="z"))


@pytest.mark.parametrize("count", [1, 6])
@pytest.mark.parametrize(
    ("law", "friction", "match"),
    [
        (lambda gap, rate: None, None, "returns nothing"),
        (lambda gap, rate: "hard", None, 'must give one number, not "hard"'),
        (lambda gap, rate: [gap, rate], None, "must give one number"),
        (lambda gap, rate: (gap, {"y": 1}), None, 'returns a rate of "y"'),
        (None, lambda normal, slip: normal, r"must give a force \(x, y, z\)"),
        (None, lambda normal, slip: [normal], r"must give a force \(x, y, z\)"),
        (None, lambda normal, slip: "abc", r"must give a force \(x, y, z\)"),
    ],
)
def test_laws_of_contacts(law, friction, match, count):
    """Written out, and as one kernel for many."""
    contacts = [hs.Contact(f"c{k}", "b", hs.WORLD.plane(), law, friction) for k in range(count)]
    refused(f'contact "c0": law "<lambda>" {match}', model=hs.Model(*BALL, contacts))


@pytest.mark.parametrize("force", [lambda t: (t,), lambda t: t, lambda t: "abc"])
def test_wrenches(force):
    model = hs.Model(*BALL, hs.Wrench("w", "b", force=force))
    refused(r'wrench "w": force\(t\) must give 3 numbers', model=model)
    with pytest.raises(hs.ModelError, match='wrench "w": force is a function that does not take'):
        hs.Wrench("w", "b", force=lambda: (1, 2, 3))


def test_result_of_unknown_name():
    result = hs.simulate(MODEL, until=0.01)
    with pytest.raises(hs.ModelError, match=r'"elbow\.vv".*did you mean "elbow\.v"'):
        result["elbow.vv"]
    with pytest.raises((ValueError, TypeError)):
        result["elbow"][0] = 1.0
