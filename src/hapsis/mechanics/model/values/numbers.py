"""Numbers: the grammar of numbers written as text, and the check of numbers given as objects.

A number of a model is finite. Denormal numbers become zero: they occur only by accident, and are slow
on many processors.
"""

import math
import re
import sys
from numbers import Real
from typing import Any

from hapsis.errors import ModelError

NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
LONGEST_NUMBER = 1000  # characters
SMALLEST, LARGEST = sys.float_info.min, sys.float_info.max


def number(text: str, where: str | None = None) -> float:
    """The number in a text, by the grammar that all formats share: `-1.5`, `.5`, `2e-3`.

    `1_0`, `0x10`, `infinity`, `nan` and `1,5` are errors; so is a number too large for a double.
    """
    if len(text) > LONGEST_NUMBER or not NUMBER.fullmatch(text):
        hint = "a decimal point, not a comma" if re.fullmatch(r"[+-]?\d+,\d+", text) else None
        if any(space in text for space in "\u00a0\u2007\u202f"):
            hint = "digits without a no-break space"
        raise ModelError(
            f'"{text[:60]}" is not a number', where=where, expected=hint or "digits such as -1.5 or 2e-3"
        )
    value = float(text)
    if math.isinf(value):
        raise ModelError(f'"{text[:60]}" is too large for a number', where=where)
    return settled(value)


def real(x: Any, what: str, where: str | None = None) -> float:
    """The float of a finite real number; anything else is a ModelError that begins with `what`."""
    if x.__class__ is float:
        if SMALLEST <= abs(x) <= LARGEST:  # nearly always
            return x
    else:
        if isinstance(x, bool) or not isinstance(x, Real):
            raise ModelError(f"{what} must be a number, not {described(x)}", where=where)
        try:
            x = float(x)
        except OverflowError:
            raise ModelError(f"{what} is too large for a number", where=where) from None
    if not math.isfinite(x):
        raise ModelError(f"{what} must be finite, not {x}", where=where)
    return settled(x)


def number_or_nan(value: Any) -> float:
    """The float of a number; NaN for anything else."""
    try:
        return math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def settled(x: float) -> float:
    """`x`, or 0.0 where it is denormal or -0.0."""
    return x if abs(x) >= SMALLEST else 0.0


def described(x: Any) -> str:
    """How an error describes an object: a text in quotes, else its type."""
    if x is None or isinstance(x, bool):
        return str(x)
    if isinstance(x, dict | list | tuple) and not x:
        return f"an empty {type(x).__name__}"
    return f'"{x[:60]}"' if isinstance(x, str) else f"a {type(x).__name__}"
