"""Records: fields by name in memory that NumPy and machine code share."""

import copy
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from native_text import functions, same
from record_cases import Filters, Motion, Ring, StagedMotion, advance, filtered, motion, staged, store, twice

import hapsis as hs
from hapsis.compiler.native import Array, bound, native, place, record, sized
from hapsis.compiler.native.definition import identity
from hapsis.compiler.native.record.records import block_of
from hapsis.errors import CompileError

RECORD_HEAD = """
from hapsis.compiler.native import Kernels, constant, inside, later, place, record, sized
"""


def bits(thing) -> list[bytes]:
    """Every number and array of a record, and of the records in it."""
    return [np.asarray(value).tobytes() for value in numbers(thing)]


def numbers(thing) -> list:
    """The same, not yet as bytes."""
    listed = []
    for field in block_of(thing).layout.fields.values():
        value = getattr(thing, field.name)
        if hasattr(value, "record_block"):
            listed += numbers(value)
        elif field.kind not in ("Kernel", "Kernels"):
            listed.append(value)
    return listed


def agree(function, thing, *more):
    """Both ways on copies of a record: the same result, the same bytes."""
    ours, judge = copy.deepcopy(thing), copy.deepcopy(thing)
    right = function.python(judge, *more)
    result = function(ours, *more)
    assert result is right is None or same(result, right)
    assert bits(ours) == bits(judge) and bits(ours) != bits(thing)
    return ours


def test_a_function_changes_a_record_as_python_does():
    done = agree(staged, motion(3), 0.25)
    assert done.t == np.inf and done.count == 3 and done.ring.next == 0
    agree(advance, motion(2), 0.1, 7)
    agree(advance, motion(0), 0.1, 2)


KINDS = {"int": "int", "float": "float", "bool": "bool", "Array": "Array", "Ints": "Ints"}
fields = st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=6)


def layout_text(kinds: list[list[str]]) -> str:
    """Three classes, each the child of the one before, and a function that changes every field."""
    lines, body = [RECORD_HEAD], ["@native", f"def change(r: R{len(kinds) - 1}, h: float) -> int:"]
    for level, names in enumerate(kinds):
        parent = f"(R{level - 1})" if level else ""
        lines += ["@record", f"class R{level}{parent}:"]
        lines += ["    n: int = constant()"] if not level else ["    pass"]
        for k, kind in enumerate(names):
            name = f"f{level}_{k}"
            size = {"Array": ' = sized("n + 1")', "Ints": f' = sized("{k} + n * 2")'}.get(kind, "")
            lines.append(f"    {name}: {kind}{size}")
            body += {
                "int": [f"    r.{name} += r.n - {k}"],
                "float": [f"    r.{name} = h / (abs(r.{name}) + {k})", f"    h = h + r.{name}"],
                "bool": [f"    r.{name} = not r.{name} and h < {k}"],
                "Array": ["    for i in range(r.n):", f"        r.{name}[i + 1] = h * (i - r.{name}[i])"],
                "Ints": [
                    "    for i in range(r.n):",
                    f"        r.{name}[i + r.n] = int(min(9.0, max(h, -9.0))) + i",
                ],
            }[kind]
    lines += [*body, "    return r.n"]
    lines += ["@native", "def parent(r: R0) -> int:", "    return r.n + 1"]
    return "\n".join(lines) + "\n"


@settings(max_examples=15, deadline=None)
@given(st.tuples(fields, fields, fields), st.integers(0, 4), st.floats(-2, 2), st.integers(0, 2**32))
def test_random_layouts(tmp_path_factory, kinds, n, h, seed):
    names = functions(tmp_path_factory.mktemp("records"), layout_text(list(kinds)))
    thing, draw = names["R2"](n=n), np.random.default_rng(seed)
    for name, value in block_of(thing).kept.items():
        value[:] = draw.integers(-9, 9, len(value))
        assert getattr(thing, name) is value
    ours, judge = copy.deepcopy(thing), copy.deepcopy(thing)
    assert names["change"](ours, h) == names["change"].python(judge, h) == n
    assert all(map(same, numbers(ours), numbers(judge)))
    assert names["parent"](ours) == names["parent"].python(ours) == n + 1


def test_memory_is_shared_and_one_block():
    run = motion(2)
    block = block_of(run)
    assert block.address % 64 == 0
    for array in (run.y, run.marks, run.slopes, run.ring.values):
        assert np.shares_memory(array, block.memory)
    y = run.y
    run.y = [5.0, 6.0]
    assert y.tolist() == [5, 6] and run.y is y
    place(run, "t")[0] = 3.5
    place(run, "count")[0] = 9
    assert run.t == 3.5 and run.count == 9
    assert isinstance(run.t, np.float64) and isinstance(run.count, np.int64)
    assert run.adaptive is True and "t=3.5" in repr(run)


