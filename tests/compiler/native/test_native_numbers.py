"""Numbers: every operator on numbers of every kind, against Python and NumPy."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from native_text import agree, functions, same

from hapsis.compiler.native import Array, Ints, floor, isfinite, native, power, remainders, sqrt

EDGES = [0.0, -0.0, 0.5, 1.0, -1.0, 3.0, -7.5, 5e-324, -1e-310, 2.0**-1022, 1e16, -1.7e308]
EDGES += [math.inf, -math.inf, math.nan, 2.0**53 + 2, 0.1, -0.3]
WHOLE = [0, 1, -1, 2, -2, 3, 7, -7, 10, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63)]


@native
def reals(a: float, b: float, out: Array) -> None:
    out[0] = a + b
    out[1] = a - b
    out[2] = a * b
    out[3] = a / b
    out[4] = a % b
    out[5] = a // b
    out[6] = min(a, b)
    out[7] = max(a, b, 0.25)
    out[8] = -a
    out[9] = abs(a)
    out[10] = sqrt(a)
    out[11] = floor(a)
    out[12] = power(a, b)
    out[13] = float(isfinite(a))
    out[14] = float(a < b) + 2.0 * float(a <= b) + 4.0 * float(a == b) + 8.0 * float(a != b)
    out[15] = float(a > b) + 2.0 * float(a >= b) + 4.0 * float(not a < b)
    out[16] = 1.0 if a else 0.0
    out[17] = +b


@native
def wholes(a: int, b: int, out: Ints, quotient: Array) -> int:
    out[0] = a + b
    out[1] = a - b
    out[2] = a * b
    out[3] = -a
    out[4] = abs(a)
    out[5] = min(a, b)
    out[6] = max(a, b)
    out[7] = int(a < b) + 2 * int(a <= b) + 4 * int(a == b) + 8 * int(a != b)
    out[8] = int(a > b) + 2 * int(a >= b)
    quotient[0] = float(a)
    quotient[1] = a / 4
    quotient[2] = a + 0.5
    return 1 if b else 0


@native
def divided(a: Ints, b: Ints, out: Ints) -> None:
    out[0] = a[0] // b[0]
    out[1] = a[0] % b[0]


@native
def cut(a: float) -> int:
    return int(a)


@pytest.mark.parametrize("a, b", list(product(EDGES, EDGES)))
def test_reals_at_the_edges(a, b):
    agree(reals, a, b, np.zeros(18))


@settings(max_examples=300, deadline=None)
@given(st.floats(), st.floats())
def test_reals(a, b):
    agree(reals, a, b, np.zeros(18))


@settings(max_examples=200, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(-60, 60), st.floats(0.5, 2))
def test_remainders_of_near_multiples(b, n, wobble):
    with np.errstate(all="ignore"):
        for a in (b * n, b * n * wobble, np.nextafter(b * n, 0)):
            a, y = np.float64(a), np.float64(b)
            assert same(remainders.remainder(a, y), a % y)
            assert same(remainders.quotient(a, y), a // y)


@settings(max_examples=200, deadline=None)
@given(st.integers(-(2**62), 2**62), st.integers(-(2**62), 2**62))
def test_wholes(a, b):
    small = math.isqrt(abs(a)) if abs(a * b) >= 2**63 else a
    agree(wholes, small, b if abs(small * b) < 2**63 else b % 1000, np.zeros(9, int), np.zeros(3))


@pytest.mark.parametrize("a, b", list(product(WHOLE, WHOLE)))
def test_whole_division(a, b):
    # as Python where it has a value of 64 bits, as NumPy elsewhere
    agree(divided, np.array([a]), np.array([b]), np.zeros(2, int))
    out = np.zeros(2, int)
    divided(np.array([a]), np.array([b]), out)
    if b and -(2**63) <= a // b < 2**63:
        assert out.tolist() == [a // b, a % b]


@pytest.mark.parametrize("x", [0.0, 0.9, -0.9, 2.0**53, -3.99, 1e18, -1e18])
def test_cut(x):
    assert agree(cut, x) == math.trunc(x)


@pytest.mark.parametrize(
    "x, n", [(math.inf, 2**63 - 1), (-math.inf, -(2**63)), (math.nan, 0), (1e300, 2**63 - 1)]
)
def test_cut_outside_of_the_range(x, n):
    assert cut(x) == n


def test_ints_wrap():
    out = np.zeros(9, int)
    wholes(2**63 - 1, 1, out, np.zeros(3))
    assert out[0] == -(2**63)


def test_nothing_is_contracted(tmp_path):
    # with one rounding less, the second product would leave its error behind
    text = """
@native
def rest(a: float, b: float) -> float:
    return a * b - a * b
@native
def sums(n: int, x: Array, y: Array) -> float:
    total = 0.0
    for i in range(n):
        total += x[i] * y[i]
    return total
"""
    names = functions(tmp_path, text)
    draw = np.random.default_rng(1)
    for a, b in draw.normal(size=(50, 2)):
        assert agree(names["rest"], float(a), float(b)) == 0.0
    # a sum is never taken in another order, however long
    agree(names["sums"], 1000, draw.normal(size=1000), draw.normal(size=1000) * 1e8)
