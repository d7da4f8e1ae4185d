"""Functions of users: errors of their own keep their class and say in which function they happened."""

import math
import traceback

import pytest

import hapsis as hs

BODY = hs.Body("a", mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01), frames={"tip": (0, 0, -1)})
HINGE = hs.Revolute("j", hs.WORLD, "a", axis="y")


class Mine(Exception):
    """The user's own."""


def fail(*arguments):
    raise Mine("my own")


def fail_in_one(s):
    return fail(s)


def fail_in_two(x, v):
    return fail(x, v)


def fail_in_three(x, y, z):
    return fail(x, y, z)


def run(*facts, **options):
    return hs.simulate(hs.Model(BODY, HINGE, *facts), until=0.01, **options)


CALLS = {
    'in joint force "f"': lambda: run(hs.JointForce("f", "j", law=fail_in_two)),
    'in controller "c"': lambda: run(hs.Controller("c", fail_in_one)),
    'in drive "d": position': lambda: run(hs.Drive("d", "j", position=fail)),
    'in point on a surface "o"': lambda: run(hs.OnSurface("o", "a.tip", "world", surface=fail_in_three)),
    'in event "e": when': lambda: run(events=[hs.Event("e", fail)]),
    'in the input on "j.effort"': lambda: run(inputs={"j": fail}),
    'in wrench "w": force': lambda: run(hs.Wrench("w", "a.tip", force=fail)),
    "in the loss": lambda: hs.gradient(hs.Model(BODY, HINGE), fail, ["a.mass"], 0.01),
    "in the running loss": lambda: hs.gradient(hs.Model(BODY, HINGE), None, ["a.mass"], 0.01, running=fail),
    "in heightfield: height": lambda: hs.Heightfield(fail).surface(1.0, 2.0),
}


@pytest.mark.parametrize("where", CALLS)
def test_an_error_inside_says_in_which_function(where):
    with pytest.raises(Mine, match="my own") as error:
        CALLS[where]()
    assert where in "".join(traceback.format_exception_only(error.value))


WRONG = {
    'drive "d": position': lambda: run(hs.Drive("d", "j", position=lambda: 0.0)),
    'event "e": when': lambda: run(events={"e": lambda: 0.0}),
    'wrench "w": force': lambda: run(hs.Wrench("w", "a.tip", force=lambda: 0.0)),
    "the loss": lambda: hs.gradient(hs.Model(BODY, HINGE), lambda: 0.0, ["a.mass"], 0.01),
    "the running loss": lambda: hs.gradient(
        hs.Model(BODY, HINGE), None, ["a.mass"], 0.01, running=lambda: 0.0
    ),
    "heightfield: height": lambda: hs.Heightfield(lambda: 0.0).surface(1.0, 2.0),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_function_of_other_arguments_is_refused_by_name(what):
    with pytest.raises(hs.Error) as error:
        WRONG[what]()
    assert what in str(error.value)


def by_float(x, v):
    return float(x)


def by_if(x, v):
    if x > 0:
        return 1.0
    return 0.0


def by_max(x, v):
    return max(x, 0.0)


def by_math(x, v):
    return -v + math.sin(x)


def by_and(x, v):
    return (x > 0) and (v > 0)


INSTEAD = {
    by_math: ("use hs.sin, not math.sin", 1),
    by_if: ("use hs.where, not if", 1),
    by_max: ("use hs.maximum, not max", 1),
    by_and: ("use &, not and", 1),
    by_float: (r"leave out float\(\)", 1),
}


@pytest.mark.parametrize("function", INSTEAD, ids=lambda f: f.__name__)
def test_a_law_that_needs_numbers_says_what_to_write_and_in_which_line(function):
    words, line = INSTEAD[function]
    with pytest.raises(hs.CompileError, match=words) as error:
        run(hs.JointForce("f", "j", law=function))
    first = function.__code__.co_firstlineno
    assert str(error.value).startswith(f"{__file__}:{first + line}: ")
    assert f'law "{function.__name__}"' in str(error.value)
