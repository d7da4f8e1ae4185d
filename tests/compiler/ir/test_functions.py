"""Elementary functions of numbers, expressions and arrays of either are the same functions."""

import math

import numpy as np
import pytest
from test_expr import AT, number, refused, xyz  # noqa: F401

import hapsis as hs
from hapsis.compiler.ir.graph.elementary_functions import UFUNCS
from hapsis.compiler.ir.graph.expr import Expr

# name -> (what it should be, arguments where it is defined)
KNOWN = {
    "sqrt": (np.sqrt, "z"),
    "sin": (np.sin, "x"),
    "cos": (np.cos, "x"),
    "tan": (np.tan, "y"),
    "asin": (np.arcsin, "x"),
    "acos": (np.arccos, "x"),
    "atan": (np.arctan, "y"),
    "atan2": (np.arctan2, "yz"),
    "exp": (np.exp, "y"),
    "log": (np.log, "z"),
    "tanh": (np.tanh, "y"),
    "power": (np.power, "zx"),
    "abs": (np.abs, "y"),
    "sign": (np.sign, "y"),
    "floor": (np.floor, "y"),
    "ceil": (np.ceil, "y"),
    "minimum": (np.minimum, "xy"),
    "maximum": (np.maximum, "xy"),
    "hypot": (np.hypot, "yz"),
    "clip": (np.clip, "zyx"),
    "where": (lambda c, a, b: a if c else b, "xyz"),
}


@pytest.mark.parametrize("name", KNOWN)
def test_numbers_expressions_and_arrays_agree(xyz, name):  # noqa: F811
    function, (known, letters) = getattr(hs, name), KNOWN[name]
    symbols = dict(zip("xyz", xyz, strict=True))
    args, values = [symbols[n] for n in letters], [AT[n] for n in letters]
    expected = known(*map(np.float64, values))
    assert function(*values) == pytest.approx(expected, rel=1e-15, abs=2e-16)
    assert type(function(*values)) is float
    result = function(*args)
    assert isinstance(result, Expr)
    assert number(result) == pytest.approx(expected, rel=1e-15, abs=2e-16)
    for many in (np.array([values[0]] * 3), [values[0]] * 3, (values[0],) * 3):
        listed = function(many, *values[1:])
        assert listed.dtype == float and listed == pytest.approx([expected] * 3, abs=2e-16)
    mixed = function(np.array([args[0], values[0]], dtype=object), *args[1:])
    assert number(mixed) == pytest.approx([expected] * 2, rel=1e-15, abs=2e-16)
    table = function(np.full((2, 1), values[0]), *[np.full(3, v) for v in values[1:]])
    assert table.shape == ((2, 3) if len(values) > 1 else (2, 1))


@pytest.mark.parametrize("ufunc", UFUNCS, ids=lambda u: u.__name__)
def test_numpy_functions_work_on_expressions(xyz, ufunc):  # noqa: F811
    x, y, z = xyz
    one = {np.sqrt: z, np.log: z, np.arcsin: x, np.arccos: x}.get(ufunc, y)
    if ufunc.nin == 1:
        expected = ufunc(number(one))
        assert number(ufunc(one)) == pytest.approx(float(expected), rel=1e-15, abs=2e-16)
        return
    for a, b in ((z, y), (z, z), (z, 2.0), (2.0, z), (z, np.array([1.0, 2.5])), (np.ones(2), z)):
        found, expected = ufunc(a, b), ufunc(number(a), number(b))
        assert number(found) == pytest.approx(np.asarray(expected, float), rel=1e-15)
        assert np.shape(found) == np.shape(expected)


ON_ARRAYS = [
    np.sqrt,
    np.sin,
    np.cos,
    np.tan,
    np.arcsin,
    np.arccos,
    np.arctan,
    np.exp,
    np.log,
    np.floor,
    np.absolute,
    np.negative,
    np.square,
    np.arctan2,
    np.tanh,
]


@pytest.mark.parametrize("ufunc", ON_ARRAYS, ids=lambda u: u.__name__)
def test_numpy_functions_work_on_arrays_of_expressions(xyz, ufunc):  # noqa: F811
    x, _, z = xyz
    array = np.array([x, x * x, z / 4])
    args = [array] * ufunc.nin
    expected = ufunc(*[number(a) for a in args])
    assert number(ufunc(*args)) == pytest.approx(expected, rel=1e-15, abs=2e-16)


def test_numpy_functions_we_do_not_have_are_named(xyz):  # noqa: F811
    x = xyz[0]
    with refused("numpy.sinh is not available on expressions; available: absolute, add, arccos"):
        np.sinh(x)
    with refused("numpy.add is not available on expressions"):
        np.add.reduce(x)
    with refused("numpy.add is not available"):
        np.add(x, 1.0, dtype=float)


def test_whole_and_half_powers_are_products(xyz):  # noqa: F811
    z = xyz[2]
    assert hs.same(hs.power(z, 2), z * z) and hs.same(z**1.5, z * hs.sqrt(z))


def test_arcs_and_ceilings_in_terms_of_others(xyz):  # noqa: F811
    x, y, _ = xyz
    assert hs.same(hs.atan(x), hs.atan2(x, 1.0))
    assert hs.same(hs.ceil(x), -hs.floor(-x)) and hs.ceil(-0.5) == 0.0 and hs.ceil(2.1) == 3.0
    assert hs.same(hs.clip(x, y, 3.0), hs.minimum(hs.maximum(x, y), 3.0))


def test_tanh_is_odd_bounded_and_quiet():
    for v in (0.0, 1e-9, 0.3, 2.0, 19.5, 400.0, math.inf):
        assert hs.tanh(v) == -hs.tanh(-v) == pytest.approx(math.tanh(v), abs=2e-16)
    assert hs.tanh(math.inf) == 1.0 and hs.tanh(-1e308) == -1.0


def test_infinities_pass_through_numbers():
    assert hs.clip(math.inf, 0.0, 1.0) == 1.0 and hs.abs(-math.inf) == math.inf
    assert hs.maximum(1.0, math.inf) == math.inf and hs.where(0.0, 1.0, -math.inf) == -math.inf
    assert math.isnan(hs.sign(math.nan)) and hs.exp(-math.inf) == 0.0 and hs.floor(math.inf) > 1e308


def test_arrays_broadcast_as_numpy_does(xyz):  # noqa: F811
    x, y, z = xyz
    column, row = np.array([[x], [y]]), np.array([1.0, z, 2.0], dtype=object)
    result = hs.maximum(column, row)
    assert result.shape == (2, 3)
    assert number(result) == pytest.approx(np.maximum(number(column), number(row)))
    with pytest.raises(ValueError, match="broadcast"):
        hs.minimum(np.ones(2), np.ones(3))
    chosen = hs.where(np.array([1.0, 0.0]), x, np.array([5.0, 6.0]))
    assert hs.same(chosen[0], x) and float(chosen[1]) == 6.0
