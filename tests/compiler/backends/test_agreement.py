"""Every backend gives the interpreter's numbers: bit by bit without contraction, within the
running error bound with it. A hundred random graphs to a kernel; 10 000 in a campaign."""

import numpy as np
import pytest
from hypothesis import given, settings
from samples import sample
from strategies import functions, inputs_for, random_function

import hapsis as hs
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.compiler.ir.graph.graph import Graph

TOGETHER = 100  # graphs in one kernel
KERNELS = sample(12, 100)


def bundled(seed: int) -> Function:
    """Many random Functions of the same inputs as one: every second kept as a call."""
    graph = Graph()
    parts = [
        random_function(1000 * seed + k, 6 + 3 * (k % 12), blocks=k % 5 == 0, n_out=4)
        for k in range(TOGETHER)
    ]
    inputs = {}
    for port in parts[0].inputs:
        symbols = [Expr(graph, graph.symbol(f"{port.name}[{k}]")) for k in range(len(port.refs))]
        array = np.empty(len(symbols), dtype=object)
        array[:] = symbols
        inputs[port.name] = array.reshape(port.shape) if port.shape else symbols[0]
    outputs = {}
    for k, part in enumerate(parts):
        assert [p.shape for p in part.inputs] == [p.shape for p in parts[0].inputs]
        result = hs.call(part, *inputs.values()) if k % 2 else part(*inputs.values())
        for j, value in enumerate(result if isinstance(result, tuple) else [result]):
            outputs[f"y{k}_{j}"] = value
    return Function("bundle", inputs, outputs)


def arguments(function: Function, count: int, dtype: type = np.float64) -> list[np.ndarray]:
    draw = np.random.default_rng(len(function.live))
    return [draw.uniform(-1.5, 1.5, (count, *p.shape)).astype(dtype) for p in function.inputs]


def same_bits(ours, reference) -> None:
    ours, reference = (x if isinstance(x, tuple) else (x,) for x in (ours, reference))
    for k, (a, b) in enumerate(zip(ours, reference, strict=True)):
        a, b = np.asarray(a), np.asarray(b)
        whole = np.uint64 if a.dtype == np.float64 else np.uint32
        equal = (a.view(whole) == b.view(whole)) | (np.isnan(a) & np.isnan(b))
        assert equal.all(), f"output {k}: {a[~equal][:3]} is not {b[~equal][:3]}"


@pytest.mark.parametrize("seed", range(KERNELS))
def test_single_and_batch_have_the_interpreters_bits(seed: int) -> None:
    function = bundled(seed)
    x = arguments(function, 11)
    reference = hs.compile(function, "python")(*x)
    native = hs.compile(function, contract=False)
    same_bits(native(*x), reference)
    same_bits(native(*(a[3] for a in x)), tuple(r[3] for r in reference))


@pytest.mark.parametrize("seed", range(KERNELS))
def test_contraction_stays_within_the_running_error_bound(seed: int) -> None:
    function = bundled(seed)
    x = arguments(function, 9)
    values, bounds = hs.error_bound(function, *x)
    native = hs.compile(function)
    states = [native(*state) for state in zip(*x, strict=True)]
    for ours in (native(*x), [np.stack(column) for column in zip(*states, strict=True)]):
        for a, b, e in zip(ours, values, bounds, strict=True):
            near = np.abs(a - b) <= e
            assert (near | ~np.isfinite(e) | (np.isnan(a) & np.isnan(b))).all()


@pytest.mark.parametrize("seed", range(0, KERNELS, 6))
def test_single_precision_has_the_interpreters_bits_and_its_own_bound(seed: int) -> None:
    function = bundled(seed)
    x = arguments(function, 19, np.float32)
    reference = hs.compile(function, "python", precision="f32")(*x)
    same_bits(hs.compile(function, precision="f32", contract=False)(*x), reference)
    values, bounds = hs.error_bound(function, *x, dtype=np.float32)
    fused = hs.compile(function, precision="f32")(*x)
    finite = 0
    for a, b, e in zip(fused, values, bounds, strict=True):
        near = np.abs(a - b) <= e
        finite += int(np.isfinite(e).sum())
        assert (near | ~np.isfinite(e) | (np.isnan(a) & np.isnan(b))).all()
    assert finite > 0


@settings(max_examples=60, deadline=None)
@given(functions())
def test_random_functions(function: Function) -> None:
    flat = inputs_for(function)
    x, start = [], 0
    for port in function.inputs:
        part = flat[start : start + len(port.refs)]
        start += len(port.refs)
        x.append(part.T.reshape(part.shape[1], *port.shape))
    reference = hs.compile(function, "python")(*x)
    same_bits(hs.compile(function, contract=False)(*x), reference)
