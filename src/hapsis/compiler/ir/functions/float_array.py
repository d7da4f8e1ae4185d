"""Arrays of floats from what a user gives: one place decides what counts as numbers."""

from numbers import Real
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
NUMBERS = "fiub"  # kinds of NumPy's types: floats, integers, truth values


def float_array(x: Any) -> Array | None:
    """A copy as an array of floats.

    None for what is not: texts (also "1"), None among numbers, complex numbers, expressions, rows of
    different lengths, integers too large for a float.
    """
    try:
        array: Any = np.asarray(x)
        if array.dtype.kind in NUMBERS:
            return array.astype(np.float64)
        if array.dtype.kind == "O" and array.size and all(isinstance(each, Real) for each in array.flat):
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    return None
