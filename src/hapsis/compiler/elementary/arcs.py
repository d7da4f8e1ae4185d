"""atan2, asin and acos; left out: atan of one argument (it is atan2(y, 1))."""

from __future__ import annotations

import math

from .arithmetic import SIGN, Arithmetic, Value, define, define_by_widening
from .errorfree import fast_two_sum, paired_polynomial, two_product, two_sum

PI = float.fromhex("0x1.921fb54442d18p+1")
PI_LOW = float.fromhex("0x1.1a62633145c07p-53")
ATAN_HALF = float.fromhex("0x1.dac670561bb4fp-2")
ATAN_HALF_LOW = float.fromhex("0x1.a2b7f222f65e2p-56")
# atan t = t - t^3 (A0 + A1 t^2 + ...) on |t| <= 7/16: minimax within 2**-58 (fdlibm's values)
ATAN_REST = (
    3.33333333333329318027e-01,
    -1.99999999998764832476e-01,
    1.42857142725034663711e-01,
    -1.11111104054623557880e-01,
    9.09088713343650656196e-02,
    -7.69187620504482999495e-02,
    6.66107313738753120669e-02,
    -5.83357013379057348645e-02,
    4.97687799461593236017e-02,
    -3.65315727442169155270e-02,
    1.62858201153657823623e-02,
)


def _angle(ar: Arithmetic, y: Value, x: Value, correction: Value | None) -> Value:
    """The angle of the point (x, y); `correction` is added to its size before the last rounding.

    Fold to the octant 0 <= n/d <= 1 and turn back by c = 0, 1/2 or 1:
    atan(n/d) = atan c + atan((n - c d)/(d + c n)), with exact numerators (Sterbenz) and a
    quotient below 7/16 for the polynomial.  All constants (atan c, pi/2, pi) are first summed
    with their low parts, so only one large sum rounds.
    """
    ax, ay = ar.abs(x), ar.abs(y)
    steep = ax < ay
    n, d = ar.select(steep, ax, ay), ar.select(steep, ay, ax)
    # keep d + n from overflow and d/2 exact; the lost low bits of a far smaller n are idle
    scale = ar.select(d > 2.0**1000, ar.const(2.0**-10, "f64"), 1.0)
    scale = ar.select(d < 2.0**-900, 2.0**100, scale)
    n, d = n * scale, d * scale
    # 0/0 counts as 0/1, inf/inf as 1/1
    d = ar.select(ar.eq(d, 0.0) | ar.eq(n, math.inf), 1.0, d)
    n = ar.select(ar.eq(n, math.inf), 1.0, n)
    middle = n >= d * 0.4375
    upper = n >= d * 0.6875
    top = ar.select(upper, n - d, ar.select(middle, n - d * 0.5, n))
    bottom = ar.select(upper, d + n, ar.select(middle, d + n * 0.5, d))
    t = top / bottom
    z = t * t
    bend = t * (z * paired_polynomial(ar, z, z * z, ATAN_REST))

    c = ar.select(middle, ar.const(ATAN_HALF, "f64"), 0.0)
    c = ar.select(upper, PI / 4, c)
    c_low = ar.select(middle, ar.const(ATAN_HALF_LOW, "f64"), 0.0)
    c_low = ar.select(upper, PI_LOW / 4, c_low)
    # the octant: base + (c + atan t), or base - (c + atan t)
    left = ~ar.eq(ar.bits(x) & SIGN["f64"], 0)
    base = ar.select(left, ar.const(PI, "f64"), 0.0)
    base = ar.select(steep, PI / 2, base)
    base_low = ar.select(left, ar.const(PI_LOW, "f64"), 0.0)
    base_low = ar.select(steep, PI_LOW / 2, base_low)
    mirror = (steep & ~left) | (left & ~steep)
    flip = ar.select(mirror, ar.const(-1.0, "f64"), 1.0)
    h, h_low = fast_two_sum(base, flip * c)
    h_low = h_low + ar.muladd(flip, c_low, base_low)
    if correction is not None:
        h_low = h_low + correction
    value = h + (flip * t + (h_low - flip * bend))
    value = ar.from_bits(ar.bits(value) | (ar.bits(y) & SIGN["f64"]))
    return ar.select(ar.eq(x, x) & ar.eq(y, y), value, math.nan)


def _leg(ar: Arithmetic, x: Value) -> tuple[Value, Value]:
    """(s, e): sqrt(1 - x^2) = s + e, NaN for |x| > 1; e is the first-order correction of s.

    With x^2 = p + q exactly, (1 - x)(1 + x) - s^2 is known from exact parts; it is 2 s e.
    """
    s = ar.sqrt((1.0 - x) * (1.0 + x))
    p, q = two_product(ar, x, x)
    w, w_low = two_sum(ar.const(1.0, "f64"), -p)
    v, v_low = two_product(ar, s, s)
    excess = (w - v) + ((w_low - q) - v_low)
    return s, ar.select(s > 0.0, excess * 0.5 / s, 0.0)


@define("atan2", "f64", 2, 1)
def atan2(ar: Arithmetic, y: Value, x: Value) -> tuple[Value, ...]:
    """The angle of the point (x, y) in [-pi, pi], within 1.5 ulp; signed zeros and inf as C99.

    Exactly odd in y.
    """
    return (_angle(ar, y, x, None),)


@define("asin", "f64", 1, 1)
def asin(ar: Arithmetic, x: Value) -> tuple[Value, ...]:
    """The angle in [-pi/2, pi/2] with sine x: that of the point (sqrt((1-x)(1+x)), x).

    On the unit circle the error e of the root turns the angle by -|x| e.  Exactly odd.
    """
    s, e = _leg(ar, x)
    return (_angle(ar, x, s, -(ar.abs(x) * e)),)


@define("acos", "f64", 1, 1)
def acos(ar: Arithmetic, x: Value) -> tuple[Value, ...]:
    """The angle in [0, pi] with cosine x: that of the point (x, sqrt((1-x)(1+x)))."""
    s, e = _leg(ar, x)
    return (_angle(ar, s, x, x * e),)


for _function in (atan2, asin, acos):
    define_by_widening(_function)
