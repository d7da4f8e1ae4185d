"""Constants folded while the graph is built: the value of one operation on numbers.

Elementary functions are our own, so a folded constant has the same bits on every machine.
"""

import math
from collections.abc import Callable

import numpy as np

from hapsis.compiler import elementary
from hapsis.compiler.ir import ops

Number = float
_EXACT: dict[int, Callable[..., float]] = {
    ops.ADD: lambda x, y: x + y,
    ops.SUB: lambda x, y: x - y,
    ops.MUL: lambda x, y: x * y,
    ops.DIV: lambda x, y: x / y,
    ops.SQRT: math.sqrt,
    ops.ABS: abs,
    ops.MIN: lambda x, y: x if x < y else y,
    ops.MAX: lambda x, y: x if x > y else y,
    ops.LT: lambda x, y: float(x < y),
    ops.LE: lambda x, y: float(x <= y),
    ops.EQ: lambda x, y: float(x == y),
    ops.SELECT: lambda c, x, y: x if c != 0 else y,
    ops.FLOOR: lambda x: float(math.floor(x)),
    ops.SIGN: lambda x: 1.0 if x > 0 else -1.0 if x < 0 else 0.0,
}


def folded(op: int, values: tuple[float, ...]) -> float | None:
    """The value of `op` on finite numbers, or None where it is not a finite number.

    What is not finite stays a node, so that 1/0 is met at run time like anywhere else.
    """
    try:
        exact = _EXACT.get(op)
        result = float(exact(*values)) if exact else _elementary(op, values)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return result if math.isfinite(result) else None


def _elementary(op: int, values: tuple[float, ...]) -> float:
    arrays = [np.float64(x) for x in values]
    if op in (ops.SIN, ops.COS):
        return float(elementary.evaluate("sincos", *arrays)[op == ops.COS])
    return float(elementary.evaluate(ops.NAMES[op], *arrays))
