"""NumPy, LLVM (scalar and vector) and C give the same bits as long as nothing fuses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hapsis.compiler.elementary import (
    NAMES,
    c_library,
    evaluate,
    llvm_declarations,
    llvm_function,
    llvm_library,
)

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, math.inf, -math.inf, math.nan]
SPECIAL += [5e-324, -5e-324, 2.0**-1022, 1.7976931348623157e308, -1.7976931348623157e308]
SPECIAL += [math.pi, math.pi / 2, 709.8, -745.2, 1e22, 2.0**20, 2.0**52 + 1, 2.0**53, 1e-40]
SPECIAL += [6381956970095103.0 * 2.0**797, 0.4375, 0.6875, 1.5, 2.5, 3.5, 1 - 2.0**-53, 1 + 2.0**-52]
WIDE = {"f64": 8, "f32": 16}
PAIRS = ("pow", "atan2")


def _arguments(name: str, precision: str) -> list[np.ndarray]:
    """All special values (all pairs of them for two arguments), random ones of every size."""
    rng = np.random.default_rng(5)
    random = rng.integers(0, 2**64, 4000, dtype=np.uint64).view(np.float64)
    values = np.concatenate([SPECIAL, random, rng.uniform(-30, 30, 4000), rng.uniform(-1, 1, 2000)])
    columns = [values]
    if name in PAIRS:
        first, second = np.meshgrid(SPECIAL, SPECIAL)
        columns = [np.concatenate([first.ravel(), values]), None]
        columns[1] = np.concatenate([second.ravel(), rng.permutation(values)])
    with np.errstate(all="ignore"):
        return [c.astype(np.float64 if precision == "f64" else np.float32) for c in columns]


def _assert_same(first: tuple, second: tuple) -> None:
    for a, b in zip(first, second, strict=True):
        word = np.uint64 if a.dtype == np.float64 else np.uint32
        different = (a.view(word) != b.view(word)) & ~(np.isnan(a) & np.isnan(b))
        assert not different.any(), np.nonzero(different)


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("name", NAMES)
def test_llvm_agrees_with_numpy(name, precision, reference, llvm_plain):
    columns = _arguments(name, precision)
    expected = reference(name, *columns)
    for width in (1, WIDE[precision]):
        _assert_same(expected, llvm_plain(name, width, precision, *columns))


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("name", NAMES)
def test_c_agrees_with_numpy(name, precision, reference, c_plain):
    columns = _arguments(name, precision)
    _assert_same(reference(name, *columns), c_plain(name, precision, *columns))


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("name", NAMES)
def test_fused_c_agrees_with_fused_llvm(name, precision, llvm_fused, c_fused):
    columns = _arguments(name, precision)
    compiled = llvm_fused(name, WIDE[precision], precision, *columns)
    _assert_same(compiled, c_fused(name, precision, *columns))


@settings(max_examples=200, deadline=None)
@given(st.floats(allow_subnormal=True), st.floats(allow_subnormal=True))
def test_scalars_agree_with_llvm(llvm_plain, x, y):
    for name in NAMES:
        arguments = (x, y) if name in PAIRS else (x,)
        result = evaluate(name, *arguments)
        result = result if isinstance(result, tuple) else (result,)
        compiled = llvm_plain(name, 1, "f64", *(np.array([v]) for v in arguments))
        _assert_same(tuple(r.reshape(1) for r in result), compiled)


@pytest.mark.parametrize("fma", [False, True])
def test_every_width_is_valid_ir(fma):
    binding = pytest.importorskip("llvmlite.binding")
    for width in (1, 2, 4, 8, 16):
        requests = {(n, width, p) for n in NAMES for p in ("f64", "f32")}
        binding.parse_assembly(llvm_library(requests, fma)).verify()


def test_functions_and_declarations_make_a_library():
    requests = {("sincos", 4, "f64"), ("tan", 4, "f64"), ("exp", 1, "f64")}
    whole = llvm_library(requests)
    for name, width, precision in requests:
        assert llvm_function(name, width, precision) in whole
    assert whole.startswith(llvm_declarations(requests))
    assert whole.count("@hs_two_over_pi = ") == 1
    assert whole.count("define internal") == len(requests) + 1


def test_plain_text_never_fuses_and_c_emits_only_what_is_asked():
    assert "fma" not in llvm_library({(n, 8, "f64") for n in NAMES})
    assert "llvm.fma.v8f64" in llvm_library({("sincos", 8, "f64")}, fma=True)
    text = c_library(["exp"])
    assert "static double hs_exp(double x)" in text
    assert "two_over_pi" not in text and "hs_log" not in text and "HS_FMA" not in text
    assert "HS_FMA(" in c_library(["exp"], fma=True)
    assert "static void hs_sincos(double x, double *s_out, double *c_out)" in c_library(["sincos"])
