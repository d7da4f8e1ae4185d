"""Propagation of error bounds by operations: each operand's bound times the steepest slope within it.

Each entry of `SLOPES` takes the result, then every operand followed by its bound.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.compiler.ir.graph import ops

Array = Any


def _or_inf(possible: Array, bound: Array) -> Array:
    return np.where(possible, bound, np.inf)


def _unless_exact(bound: Array, *errors: Array) -> Array:
    """The bound, or zero where all operands are exact, however steep the function is."""
    return np.where(sum(errors) == 0, 0, bound)


def _wave(r: Array, x: Array, e: Array) -> Array:
    # the slope of a sine is the cosine, which changes by at most e
    return e * np.minimum(1, np.sqrt(np.maximum(1 - r * r, 0)) + e)


def _steep_arc(r: Array, x: Array, e: Array) -> Array:
    end = np.abs(x) + e
    return _unless_exact(_or_inf(end < 1, e / np.sqrt(1 - end * end)), e)


def _atan2(r: Array, y: Array, ey: Array, x: Array, ex: Array) -> Array:
    radius = np.hypot(x, y) - (ex + ey)
    bound = (np.abs(x) * ey + np.abs(y) * ex + 2 * ex * ey) / (radius * radius)
    cut = (x - ex <= 0) & (np.abs(y) <= ey) & (ey > 0)  # where the angle jumps from pi to -pi
    return _unless_exact(_or_inf((radius > 0) & ~cut, bound), ex, ey)


def _pow(r: Array, x: Array, ex: Array, y: Array, ey: Array) -> Array:
    # r = exp(y log x): how far y log x may move
    size_x = np.abs(x)
    slip = -np.log1p(-ex / size_x)
    moved = np.abs(y) * slip + ey * (np.abs(np.log(size_x)) + slip)
    defined = (ex < size_x) & ((x > 0) | (ey == 0))
    return _unless_exact(_or_inf(defined, np.abs(r) * np.expm1(moved)), ex, ey)


def _decided(r: Array, x: Array, ex: Array, y: Array, ey: Array) -> Array:
    either = ex + ey
    return _or_inf((either == 0) | (np.abs(x - y) > either), np.zeros_like(r))


def _floor(r: Array, x: Array, e: Array) -> Array:
    return _or_inf((e == 0) | ((x - r >= e) & (r + 1 - x > e)), np.zeros_like(r))


def _select(r: Array, c: Array, ec: Array, x: Array, ex: Array, y: Array, ey: Array) -> Array:
    # an undecided choice is between two known values: the error is at most their distance
    sure = (ec == 0) | (np.abs(c) > ec)
    either = np.abs(x - y) + np.maximum(ex, ey)
    return np.where(sure, np.where(c != 0, ex, ey), either)


def _least(r: Array, x: Array, ex: Array, y: Array, ey: Array) -> Array:
    # continuous, so that a changed decision does no harm
    apart = np.abs(x - y) > ex + ey
    return np.where(apart, np.where(r == x, ex, ey), np.maximum(ex, ey))


SLOPES: dict[int, Callable[..., Array]] = {
    ops.ADD: lambda r, x, ex, y, ey: ex + ey,
    ops.SUB: lambda r, x, ex, y, ey: ex + ey,
    ops.MUL: lambda r, x, ex, y, ey: np.abs(x) * ey + np.abs(y) * ex + ex * ey,
    ops.DIV: lambda r, x, ex, y, ey: _or_inf(
        (np.abs(y) > ey) | (ey == 0), (ex + np.abs(r) * ey) / (np.abs(y) - ey)
    ),
    ops.SQRT: lambda r, x, e: _unless_exact(_or_inf(x >= e, e / (r + np.sqrt(x - e))), e),
    ops.SIN: _wave,
    ops.COS: _wave,
    ops.TAN: lambda r, x, e: _or_inf(
        e * (1 + np.abs(r)) < 0.5, (1 + r * r) * e / (1 - e * (1 + np.abs(r))) ** 2
    ),
    ops.ASIN: _steep_arc,
    ops.ACOS: _steep_arc,
    ops.ATAN2: _atan2,
    ops.EXP: lambda r, x, e: r * np.expm1(e),
    ops.LOG: lambda r, x, e: _unless_exact(_or_inf(x > e, -np.log1p(-e / x)), e),
    ops.POW: _pow,
    ops.ABS: lambda r, x, e: e,
    ops.MIN: _least,
    ops.MAX: _least,
    ops.LT: _decided,
    ops.LE: _decided,
    ops.EQ: _decided,
    ops.SELECT: _select,
    ops.FLOOR: _floor,
    ops.SIGN: lambda r, x, e: _or_inf((e == 0) | (np.abs(x) > e), np.zeros_like(r)),
}
