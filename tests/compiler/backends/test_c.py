"""Exported C gives the interpreter's bits, compiles without a warning and tests itself."""

import ctypes
import re
import shutil
import subprocess

import numpy as np
import pytest
from children import PATIENCE
from samples import sample
from strategies import BLOCKS, OPERATIONS, inputs_for, random_function

from hapsis.compiler.backends import interpreter as python
from hapsis.compiler.backends.c import c, c_body
from hapsis.compiler.backends.interface import interface
from hapsis.compiler.ir.functions.blocks import call, map, repeat
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.elementary_functions import maximum, sin
from hapsis.compiler.ir.graph.expr import symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.passes.pipeline import prepared
from hapsis.errors import CompileError

GCC = shutil.which("gcc")
needs_gcc = pytest.mark.skipif(GCC is None, reason="gcc is not installed")
FLAGS = ["-std=c99", "-ffp-contract=off", "-Wall", "-Wextra", "-pedantic", "-Werror"]
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan, 1e300, -1e300, 5e-324, 1e-160, 3e9]


def gcc(*arguments):
    subprocess.run([GCC, *FLAGS, *(str(argument) for argument in arguments)], check=True, timeout=PATIENCE)


def library(folder, functions, precision="f64", flags=("-O1",)):
    text = "".join(c.header_and_body(interface(functions, "model"), precision))
    (folder / "model.c").write_text(text, encoding="ascii")
    gcc(*flags, "-DHS_SAME_BITS", "-shared", "-fPIC", folder / "model.c", "-o", folder / "model.so", "-lm")
    lib = ctypes.CDLL(str(folder / "model.so"))
    lib.shared = interface(functions, "model")
    return lib


def ran(lib, k, function, flat, stored=False):
    """What function k of the library makes of the columns of flat inputs."""
    results = np.empty((function.n_out, flat.shape[1]), flat.dtype)
    entry = getattr(lib, lib.shared.entries[k].name)
    sizes = [len(port.refs) for port in function.inputs]
    for column in range(flat.shape[1]):
        given = np.split(np.ascontiguousarray(flat[:, column]), np.cumsum(sizes))
        vector = np.array([*lib.shared.parameters.values(), 0.0], flat.dtype)
        vector[[*lib.shared.entries[k].places]] = given[-1]
        given[-1] = vector
        made = [np.empty(max(1, len(port.refs)), flat.dtype) for port in function.outputs]
        pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in [*given, *made]]
        if stored:
            pointers[len(sizes)] = None
        entry(*pointers)
        parts = [m[: len(port.refs)] for m, port in zip(made, function.outputs, strict=True)]
        results[:, column] = np.concatenate(parts)
    return results


def interpreted(function, flat):
    made = prepared(function)
    return python.evaluate(made, flat)


def same_bits(x, y):
    words = np.int64 if x.dtype == np.float64 else np.int32
    return bool(np.all((x.view(words) == y.view(words)) | (np.isnan(x) & np.isnan(y))))


def wild(function, seed, count=6):
    flat = np.random.default_rng(seed).choice(SPECIAL, (function.n_in, count))
    return np.concatenate([inputs_for(function, seed, 3), flat], axis=1)


def mixture(count, n_ops):
    names = (*OPERATIONS, *BLOCKS)
    return [random_function(seed, n_ops, names=names) for seed in range(count)]


@pytest.mark.slow
@needs_gcc
def test_random_functions_agree_in_every_bit(tmp_path):
    functions = mixture(sample(150, 500), 10)
    assert sum(bool(f.graph.blocks) for f in functions) > len(functions) / 5
    lib = library(tmp_path, functions, flags=["-O2"])
    for k, function in enumerate(functions):
        flat = wild(function, k)
        expected = interpreted(function, flat)
        assert same_bits(ran(lib, k, function, flat), expected), k
        # the first states have the stored parameters
        assert same_bits(ran(lib, k, function, flat[:, :3], stored=True), expected[:, :3]), k


@pytest.mark.slow
@needs_gcc
def test_single_precision_agrees_in_every_bit(tmp_path):
    functions = mixture(40, 25)
    lib = library(tmp_path, functions, "f32", ["-O2"])
    for k, function in enumerate(functions):
        with np.errstate(over="ignore"):
            flat = wild(function, k).astype(np.float32)
        assert same_bits(ran(lib, k, function, flat), interpreted(function, flat)), k


@pytest.mark.slow
@needs_gcc
def test_long_functions_are_split(tmp_path, monkeypatch):
    monkeypatch.setattr(c_body, "LONGEST", 40)
    functions = mixture(6, 250)
    lib = library(tmp_path, functions)
    text = (tmp_path / "model.c").read_text()
    assert len(re.findall(r"^HS_APART", text, re.M)) > 60
    for k, function in enumerate(functions):
        flat = wild(function, k)
        assert same_bits(ran(lib, k, function, flat), interpreted(function, flat)), k


