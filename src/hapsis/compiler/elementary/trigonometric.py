"""sin and cos of one argument at once, and tan; arguments of any size, in radians.

Left out: sinpi/cospi and degree variants, and separate sin or cos (the pair costs little more).
"""

from __future__ import annotations

from .arithmetic import SIGN, Arithmetic, Value, define, define_by_widening
from .errorfree import fast_two_sum, paired_polynomial, polynomial, two_product, two_sum
from .two_over_pi import DIGIT_BITS, TWO_OVER_PI

TWO_BY_PI = float.fromhex("0x1.45f306dc9c883p-1")
# adding it rounds to an integer, whose low bits are then the low bits of the representation
ROUNDER = 1.5 * 2.0**52
ROUNDER32 = 1.5 * 2.0**23
# pi/2 in parts of 33, 33 and 53 bits: products with n < 2**20 of the first two are exact
PIO2_A = float.fromhex("0x1.921fb54400000p+0")
PIO2_B = float.fromhex("0x1.0b4611a600000p-34")
PIO2_C = float.fromhex("0x1.3198a2e037073p-69")
PIO2_BC = float.fromhex("0x1.0b4611a626331p-34")
# pi/2 in two parts of 53 bits
PIO2_HIGH = float.fromhex("0x1.921fb54442d18p+0")
PIO2_LOW = float.fromhex("0x1.1a62633145c07p-54")
# beyond these the argument reduction takes the slow path
LIMIT = 2.0**20
LIMIT_FMA = 2.0**27
# a remainder that lost more than 40 bits takes it too
CANCELLED = 2.0**-40

# sin r = r - r^3 (S0 + r^2 (S1 + ...)), cos r = 1 - r^2/2 + r^4 (C0 + r^2 (C1 + ...)) on
# |r| <= pi/4, minimax within 2**-58 (the degrees and values of fdlibm's kernels)
SIN_CUBIC = 1.66666666666666324348e-01
SIN_REST = (
    -8.33333333332248946124e-03,
    1.98412698298579493134e-04,
    -2.75573137070700676789e-06,
    2.50507602534068634195e-08,
    -1.58969099521155010221e-10,
)
COS_REST = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)
# the same for f32, minimax within 2**-27 (the values of Cephes)
SIN_REST32 = (-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4)
COS_REST32 = (4.166664568298827e-2, -1.388731625493765e-3, 2.443315711809948e-5)


