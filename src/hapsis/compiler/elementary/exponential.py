"""exp and log to the base e, and the pieces of them that pow shares.

Left out: expm1, log1p and the bases 2 and 10.
"""

from __future__ import annotations

import math

from .arithmetic import Arithmetic, Value, define, define_by_widening
from .errorfree import fast_two_sum, paired_polynomial

LOG2_E = float.fromhex("0x1.71547652b82fep+0")
ROUNDER = 1.5 * 2.0**52
# ln 2: 42 bits, whose products with |k| < 2**11 are exact, and the next 53
LN2_HIGH = float.fromhex("0x1.62e42fefa3800p-1")
LN2_LOW = float.fromhex("0x1.ef35793c76730p-45")
# exp r = 1 + r + r^2/2 + r^3 (E0 + r E1 + ...) on |r| <= ln(2)/2: Chebyshev, within 2**-61
EXP_REST = (
    0.16666666666666669,
    0.041666666666666664,
    0.008333333333330055,
    0.0013888888888886548,
    0.00019841269863088255,
    2.4801587317169235e-05,
    2.7557268406190795e-06,
    2.7557282931125736e-07,
    2.51004110820149e-08,
    2.091125490208877e-09,
)
# log((1 + s)/(1 - s)) = 2 s + s^3 (L0 + L1 s^2 + ...), |s| < 0.1716, minimax within 2**-58
# (the values of fdlibm)
LOG_REST = (
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
)
# the representation of sqrt(1/2), rounded down to the high 32 bits
SQRT_HALF_BITS = 0x3FE6A09E00000000
LEAST_NORMAL = 2.0**-1022


def exp_of_sum(ar: Arithmetic, high: Value, low: Value | None) -> Value:
    """exp(high + low) for |low| much smaller than |high|; low = None means zero.

    high = n ln 2 + r with |r| <= ln(2)/2: subtract n ln 2 in two parts, keep the rounding error,
    and add the polynomial from its smallest term on.  2^n is applied as two factors, so that
    gradual underflow rounds once and 2^1024 does not overflow early.  NaN stays NaN.
    """
    # outside, the result is inf or zero whatever the low part
    high = ar.select(high > 710.0, 710.0, ar.select(high < -746.0, -746.0, high))
    t = ar.muladd(high, LOG2_E, ROUNDER)
    n = t - ROUNDER
    near = ar.muladd(n, -LN2_HIGH, high)
    far = n * LN2_LOW if low is None else ar.muladd(n, LN2_LOW, -low)
    r, e = fast_two_sum(near, -far)
    rr = r * r
    rest = ar.muladd(rr * r, paired_polynomial(ar, r, rr, EXP_REST), ar.muladd(e, r, e))
    value = 1.0 + (r + ar.muladd(rr, 0.5, rest))
    # n + 2046 is positive and fits 12 bits: its halves are the biased exponents of two factors
    exponent = (ar.bits(t) + 2046) & 0xFFF
    half = exponent >> 1
    return value * ar.from_bits(half << 52) * ar.from_bits((exponent - half) << 52)


def split_exponent(ar: Arithmetic, x: Value, lower_bits: int) -> tuple[Value, Value]:
    """(k, m): x = 2^k m for positive finite x, m from the float with these bits to its double.

    Subnormals are first scaled by 2^54.  Subtracting the bits of the lower end makes the
    exponent field count how many doublings x lies above it.  Garbage for zero, inf and NaN.
    """
    tiny = x < LEAST_NORMAL
    offset = ar.bits(ar.select(tiny, x * 2.0**54, x)) - lower_bits
    # a bias of 1024 keeps the count positive until it is a float
    count = (offset + (1024 << 52)) >> 52
    bias = ar.select(tiny, ar.const(2.0**52 + 1078.0, "f64"), 2.0**52 + 1024.0)
    k = ar.from_bits(count + (1075 << 52)) - bias
    m = ar.from_bits((offset & ((1 << 52) - 1)) + lower_bits)
    return k, m


@define("exp", "f64", 1, 1)
def exp(ar: Arithmetic, x: Value) -> tuple[Value, ...]:
    """exp x within one ulp, subnormal results included; inf above 709.79, 0 below -745.14."""
    return (exp_of_sum(ar, x, None),)


@define("log", "f64", 1, 1)
def log(ar: Arithmetic, x: Value) -> tuple[Value, ...]:
    """log x within one ulp; -inf at zeros, NaN below zero.

    x = 2^k m with m around 1, f = m - 1 exact, s = f/(2 + f): log m = 2 artanh s.  Writing it as
    f - (f^2/2 - s (f^2/2 + R)) adds the exact f last, and k ln 2 in two parts around it.
    Reference: Ng's method in fdlibm (1993).
    """
    k, m = split_exponent(ar, x, SQRT_HALF_BITS)
    f = m - 1.0
    s = f / (f + 2.0)
    z = s * s
    rest = z * paired_polynomial(ar, z, z * z, LOG_REST)
    half = f * f * 0.5
    small = ar.muladd(s, half + rest, k * LN2_LOW)
    value = ar.muladd(k, LN2_HIGH, f - (half - small))
    value = ar.select(x < math.inf, value, x)
    value = ar.select(ar.eq(x, 0.0), -math.inf, value)
    return (ar.select(x < 0.0, math.nan, value),)


define_by_widening(exp)
define_by_widening(log)
