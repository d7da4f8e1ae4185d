"""Our linker against LLVM's: the same numbers from the same object files; broken files are refused."""

import ctypes
import os
import random
import subprocess
import sys

import numpy as np
import pytest
from strategies import SMOOTH, random_function

import hapsis as hs
from hapsis.compiler.backends.llvm import llvm_jit, object_code, processor
from hapsis.errors import CompileError

pytestmark = pytest.mark.skipif(
    not processor.processor().triple.startswith("x86_64") or sys.platform != "linux",
    reason="our linker is for Linux on x86-64",
)
CALLS = """
@table = private constant [2 x double] [double 3.0, double 5.0]
@zeros = private constant [4 x double] zeroinitializer
declare double @outside(double)
define internal double @inside(double %x) noinline { %y = fadd double %x, 1.0 ret double %y }
define double @f(double %x) {
  %a = call double @outside(double %x)
  %b = call double @inside(double %a)
  %at = getelementptr double, ptr @table, i64 1
  %c = load double, ptr %at
  %zero = load double, ptr @zeros
  %d = fmul double %b, %c
  %e = fadd double %d, %zero
  ret double %e
}
"""
OTHER = "define double @outside(double %x) { %y = fmul double %x, 7.0 ret double %y }"


def states(function, count):
    rng = np.random.default_rng(0)
    return [rng.uniform(-2.0, 2.0, (count, *port.shape)) for port in function.inputs]


def called(address, x):
    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(address)(x)


def objects(*texts):
    return [llvm_jit.module_object(text) for text in texts]


def test_symbols_of_other_files_and_of_addresses():
    keep, (f, outside) = object_code.linked(objects(CALLS, OTHER), ["f", "outside"], {})
    assert called(f, 2.0) == 75.0 and called(outside, 2.0) == 14.0
    double = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
    python = double(lambda x: x + 0.5)
    address = ctypes.cast(python, ctypes.c_void_p).value
    again, (f,) = object_code.linked(objects(CALLS), ["f"], {"outside": address})
    assert called(f, 2.0) == 17.5 and keep is not again


def test_other_forms_are_linked_by_llvm():
    text = """@count = internal global double 0.0
    define double @f(double %x) {
      %old = load double, ptr @count
      %new = fadd double %old, %x
      store double %new, ptr @count
      ret double %new
    }"""
    with pytest.raises(object_code.Foreign):
        object_code._linked(objects(text), ["f"], {})
    keep, (f,) = object_code.linked(objects(text), ["f"], {})
    assert (called(f, 2.0), called(f, 3.0)) == (2.0, 5.0) and keep


def test_what_is_not_known_is_refused():
    with pytest.raises(CompileError, match="cannot be loaded"):
        object_code.linked(objects(CALLS), ["f"], {})
    text = "declare i32 @getpid() define i32 @f() { %x = call i32 @getpid() ret i32 %x }"
    keep, (f,) = object_code.linked(objects(text), ["f"], {})  # of the system: found by LLVM
    assert ctypes.CFUNCTYPE(ctypes.c_int)(f)() == os.getpid() and keep
    with pytest.raises(CompileError, match="nothing"):
        object_code.linked(objects(OTHER), ["nothing"], {})


@pytest.mark.parametrize("seed", range(6))
def test_the_same_bits_as_by_llvm(monkeypatch, seed):
    def results():
        function = random_function(seed, 20 * 4**seed % 5000 + 20, SMOOTH, n_out=5)
        return [hs.compile(function, precision=p)(*states(function, 9)) for p in ("f64", "f32")]

    ours, used, own = results(), [], object_code.linked

    def linked(*arguments):
        used.append(arguments)
        return llvm_jit.linked(*arguments)

    for module in (sys.modules[name] for name in list(sys.modules) if name.startswith("hapsis.")):
        if getattr(module, "linked", None) is own:
            monkeypatch.setattr(module, "linked", linked)
    theirs = results()
    assert used
    for a, b in zip(ours, theirs, strict=True):
        for one, other in zip(a, b, strict=True):
            assert np.array_equal(one, other, equal_nan=True)


def test_broken_files_are_refused_or_do_not_matter():
    """Headers and tables are broken, not instructions: those are protected by the checksum of the cache."""
    random.seed(1)
    [good] = objects(OTHER)
    refused = 0
    for _ in range(400):
        bad = bytearray(good)
        if random.random() < 0.3:
            bad = bad[: random.randrange(len(bad))]
        else:
            start = random.choice([0, len(bad) - 64 * 6])
            for _ in range(3):
                bad[start + random.randrange(64)] = random.randrange(256)
        try:
            object_code._linked([bytes(bad)], ["outside"], {})
        except (*object_code.REFUSED, object_code.Foreign, CompileError):
            refused += 1
    assert refused > 200


def test_code_cannot_be_written():
    keep, (f,) = object_code.linked(objects(OTHER), ["outside"], {})
    with open("/proc/self/maps") as maps:
        for line in maps:
            start, end = (int(x, 16) for x in line.split()[0].split("-"))
            if start <= f < end:
                assert line.split()[1].startswith("r-x")
                break
        else:
            pytest.fail("not mapped")
    assert not keep.bytes.flags.writeable


def test_memory_is_given_back():
    [content] = objects(OTHER)

    def pages():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0])

    object_code.linked([content], ["outside"], {})
    before = pages()
    for _ in range(2000):
        object_code.linked([content], ["outside"], {})
    assert pages() - before < 1000


def test_a_process_with_a_full_cache_loads_no_llvm(tmp_path):
    program = (
        "import sys, hapsis as hs; x = hs.symbol('x');"
        "f = hs.compile(hs.Function('f', {'x': x}, {'y': hs.sin(x) * x}));"
        "print(f(2.0), 'llvmlite.binding' in sys.modules)"
    )
    environment = {**os.environ, "HAPSIS_CACHE": str(tmp_path / "cache")}
    lines = [
        subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(3)
    ]
    assert lines[0][1] == "True" and lines[2] == [lines[0][0], "False"]


def test_the_processor_is_what_llvm_says(monkeypatch, tmp_path):
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path / "cache"))
    asked = processor._asked()
    for _ in range(2):
        processor.processor.cache_clear()
        assert processor.processor() == asked
    monkeypatch.setattr(processor, "_asked", lambda: pytest.fail("asked again"))
    processor.processor.cache_clear()
    assert processor.processor() == asked
    monkeypatch.setattr(processor, "_seen", lambda: None)
    monkeypatch.setattr(processor, "_asked", lambda: asked)
    processor.processor.cache_clear()
    assert processor.processor() == asked
