"""The compiled call: same numbers, same references, and everything unusual left to Python."""

from __future__ import annotations

import copy
import gc
import itertools
import re
import sys
import threading
import timeit
import weakref
from collections import namedtuple
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from llvmlite import binding as llvm

from hapsis.compiler.backends.call import fastcall
from hapsis.compiler.backends.call.fastcall_ir import ENTRY, entry_ir
from hapsis.compiler.backends.llvm.background import settled

pytestmark = [
    pytest.mark.skipif(not fastcall.available(), reason="no compiled calls here"),
    pytest.mark.usefixtures("little_to_collect"),
]

Pair = namedtuple("Pair", "first second")
REAL = {"f64": "double", "f32": "float"}
DTYPE = {"f64": np.float64, "f32": np.float32}


class Code:
    """Compiled text; weakly referable, so that tests can see it go."""

    def __init__(self, text: str, reload: bool = False) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        module, compiled = llvm.parse_assembly(text), None
        module.verify()
        if reload:  # as from the cache: object code only
            compiled = llvm.ObjectFileRef.from_data(self.machine().emit_object(module))
            module = llvm.parse_assembly("")
        self.engine = llvm.create_mcjit_compiler(module, self.machine())
        if compiled:
            self.engine.add_object_file(compiled)
        self.engine.finalize_object()

    def machine(self):
        return llvm.Target.from_default_triple().create_target_machine(opt=1, jit=True)

    def __getitem__(self, symbol: str) -> int:
        return self.engine.get_function_address(symbol)


@cache
def entry(reload: bool = False) -> Code:
    return Code(entry_ir(), reload)


def summing_kernel(sizes_in, sizes_out, precision):
    """Kernel text: out[k][j] = (k + 1) * (j + sum of all that is read); reads before it writes."""
    real, lines, total = REAL[precision], [], "0.0"
    names = (f"%t{k}" for k in itertools.count())

    def let(text):
        lines.append(f"  {(name := next(names))} = {text}")
        return name

    def pointer(k):
        return let(f"load ptr, ptr {let(f'getelementptr ptr, ptr %table, i64 {k}')}")

    for k, size in enumerate(sizes_in):
        base = pointer(k)
        for j in range(size):
            value = let(f"load {real}, ptr {let(f'getelementptr {real}, ptr {base}, i64 {j}')}")
            total = let(f"fadd {real} {total}, {value}")
    for k, size in enumerate(sizes_out):
        base = pointer(len(sizes_in) + k)
        for j in range(size):
            value = let(f"fmul {real} {k + 1}.0, {let(f'fadd {real} {total}, {j}.0')}")
            lines.append(f"  store {real} {value}, ptr {(place := next(names))}")
            lines.insert(-1, f"  {place} = getelementptr {real}, ptr {base}, i64 {j}")
    body = "\n".join(lines)
    return f"define void @kernel(ptr %table, ptr %work) noinline {{\n{body}\n  ret void\n}}\n"


def echo(*args, **kwargs):
    return "slow", args, kwargs


def build(inputs, outputs, parameters=None, slow=echo, precision="f64", reload=False, **options):
    """A callable whose slow path returns its arguments; it alone keeps its kernel."""
    read = [*inputs, *([] if parameters is None else [np.shape(parameters)])]
    sizes = ([int(np.prod(shape)) for shape in shapes] for shapes in (read, outputs))
    code, call = Code(summing_kernel(*sizes, precision)), entry(reload)
    options |= {"precision": precision, "keep": code}
    return fastcall.make_callable(call[ENTRY], code["kernel"], slow, inputs, outputs, parameters, **options)


def is_slow(answer, *args, **kwargs):
    """Whether the slow path answered, having got these very objects."""
    tag, got_args, got_kwargs = answer
    same = [a is b for a, b in zip(got_args, args, strict=True)]
    same += [got_kwargs[name] is value for name, value in kwargs.items()]
    return tag == "slow" and all(same) and list(got_kwargs) == list(kwargs)


@pytest.fixture
def f():
    return build([(3,), (2, 2)], [(2,)])


A, B = np.array([1.0, 2.0, 3.0]), np.array([[10.0, 20.0], [30.0, 40.0]])


