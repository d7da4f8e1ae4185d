"""x**y with the special cases of C99; small whole and half powers are products and a root."""

from __future__ import annotations

import math

from .arithmetic import SIGN, Arithmetic, Value, define, define_by_widening
from .errorfree import fast_two_sum, polynomial, two_product, two_sum
from .exponential import LN2_HIGH, LN2_LOW, exp_of_sum, split_exponent

# the mantissa range [sqrt(3)/2, sqrt(3)) is cut at sqrt(3/2), around 1 and 3/2
SQRT_3_4_BITS = 0x3FEBB67A00000000
SQRT_3_2 = 1.224744871391589
LN_3_2_HIGH = float.fromhex("0x1.9f323ecbf8000p-2")
LN_3_2_LOW = float.fromhex("0x1.84bf2b68d766fp-42")
TWO_THIRDS = float.fromhex("0x1.5555555555555p-1")
TWO_THIRDS_LOW = float.fromhex("0x1.5555555555555p-55")
# 2/5 + 2/7 z + 2/9 z^2 + ... on 0 <= z <= 0.01025: Chebyshev, within 2**-62
ARTANH_REST = (
    0.4,
    0.2857142857142842,
    0.2222222222245759,
    0.18181818044174602,
    0.15384653686970723,
    0.13327869510271703,
    0.1214989777531915,
)


def log_pair(ar: Arithmetic, x: Value) -> tuple[Value, Value]:
    """(high, low) with high + low = log x within 2**-66 relative, for positive finite x.

    x = 2^k m, m near b = 1 or 3/2, s = (m - b)/(m + b) as a pair with |s| <= 0.101, and
    log m = log b + s (2 + s^2 (2/3 + s^2 q)): q is so small that a double suffices for it,
    all that stands to its left is carried in pairs.
    """
    k, m = split_exponent(ar, x, SQRT_3_4_BITS)
    upper = m > SQRT_3_2
    base = ar.select(upper, ar.const(1.5, "f64"), 1.0)
    above = m - base
    below, below_low = two_sum(m, base)
    s = above / below
    p, p_low = two_product(ar, s, below)
    s_low = (((above - p) - p_low) - s * below_low) / below
    z, z_low = two_product(ar, s, s)
    z_low = z_low + s * s_low * 2.0
    q = z * polynomial(ar, z, ARTANH_REST)
    w, w_low = fast_two_sum(ar.const(TWO_THIRDS, "f64"), q)
    w_low = w_low + TWO_THIRDS_LOW
    v, v_low = two_product(ar, z, w)
    v_low = v_low + (z * w_low + z_low * w)
    u, u_low = fast_two_sum(ar.const(2.0, "f64"), v)
    u_low = u_low + v_low
    h, h_low = two_product(ar, s, u)
    h_low = h_low + (s * u_low + s_low * u)
    # k ln 2 + log b: the products are exact, and the sum of the leading parts nearly so
    shift, shift_low = two_sum(k * LN2_HIGH, ar.select(upper, ar.const(LN_3_2_HIGH, "f64"), 0.0))
    shift_low = shift_low + ar.select(upper, ar.const(LN_3_2_LOW, "f64"), 0.0)
    high, high_low = two_sum(shift, h)
    low = high_low + (h_low + (shift_low + k * LN2_LOW))
    return fast_two_sum(high, low)


@define("pow_any", "f64", 2, 1, cold=True)
def any_power(ar: Arithmetic, x: Value, y: Value) -> tuple[Value, ...]:
    """x**y within 1.125 ulp over the whole range, in one way for all exponents.

    exp(y log|x|) with the logarithm and the product as pairs: an error of 2^-66 in the logarithm
    becomes at most 2^-56 in the exponent.  The sign is that of x for odd integers y.
    Special cases as C99 F.9.4.4: x**0 = 1 and 1**y = 1 even for NaN; NaN for negative finite x
    and y no integer; zeros, infinities and their signs.
    """
    size = ar.abs(x)
    h, low = log_pair(ar, size)
    h = ar.select(ar.eq(size, 0.0), -math.inf, h)
    h = ar.select(size < math.inf, h, size)
    edge = ar.eq(size, 0.0) | ~(size < math.inf)
    # |log x| >= 2^-53 unless x = 1: beyond 2^70 the size of y no longer matters
    bounded = ar.select(y > 2.0**70, 2.0**70, ar.select(y < -(2.0**70), -(2.0**70), y))
    product, error = two_product(ar, bounded, h)
    error = error + bounded * low
    # where the product overflows or log x is infinite the error is no number, and idle
    error = ar.select(~edge & (ar.abs(product) < 800.0), error, 0.0)
    value = exp_of_sum(ar, product, error)

    whole = ar.eq(ar.floor(y), y)
    half = y * 0.5
    odd = whole & ~ar.eq(ar.floor(half), half)
    sign = ar.bits(x) & SIGN["f64"]
    value = ar.select(odd, ar.from_bits(ar.bits(value) | sign), value)
    value = ar.select((x < 0.0) & (size < math.inf) & ~whole, math.nan, value)
    value = ar.select(ar.eq(x, x) & ar.eq(y, y), value, math.nan)
    return (ar.select(ar.eq(y, 0.0) | ar.eq(x, 1.0), 1.0, value),)


@define("pow", "f64", 2, 1)
def power(ar: Arithmetic, x: Value, y: Value) -> tuple[Value, ...]:
    """x**y within 2.5 ulp over the whole range.

    Exponents 1/2, 1, 3/2, 2, 5/2 and 3, those of most laws of contact, are at most three rounded products
    and roots: the same as a graph has for such an exponent that is a constant, and many times as fast. Half
    powers of what has a minus sign, and all other exponents, take the long way, within 1.125 ulp.
    """
    whole = ar.floor(y)
    part = y - whole
    square = x * x
    product = ar.select(ar.eq(whole, 1.0), x, 1.0)
    product = ar.select(ar.eq(whole, 2.0), square, product)
    product = ar.select(ar.eq(whole, 3.0), x * square, product)
    half = ar.eq(part, 0.5)
    value = product * ar.select(half, ar.sqrt(x), 1.0)
    plus = ar.eq(ar.bits(x) & SIGN["f64"], ar.bits(ar.const(0.0, "f64")))
    short = (y > 0.0) & (y < 3.5) & (ar.eq(part, 0.0) | (half & plus))
    return ar.rare(~short, (value,), any_power, x, y)


define_by_widening(power)
