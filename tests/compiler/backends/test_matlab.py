"""Exported MATLAB text, run in GNU Octave, stays within 4 units in the last place an operation."""

import shutil
import subprocess

import numpy as np
import pytest
from children import PATIENCE
from strategies import BLOCKS, OPERATIONS, inputs_for, random_function

from hapsis.compiler.backends import interpreter as python
from hapsis.compiler.backends.error_bounds import flat_error_bound
from hapsis.compiler.backends.interface import interface
from hapsis.compiler.backends.script import matlab
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.passes.pipeline import prepared

OCTAVE = shutil.which("octave-cli")
needs_octave = pytest.mark.skipif(OCTAVE is None, reason="GNU Octave is not installed")


def number(x):
    return {"nan": "NaN", "inf": "Inf", "-inf": "-Inf"}.get(repr(float(x)), repr(float(x)))


def array(values, shape):
    """An input as Octave text; a matrix goes in as a matrix."""
    if not shape:
        return number(values[0])
    if len(shape) == 1:
        return "[" + ";".join(map(number, values)) + "]"
    rows = np.reshape(values, shape)
    return "[" + ";".join(",".join(map(number, row)) for row in rows) + "]"


def octave(folder, functions, states):
    """All outputs, row by row, of the functions at the columns of their states."""
    files = [interface([function], f"m{k}") for k, function in enumerate(functions)]
    text = "1;\n" + "\n".join(matlab.source(shared, shared.entries[0]) for shared in files)
    for k, (function, flat) in enumerate(zip(functions, states, strict=True)):
        outs = ", ".join(f"o{i}" for i in range(len(function.outputs)))
        for column in flat.T:
            arguments, start = [], 0
            for port in function.inputs:
                arguments.append(array(column[start : start + len(port.refs)], port.shape))
                start += len(port.refs)
            if len(function.parameters) and column is not flat.T[0]:
                arguments.append(array(column[start:], (len(column) - start,)))
            text += f"[{outs}] = {files[k].entries[0].name}({', '.join(arguments)});\n"
            for i, port in enumerate(function.outputs):
                turned = f"o{i}.'" if len(port.shape) == 2 else f"o{i}"
                for axis, n in enumerate(port.shape):
                    text += f"assert(size(o{i}, {axis + 1}) == {n});\n"
                text += f"assert(isreal(o{i})); fprintf('%.17g\\n', {turned});\n"
    (folder / "run_states.m").write_text(text, encoding="ascii")
    done = subprocess.run(
        [OCTAVE, "--no-init-file", "--quiet", "run_states.m"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    values = np.array([float(line) for line in done.stdout.split()])
    results, start = [], 0
    for function, flat in zip(functions, states, strict=True):
        count = function.n_out * flat.shape[1]
        results.append(values[start : start + count].reshape(flat.shape[1], function.n_out).T)
        start += count
    assert start == len(values)
    return results


@needs_octave
def test_500_random_functions(tmp_path):
    names = (*OPERATIONS, *BLOCKS)
    functions = [random_function(seed, 10, names=names) for seed in range(500)]
    states = [inputs_for(function, k, 2) for k, function in enumerate(functions)]
    promised = 0
    for k, got in enumerate(octave(tmp_path, functions, states)):
        made = prepared(functions[k])
        values, bounds = flat_error_bound(made, states[k], ulp=4.0)
        assert np.all(np.abs(got - values) <= bounds), (k, got - values, bounds)
        promised += np.isfinite(bounds).all()
    assert promised > 490


@needs_octave
def test_what_leaves_the_real_numbers(tmp_path):
    graph = Graph()
    x, y = graph.symbol("x"), graph.symbol("y")
    refs = [graph.node(op, x) for op in sorted(ops.UNARY)]
    refs += [graph.node(op, x, y) for op in sorted(ops.BINARY)]
    refs += [graph.node(ops.SELECT, x, y, graph.node(ops.ABS, y))]
    inputs = [Port("x", (), (x,)), Port("y", (), (y,))]
    function = Function.of("all", graph, inputs, [Port("z", (len(refs),), tuple(refs))])
    special = [0.0, -0.0, 1.0, -1.0, 2.0, -2.5, np.inf, -np.inf, np.nan]
    flat = np.array([(a, b) for a in special for b in special]).T
    got = octave(tmp_path, [function], [flat])[0]
    expected = python.evaluate(prepared(function), flat)
    np.testing.assert_allclose(got, expected, rtol=1e-15)


@needs_octave
def test_matrices_and_files(tmp_path):
    graph = Graph()
    refs = tuple(graph.symbol(f"a{k}") for k in range(6))
    turned = tuple(refs[k] for k in (0, 3, 1, 4, 2, 5))
    outputs = [Port("t", (3, 2), turned), Port("b", (1, 2, 3), refs), Port("z", (0,), ())]
    function = Function.of("turn", graph, [Port("a", (2, 3), refs)], outputs)
    shared = interface([function], "a")
    (tmp_path / "a_turn.m").write_text(matlab.source(shared, shared.entries[0]))
    check = "A=[1,2,3;4,5,6];[t,b,z]=a_turn(A);assert(t,A.');assert(squeeze(b),A);assert(isempty(z))"
    subprocess.run([OCTAVE, "--quiet", "--eval", check], cwd=tmp_path, check=True, timeout=PATIENCE)


def test_text():
    graph = Graph()
    x = graph.symbol("x")
    k = graph.parameter("k", 0.1)
    function = Function.of("f", graph, [Port("x", (), (x,))], [Port("y", (), (graph.mul(k, x),))])
    shared = interface([function], "arm")
    assert matlab.source(shared, shared.entries[0]).splitlines() == [
        "function [y] = arm_f(x, p)",
        "% x: 1 number",
        "% p: 1 number, in the order of arm_p.m; left out or empty: the stored values",
        "% y: 1 number",
        "if nargin < 2 || isempty(p), p = [0.1]; end",
        "y = x*p(1);",
        "end",
    ]
    assert matlab.places_source(shared).splitlines()[2:] == [
        "place = struct();",
        "place.k = 1;",
        "p = [0.1];",
        "end",
    ]
