"""Conversion of Python values to arguments of machine code: numbers of the right kind, usable arrays."""

import operator
from typing import Any

import numpy as np

DTYPE = {"Array": np.dtype(np.float64), "Ints": np.dtype(np.int64)}


def number(kind: str, value: Any) -> int | float | None:
    """The value as int or float (a bool as 0 or 1); None if it is not of this kind."""
    if type(value) is float and kind == "float":
        return value
    is_bool = isinstance(value, bool | np.bool_)
    try:
        if kind == "float" and not is_bool and not isinstance(value, str):
            return float(value)
        if kind == "bool" and is_bool:
            return int(value)
        if kind == "int" and not is_bool:
            whole = operator.index(value)  # pyright: ignore[reportArgumentType]
            if -(2**63) <= whole < 2**63:
                return whole
    except (TypeError, ValueError, OverflowError):
        pass
    return None


def usable(kind: str, value: Any) -> bool:
    """Whether machine code can work on the memory of an array: Array or Ints."""
    return (
        isinstance(value, np.ndarray)
        and value.dtype == DTYPE[kind]
        and value.ndim == 1
        and value.flags.carray
    )


def array_expected(kind: str) -> str:
    """The description, for an error, of what an array must be."""
    return f"a one-dimensional contiguous writeable array of {DTYPE[kind]}"


def described(value: Any) -> str:
    """The description, for an error, of a value that does not fit."""
    if isinstance(value, np.ndarray):
        layout = "" if value.flags.carray else ", not contiguous or not writeable"
        return f"an array of {value.dtype} and shape {value.shape}{layout}"
    if isinstance(value, int | float):
        return f"{value!r:.40}"
    return type(value).__name__
