"""The native backend: threads, workspaces, fallbacks, big programs."""

import threading

import numpy as np
import pytest
from strategies import random_function

import hapsis as hs
from hapsis.bench.chain_program import chain
from hapsis.compiler.backends import compile as compiling
from hapsis.compiler.backends.llvm import llvm, llvm_jit, llvm_module
from hapsis.compiler.passes.pipeline import prepared
from hapsis.errors import CompileError


def states(function: hs.Function, count: int):
    draw = np.random.default_rng(1)
    return [draw.uniform(-1, 1, (count, *port.shape)) for port in function.inputs]


def test_threads_do_not_change_a_bit(monkeypatch):
    monkeypatch.setattr(llvm, "THREAD_WORK", 1000)
    function = chain(3000)
    x = states(function, 1003)
    one = hs.compile(function, threads=1)(*x)
    for threads in (2, 3, 7):
        assert np.array_equal(hs.compile(function, threads=threads)(*x), one)


def test_calls_from_many_threads_at_once():
    function = chain(3000)
    f = hs.compile(function)
    x = states(function, 64)
    expected = f(*x)
    wrong = []

    def work(k: int) -> None:
        for _ in range(50):
            if not np.array_equal(f(*x), expected):
                wrong.append(k)
            if not np.allclose(f(*(a[k] for a in x)), expected[k], rtol=1e-12):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_programs_of_several_modules(monkeypatch):
    monkeypatch.setattr(llvm_module, "MODULE", 500)
    monkeypatch.setenv("HAPSIS_CACHE", "")
    function = chain(6000)
    x = states(function, 9)
    f = hs.compile(function, contract=False)
    assert np.array_equal(f(*x), hs.compile(function, "python")(*x))
    assert len(llvm_module.Program(prepared(function), f.kernel.lanes).modules) > 3


def test_over_budget_runs_in_the_interpreter_with_a_notice(monkeypatch):
    monkeypatch.setenv("HAPSIS_CACHE", "")
    function = chain(3000)
    x = states(function, 3)
    with pytest.warns(hs.Notice, match="runs in the interpreter: .* budget of 0 s") as notices:
        f = hs.compile(function, budget=0.0)
    assert len(notices) == 1 and "\n" not in str(notices[0].message)
    assert np.array_equal(f(*x), hs.compile(function, "python")(*x))


def test_failed_compile_runs_in_the_interpreter_with_a_notice(monkeypatch):
    monkeypatch.setenv("HAPSIS_CACHE", "")
    monkeypatch.setattr(llvm_jit, "_object", lambda text, level: llvm_jit_fails())

    def llvm_jit_fails():
        raise CompileError("LLVM refuses the generated code: because")

    function = chain(700)
    with pytest.warns(hs.Notice, match="runs in the interpreter: LLVM refuses"):
        f = hs.compile(function)
    x = states(function, 2)
    assert np.array_equal(f(*x), hs.compile(function, "python")(*x))


def test_refused_text_is_a_compile_error():
    with pytest.raises(CompileError, match="LLVM refuses"):
        llvm_jit.objects(["define nonsense"])
    with pytest.raises(CompileError, match="LLVM refuses"):
        llvm_jit.objects(["define nonsense"], quick=True)


def test_without_the_compiled_entry_everything_works_the_same(monkeypatch):
    monkeypatch.setattr(compiling.fastcall, "available", lambda: False)
    function = chain(700)
    f = hs.compile(function)
    x = states(function, 5)
    assert type(f).__name__ == "Caller"
    assert np.array_equal(f(*(a[2] for a in x)), hs.compile(function, contract=True)(*(a[2] for a in x)))


def test_big_workspaces_are_on_the_heap():
    # more values alive at once than any stack would like
    function = random_function(1, 4000, n_out=400, reach=4000.0)
    f = hs.compile(function, contract=False)
    x = states(function, 17)
    for ours, reference in zip(f(*x), hs.compile(function, "python")(*x), strict=True):
        assert np.array_equal(ours, reference, equal_nan=True)


def test_narrow_machines_get_narrow_code(monkeypatch):
    for width, registers in ((32, 13), (16, 28)):
        monkeypatch.setattr(llvm, "vector_bytes", lambda w=width: w)
        monkeypatch.setattr(llvm, "register_count", lambda r=registers: r)
        function = chain(3000)
        f = hs.compile(function, contract=False)
        assert f.kernel.wide == width // 8
        x = states(function, 21)
        assert np.array_equal(f(*x), hs.compile(function, "python")(*x))


def test_source_is_text_and_says_nothing_of_names():
    text = llvm.source(chain(700))
    assert text.count("define void @f0(") == 1 and "chain" not in text and "tau" not in text
