"""Impossible arguments for what rolls and for Kane's verbs: each is one `hs.Error` of one line."""

import random
from collections.abc import Callable
from typing import Any

import hapsis as hs

NAN, INF = float("nan"), float("inf")
BAD: list[Any] = [NAN, INF, "", "xx", b"x", [], (), 1j, object(), {"xx": 1.0}, max, [NAN], [1.0] * 99]
NUMBERS: list[Any] = [*BAD, None, -1.0, 0.0, True]  # none of which is a size


def arm(*facts: Any, **more: Any) -> hs.Model:
    """Two rods, and a combination of their speeds."""
    return hs.Model(
        hs.Rod("a", 1.0, 2.0),
        hs.Rod("b", 0.7, 1.0),
        hs.Revolute("p", hs.WORLD, "a", axis="y"),
        hs.Revolute("k", "a.end", "b", axis="y"),
        hs.Speed("u", {"p.v": 1.0, "k.v": 2.0}),
        *facts,
        **more,
    )


def stone(**form: Any) -> hs.Model:
    """What rolls on a plane."""
    rolling = hs.Rolling("r", "b", hs.WORLD, **form)
    return hs.Model(hs.Body("b", 1.0, inertia=(1, 1, 1)), hs.Free("f", hs.WORLD, "b"), rolling)


def _disc(**given: Any) -> Any:
    return hs.equilibrium(hs.library.rolling_disc(), {"lean": 0.0}, stability=False, **given)


CALLS: dict[str, tuple[list[Any], Callable[[Any], Any]]] = {
    "Rolling(radius)": (NUMBERS, lambda x: stone(radius=x)),
    "Rolling(semi_axes)": (NUMBERS[:-4], lambda x: hs.constraints(stone(semi_axes=x))),
    "Rolling(semi_axes of)": (NUMBERS, lambda x: stone(semi_axes=(1.0, x, 1.0))),
    "Rolling(tube)": ([x for x in NUMBERS if x != 0.0], lambda x: stone(radius=1.0, tube=x)),
    "Rolling(axis)": (BAD, lambda x: stone(radius=1.0, axis=x)),
    "Rolling(surface)": (BAD, lambda x: hs.constraints(stone(radius=1.0, axis=None, surface=x, spot="s"))),
    "Rolling(spot)": (BAD, lambda x: stone(radius=1.0, spot=x)),
    "KnifeEdge(along)": (NUMBERS, lambda x: hs.KnifeEdge("e", "b", along=x)),
    "NoSpin(about)": (NUMBERS, lambda x: hs.NoSpin("e", "b", about=x)),
    "Hinged(axis)": (NUMBERS, lambda x: hs.Hinged("e", "b", axis=x)),
    "Pinned(first)": (NUMBERS, lambda x: stone(radius=1.0) + hs.Pinned("e", x)),
    "Speed": (NUMBERS, lambda x: hs.generalized_speed_names(arm(hs.Speed("w", x)))),
    "Speed(factor)": ([*BAD, None, True], lambda x: arm(hs.Speed("w", {"p.v": x}))),
    "Speed(name)": ([NAN, None, 3, b"x", (), ""], lambda x: arm(hs.Speed("w", {x: 1.0}))),
    "Speed(called)": (NUMBERS[4:], lambda x: arm(hs.Speed(x, {"p.v": 1.0}))),
    "Speed(value)": (NUMBERS, lambda x: hs.generalized_speed_names(arm(hs.Speed("w", lambda s: x)))),
    "start": ([*BAD, None, True], lambda x: hs.assemble(arm(), {"u": x})),
    "simulate(start)": ([*BAD[:-2], None, True], lambda x: hs.simulate(arm(), 0.01, {"u": x})),
    "kane_equations(independent)": ([*BAD, True], lambda x: hs.kane_equations(arm(), independent=x)),
    "kane_equations(at)": ([*BAD, True, -1.0], lambda x: hs.kane_equations(arm(), at=x)),
    "linear_equations(at)": ([*BAD, True, -1.0], lambda x: hs.linear_equations(arm(), at=x)),
    "constraint_reactions(at)": ([*BAD, -1.0], lambda x: hs.constraint_reactions(arm(), ["p"], at=x)),
    "constraint_reactions": (NUMBERS, lambda x: hs.constraint_reactions(arm(), x)),
    "partial_velocities(frame)": (NUMBERS, lambda x: hs.partial_velocities(arm(), x)),
    "partial_velocities(axes)": (NUMBERS, lambda x: hs.partial_velocities(arm(), "a", axes=x)),
    "generalized_impulse(frame)": (NUMBERS, lambda x: hs.generalized_impulse(arm(), x)),
    "momentum(about)": ([*BAD, 0.0, True], lambda x: hs.momentum(arm(), about=x)),
    "equilibrium(held)": ([x for x in NUMBERS if x not in ([], ())], lambda x: _disc(held=x)),
    "equilibrium(speeds)": ([*BAD, -1.0, True], lambda x: _disc(speeds=x)),
    "equilibrium(speed)": ([*BAD, True], lambda x: _disc(speeds={"spin.v": x})),
    "whipple_bicycle(w)": ([*BAD, None, True], lambda x: hs.library.whipple_bicycle(w=x)),
    "whipple_bicycle(speed)": ([*BAD, None, True], lambda x: hs.library.whipple_bicycle(x)),
    "rolling_disc(radius)": (NUMBERS, lambda x: hs.library.rolling_disc(x)),
}


def calls(seed: int) -> list[str]:
    """One impossible argument for every call."""
    draw = random.Random(seed)
    found: list[str] = []
    for name, (values, call) in CALLS.items():
        value = draw.choice(values)
        what = f"{name} with {str(value)[:40]!r}"
        try:
            call(value)
        except hs.Error as error:
            if "\n" in str(error):
                found.append(f"{what}: an error of several lines")
        except Exception as error:
            found.append(f"{what}: {type(error).__name__}: {str(error)[:80]}")
        else:
            found.append(f"{what} is accepted")
    return found
