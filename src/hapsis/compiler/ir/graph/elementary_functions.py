"""Elementary functions of numbers, expressions and arrays of either; NumPy's ufuncs call them."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.expr import apply


def _of_one(name: str, op: int, text: str) -> Callable[[Any], Any]:
    """An operation as a function of one argument, with its docstring."""

    def function(x: Any) -> Any:
        return apply(op, x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


def _of_two(name: str, op: int, text: str) -> Callable[[Any, Any], Any]:
    """An operation as a function of two arguments, with its docstring."""

    def function(x: Any, y: Any) -> Any:
        return apply(op, x, y)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


sqrt = _of_one("sqrt", ops.SQRT, "The square root.")
sin = _of_one("sin", ops.SIN, "The sine of an angle in radians.")
cos = _of_one("cos", ops.COS, "The cosine of an angle in radians.")
tan = _of_one("tan", ops.TAN, "The tangent of an angle in radians.")
asin = _of_one("asin", ops.ASIN, "The angle in [-pi/2, pi/2] whose sine is x.")
acos = _of_one("acos", ops.ACOS, "The angle in [0, pi] whose cosine is x.")
exp = _of_one("exp", ops.EXP, "The exponential.")
log = _of_one("log", ops.LOG, "The natural logarithm.")
abs = _of_one("abs", ops.ABS, "The magnitude.")
sign = _of_one("sign", ops.SIGN, "1, 0 or -1.")
floor = _of_one("floor", ops.FLOOR, "The largest whole number not above x.")
power = _of_two("power", ops.POW, "x to the power y; whole and half powers become products and a root.")
minimum = _of_two("minimum", ops.MIN, "The smaller of x and y.")
maximum = _of_two("maximum", ops.MAX, "The larger of x and y.")


def atan(x: Any) -> Any:
    """The angle in (-pi/2, pi/2) whose tangent is x."""
    return apply(ops.ATAN2, x, 1.0)


def atan2(y: Any, x: Any) -> Any:
    """The angle of the point (x, y), in [-pi, pi]."""
    return apply(ops.ATAN2, y, x)


# tanh x = x + x^3 P(x^2)/Q(x^2) for |x| <= 0.55: rational interpolation, within 2**-61 of tanh x
_TANH_SMALL = 0.55
_TANH_P = (-0.33333333333333333198, -0.020501964963793903676, -0.00019931832455138449109)
_TANH_Q = (1.0, 0.46150589489138074182, 0.023295551025482307528, 0.00020668398808152469426)


def tanh(x: Any) -> Any:
    """The hyperbolic tangent, within 2 units in the last place.

    Near zero by a rational function, elsewhere 1 - 2 e / (1 + e) with e = exp(-2 |x|).
    """
    # a branch instead of abs and sign, whose derivatives at 0 would make tanh'(0) zero
    below, x = apply(ops.LT, x, 0.0), apply(ops.MUL, x, 1.0)
    magnitude = where(below, -x, x)
    small = apply(ops.LT, magnitude, _TANH_SMALL)
    near = where(small, x, 0.0)  # so that the side that is not taken stays finite
    z = near * near
    p = _TANH_P[0] + z * (_TANH_P[1] + z * _TANH_P[2])
    q = _TANH_Q[0] + z * (_TANH_Q[1] + z * (_TANH_Q[2] + z * _TANH_Q[3]))
    e = exp(-2.0 * magnitude)
    t = 1.0 - 2.0 * e / (1.0 + e)
    return where(small, near + near * z * (p / q), where(below, -t, t))


def ceil(x: Any) -> Any:
    """The smallest whole number not below x."""
    return 0.0 - floor(apply(ops.SUB, 0.0, x))


def clip(x: Any, low: Any, high: Any) -> Any:
    """`x`, limited to the range from `low` to `high`."""
    return minimum(maximum(x, low), high)


def where(condition: Any, then: Any, otherwise: Any) -> Any:
    """`then` where the condition holds, else `otherwise`; both sides are computed."""
    return apply(ops.SELECT, condition, then, otherwise)


_LARGE = 2.0**500  # its square is finite, that of its inverse is no subnormal
_SCALE = 2.0**600


def hypot(x: Any, y: Any) -> Any:
    """sqrt(x² + y²); a power of two keeps the squares from overflow and underflow."""
    largest = maximum(abs(x), abs(y))
    large, tiny = apply(ops.LT, _LARGE, largest), apply(ops.LT, largest, 1 / _LARGE)
    down = where(large, 1 / _SCALE, where(tiny, _SCALE, 1.0))
    up = where(large, _SCALE, where(tiny, 1 / _SCALE, 1.0))
    x, y = apply(ops.MUL, x, down), apply(ops.MUL, y, down)
    return sqrt(x * x + y * y) * up


_UFUNCS_OF_ONE: dict[Any, Callable[[Any], Any]] = {
    np.negative: operator.neg,
    np.positive: operator.pos,
    np.square: lambda x: x * x,
    np.reciprocal: lambda x: 1.0 / x,
    np.absolute: abs,
    np.fabs: abs,
    np.sqrt: sqrt,
    np.sin: sin,
    np.cos: cos,
    np.tan: tan,
    np.arcsin: asin,
    np.arccos: acos,
    np.arctan: atan,
    np.exp: exp,
    np.log: log,
    np.tanh: tanh,
    np.sign: sign,
    np.floor: floor,
    np.ceil: ceil,
    np.deg2rad: lambda x: x * (np.pi / 180),
    np.rad2deg: lambda x: x * (180 / np.pi),
}
_UFUNCS_OF_TWO: dict[Any, Callable[[Any, Any], Any]] = {
    np.add: lambda x, y: apply(ops.ADD, x, y),
    np.subtract: lambda x, y: apply(ops.SUB, x, y),
    np.multiply: lambda x, y: apply(ops.MUL, x, y),
    np.divide: lambda x, y: apply(ops.DIV, x, y),
    np.power: power,
    np.float_power: power,
    np.arctan2: atan2,
    np.hypot: hypot,
    np.minimum: minimum,
    np.maximum: maximum,
    np.less: lambda x, y: apply(ops.LT, x, y),
    np.less_equal: lambda x, y: apply(ops.LE, x, y),
    np.greater: lambda x, y: apply(ops.LT, y, x),
    np.greater_equal: lambda x, y: apply(ops.LE, y, x),
    np.equal: lambda x, y: apply(ops.EQ, x, y),
    np.not_equal: lambda x, y: 1.0 - apply(ops.EQ, x, y),
}
UFUNCS: dict[Any, Callable[..., Any]] = {**_UFUNCS_OF_ONE, **_UFUNCS_OF_TWO}
