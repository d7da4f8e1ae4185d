"""Interval arithmetic over arrays: bounds of every operation of a graph on many cells at once.

    x = (low, high), two arrays with one number per cell

A bound is never too narrow but for rounding; where nothing is known it is everything.
Reference: [Moore].
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.compiler.ir.graph import ops

Array = np.ndarray[Any, np.dtype[np.float64]]
Interval = tuple[Array, Array]

HALF_TURN = np.pi
QUARTER = 0.5 * np.pi


def negative(x: Interval) -> Interval:
    """-x."""
    return -x[1], -x[0]


def hull(*parts: Array) -> Interval:
    """The smallest interval around these numbers; everything where one of them is no number."""
    low, high = np.minimum.reduce(parts), np.maximum.reduce(parts)
    return np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)


def bounds(op: int, x: list[Interval]) -> Interval:
    """The bounds of an operation for those of its operands; everything where it has no rule."""
    rule = RULES.get(op)
    if rule is None:
        like = x[0][0] if x else np.zeros(1)
        return np.full_like(like, -np.inf), np.full_like(like, np.inf)
    return rule(*x)


def _add(x: Interval, y: Interval) -> Interval:
    return _known(x[0] + y[0], x[1] + y[1])


def _sub(x: Interval, y: Interval) -> Interval:
    return _known(x[0] - y[1], x[1] - y[0])


def _known(low: Array, high: Array) -> Interval:
    return np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)


def _mul(x: Interval, y: Interval) -> Interval:
    if x is y:
        return square(x)
    return hull(*(_times(a, b) for a in x for b in y))


def _times(a: Array, b: Array) -> Array:
    """a b, where zero times anything is zero: a bound of infinity is never reached."""
    return np.where((a == 0.0) | (b == 0.0), 0.0, a * b)


def square(x: Interval) -> Interval:
    """x²."""
    low, high = x[0] * x[0], x[1] * x[1]
    least = np.where((x[0] <= 0.0) & (x[1] >= 0.0), 0.0, np.minimum(low, high))
    return least, np.maximum(low, high)


def _div(x: Interval, y: Interval) -> Interval:
    low, high = hull(*(a / b for a in x for b in y))
    pole = (y[0] <= 0.0) & (y[1] >= 0.0)
    return np.where(pole, -np.inf, low), np.where(pole, np.inf, high)


def _growing(f: Callable[[Array], Array], least: float = -np.inf, most: float = np.inf) -> Any:
    """The rule of a function that grows, defined from `least` to `most`."""

    def rule(x: Interval) -> Interval:
        return _known(f(np.clip(x[0], least, most)), f(np.clip(x[1], least, most)))

    return rule


def _cos(x: Interval) -> Interval:
    low, high = hull(np.cos(x[0]), np.cos(x[1]))
    wide = ~(x[1] - x[0] < 2.0 * HALF_TURN)
    top = np.floor(x[1] / (2.0 * HALF_TURN)) >= np.ceil(x[0] / (2.0 * HALF_TURN))
    turned = (x[0] - HALF_TURN) / (2.0 * HALF_TURN), (x[1] - HALF_TURN) / (2.0 * HALF_TURN)
    bottom = np.floor(turned[1]) >= np.ceil(turned[0])
    return np.where(wide | bottom, -1.0, low), np.where(wide | top, 1.0, high)


def _sin(x: Interval) -> Interval:
    return _cos((x[0] - QUARTER, x[1] - QUARTER))


def _tan(x: Interval) -> Interval:
    low, high = hull(np.tan(x[0]), np.tan(x[1]))
    first, last = np.ceil(x[0] / HALF_TURN - 0.5), np.floor(x[1] / HALF_TURN - 0.5)
    pole = ~(first > last)
    return np.where(pole, -np.inf, low), np.where(pole, np.inf, high)


def _acos(x: Interval) -> Interval:
    return np.arccos(np.clip(x[1], -1.0, 1.0)), np.arccos(np.clip(x[0], -1.0, 1.0))


def _atan2(y: Interval, x: Interval) -> Interval:
    low, high = hull(*(np.arctan2(a, b) for a in y for b in x))
    cut = (x[0] <= 0.0) & (y[0] <= 0.0) & (y[1] >= 0.0)
    return np.where(cut, -HALF_TURN, low), np.where(cut, HALF_TURN, high)


def _pow(x: Interval, n: Interval) -> Interval:
    low, high = hull(*(np.power(a, b) for a in x for b in n))
    whole = (n[0] == n[1]) & (n[0] == np.round(n[0]))
    through = (x[0] <= 0.0) & (x[1] >= 0.0)
    low = np.where(through & whole & (n[0] > 0.0), np.minimum(low, 0.0), low)
    unknown = (x[0] < 0.0) & ~whole | through & (n[0] < 0.0)
    return np.where(unknown, -np.inf, low), np.where(unknown, np.inf, high)


def _abs(x: Interval) -> Interval:
    low, high = np.abs(x[0]), np.abs(x[1])
    least = np.where((x[0] <= 0.0) & (x[1] >= 0.0), 0.0, np.minimum(low, high))
    return least, np.maximum(low, high)


def _min(x: Interval, y: Interval) -> Interval:
    return np.minimum(x[0], y[0]), np.minimum(x[1], y[1])


def _max(x: Interval, y: Interval) -> Interval:
    return np.maximum(x[0], y[0]), np.maximum(x[1], y[1])


def _less(x: Interval, y: Interval) -> Interval:
    return np.where(x[1] < y[0], 1.0, 0.0), np.where(x[0] >= y[1], 0.0, 1.0)


def _less_or_equal(x: Interval, y: Interval) -> Interval:
    return np.where(x[1] <= y[0], 1.0, 0.0), np.where(x[0] > y[1], 0.0, 1.0)


def _equal(x: Interval, y: Interval) -> Interval:
    same = (x[0] == x[1]) & (y[0] == y[1]) & (x[0] == y[0])
    apart = (x[1] < y[0]) | (y[1] < x[0])
    return np.where(same, 1.0, 0.0), np.where(apart, 0.0, 1.0)


def _select(condition: Interval, then: Interval, otherwise: Interval) -> Interval:
    held, lost = always(condition), never(condition)
    low, high = hull(then[0], otherwise[0], then[1], otherwise[1])
    low = np.where(held, then[0], np.where(lost, otherwise[0], low))
    return low, np.where(held, then[1], np.where(lost, otherwise[1], high))


def always(condition: Interval) -> Any:
    """Where a condition holds on the whole cell."""
    return (condition[0] > 0.0) | (condition[1] < 0.0)


def never(condition: Interval) -> Any:
    """Where it holds nowhere on the cell."""
    return (condition[0] == 0.0) & (condition[1] == 0.0)


RULES: dict[int, Callable[..., Interval]] = {
    ops.ADD: _add,
    ops.SUB: _sub,
    ops.MUL: _mul,
    ops.DIV: _div,
    ops.SQRT: _growing(np.sqrt, 0.0),
    ops.SIN: _sin,
    ops.COS: _cos,
    ops.TAN: _tan,
    ops.ASIN: _growing(np.arcsin, -1.0, 1.0),
    ops.ACOS: _acos,
    ops.ATAN2: _atan2,
    ops.EXP: _growing(np.exp),
    ops.LOG: _growing(np.log, 0.0),
    ops.POW: _pow,
    ops.ABS: _abs,
    ops.MIN: _min,
    ops.MAX: _max,
    ops.LT: _less,
    ops.LE: _less_or_equal,
    ops.EQ: _equal,
    ops.SELECT: _select,
    ops.FLOOR: _growing(np.floor),
    ops.SIGN: _growing(np.sign),
}
