"""a % b and a // b of floats, written in the language itself: exact, and the same everywhere."""

from hapsis.compiler.native.builtins_python import floor, isfinite
from hapsis.compiler.native.definition import Definition

INFINITY = float("inf")
NAN = float("nan")


def _rest(x: float, y: float) -> float:
    """What is left of |x| after taking away |y| as often as it goes; exact.

    Long division in binary: t runs through y times powers of two. With t <= r < 2t the difference
    r - t is exact (Sterbenz).
    """
    r = abs(x)
    y = abs(y)
    if not (r < INFINITY) or not (y > 0.0):
        return NAN
    if r < y:
        return r
    t = y
    while t <= 0.5 * r:
        t = t + t
    while t >= y:
        if r >= t:
            r = r - t
        t = 0.5 * t
    return r


def _remainder(x: float, y: float) -> float:
    """x % y: with the sign of y."""
    r = rest(x, y)
    if r == 0.0:
        return 0.0 if y > 0.0 else -0.0
    if x < 0.0:
        r = -r
    if (r < 0.0) != (y < 0.0):
        r = r + y
    return r


def _quotient(x: float, y: float) -> float:
    """x // y: a whole number; x / 0 for zero."""
    if y == 0.0:
        return x / y
    r = rest(x, y)
    if x < 0.0:
        r = -r
    q = (x - r) / y
    if r != 0.0 and (r < 0.0) != (y < 0.0):
        q = q - 1.0
    if q == 0.0:
        return 0.0 * (x / y)
    down = floor(q)
    if q - down > 0.5 and isfinite(q):
        down = down + 1.0
    return down


rest = Definition(_rest)
remainder = Definition(_remainder)
quotient = Definition(_quotient)