def blocks_of_all_kinds():
    x, a = symbol("x"), symbol("a")
    step = {"x": 0.5 * (x + a / x), "done": abs(x * x - a) < 1e-9}
    newton = Function("newton", {"x": x, "a": a}, step)
    body = Function("body", {"x": x, "a": a}, {"y": maximum(x * a, sin(x)), "s": x + a})
    q, i = symbols("q", 6), [0, 2, 4, 0]
    mapped = map(body, q[i], q[[5, 4, 3, 2]], add_into={"s": ([1, 1, 0, 1], 2)})
    root = repeat(newton, 1.0 + q[0] * q[0], 2.0 + q[1] * q[1], times=30)
    kept = call(body, q[0], root)
    outputs = {"y": mapped.y, "s": mapped.s, "r": root, "k": kept.y, "same": q[::-1]}
    return Function("all", {"q": q}, outputs)


@needs_gcc
def test_blocks_are_loops(tmp_path):
    function = blocks_of_all_kinds()
    lib = library(tmp_path, [function])
    flat = wild(function, 1, 20)
    assert same_bits(ran(lib, 0, function, flat), interpreted(function, flat))
    text = (tmp_path / "model.c").read_text()
    assert text.count("for (i = 0; i < 4; i++)") == 1 and text.count("i < 30") == 1


@needs_gcc
def test_a_map_of_many_operands_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(c_body, "LONGEST", 40)
    x, q = symbol("x"), symbols("q", 60)
    function = Function("wide", {"q": q}, {"y": map(Function("sq", {"x": x}, {"y": x * x}), q)})
    lib = library(tmp_path, [function])
    flat = inputs_for(function, 0, 2)
    assert same_bits(ran(lib, 0, function, flat), flat * flat)


@needs_gcc
def test_outputs_may_overwrite_inputs(tmp_path):
    q = symbols("q", 4)
    function = Function("turn", {"q": q}, {"y": np.array([q[3], q[0], q[0] * q[2], -q[1]])})
    lib = library(tmp_path, [function], flags=("-O3",))
    values = np.array([1.0, 2.0, 3.0, 4.0])
    at = values.ctypes.data_as(ctypes.c_void_p)
    lib.model_turn(at, None, at)
    assert values.tolist() == [4.0, 1.0, 3.0, -2.0]


@needs_gcc
def test_empty_and_unused_inputs(tmp_path):
    graph = Graph()
    unused = Port("u", (2,), (graph.symbol("u0"), graph.symbol("u1")))
    empty = Port("e", (0,), ())
    outputs = [Port("c", (), (graph.constant(-2.5),)), Port("n", (0, 3), ())]
    function = Function.of("constant", graph, [unused, empty], outputs)
    lib = library(tmp_path, [function])
    assert ran(lib, 0, function, np.zeros((2, 1))).tolist() == [[-2.5]]
    for name, text in c.source([function]).items():
        (tmp_path / name).write_text(text)
    gcc(tmp_path / "model.c", tmp_path / "model_test.c", "-o", tmp_path / "test", "-lm")
    assert subprocess.run([tmp_path / "test"], check=True, capture_output=True).returncode == 0


@pytest.mark.slow
@needs_gcc
@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_the_self_test_passes_and_can_fail(tmp_path, monkeypatch, precision):
    monkeypatch.setattr(c_body, "LONGEST", 30)
    functions = [*mixture(5, 40), blocks_of_all_kinds()]
    for name, text in c.source(functions, "arm", precision).items():
        (tmp_path / name).write_text(text, encoding="ascii")
    sanitize = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    flags = sanitize if precision == "f64" else ["-O1"]
    program, names = tmp_path / "test", [entry.name for entry in interface(functions, "arm").entries]
    gcc(*flags, "-DHS_SAME_BITS", tmp_path / "arm.c", tmp_path / "arm_test.c", "-o", program, "-lm")
    for arguments in ([], ["bitwise"]):
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert [line.split(":")[0] for line in done.stdout.splitlines()] == names
    text = (tmp_path / "arm_test.c").read_text()
    wrong = re.sub(r"(hs_test3_out0\[24\] = \{\n    )", r"\g<1>7 + ", text)
    assert wrong != text
    (tmp_path / "wrong_test.c").write_text(wrong)
    gcc("-O0", "-DHS_SAME_BITS", tmp_path / "arm.c", tmp_path / "wrong_test.c", "-o", program, "-lm")
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stdout.count("FAILED") == 1


def test_only_three_functions_of_the_c_library():
    text = c.source(mixture(30, 40))["model.c"]
    text = re.sub(r"#define.*|/\*.*?\*/", "", text)
    called = set(re.findall(r"\b([a-z_]\w*)\(", text))
    foreign = {name for name in called if not name.startswith(("hs_", "model_"))}
    assert foreign <= {"sqrt", "floor", "fabs", "memcpy", "if", "for", "sizeof", "defined"}, foreign
    assert "static double" in text and not re.search(r"^(static )?double \w+( =|;|\[)", text, re.M)


def test_names_of_files():
    function = mixture(1, 3)[0]
    assert list(c.source([function], "arm")) == ["arm.c", "arm.h", "arm_test.c"]
    for name in ("", "a-b", "9a", "x" * 65, '"\n', "../a", "é", "a\n", "hs", "HS_x"):
        assert list(c.source([function], name)) == ["model.c", "model.h", "model_test.c"]
    with pytest.raises(CompileError, match="is no precision"):
        c.source([function], precision="f46")


def test_every_operation_has_a_template():
    assert set(c_body.Unit("f64", "model").dialect.templates) == set(range(ops.ADD, len(ops.NAMES))) - {
        ops.SIN,
        ops.COS,
    }
