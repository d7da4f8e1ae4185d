"""Every elementary function a user can call, over all magnitudes, against mpmath."""

import math

import mpmath
import numpy as np
import pytest

import hapsis as hs

ULPS = 2.0  # what docs/compiler.md promises
COUNT = 600  # arguments for each function
# name: the exact function, the magnitudes of its arguments as powers of ten, their signs
OF_ONE = {
    "sqrt": (mpmath.sqrt, (-300, 300), "positive"),
    "sin": (mpmath.sin, (-300, 8), "any"),
    "cos": (mpmath.cos, (-300, 8), "any"),
    "tan": (mpmath.tan, (-300, 8), "any"),
    "asin": (mpmath.asin, (-300, 0), "any"),
    "acos": (mpmath.acos, (-300, 0), "any"),
    "atan": (mpmath.atan, (-300, 300), "any"),
    "exp": (mpmath.exp, (-300, 2.8), "any"),
    "log": (mpmath.log, (-300, 300), "positive"),
    "tanh": (mpmath.tanh, (-300, 300), "any"),
}
OF_TWO = {
    "atan2": (mpmath.atan2, (-300, 300), (-300, 300)),
    "hypot": (mpmath.hypot, (-300, 300), (-300, 300)),
    "power": (mpmath.power, (-30, 30), (-10, 0.9)),
}


def _arguments(seed: int, powers: tuple[float, float], signs: str) -> np.ndarray:
    """Half over all magnitudes, half near one, where most functions change their method."""
    rng = np.random.default_rng(seed)
    far = 10.0 ** rng.uniform(*powers, COUNT // 2)
    near = 10.0 ** rng.uniform(-3, min(1.5, powers[1]), COUNT // 2)
    x = np.concatenate([far, near])
    return x if signs == "positive" else x * rng.choice([-1.0, 1.0], COUNT)


def _ulps(value: float, exact: mpmath.mpf) -> float:
    """The error in units of the last place of the exact value."""
    return float(abs(mpmath.mpf(value) - exact) / mpmath.mpf(math.ulp(float(exact))))


def _worst(f: hs.Function, function, columns: list[np.ndarray]) -> float:
    """The largest error of the machine code and of the interpreter."""
    routes = hs.compile(f), hs.compile(f, backend="python")
    worst = 0.0
    with mpmath.workdps(60):
        for numbers in zip(*(c.tolist() for c in columns), strict=True):
            exact = function(*map(mpmath.mpf, numbers))
            worst = max(worst, *(_ulps(float(route(*numbers)), exact) for route in routes))
    return worst


@pytest.mark.parametrize("name", OF_ONE)
def test_functions_of_one_argument(name):
    function, powers, signs = OF_ONE[name]
    x = hs.symbol("x")
    f = hs.Function("f", {"x": x}, {"y": getattr(hs, name)(x)})
    assert _worst(f, function, [_arguments(1, powers, signs)]) <= ULPS


@pytest.mark.parametrize("name", OF_TWO)
def test_functions_of_two_arguments(name):
    function, of_first, of_second = OF_TWO[name]
    x, y = hs.symbol("x"), hs.symbol("y")
    f = hs.Function("f", {"x": x, "y": y}, {"z": getattr(hs, name)(x, y)})
    first = _arguments(2, of_first, "positive" if name == "power" else "any")
    second = _arguments(3, of_second, "any")
    assert _worst(f, function, [first, second]) <= ULPS
    if name != "power":
        assert _worst(f, function, [first, first * second[::-1].clip(-3, 3)]) <= ULPS


def test_ends_of_tanh_and_hypot():
    x, y = hs.symbol("x"), hs.symbol("y")
    tanh = hs.compile(hs.Function("f", {"x": x}, {"y": hs.tanh(x)}))
    assert [tanh(v) for v in (0.0, math.inf, -math.inf, 5e-324)] == [0.0, 1.0, -1.0, 5e-324]
    assert math.isnan(tanh(math.nan))
    for precision in ("f64", "f32"):
        hypot = hs.compile(hs.Function("h", {"x": x, "y": y}, {"z": hs.hypot(x, y)}), precision=precision)
        assert hypot(0.0, 0.0) == 0.0 and hypot(-math.inf, 1.0) == math.inf and hypot(3.0, -4.0) == 5.0
        assert math.isnan(hypot(math.nan, 1.0))


def test_slope_of_tanh_keeps_its_digits():
    """tanh' = 1/cosh², from zero out to where it underflows, forward and in reverse."""
    x = hs.symbol("x")
    f = hs.Function("f", {"x": x}, {"y": hs.tanh(x)})
    forward, reverse = hs.compile(f.jvp("x")), hs.compile(f.vjp("x"))
    for value in _arguments(4, (-300, 2.5), "any").tolist():
        slope = float(1 / mpmath.cosh(value) ** 2)
        assert float(forward(value, 1.0)) == pytest.approx(slope, rel=1e-13, abs=1e-300)
        assert float(reverse(value, 1.0)) == pytest.approx(slope, rel=1e-13, abs=1e-300)
