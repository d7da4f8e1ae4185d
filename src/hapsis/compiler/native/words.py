"""The words a native function adds to Python's own, as Python runs them.

Numbers follow IEEE 754 and raise nothing: sqrt(-1) is NaN, as in native code.
"""

from collections.abc import Callable
from math import isfinite as _isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hapsis.compiler import elementary

# what a parameter may be, besides int, float and bool
Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Kernel = Callable[..., None]


def at(x: Any, k: int) -> Any:
    """The array x from element k on; the same memory."""
    return x[k:]


def sqrt(x: float) -> float:
    """The correctly rounded square root; NaN below zero."""
    with np.errstate(all="ignore"):
        return np.sqrt(np.float64(x))


def floor(x: float) -> float:
    """The greatest whole number not above x, as a float: `int(floor(x))` is an index."""
    return np.floor(np.float64(x))


def isfinite(x: float) -> bool:
    """Whether x is a number, and not infinite."""
    return _isfinite(x)


def power(x: float, y: float) -> float:
    """x to the real power y, by the compiler's own function: the same bits on every machine."""
    return np.float64(elementary.evaluate("pow", np.float64(x), np.float64(y)))  # type: ignore[arg-type]
