"""Powers 1/2 to 3: products and a root as for constants, with the special values of C99."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.compiler.elementary import evaluate

SHORT = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
EDGES = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 1e-160, 1e160, -1e160, 1.7e308]


def same(a, b):
    return (a == b and np.signbit(a) == np.signbit(b)) or (np.isnan(a) and np.isnan(b))


@pytest.mark.parametrize("exponent", SHORT)
def test_a_power_at_run_time_is_that_of_a_constant_exponent(exponent):
    """Bit by bit, where the value is not negative; compiled and interpreted."""
    x = hs.symbol("x")
    p = hs.symbol("n")
    fixed = hs.compile(hs.Function("fixed", {"x": x}, {"y": x**exponent}), contract=False)
    free = hs.Function("free", {"x": x, "n": p}, {"y": x**p})
    values = np.abs(np.random.default_rng(3).integers(0, 2**63, 500, dtype=np.int64).view(np.float64))
    for backend in ("llvm", "python"):
        power = hs.compile(free, backend, contract=False)
        for value in [*values[np.isfinite(values)][:200], 0.0, np.inf]:
            assert same(power(float(value), exponent), fixed(float(value))), value


@pytest.mark.parametrize("exponent", (*SHORT, 0.0, -0.5, -1.0, 3.5, 4.0, -2.5))
def test_both_ways_have_the_same_special_values(exponent):
    """The short way and the long one, at zeros, infinities and numbers that no sum has."""
    for x in EDGES:
        short, long = (float(evaluate(name, x, exponent)) for name in ("pow", "pow_any"))
        assert same(short, long) or abs(short - long) <= 5e-16 * abs(long), x
