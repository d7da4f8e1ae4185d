"""Special values, symmetries, shapes and types of the elementary functions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hapsis.compiler.elementary import NAMES, ULP, evaluate
from hapsis.compiler.elementary.two_over_pi import DIGIT_BITS, TWO_OVER_PI

INF, NAN, PI = math.inf, math.nan, math.pi
GRID = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 2.5, -2.5, INF, -INF, NAN]
GRID += [5e-324, -5e-324, 1.7976931348623157e308, -1.7976931348623157e308, 2.0**53, 2.0**53 - 1]


def _same(got: float, wanted: float) -> bool:
    if math.isnan(wanted):
        return math.isnan(got)
    return got == wanted and math.copysign(1, got) == math.copysign(1, wanted)


TABLE = [
    ("exp", (0.0,), 1.0),
    ("exp", (-0.0,), 1.0),
    ("exp", (INF,), INF),
    ("exp", (-INF,), 0.0),
    ("exp", (710.0,), INF),
    ("exp", (-746.0,), 0.0),
    ("exp", (-745.13,), 5e-324),
    ("exp", (709.782712893384,), 1.7976931348622732e308),
    ("exp", (NAN,), NAN),
    ("log", (0.0,), -INF),
    ("log", (-0.0,), -INF),
    ("log", (1.0,), 0.0),
    ("log", (INF,), INF),
    ("log", (-1.0,), NAN),
    ("log", (-INF,), NAN),
    ("log", (NAN,), NAN),
    ("log", (5e-324,), -744.4400719213812),
    ("log", (2.0**-1022,), -708.3964185322641),
    ("tan", (-0.0,), -0.0),
    ("tan", (INF,), NAN),
    ("tan", (NAN,), NAN),
    ("tan", (5e-324,), 5e-324),
    ("asin", (1.0,), PI / 2),
    ("asin", (-1.0,), -PI / 2),
    ("asin", (-0.0,), -0.0),
    ("asin", (1.0000000000000002,), NAN),
    ("asin", (NAN,), NAN),
    ("asin", (5e-324,), 5e-324),
    ("acos", (1.0,), 0.0),
    ("acos", (-1.0,), PI),
    ("acos", (0.0,), PI / 2),
    ("acos", (-2.0,), NAN),
    ("acos", (NAN,), NAN),
    ("acos", (INF,), NAN),
    ("pow", (2.0, 10.0), 1024.0),
    ("pow", (-2.0, 3.0), -8.0),
    ("pow", (2.0, -1074.0), 5e-324),
    ("pow", (-2.0, 1023.0), -(2.0**1023)),
    ("pow", (10.0, 2.0), 100.0),
    ("pow", (NAN, 0.0), 1.0),
    ("pow", (1.0, NAN), 1.0),
    ("pow", (-1.0, INF), 1.0),
    ("pow", (-1.0, 2.0**53 - 1), -1.0),
    ("pow", (-8.0, 1 / 3), NAN),
    ("pow", (1 + 2.0**-52, 1e300), INF),
    ("pow", (1 - 2.0**-53, 1e300), 0.0),
]


@pytest.mark.parametrize(("name", "arguments", "wanted"), TABLE)
def test_table(name, arguments, wanted):
    assert _same(float(evaluate(name, *arguments)), wanted)


def test_sincos_special_values():
    s, c = evaluate("sincos", np.array([0.0, -0.0, INF, -INF, NAN, 5e-324, -5e-324]))
    assert all(_same(*p) for p in zip(s, [0.0, -0.0, NAN, NAN, NAN, 5e-324, -5e-324], strict=True))
    assert all(_same(*p) for p in zip(c, [1.0, 1.0, NAN, NAN, NAN, 1.0, 1.0], strict=True))


@pytest.mark.parametrize("y", GRID)
@pytest.mark.parametrize("name", ["atan2", "pow"])
def test_two_arguments_as_in_c99(name, y):
    """Python's math functions follow the C99 annex; they only raise where C returns inf or NaN."""
    for x in GRID:
        got = float(evaluate(name, y, x))
        if name == "atan2":
            wanted = math.atan2(y, x)
        else:
            with np.errstate(all="ignore"):
                wanted = float(np.power(np.array([y]), np.array([x]))[0])
        close = abs(got - wanted) <= 2 * math.ulp(wanted) if math.isfinite(wanted) else False
        signs = math.copysign(1, got) == math.copysign(1, wanted)
        assert _same(got, wanted) or (close and signs and wanted != 0.0), (name, y, x, got)


finite = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=150, deadline=None)
@given(finite, finite)
def test_symmetries_are_exact(x, y):
    s, c = evaluate("sincos", np.array([x, -x]))
    assert _same(s[0], -s[1]) and _same(c[0], c[1])
    t = evaluate("tan", np.array([x, -x]))
    assert _same(t[0], -t[1])
    small = math.fmod(x, 1.0)
    a = evaluate("asin", np.array([small, -small]))
    assert _same(a[0], -a[1])
    angle = evaluate("atan2", np.array([y, -y]), x)
    assert _same(angle[0], -angle[1])


@settings(max_examples=150, deadline=None)
@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_f32_symmetries_and_signs(x):
    v = np.array([x, -x], np.float32)
    s, c = evaluate("sincos", v)
    assert _same(s[0], -s[1]) and _same(c[0], c[1])
    assert s.dtype == c.dtype == np.float32


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (1, 1, 4)])
def test_shapes_and_types(name, dtype, shape):
    arguments = [np.full(shape, 0.25, dtype)] * (2 if name in ("pow", "atan2") else 1)
    result = evaluate(name, *arguments)
    for part in result if isinstance(result, tuple) else (result,):
        assert part.shape == shape and part.dtype == dtype


def test_arguments_are_broadcast_and_counted():
    assert evaluate("pow", np.array([[1.0], [2.0]]), np.array([1.0, 2.0, 3.0])).shape == (2, 3)
    assert evaluate("exp", [1, 2]).dtype == np.float64
    with pytest.raises(TypeError, match="takes 2 arguments"):
        evaluate("pow", 1.0)


def test_bounds_cover_every_function():
    assert set(ULP) == {f"{n}_{p}" for n in NAMES for p in ("f64", "f32")}


def test_digits_of_two_over_pi():
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workprec(1400):
        total = mpmath.mpf(0)
        for j, digit in enumerate(TWO_OVER_PI.entries):
            assert abs(digit) <= 2.0 ** (DIGIT_BITS - 1)
            total += mpmath.mpf(digit) * mpmath.mpf(2) ** (-DIGIT_BITS * (j - 2))
        last = DIGIT_BITS * (len(TWO_OVER_PI.entries) - 3)
        assert abs(total - 2 / mpmath.pi) < mpmath.mpf(2) ** -last