# results ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("workspace", [0, 64, 10_000])
@pytest.mark.parametrize("reload", [False, True])
def test_allocates_or_fills(precision, workspace, reload):
    dtype = DTYPE[precision]
    p = np.array([0.5, 0.25], dtype)
    options = {"precision": precision, "workspace_bytes": workspace, "reload": reload}
    f = build([(3,), (2, 2)], [(2,)], p, **options)
    a, b, out = A.astype(dtype), B.astype(dtype), np.zeros(2, dtype)
    made = f(a, b)
    assert type(made) is np.ndarray and made.dtype == dtype and made.flags.owndata
    assert made.tolist() == [106.75, 107.75]
    assert f(a, b, out=out) is out and out.tolist() == [106.75, 107.75]
    p[0] = 1.5  # stored values are read at each call
    assert f(a, b).tolist() == [107.75, 108.75]


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_scalars_come_and_go_as_floats(precision):
    f = build([(), (2,)], [()], precision=precision)
    a = np.array([1.0, 2.0], DTYPE[precision])
    for x in (0.5, np.float64(0.5), np.array(0.5, DTYPE[precision])):
        assert type(f(x, a)) is float and f(x, a) == 3.5
    out = np.zeros((), DTYPE[precision])
    assert f(0.5, a, out=out) is out and out == 3.5
    for x in (1, True, np.float32(1), np.array([1.0]), "1", None):
        assert is_slow(f(x, a), x, a)


def test_several_outputs():
    f = build([(2,)], [(2, 1), ()], result=Pair)
    a, out = np.array([1.0, 2.0]), (np.zeros((2, 1)), np.zeros(()))
    made = f(a)
    assert type(made) is Pair and made.first.tolist() == [[3], [4]] and made.second == 6
    assert type(made.second) is float
    assert f(a, out=out) is out and out[0].tolist() == [[3], [4]] and out[1] == 6
    pair = Pair(*out)
    assert f(a, out=pair) is pair
    for bad in (list(out), out[:1], (*out, out[0]), out[::-1], out[0], ()):
        assert is_slow(f(a, out=bad), a, out=bad)
    with pytest.raises(TypeError, match="unhashable"):
        hash(made)
    g = build([(2,)], [(2,), (2,)])
    x = np.zeros(3)
    assert type(g(a)) is tuple
    overlapping = (x[:2], x[1:])
    assert is_slow(g(a, out=overlapping), a, out=overlapping)


def test_empty_arrays_and_no_inputs():
    f = build([(0, 3)], [(0,), (2,)])
    empty, two = f(np.zeros((0, 3)))
    assert empty.shape == (0,) and two.tolist() == [0, 2]
    out = (empty, two)
    assert f(np.zeros((0, 3)), out=out) is out
    assert build([], [(2,)])().tolist() == [0, 1]


# what is left to Python -------------------------------------------------------------------------


class Sub(np.ndarray):
    """Any subclass may redefine what its data mean."""


def read_only(shape):
    array = np.zeros(shape)
    array.flags.writeable = False
    return array


MISFITS = {
    "shape": np.zeros(4),
    "batch": np.zeros((5, 3)),
    "dimensions": np.zeros((3, 1)),
    "scalar": 1.0,
    "single": np.zeros(3, np.float32),
    "integer": np.zeros(3, int),
    "byte order": np.zeros(3, ">f8"),
    "strided": np.zeros(6)[::2],
    "unaligned": np.zeros(25, np.uint8)[1:].view(np.float64),
    "subclass": np.zeros(3).view(Sub),
    "list": [1.0, 2.0, 3.0],
    "none": None,
    "type": np.ndarray,
}


@pytest.mark.parametrize("name", MISFITS)
def test_misfits_take_the_slow_path(f, name):
    x = MISFITS[name]
    assert is_slow(f(x, B), x, B)
    assert is_slow(f(A, x), A, x)
    assert is_slow(f(A, B, out=x), A, B, out=x)
    out = np.zeros(2)
    assert is_slow(f(x, B, out=out), x, B, out=out)


def test_read_only_arrays_are_inputs_but_not_outputs(f):
    out = read_only(2)
    assert f(read_only(3), read_only((2, 2))).tolist() == [0, 1]
    assert is_slow(f(A, B, out=out), A, B, out=out)
    fortran = np.asfortranarray(B)
    assert is_slow(f(A, fortran), A, fortran)


