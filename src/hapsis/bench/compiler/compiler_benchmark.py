"""`hapsis bench compiler`: from formulas to native code, in numbers.

nodes      microseconds to create a node, through references and through expressions
compile    microseconds per operation of straight-line programs, passes included, by size: to the
           first code that can be called, and to the good code
reload     milliseconds to load the same code from the cache on disk
call       nanoseconds a call adds to its kernel, with out= and allocating
batch      states per second: ours, gcc -O3 of our C, NumPy
sines      largest error of sin and cos in units of the last place
"""

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.bench.chain_program import chain
from hapsis.bench.compiler.compiler_report import line
from hapsis.bench.contest import own_cache
from hapsis.bench.kernel_loops import singles
from hapsis.bench.stopwatch import per_call, seconds
from hapsis.bench.watch import SILENT, Watch, each
from hapsis.compiler import elementary
from hapsis.compiler.backends import cache
from hapsis.compiler.backends.compile import compile
from hapsis.compiler.backends.llvm.code import Code, Part
from hapsis.compiler.backends.llvm.llvm import LlvmKernel
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.compiler.ir.graph.graph import Graph

SIZES = (1_000, 10_000, 100_000, 200_000)
Row = dict[str, Any]


def run(quick: bool = False, watch: Watch = SILENT) -> Row:
    """All figures, in a cache of their own so that nothing is warm by accident.

    `quick` leaves out the two longest programs.
    """
    sizes = SIZES[:2] if quick else SIZES
    parts: dict[str, Callable[[], Any]] = {f"compile {n}": lambda n=n: compiled(n) for n in sizes}
    parts = {"nodes": nodes, **parts, "call": calls, "batch": batch, "sines": sines}
    with tempfile.TemporaryDirectory() as folder, own_cache(Path(folder)):
        rows = each(watch, parts, str, lambda name: {name: parts[name]()}, line)
    figures = {name: figure for row in rows for name, figure in row.items()}
    return {"compile": [figures.pop(f"compile {n}") for n in sizes], **figures}


def nodes(count: int = 50_000) -> Row:
    """Microseconds per node created, the loop's own time taken off.

    Sums and products of recent values, as recursions make them.
    """
    draw = np.random.default_rng(1)
    picks = [(int(a), int(b)) for a, b in draw.integers(1, 300, (count, 2))]

    def by_reference() -> int:
        graph = Graph()
        values = [graph.symbol(f"x{k}") for k in range(300)]
        add, mul = graph.add, graph.mul
        for k, (a, b) in enumerate(picks):
            values.append(mul(values[-a], values[-b]) if k & 1 else add(values[-a], values[-b]))
        return len(graph.nodes)

    def by_expression() -> int:
        graph = Graph()
        values = [Expr(graph, graph.symbol(f"x{k}")) for k in range(300)]
        for k, (a, b) in enumerate(picks):
            values.append(values[-a] * values[-b] if k & 1 else values[-a] + values[-b])
        return len(graph.nodes)

    def nothing() -> None:
        values = list(range(300))
        for k, (a, b) in enumerate(picks):
            values.append(values[-a] if k & 1 else values[-b])

    created, loop = by_reference(), seconds(nothing, 0.5)
    return {
        "reference_us": 1e6 * (seconds(by_reference, 2.0) - loop) / created,
        "expression_us": 1e6 * (seconds(by_expression, 2.0) - loop) / created,
    }


def compiled(size: int) -> Row:
    """Microseconds per operation to compile for one state and for a batch; then from the cache."""
    function = chain(size)
    operations = function.cost().flops
    kernel = LlvmKernel(Part(function), "f64", True, float("inf"), 1)
    row: Row = {"operations": operations}
    for name, width in (("single", 1), ("batch", kernel.wide)):
        lanes = kernel.lanes_of(width)
        Code(Part(chain(400, seed=2)), lanes, float("inf"))  # elementary functions are there from now on

        def cold(lanes: Any = lanes, wait: bool = False) -> None:
            folder = cache.folder()
            for entry in folder.iterdir() if folder else ():
                entry.unlink()
            Code(Part(chain_of(function)), lanes, float("inf"), wait)

        least = 2 if size < 50_000 else 1
        row[f"{name}_us"] = 1e6 * seconds(cold, 1.0, least) / operations
        row[f"{name}_good_us"] = 1e6 * seconds(lambda c=cold: c(wait=True), 1.0, least) / operations
        row[f"{name}_reload_ms"] = 1e3 * seconds(lambda n=lanes: Code(Part(function), n, 0.0), 0.3)
    return row


def chain_of(function: Function) -> Function:
    """The same Function again, with nothing remembered."""
    return Function.of(function.name, function.graph, function.inputs, function.outputs)