def test_copies_have_memory_of_their_own():
    ring = Ring(rows=2, width=3, next=1, values=np.arange(6.0))
    for other in (copy.copy(ring), copy.deepcopy(ring), pickle.loads(pickle.dumps(ring))):
        assert bits(other) == bits(ring)
        store(other, 7.0, np.array([8.0, 9.0]))
        assert other.values.tolist() == [0, 1, 2, 7, 8, 9] and other.next == 0
    assert ring.next == 1 and ring.values.tolist() == list(range(6))
    with pytest.raises(Exception, match="pickle"):
        pickle.dumps(motion(2))  # it has a Kernel


def test_a_parent_is_the_beginning_of_its_children():
    parent, child = Motion.record_layout, StagedMotion.record_layout
    assert list(child.fields.items())[: len(parent.fields)] == list(parent.fields.items())
    assert child.bytes == parent.bytes + 8 + 16
    assert advance(motion(2, count=8), 0.5, 2) == advance(Motion(size=2, count=8), 0.5, 2) == 1
    with pytest.raises(CompileError, match='"run" of staged is Motion; expected a record StagedMotion'):
        staged(Motion(size=2), 0.5)


def test_records_in_records():
    ring = Ring(rows=3, width=3)
    run, own = motion(2, ring=ring), motion(2)
    assert run.ring is ring and own.ring.width == 3
    for one in (run, own):
        advance(one, 0.5, 1)
    assert ring.next == 1 and same(ring.values, own.ring.values)
    own.ring = ring
    advance(own, 0.5, 1)
    assert ring.next == 2
    with pytest.raises(CompileError, match="expected a record Ring"):
        own.ring = run


def test_references_are_exchanged():
    @native
    def total(run: Motion, n: int) -> float:
        s = 0.0
        for i in range(n):
            s += run.samples[i]
        return s

    run = motion(2)
    assert len(run.samples) == 0
    for n in (3, 5):
        run.samples = np.arange(float(n))
        assert total(run, n) == total.python(run, n) == sum(range(n))
    with pytest.raises(CompileError, match=r'"samples" of record StagedMotion .* expected a one-dim'):
        run.samples = np.arange(3)


def test_kernels_of_a_record():
    x = hs.symbols("x", 2)
    f = hs.Function("shift", {"x": x}, {"y": [x[1] + 1, x[0] - 0.5]})
    shift, double = bound(hs.compile(f), ("x", "y")), twice.bound(("x", "y"))
    results = []
    for run in (filtered, filtered.python):
        chain, y = Filters(count=3, steps=[shift, double, shift], x=[1.0, 2.0]), np.zeros(2)
        run(chain, y)
        results.append(y)
    assert same(*results) and results[0].tolist() == [2.0, 5.5]
    chain.steps = [shift, double.function.bound((), x=np.zeros(2), y=np.zeros(2))]
    with pytest.raises(CompileError, match=r"filtered calls Filters.steps with 2 arrays, but 0 ports"):
        filtered(chain, y)
    chain.steps = [shift, lambda x, y: None]
    filtered.python(Filters(count=1, steps=[lambda x, y: None]), y)
    with pytest.raises(CompileError, match=r"Filters\.steps, which is function; expected what"):
        filtered(chain, y)
    with pytest.raises(CompileError, match=r'"steps" of record Filters cannot be 1\.5'):
        chain.steps = [1.5]


def test_a_kernel_with_the_wrong_number_of_ports():
    run = motion(2, ring=Ring(rows=1, width=1))
    run.f = twice.bound(("x", "y"))
    with pytest.raises(CompileError, match=r"calls StagedMotion.f with 3 arrays, but 2 ports .* \(x, y\)"):
        staged(run, 0.5)


def test_a_kernel_that_was_not_given_does_nothing():
    assert staged(StagedMotion(size=1, y=[1.0]), 0.5) == 1.125


def test_a_function_of_a_record_is_a_kernel():
    @native
    def push(run: Motion, y: Array) -> None:
        y[0] = run.t
        run.count += 1

    run, y = motion(2), np.zeros(1)
    run.f = push.bound(("y",), run=run)

    @native
    def call(run: Motion, y: Array) -> None:
        run.f(y)

    for one in (call, call.python):
        one(run, y)
    assert y[0] == 0.25 and run.count == 2