def test_other_calls_take_the_slow_path(f):
    out, p = np.zeros(2), {"arm.mass": 2.0}
    assert is_slow(f())
    assert is_slow(f(A), A)
    assert is_slow(f(A, B, out), A, B, out)
    assert is_slow(f(A, B, p=p), A, B, p=p)
    assert is_slow(f(A, B, to=out), A, B, to=out)
    assert is_slow(f(A, B, out=out, p=p), A, B, out=out, p=p)
    assert is_slow(f(A, b=B), A, b=B)
    assert is_slow(f(A, out=out), A, out=out)
    other = "".join(["o", "ut"])  # equal, not the same object: Python interns or compares it
    assert f(A, B, **{other: out})[0] in ("slow", 106.0)
    assert f(*[A, B], **{"out": out}) is out


def test_overlap_takes_the_slow_path():
    p = np.zeros(2)
    f = build([(3,), (2,)], [(2,)], p)
    for start in range(8):
        memory = np.zeros(8)
        a, out, b = memory[3:6], memory[start : start + 2], np.zeros(2)
        if len(out) < 2:
            continue
        answer = f(a, b, out=out)
        assert (answer is out) == (start + 2 <= 3 or start >= 6)
        assert answer is out or is_slow(answer, a, b, out=out)
    assert is_slow(f(A, b, out=b), A, b, out=b)
    assert is_slow(f(A, b, out=p), A, b, out=p)


def test_slow_path_errors_and_replacement(f):
    def refuse(*args):
        raise KeyError("no such thing")

    def once(*args):
        f.slow = None  # the only other reference to this function
        gc.collect()
        return args

    f.slow = refuse
    with pytest.raises(KeyError, match="no such thing"):
        f(1)
    f.slow = once
    del once
    assert f(1) == (1,)
    with pytest.raises(TypeError, match="not callable"):
        f(1)
    del f.slow
    with pytest.raises(TypeError, match="not callable"):
        f(1)
    assert f(A, B).tolist() == [106, 107]


# references and lifetime ------------------------------------------------------------------------


def counts(*objects):
    return [sys.getrefcount(x) for x in objects]


def blocks_left(use):
    """Memory blocks that every one of five uses leaves behind: other threads allocate now and then too."""
    settled()
    left = []
    for _ in range(5):
        gc.collect()
        before = sys.getallocatedblocks()
        use()
        gc.collect()
        left.append(sys.getallocatedblocks() - before)
    return min(left)


@pytest.mark.parametrize("path", ["out", "new", "slow", "tuple", "pair", "float"])
def test_references_are_stable(path):
    f = build([(3,)], [()] if path == "float" else [(2,)])
    g = build([(3,)], [(2,), ()], result=Pair)
    out, pair, dtype = np.zeros(2), (np.zeros(2), np.zeros(())), np.dtype(float)
    a, bad = A.copy(), np.zeros(4)
    call = {
        "out": lambda: f(a, out=out),
        "new": lambda: f(a),
        "float": lambda: f(a),
        "slow": lambda: f(bad, out=out),
        "tuple": lambda: g(a, out=pair),
        "pair": lambda: g(a),
    }[path]
    watched = (f, g, f.slow, g.slow, out, pair, *pair, dtype, a, bad, Pair, np.ndarray, None)

    def use():
        for _ in range(20_000):
            call()

    call()
    before = counts(*watched)
    assert blocks_left(use) < 500
    after = counts(*watched)
    assert max(abs(x - y) for x, y in zip(after, before, strict=True)) < 1000


def test_object_and_code_are_freed():
    f = build([(3,)], [(2,)])
    f.slow = lambda: None
    seen = [weakref.ref(f), weakref.ref(f._keep[0]), weakref.ref(f.slow)]
    f.note = object()
    del f
    assert [ref() for ref in seen] == [None] * 3


def test_cycles_are_collected():
    class Owner:
        def slow(self, *args):
            return self.f

    def cycle():
        owner = Owner()
        owner.f = build([(3,)], [(2,)], slow=owner.slow)
        owner.f.me = owner.f
        assert gc.is_tracked(owner.f) and owner.f() is owner.f
        return [weakref.ref(owner), weakref.ref(owner.f), weakref.ref(owner.f._keep[0])]

    seen = cycle()
    gc.collect()
    assert [ref() for ref in seen] == [None] * 3


def test_many_objects_leave_nothing():
    code = Code(summing_kernel([3], [2], "f64"))
    arguments = entry()[ENTRY], code["kernel"], print, [(3,)], [(2,)]

    def use():
        for _ in range(1000):
            g = fastcall.make_callable(*arguments, workspace_bytes=1000, keep=code)
            g.name = "x"
            g(A)

    kind = type(fastcall.make_callable(*arguments))
    use()
    gc.collect()
    references = counts(code, kind, print)
    assert blocks_left(use) < 100
    assert counts(code, kind, print) == references


