"""Code that is compiled quickly at first: the same bits, good code when it pays or is asked for."""

import numpy as np
import pytest

from hapsis.compiler.backends.llvm import llvm_jit
from hapsis.compiler.native import Array, language, native, sqrt
from hapsis.compiler.native.entries import entries


def function():
    """A native function that no other test has compiled; the second is for it alone."""

    @native
    def inner(x: float) -> float:
        return sqrt(x * x + 0.25) / 3.0

    @native
    def smoothed(n: int, x: Array) -> float:
        total = 0.0
        for i in range(n):
            x[i] = inner(x[i]) - x[n - 1 - i] * 0.7
            total += x[i]
        return total

    return smoothed


@pytest.fixture
def counted(monkeypatch, tmp_path):
    """An empty cache, and {kind of code: how often it was compiled}."""
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path))
    counts = {"good": 0, "quick": 0}
    good, quick = llvm_jit.optimised, llvm_jit.objects

    def optimised(text):
        counts["good"] += 1
        return good(text)

    def objects(*args, **named):
        counts["quick"] += 1
        return quick(*args, **named)

    monkeypatch.setattr(llvm_jit, "optimised", optimised)
    monkeypatch.setattr(llvm_jit, "objects", objects)
    return counts


def test_quick_first_then_good_with_the_same_bits(counted, monkeypatch):
    f, values = function(), np.random.default_rng(1).normal(size=40)
    results = []

    def call():
        x = values.copy()
        results.append((f(len(x), x), x.tobytes()))

    call()
    assert counted == {"good": 0, "quick": 1}
    monkeypatch.setattr(language, "LONG", -1.0)
    call()  # now it has taken long enough
    assert counted == {"good": 1, "quick": 1}
    call()
    x = values.copy()
    results.append((f.python(len(x), x), x.tobytes()))
    assert len(set(results)) == 1
    assert f.machine().good


def test_addresses_are_of_good_code(counted):
    f = function()
    assert f.address
    f(1, np.zeros(1))
    assert counted == {"good": 1, "quick": 0}


def test_a_function_that_was_quick_is_good_once_its_address_is_asked_for(counted):
    f = function()
    f(1, np.zeros(1))
    quick = f.address
    f.ready(1, np.zeros(1))()
    f(1, np.zeros(1))
    assert counted == {"good": 1, "quick": 1} and f.address == quick


def test_both_kinds_are_kept_on_disk(counted):
    function()(1, np.zeros(1))
    function()(1, np.zeros(1))
    assert counted == {"good": 0, "quick": 1}
    assert function().address and function().address
    function()(1, np.zeros(1))
    assert counted == {"good": 1, "quick": 1}


def test_entries_are_what_python_calls():
    names = {f"{f.__module__}:{f.__name__}" for f in entries("hapsis.motion")}
    assert "hapsis.motion.solvers.run.switched_explicit:advance_switched" in names
    assert "hapsis.motion.solvers.integrators.weighted_sums:moved" not in names