@record
class Wrong:
    size: int
    x: Array = sized("size")


def test_mistakes_in_python():
    run = Wrong(size=2)
    for words, change in {
        r'record Wrong has no field "sise" \(did you mean "size"': lambda: Wrong(sise=3),
        '"size" of record Wrong is constant': lambda: setattr(run, "size", 3),
        '"size" of record Wrong cannot be 2.5; expected int': lambda: Wrong(size=2.5),
        '"t" of record Motion cannot be 10+; expected float': lambda: Motion(size=1, t=10**400),
        '"x" of record Wrong cannot be an array': lambda: setattr(run, "x", np.zeros(3)),
        "would have -1 elements": lambda: Wrong(size=-1),
        "has no place": lambda: place(run, "x"),
    }.items():
        with pytest.raises(CompileError, match=words):
            change()
    for ask in (lambda: run.y, lambda: setattr(run, "y", 1), lambda: place(run, "y")):
        with pytest.raises(AttributeError, match='record Wrong has no field "y"'):
            ask()
    assert not hasattr(run, "z")


CLASSES = {
    "x: list[float]": "cannot be",
    "x: Array = sized('m')": '"m" of record R gives a size, but is no int',
    "x: Array = 3.0": "is Array and cannot be 3.0",
    "x: float = sized('1')": "is float and cannot be",
}


@pytest.mark.parametrize("text", CLASSES)
def test_classes_that_are_no_records(text, tmp_path):
    with pytest.raises(CompileError, match=CLASSES[text]):
        functions(tmp_path, f"{RECORD_HEAD}@record\nclass R:\n    {text}\n")
    text = "@record\nclass R:\n    n: int\n@record\nclass S(R):\n    x: Array = sized('n')\n"
    with pytest.raises(CompileError, match=r"R.n must be declared as constant\(\)"):
        functions(tmp_path, RECORD_HEAD + text)


BODIES = {
    "r.u = 1.0": 'record R has no field "u"',
    "r.n = 2": '"r.n" cannot be assigned: it is int, and constant',
    "r.x = r.x": '"r.x" cannot be assigned: it is Array',
    "r.k = 1.5": '"r.k" is int, but the value is float',
    "r.c += 1": "not bool",
    "r.t = r.c": '"r.t" is float, but the value is bool',
    "y = r + 1": "arithmetic needs int or float, not R",
    "y = r.t.u": "only records have fields, not float",
    "g = r.f": "never assigned",
    "r.f(r.x)\n    r.f(r.x, r.x)": 'Kernel "f" is called with 1 arguments and with 2',
    "r.t(r.x)": "is float and cannot be called",
    'y = place(r, "c")': "has no place: it is bool",
    "y = place(r, 1)": "place takes a record and the name",
    "y = r.x[-1]": "negative",
}


@pytest.mark.parametrize("body", BODIES)
def test_mistakes_in_native_code(body, tmp_path):
    text = "@record\nclass R:\n    n: int\n    k: int\n    t: float\n    c: bool\n    f: Kernel\n"
    text += "    x: Array = sized('n')\n@native\ndef g(r: R) -> None:\n    " + body + "\n"
    with pytest.raises(CompileError) as caught:
        functions(tmp_path, RECORD_HEAD + text)["g"].machine()
    assert BODIES[body] in str(caught.value)


def test_interpreted_code_checks_indices():
    @native
    def read(run: Motion, i: int) -> float:
        return run.y[i]

    @native
    def plain(x: Array, i: int) -> float:
        return x[i]

    run = motion(2)
    assert read.python(run, 1) == 2.0
    for i in (-1, 2):
        with pytest.raises(IndexError, match=rf"StagedMotion.y\[{i}\] is outside of its 2 elements"):
            read.python(run, i)
        with pytest.raises(IndexError, match=rf"x\[{i}\] is outside"):
            plain.python(run.y, i)
    assert run.y[-1] == 2.0


def test_the_key_in_the_cache_depends_on_the_layout(tmp_path):
    text = "@record\nclass R:\n    n: int\n    {}\n@native\ndef g(r: R) -> int:\n    return r.n\n"
    keys = {
        identity(functions(tmp_path, RECORD_HEAD + text.format(line))["g"].definition)
        for line in ("x: float", "y: float", "x: int", "x: Array = sized('n')", "x: Array")
    }
    assert len(keys) == 5


def test_checked_machine_code():
    code = os.path.join(os.path.dirname(__file__), "checked_program.py")
    environment = {**os.environ, "HAPSIS_NATIVE": "checked"}
    done = subprocess.run([sys.executable, code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "checked\n"