# the object -------------------------------------------------------------------------------------


def test_object_takes_attributes(f):
    f.function, f.__doc__, f.__name__ = 1, "text", "tau"
    assert {"function": 1, "__doc__": "text", "__name__": "tau"} == vars(f)
    assert repr(f) == "<compiled function tau>"
    f.describe = "tau(q, v, a)"
    assert repr(f) == "tau(q, v, a)"
    assert callable(f)
    for forbidden in (type(f), lambda: copy.copy(f), lambda: type("T", (type(f),), {})):
        with pytest.raises(TypeError):
            forbidden()


def test_plain_object_has_the_same_interface(monkeypatch):
    monkeypatch.setattr(fastcall, "available", lambda: False)
    f = build([(3,)], [(2,)])
    f.function = 1
    assert isinstance(f, fastcall.PlainCallable)
    assert is_slow(f(A, out=B), A, out=B) and repr(f) == "<compiled function without name>"
    seen = weakref.ref(f._keep)
    del f
    assert seen() is None


def test_impossible_specifications_are_refused():
    for bad in (np.zeros(2, np.float32), np.zeros(4)[::2], np.zeros(2, int)):
        with pytest.raises(ValueError, match="contiguous, aligned array of float64"):
            build([(3,)], [(2,)], bad)
    with pytest.raises(ValueError, match="at least one output"):
        build([(3,)], [])
    with pytest.raises(ValueError, match="in a tuple"):
        build([(3,)], [(2,), (2,)], result=list)


def test_workspace_is_aligned_and_zero():
    text = """define void @kernel(ptr %table, ptr %work) {
      %out.at = getelementptr ptr, ptr %table, i64 0
      %out = load ptr, ptr %out.at
      %address = ptrtoint ptr %work to i64
      %rest = urem i64 %address, 64
      %number = uitofp i64 %rest to double
      store double %number, ptr %out
      %last = getelementptr i8, ptr %work, i64 92
      %value = load double, ptr %last
      %second = getelementptr double, ptr %out, i64 1
      store double %value, ptr %second
      store double 7.0, ptr %last
      ret void
    }"""
    code = Code(text)
    f = fastcall.make_callable(
        entry()[ENTRY], code["kernel"], echo, [], [(2,)], workspace_bytes=100, keep=code
    )
    assert f().tolist() == [0, 0] and f().tolist() == [0, 7]


def test_numpy_indices_are_those_of_its_header():
    header = Path(np.get_include()) / "numpy" / "__multiarray_api.h"
    text = header.read_text()
    found = re.search(r"#define PyArray_New \\\n.*\\\n\s*PyArray_API\[(\d+)\]", text)
    assert found and int(found[1]) == fastcall._NEW_ARRAY
    assert f"PyArray_Type (*(PyTypeObject *)PyArray_API[{fastcall._ARRAY_TYPE}])" in text


def test_failed_allocation_gives_back_what_was_made():
    code = Code("define void @kernel(ptr %table, ptr %work) { ret void }")
    addresses = entry()[ENTRY], code["kernel"]
    f = fastcall.make_callable(*addresses, echo, [], [(3,), (), (2**45,)], keep=code)

    def use():
        for _ in range(1000):
            with pytest.raises(MemoryError):
                f()

    assert blocks_left(use) < 500


def test_threads(f):
    failures = []

    def work(k):
        a, out = np.full(3, float(k)), np.zeros(2)
        for _ in range(5000):
            f(a, B, out=out)
            if out[0] != 3 * k + 100 or f(a, B)[1] != 3 * k + 101:
                failures.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_a_call_takes_well_under_a_microsecond():
    empty = "define void @kernel(ptr %table, ptr %work) noinline { ret void }\n"
    code = Code(empty)
    f = fastcall.make_callable(entry()[ENTRY], code["kernel"], print, [(3,)] * 3, [(2,)], keep=code)
    names = {"f": f, "a": A, "o": np.zeros(2)}
    for call in ("f(a, a, a, out=o)", "f(a, a, a)"):
        best = min(timeit.repeat(call, globals=names, number=2000, repeat=30)) / 2000
        assert best < 1e-6  # far above the figure, for busy machines