def calls() -> Row:
    """Nanoseconds of a call beyond its kernel: three inputs of seven numbers, as of an arm."""
    function = chain(7 * 195)
    f: Any = compile(function)
    x = [np.ones(port.shape) for port in function.inputs]
    out = np.empty(function.outputs[0].shape)
    kernel = bare(f.kernel, [*x, out])
    with_out = per_call(lambda: f(*x, out=out))
    allocating = per_call(lambda: f(*x))
    return {
        "kernel_ns": 1e9 * kernel,
        "out_ns": 1e9 * (with_out - kernel),
        "allocating_ns": 1e9 * (allocating - kernel),
    }


def bare(kernel: LlvmKernel, arrays: list[Any], number: int = 20_000) -> float:
    """Seconds of the kernel alone: a compiled loop that calls it many times."""
    run = singles(kernel, [array[None] for array in arrays], [], apart=True)
    return seconds(lambda: run(0, 1, number), 0.5) / number


def batch(count: int = 16_384) -> Row:
    """States per second on one core: ours, gcc -O3 of the C we export, and the formula in NumPy."""
    function = chain(7 * 195)
    draw = np.random.default_rng(1)
    inputs = [draw.normal(size=(count, *port.shape)) for port in function.inputs]
    out = np.empty((count, *function.outputs[0].shape))
    row: Row = {"operations": function.cost().flops}
    f: Any = compile(function, threads=1)
    row["ours"] = count / seconds(lambda: f(*inputs, out=out))
    reference = out.copy()
    single: Any = compile(function, precision="f32", threads=1)
    narrow = [x.astype(np.float32) for x in inputs]
    narrow_out = out.astype(np.float32)
    row["ours_f32"] = count / seconds(lambda: single(*narrow, out=narrow_out))
    interpreter: Any = compile(function, "python")
    row["numpy"] = count / seconds(lambda: interpreter(*inputs, out=out), 0.3, 1)
    rival = gcc_batch(function, inputs, reference)
    if rival is not None:
        row["gcc"] = count / rival
        row["ours_over_gcc"] = row["ours"] / row["gcc"]
    row["ours_over_numpy"] = row["ours"] / row["numpy"]
    return row


def gcc_batch(function: Function, inputs: list[Any], reference: Any) -> float | None:
    """Seconds of a loop over all states through the exported C, or None without gcc."""
    if not shutil.which("gcc"):
        return None
    from hapsis.compiler.backends.export import export
    from hapsis.compiler.backends.interface import interface

    count, out = len(reference), np.empty_like(reference)
    with tempfile.TemporaryDirectory() as folder:
        export(f"{folder}/model", function, language="c")
        entry = interface([function], "model").entries[0].name
        arguments = ", ".join(f"const double *x{k}" for k in range(len(inputs)))
        rows = ", ".join(f"x{k} + i * {x[0].size}" for k, x in enumerate(inputs))
        Path(f"{folder}/loop.c").write_text(
            f'#include "model.c"\nvoid loop(long n, {arguments}, double *y) {{\n'
            f"  for (long i = 0; i < n; i++) {entry}({rows}, 0, y + i * {out[0].size});\n}}\n"
        )
        flags = ["-O3", "-march=native", "-ffp-contract=fast", "-shared", "-fPIC"]
        subprocess.run(
            ["gcc", *flags, "-o", f"{folder}/loop.so", f"{folder}/loop.c"], check=True, timeout=120
        )
        loop = ctypes.CDLL(f"{folder}/loop.so").loop
        pointers = [ctypes.c_void_p(x.ctypes.data) for x in (*inputs, out)]
        best = seconds(lambda: loop(ctypes.c_long(count), *pointers))
    if not np.allclose(out, reference, rtol=1e-9, atol=1e-9):
        raise ArithmeticError("gcc's batch and ours disagree")
    return best


def sines(count: int = 400_000) -> Row:
    """Largest error in units of the last place over +-1e6, against extended precision."""
    draw = np.random.default_rng(1)
    x = draw.uniform(-1e6, 1e6, count)
    if np.finfo(np.longdouble).nmant <= 52:
        return {}
    exact = x.astype(np.longdouble)
    row: Row = {}
    truths = (np.sin(exact), np.cos(exact))
    pairs = elementary.evaluate("sincos", x)
    for name, ours, truth in zip(("sin", "cos"), pairs, truths, strict=True):
        ulp = np.spacing(np.abs(truth).astype(np.float64)).astype(np.longdouble)
        row[f"{name}_ulp"] = float(np.max(np.abs(ours - truth) / ulp))
    hard = np.array([np.inf, -np.inf, np.nan, 1e22, 2.0**1023, 1e300])
    values = elementary.evaluate("sincos", hard)[0]
    row["inf_nan"] = bool(np.isnan(values[:3]).all())
    row["sin_1e22"] = float(values[3])
    return row
