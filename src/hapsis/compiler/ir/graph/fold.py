"""Constant folding while the graph is built: the value of one operation on numbers.

Elementary functions are our own, so a folded constant is bitwise the same on every machine.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.compiler.ir.graph import ops

_OF_ONE: dict[int, Callable[[float], float]] = {
    ops.SQRT: math.sqrt,
    ops.ABS: abs,
    ops.FLOOR: lambda x: math.copysign(math.floor(x), x),
    ops.SIGN: lambda x: 1.0 if x > 0 else -1.0 if x < 0 else x,
}
_OF_TWO: dict[int, Callable[[float, float], float]] = {
    ops.ADD: lambda x, y: x + y,
    ops.SUB: lambda x, y: x - y,
    ops.MUL: lambda x, y: x * y,
    ops.DIV: lambda x, y: x / y,
    ops.MIN: lambda x, y: x if x < y else y,
    ops.MAX: lambda x, y: x if x > y else y,
    ops.LT: lambda x, y: float(x < y),
    ops.LE: lambda x, y: float(x <= y),
    ops.EQ: lambda x, y: float(x == y),
}
_EXACT: dict[int, Callable[..., float]] = {**_OF_ONE, **_OF_TWO}


# where Python raises and IEEE arithmetic has an answer
_IEEE: dict[int, Any] = {ops.DIV: np.divide, ops.SQRT: np.sqrt, ops.FLOOR: np.floor}


def value(op: int, operands: tuple[float, ...]) -> float:
    """The value of `op` on numbers, infinities and NaN included."""
    exact = _EXACT.get(op)
    if op == ops.SELECT:
        return operands[1] if operands[0] != 0 else operands[2]
    if exact is None:
        whole = _whole_power(*operands) if op == ops.POW else None
        return _elementary(op, operands) if whole is None else whole
    try:
        return float(exact(*operands))
    except (ValueError, ZeroDivisionError, OverflowError):
        with np.errstate(all="ignore"):
            return float(_IEEE[op](*map(np.float64, operands)))


_where: Callable[[Any, Any, Any], Any] = np.where


def _signs(x: Any) -> Any:
    return _where(x > 0, x.dtype.type(1), _where(x < 0, x.dtype.type(-1), x))


def _chosen(condition: Any, x: Any, y: Any) -> Any:
    return _where(condition != 0, x, y)


_PAIRS: dict[int, Callable[[Any, Any], Any]] = {
    ops.ADD: np.add,
    ops.SUB: np.subtract,
    ops.MUL: np.multiply,
    ops.DIV: np.divide,
    ops.MIN: lambda x, y: _where(x < y, x, y),
    ops.MAX: lambda x, y: _where(x > y, x, y),
    ops.LT: lambda x, y: (x < y).astype(x.dtype),
    ops.LE: lambda x, y: (x <= y).astype(x.dtype),
    ops.EQ: lambda x, y: (x == y).astype(x.dtype),
}
# of arrays of one type; comparisons give numbers of that type
OF_ARRAYS: dict[int, Callable[..., Any]] = {
    **_PAIRS,
    ops.SQRT: np.sqrt,
    ops.ABS: np.abs,
    ops.FLOOR: np.floor,
    ops.SIGN: _signs,
    ops.SELECT: _chosen,
}


def values(op: int, operands: list[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    """The values of `op` on arrays of float64, broadcast: for each element the bits of `value`."""
    if op == ops.POW:  # by products where the exponent is whole
        by_one = np.frompyfunc(lambda x, y: value(op, (x, y)), 2, 1)
        return np.asarray(by_one(*operands), float)
    if op not in OF_ARRAYS:
        return _elementary_values(op, operands)
    with np.errstate(all="ignore"):
        return np.asarray(OF_ARRAYS[op](*operands), float)


def folded(op: int, operands: tuple[float, ...]) -> float | None:
    """The value of `op`, or None where it is not a finite number.

    A result that is not finite stays a node, so that 1/0 is evaluated at run time.
    """
    result = value(op, operands)
    return result if math.isfinite(result) else None


def _elementary(op: int, operands: tuple[float, ...]) -> float:
    return float(_elementary_values(op, [np.float64(x) for x in operands]))


def _elementary_values(op: int, arrays: Any) -> Any:
    from hapsis.compiler import elementary  # only where one is folded

    if op in (ops.SIN, ops.COS):
        return elementary.evaluate("sincos", *arrays)[op == ops.COS]
    return elementary.evaluate(ops.NAMES[op], *arrays)


def _whole_power(x: float, exponent: float) -> float | None:
    """Whole powers, by the products that stand for them in a graph; None for others."""
    if not abs(exponent) <= 32.0 or exponent != int(exponent):
        return None
    result, square, left = 1.0, x, int(abs(exponent))
    while left:
        if left & 1:
            result *= square
        square, left = square * square if left > 1 else square, left >> 1
    return value(ops.DIV, (1.0, result)) if exponent < 0 else result