@define("reduce_huge", "f64", 1, 3, cold=True)
def reduce_huge(ar: Arithmetic, x: Value) -> tuple[Value, ...]:
    """(r, e, t): x = n pi/2 + r + e modulo 2 pi, |r| < 0.79, t = n + ROUNDER; for |x| >= 1/2.

    Payne and Hanek at the blackboard: write |x| = m 2^p with a 53-bit integer m and 2/pi in
    digits of 25 bits.  Digits whose product with |x| is a multiple of 4 turn nothing: skip them.
    Nine digits from there on give |x| 2/pi modulo 4 to 2^-120, and no double comes closer than
    2^-62 to a multiple of pi/2.  With m in halves of 28 and 25 bits every product and every
    column sum is an exact double; carries leave balanced digits, so that the leading nonzero
    one dominates the sum and the sum and its error come out by plain additions.
    NaN for infinities and NaN.  Reference: [Payne].
    """
    representation = ar.bits(ar.abs(x))
    exponent = representation >> 52
    mantissa = ar.from_bits((representation & ((1 << 52) - 1)) | (1075 << 52))
    high = ar.floor(mantissa * 2.0**-DIGIT_BITS)
    low = mantissa - high * 2.0**DIGIT_BITS
    # first = (exponent - 1002) // 25 as a float, and at least 0 for lanes that are not ours
    above = ar.from_bits(exponent + (1075 << 52)) - (2.0**52 + 1002.0)
    first = ar.floor((above + 0.5) * 0.04)
    first = ar.select(first < 0.0, 0.0, first)
    index = ar.bits(first + 2.0**52) & 0x3F
    digits = [ar.lookup(TWO_OVER_PI, index + i) for i in range(9)]
    # the weight of column i is 2**(g - 25 i) with 2 <= g < 27
    g = above - first * float(DIGIT_BITS) + 2.0
    weight = ar.from_bits(ar.bits(g + (2.0**52 + 1023.0)) << 52)

    columns = [high * digits[i] + low * digits[i - 1] for i in range(1, 9)]
    for i in range(7, 0, -1):
        carry = ar.floor(columns[i] * 2.0**-DIGIT_BITS + 0.5)
        columns[i] = columns[i] - carry * 2.0**DIGIT_BITS
        columns[i - 1] = columns[i - 1] + carry
    parts = [c * weight * 2.0 ** -(DIGIT_BITS * i) for i, c in enumerate(columns, start=1)]
    turns = parts[0] - 4.0 * ar.floor(parts[0] * 0.25)
    n = ar.floor((turns + parts[1]) + 0.5)
    parts[0:2] = [(turns - n) + parts[1]]
    total = parts[-1]
    for part in reversed(parts[:-1]):
        total = part + total
    rest = parts[0] - total
    for part in parts[1:]:
        rest = rest + part

    product, error = two_product(ar, total, ar.const(PIO2_HIGH, "f64"))
    error = error + (total * PIO2_LOW + rest * PIO2_HIGH)
    r, e = fast_two_sum(product, error)
    negative = x < 0.0
    r = ar.select(negative, -r, r) + (x - x)
    return r, ar.select(negative, -e, e), ar.select(negative, -n, n) + ROUNDER


def _reduce(ar: Arithmetic, x: Value) -> tuple[Value, Value, Value]:
    """(r, e, t) as `reduce_huge`, for every x: [Cody], and the slow path where it fails.

    n pi/2 is subtracted in parts.  Without fma the parts are so short that the products with n
    are exact; with fma the first difference is exact anyway, being a multiple of 2^-53 below 1.
    """
    t = ar.muladd(x, TWO_BY_PI, ROUNDER)
    n = t - ROUNDER
    if ar.fma:
        first = ar.muladd(n, -PIO2_HIGH, x)
        r = ar.muladd(n, -PIO2_LOW, first)
        e = ar.muladd(n, -PIO2_LOW, first - r)
    else:
        s, low = two_sum(x - n * PIO2_A, n * -PIO2_B)
        # subtracted, not added: so a negative zero keeps its sign
        low = n * PIO2_C - low
        r = s - low
        e = (s - r) - low
    size = ar.abs(x)
    ordinary = (size <= (LIMIT_FMA if ar.fma else LIMIT)) & (ar.abs(r) >= size * CANCELLED)
    return ar.rare(~ordinary, (r, e, t), reduce_huge, x)


def _turn(ar: Arithmetic, kind: str, q: Value, s: Value, c: Value) -> tuple[Value, Value]:
    """(sin, cos) of q quarter turns and an angle with sine s and cosine c; low 2 bits of q."""
    sign = SIGN[kind]
    shift = sign.bit_length() - 2
    even = ar.eq(q & 1, 0)
    sine = ar.bits(ar.select(even, s, c)) ^ ((q << shift) & sign)
    cosine = ar.bits(ar.select(even, c, s)) ^ (((q + 1) << shift) & sign)
    return ar.from_bits(sine), ar.from_bits(cosine)


def _kernel(ar: Arithmetic, r: Value, e: Value) -> tuple[Value, Value, Value, Value]:
    """(s, s', c, c'): sin(r + e) = s + s' and cos(r + e) = c + c', the second parts much smaller.

    Taylor-like polynomials with the first-order effect of e; the leading parts, r and
    1 - r^2/2, are nearly exact and the rounding error of the latter goes into c'.
    """
    z = r * r
    cube = z * r
    zz = z * z
    bend = ar.muladd(cube, paired_polynomial(ar, z, zz, SIN_REST), e * 0.5)
    bend = ar.muladd(cube, SIN_CUBIC, ar.muladd(z, bend, -e))
    half = z * 0.5
    w = 1.0 - half
    tail = ar.muladd(zz, paired_polynomial(ar, z, zz, COS_REST), -(r * e))
    return r, -bend, w, ((1.0 - w) - half) + tail


