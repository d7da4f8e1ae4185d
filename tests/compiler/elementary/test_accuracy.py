"""Errors in units in the last place, against mpmath (hard cases) and extended precision."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from hapsis.compiler.elementary import NAMES, ULP

EXTENDED = np.finfo(np.longdouble).nmant >= 63
BIG = 20_000


def _scattered(rng, count: int, low: int, high: int) -> np.ndarray:
    """Floats of all sizes from 2**low to 2**high, both signs."""
    size = np.ldexp(rng.uniform(0.5, 1.0, count), rng.integers(low + 1, high + 1, count))
    return size * rng.choice([-1.0, 1.0], count)


def _near_quarters(rng, count: int) -> np.ndarray:
    """Floats next to multiples of pi/2 up to 1e6, where the reduction cancels most."""
    n = np.concatenate([np.arange(1, count // 2), rng.integers(1, 636619, count // 2)])
    return n * (math.pi / 2)


def samples(name: str, count: int, seed: int = 7) -> tuple[np.ndarray, ...]:
    """Arguments (as columns) that cover the domain of the function, ordinary and extreme."""
    rng = np.random.default_rng(seed)
    if name in ("sincos", "tan"):
        parts = [rng.uniform(-1e6, 1e6, count), rng.uniform(-10, 10, count)]
        parts += [_scattered(rng, count, -1074, 1), _near_quarters(rng, count)]
        return (np.concatenate(parts),)
    if name == "exp":
        parts = [rng.uniform(-746, 710, count), rng.uniform(-1, 1, count)]
        return (np.concatenate([*parts, rng.uniform(-746, -707, count)]),)
    if name == "log":
        near = 1 + rng.uniform(-1, 1, count) * 2.0 ** -rng.integers(1, 50, count)
        return (np.concatenate([np.abs(_scattered(rng, count, -1074, 1024)), near]),)
    if name == "pow":
        x = np.abs(_scattered(rng, count, -1074, 1024))
        x = np.concatenate([x, 1 + rng.uniform(0.5, 1, count) * 2.0 ** -rng.integers(1, 45, count)])
        y = rng.uniform(-744, 709, x.size) / np.log(x)
        small = rng.uniform(0, 10, count), np.rint(rng.uniform(-30, 30, count) * 2) / 2
        return np.concatenate([x, small[0]]), np.concatenate([y, small[1]])
    if name == "atan2":
        y, x = rng.normal(size=count), rng.normal(size=count)
        far = _scattered(rng, count, -1074, 1024), _scattered(rng, count, -1074, 1024)
        return np.concatenate([y, far[0]]), np.concatenate([x, far[1]])
    edge = 1 - 2.0 ** -rng.uniform(0, 53, count)
    return (np.concatenate([rng.uniform(-1, 1, count), edge, -edge, _scattered(rng, 99, -60, 0)]),)


def _ulp(got: np.ndarray, exact: np.ndarray) -> float:
    """The greatest distance, in units in the last place of the exact values."""
    with np.errstate(all="ignore"):
        rounded = exact.astype(got.dtype)
        distance = np.abs(got.astype(np.longdouble) - exact) / np.spacing(np.abs(rounded))
    agreed = (got == rounded) & ~np.isfinite(rounded)
    return float(np.max(np.where(agreed, 0, distance)))


EXACT = {
    "sincos": lambda x: (np.sin(x), np.cos(x)),
    "tan": lambda x: (np.tan(x),),
    "exp": lambda x: (np.exp(x),),
    "log": lambda x: (np.log(x),),
    "pow": lambda x, y: (x**y,),
    "atan2": lambda y, x: (np.arctan2(y, x),),
    "asin": lambda x: (np.arcsin(x),),
    "acos": lambda x: (np.arccos(x),),
}


@pytest.mark.skipif(not EXTENDED, reason="np.longdouble has no more bits than float64")
@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("name", NAMES)
def test_large_samples(name, precision, reference, llvm_fused):
    dtype, width = (np.float64, 8) if precision == "f64" else (np.float32, 16)
    with np.errstate(over="ignore", under="ignore"):
        columns = [c.astype(dtype) for c in samples(name, BIG)]
    with np.errstate(all="ignore"):
        exact = EXACT[name](*(c.astype(np.longdouble) for c in columns))
    for run in (reference(name, *columns), llvm_fused(name, width, precision, *columns)):
        for got, wanted in zip(run, exact, strict=True):
            known = ~np.isnan(wanted)
            assert np.array_equal(np.isnan(got), ~known)
            assert _ulp(got[known], wanted[known]) <= ULP[f"{name}_{precision}"]


HUGE = [6381956970095103.0 * 2.0**797, 1.797e308, 1e22, 2.0**1023, 2.0**20, 2.0**27, 1e300]
HUGE += [math.pi * 2.0**k for k in range(0, 60, 7)] + [math.pi / 2, math.pi, 0.785398163397448]
TINY = [5e-324, 2.3e-308, 1e-310, 1e-20]


def _mp_ulp(got: float, exact: mpmath.mpf, dtype) -> float:
    with np.errstate(over="ignore"):
        spacing = mpmath.mpf(float(np.spacing(np.abs(dtype(float(exact))))))
    return float(abs(mpmath.mpf(float(got)) - exact) / spacing)


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_trigonometry_of_hard_arguments(precision, reference, llvm_fused):
    dtype, width = (np.float64, 8) if precision == "f64" else (np.float32, 16)
    rng = np.random.default_rng(3)
    high = 1024 if precision == "f64" else 128
    x = np.concatenate([HUGE, TINY, _scattered(rng, 400, 15, high), _near_quarters(rng, 200)])
    with np.errstate(over="ignore"):
        x = x.astype(dtype)
    x = x[np.isfinite(x)]
    runs = [(*reference("sincos", x), *reference("tan", x))]
    fused = [llvm_fused(name, width, precision, x) for name in ("sincos", "tan")]
    runs.append((*fused[0], *fused[1]))
    with mpmath.workprec(1300):
        for i, v in enumerate(x):
            exact = mpmath.sin(mpmath.mpf(float(v))), mpmath.cos(mpmath.mpf(float(v)))
            exact = (*exact, exact[0] / exact[1])
            for run in runs:
                for name, got, wanted in zip(("sincos", "sincos", "tan"), run, exact, strict=True):
                    assert _mp_ulp(got[i], wanted, dtype) <= ULP[f"{name}_{precision}"], v


MPMATH = {
    "exp": mpmath.exp,
    "log": mpmath.log,
    "pow": mpmath.power,
    "atan2": mpmath.atan2,
    "asin": mpmath.asin,
    "acos": mpmath.acos,
}


@pytest.mark.parametrize("name", MPMATH)
def test_against_mpmath(name, reference, llvm_fused):
    columns = samples(name, 300, seed=11)
    runs = reference(name, *columns), llvm_fused(name, 8, "f64", *columns)
    with mpmath.workprec(200):
        for i, row in enumerate(zip(*columns, strict=True)):
            exact = MPMATH[name](*(mpmath.mpf(float(v)) for v in row))
            for (got,) in runs:
                if not math.isfinite(float(exact)):
                    assert got[i] == float(exact)
                elif float(exact) == 0.0:
                    assert abs(got[i]) <= 5e-324
                else:
                    assert _mp_ulp(got[i], exact, np.float64) <= ULP[f"{name}_f64"], row
