"""Functions of users: errors of their own keep their class and say in which function they happened."""

import math
import traceback

import numpy as np
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
    'in constraint "k": rows': lambda: run(hs.Constraint("k", rows=fail_in_one)),
    'in constraint "k": speeds': lambda: run(hs.Constraint("k", speeds=fail_in_one)),
    'in the motion of "j"': lambda: hs.follow(hs.Model(BODY, HINGE), {"j": fail}, 0.1),
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


def by_int(x, v):
    return int(x)


def by_index(x, v):
    return [1.0, 2.0, 3.0][x]


def by_range(x, v):
    return sum(range(x))


def by_floor_division(x, v):
    return 1.0 + x // 2


def by_modulo(x, v):
    return 2.0 % x


def by_round(x, v):
    return round(x, 2)


def by_format(x, v):
    return f"{x:.3f}"


def by_while(x, v):
    while x > 1:
        x = x - 1
    return x


def by_in(x, v):
    return x in (1.0, 2.0)


def by_where(x, v):
    return np.where(x > 0, x, v)


def by_interp(x, v):
    return np.interp(x, [0.0, 1.0], [0.0, 1.0])


def by_second_call(x, v):
    return math.sin(1.0) + float(2) + math.cos(x)


def by_comment(x, v):
    return max(x, v)  # not smaller, even if negative


def by_other_letters(x, v):
    return len("äöü→") * math.exp(x)


def by_several_lines(x, v):
    return sum(
        [
            math.exp(x),  # a comment keeps the lines apart
            math.exp(v),
        ]
    )


def by_sort(x, v):
    return sorted([x, v])[0]


INSTEAD = {
    by_math: ("use hs.sin, not math.sin", 1),
    by_if: ("use hs.where, not if", 1),
    by_max: ("use hs.maximum, not max", 1),
    by_and: ("use &, not and", 1),
    by_float: (r"leave out float\(\)", 1),
    by_int: (r"leave out int\(\)", 1),
    by_index: (r"use hs.table\(values\)\(x\)", 1),
    by_range: ("no index yet", 1),
    by_floor_division: (r"use hs.floor\(x / y\)", 1),
    by_modulo: (r"use x - y \* hs.floor\(x / y\)", 1),
    by_round: (r"use hs.floor\(x \+ 0.5\)", 1),
    by_format: ("not a number yet", 1),
    by_while: ("use hs.repeat, not while", 1),
    by_in: ("use hs.where, not in", 1),
    by_where: ("use hs.where, not np.where", 1),
    by_interp: ("use hs.interpolated, not np.interp", 1),
    by_second_call: ("use hs.cos, not math.cos", 1),
    by_comment: ("use hs.maximum, not max", 1),
    by_other_letters: ("use hs.exp, not math.exp", 1),
    by_several_lines: ("use hs.exp, not math.exp", 3),
    by_sort: ("use hs.where, not if", 1),
}


@pytest.mark.parametrize("function", INSTEAD, ids=lambda f: f.__name__)
def test_a_law_that_needs_numbers_says_what_to_write_and_in_which_line(function):
    words, line = INSTEAD[function]
    with pytest.raises(hs.CompileError, match=words) as error:
        run(hs.JointForce("f", "j", law=function))
    first = function.__code__.co_firstlineno
    assert str(error.value).startswith(f"{__file__}:{first + line}: ")
    assert f'law "{function.__name__}"' in str(error.value)


def sine(*arguments):
    x = arguments[0]
    return math.sin(x["j"] if len(arguments) == 1 and not isinstance(x, hs.Expr) else x)


def vector(t):
    return 0.0, 0.0, math.sin(t)


def law(x, v):
    return sine(x, v)


def effort(s):
    return {"j": sine(s)}


PLACES = {  # everything that takes a function which is traced
    "joint force": lambda: run(hs.JointForce("f", "j", law=law)),
    "link": lambda: run(hs.Link("f", "a.tip", hs.WORLD.at(1, 0, 0), law=law)),
    "controller": lambda: run(hs.Controller("c", effort)),
    "drive": lambda: run(hs.Drive("d", "j", position=sine)),
    "velocity": lambda: run(hs.Drive("d", "j", velocity=sine)),
    "surface": lambda: run(hs.OnSurface("o", "a.tip", "world", surface=lambda x, y, z: sine(x, y))),
    "curve": lambda: run(hs.OnCurve("o", "a.tip", "world", curve=lambda x, y, z: (sine(x, y), z))),
    "distance": lambda: run(hs.Distance("o", "a.tip", hs.WORLD, length=lambda t: 1.0 + sine(t, t))),
    "gear": lambda: run(
        hs.Rod("b", 1.0, 1.0),
        hs.Revolute("k", "world", "b"),
        hs.Gear("o", "j", "k", 1.0, offset=lambda t: sine(t, t)),
    ),
    "rows": lambda: run(hs.Constraint("k", rows=sine)),
    "speeds": lambda: run(hs.Constraint("k", speeds=sine)),
    "event": lambda: run(events=[hs.Event("e", sine)]),
    "input": lambda: run(inputs={"j": sine}),
    "wrench": lambda: run(hs.Wrench("w", "a.tip", force=vector)),
    "loss": lambda: hs.gradient(hs.Model(BODY, HINGE), sine, ["a.mass"], 0.01),
    "running loss": lambda: hs.gradient(hs.Model(BODY, HINGE), None, ["a.mass"], 0.01, running=sine),
    "motion": lambda: hs.follow(hs.Model(BODY, HINGE), {"j": sine}, 0.1),
}


@pytest.mark.parametrize("place", PLACES)
def test_every_place_of_a_function_says_the_line_and_what_to_write(place):
    first = (vector if place == "wrench" else sine).__code__.co_firstlineno
    with pytest.raises(hs.CompileError, match=r"use hs\.sin, not math\.sin") as error:
        PLACES[place]()
    assert str(error.value).startswith(f"{__file__}:{first + (1 if place == 'wrench' else 2)}: ")
