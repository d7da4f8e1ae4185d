"""Axes of joints: a letter or three numbers, as a unit vector and in the names of coordinates."""

import math
from typing import Annotated, Any

from hapsis.errors import ModelError
from hapsis.mechanics.model.values.values import numbers_of

Axis = Annotated[Any, "x, y, z, -x, -y, -z, or three numbers"]
AxisOrNone = Annotated[Any, "an axis, or None"]
Axes = Annotated[Any, "two axes"]
SHORTEST_AXIS = 1e-9

_LETTERS = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
LETTERS = {**_LETTERS, **{f"-{a}": tuple(-x if x else x for x in v) for a, v in _LETTERS.items()}}


def axis_vector(axis: Any, what: str = "an axis", where: str | None = None) -> Any:
    """The unit vector of `x`, `-y`, ... or of three numbers, as floats."""
    if isinstance(axis, str):
        if axis not in LETTERS:
            raise ModelError(
                f'{what} must be x, y, z, -x, -y, -z or a vector, not "{axis[:60]}"', where=where
            )
        return LETTERS[axis]
    x, y, z = numbers_of(axis, what, where)
    norm = math.hypot(x, y, z)
    if not norm > SHORTEST_AXIS:
        raise ModelError(f"{what} has no direction: its length is {norm:g}", where=where)
    return (x / norm, y / norm, z / norm)


def suffix(letter: str, axis: Axis) -> str:
    """`Rx` for R about x or -x; only `R` about a vector."""
    return letter + axis[-1] if isinstance(axis, str) else letter


def distinct(names: list[str]) -> tuple[str, ...]:
    """The names, with a number after each repetition: Rz Tx Rz2."""
    seen: dict[str, int] = {}
    numbered: list[str] = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        numbered.append(name if seen[name] == 1 else f"{name}{seen[name]}")
    return tuple(numbered)


def kept_axis(axis: Any, what: str, where: str | None = None) -> Any:
    """The axis in the form that a fact stores, checked: a letter unchanged, a vector as floats."""
    axis_vector(axis, what, where)
    return axis if isinstance(axis, str) else numbers_of(axis, what, where)