@define("sincos", "f64", 1, 2)
def sincos(ar: Arithmetic, x: Value) -> tuple[Value, ...]:
    """(sin x, cos x) within one ulp; NaN for infinities; exactly odd and even.

    Reduce to x = n pi/2 + r + e, take both polynomials on |r| <= pi/4, then exchange and negate
    by n modulo 4.  Only the last sum of each rounds noticeably.
    Reference: the kernels of fdlibm (Ng, 1993).
    """
    r, e, t = _reduce(ar, x)
    s, s_rest, c, c_rest = _kernel(ar, r, e)
    # only zero can have lost its sign
    s = ar.from_bits(ar.bits(s + s_rest) | (ar.bits(r) & SIGN["f64"]))
    return _turn(ar, "f64", ar.bits(t), s, c + c_rest)


@define("sincos", "f32", 1, 2)
def sincos32(ar: Arithmetic, x: Value) -> tuple[Value, ...]:
    """(sin x, cos x) within 1.2 ulp: the reduction in f64, where two parts of pi/2 suffice.

    No f32 comes closer than about 2^-30 to a multiple of pi/2, so r = x - n pi/2 in f64 keeps
    more than 24 bits; the polynomials run in f32, in all lanes at once.
    """
    wide = ar.widen(x)
    t = ar.muladd(wide, TWO_BY_PI, ROUNDER)
    n = t - ROUNDER
    r = ar.muladd(n, -PIO2_BC, ar.muladd(n, -PIO2_A, wide))
    zero = ar.const(0.0, "f64")
    r, _, t = ar.rare(~(ar.abs(x) <= LIMIT), (r, zero, t), reduce_huge, wide)
    r = ar.narrow(r)
    z = r * r
    s = ar.muladd(r * z, polynomial(ar, z, SIN_REST32), r)
    # only zero can have lost its sign
    s = ar.from_bits(ar.bits(s) | (ar.bits(r) & SIGN["f32"]))
    half = z * 0.5
    w = 1.0 - half
    c = w + ar.muladd(z * z, polynomial(ar, z, COS_REST32), (1.0 - w) - half)
    return _turn(ar, "f32", ar.bits(ar.narrow(t - ROUNDER) + ROUNDER32), s, c)


@define("tan", "f64", 1, 1)
def tan(ar: Arithmetic, x: Value) -> tuple[Value, ...]:
    """tan x within one ulp; exactly odd; never infinite, as no double is a multiple of pi/2.

    s/c, or -c/s in odd quadrants, with both as pairs: a first quotient by the reciprocal, and
    its exact remainder for the correction.
    """
    r, e, t = _reduce(ar, x)
    s, s_rest, c, c_rest = _kernel(ar, r, e)
    s, s_rest = fast_two_sum(s, s_rest)
    c, c_rest = fast_two_sum(c, c_rest)
    odd = ~ar.eq(ar.bits(t) & 1, 0)
    n, n_rest = ar.select(odd, c, s), ar.select(odd, c_rest, s_rest)
    d, d_rest = ar.select(odd, s, c), ar.select(odd, s_rest, c_rest)
    inverse = 1.0 / d
    q = n * inverse
    p, p_rest = two_product(ar, q, d)
    rest = ((n - p) - p_rest) + (n_rest - q * d_rest)
    size = ar.bits(ar.abs(ar.muladd(rest, inverse, q)))
    sign = (ar.bits(r) ^ (ar.bits(t) << 63)) & SIGN["f64"]
    return (ar.from_bits(size | sign),)


define_by_widening(tan)
