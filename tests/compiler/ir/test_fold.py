"""Folding gives the value of the operation, or nothing where that is not finite."""

import math

import ir_values
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hapsis as hs
from hapsis.compiler.backends.interpreter import OPERATIONS
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.expr import apply
from hapsis.compiler.ir.graph.fold import folded, value

ONE_ARG, TWO_ARGS = sorted(ops.UNARY), sorted(ops.BINARY)
CORNERS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e300, -1e-300, math.inf, -math.inf, math.nan]


def arguments(op):
    count = 1 if op in ops.UNARY else 2 if op in ops.BINARY else 3
    return np.array(np.meshgrid(*[CORNERS] * count)).reshape(count, -1).T


@pytest.mark.parametrize("op", [*ONE_ARG, *TWO_ARGS, ops.SELECT], ids=ops.NAMES.__getitem__)
def test_numbers_alone_have_the_interpreters_value(op):
    for args in arguments(op):
        with np.errstate(all="ignore"):
            expected = float(OPERATIONS[op](*map(np.asarray, args)))
        found = value(op, tuple(map(float, args)))
        assert type(found) is float
        if op == ops.POW and found == pytest.approx(expected, rel=3e-16):
            expected = found  # whole powers are products: see below
        assert found == expected or (math.isnan(found) and math.isnan(expected)), args
        finite = math.isfinite(expected)
        assert folded(op, tuple(map(float, args))) == (expected if finite else None)


@pytest.mark.parametrize("op", [*ONE_ARG, *TWO_ARGS, ops.SELECT], ids=ops.NAMES.__getitem__)
def test_arrays_of_numbers_have_the_bits_of_their_elements(op):
    draw = np.random.default_rng(op)
    spread = draw.normal(size=(200, arguments(op).shape[1])) * 10.0 ** draw.integers(-8, 9, (200, 1))
    columns = np.concatenate([arguments(op), spread, np.round(spread)]).T
    found = apply(op, *columns)
    expected = np.array([value(op, tuple(map(float, row))) for row in columns.T])
    nan = np.isnan(expected)
    assert found.dtype == float and np.array_equal(np.isnan(found), nan)
    assert found[~nan].tobytes() == expected[~nan].tobytes()


def test_arrays_of_whole_numbers_and_single_numbers_count_as_numbers():
    found = apply(ops.POW, np.array([[1, 2], [3, -4]]), 3)
    assert found.dtype == float and found.tolist() == [[1.0, 8.0], [27.0, -64.0]]
    assert apply(ops.ADD, np.float64(0.5), np.array([True, False])).tolist() == [1.5, 0.5]
    assert apply(ops.COS, np.zeros((0, 3))).shape == (0, 3) and apply(ops.SIN, np.array(0.0)).shape == ()


@given(st.floats(-0.99, 0.99), st.floats(0.01, 3.0))
def test_elementary_functions_are_right(x, y):
    for op in (ops.SIN, ops.COS, ops.TAN, ops.ASIN, ops.ACOS, ops.EXP):
        assert folded(op, (x,)) == pytest.approx(ir_values.REAL[op](x), rel=1e-15, abs=1e-300)
    assert folded(ops.LOG, (y,)) == pytest.approx(math.log(y), rel=4e-16, abs=1e-300)
    assert folded(ops.ATAN2, (x, y)) == pytest.approx(math.atan2(x, y), rel=4e-16, abs=1e-300)
    assert folded(ops.POW, (y, x)) == pytest.approx(y**x, rel=4e-16)


def test_a_comparison_and_a_choice_are_numbers():
    assert folded(ops.LT, (1.0, 2.0)) == 1.0 and folded(ops.LT, (2.0, 2.0)) == 0.0
    assert folded(ops.LE, (2.0, 2.0)) == 1.0 and folded(ops.LE, (2.1, 2.0)) == 0.0
    assert folded(ops.EQ, (2.0, 2.0)) == 1.0 and folded(ops.EQ, (2.0, 2.1)) == 0.0
    assert folded(ops.SELECT, (0.5, 3.0, 4.0)) == 3.0 and folded(ops.SELECT, (0.0, 3.0, 4.0)) == 4.0


@given(st.floats(-1e3, 1e3), st.integers(-32, 32))
def test_whole_powers_of_numbers_are_those_of_parameters(x, exponent):
    p = hs.parameter("p", x)
    f = hs.compile(hs.Function("f", {}, {"y": p**exponent}), "python")
    expected = float(f())
    found = value(ops.POW, (x + 0.0, float(exponent)))  # a parameter of -0 is 0
    assert found == expected or (math.isnan(found) and math.isnan(expected))
