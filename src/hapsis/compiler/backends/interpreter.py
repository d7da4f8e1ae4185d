"""The reference interpreter: NumPy, node by node, vectorised over any batch.

Every other backend is compared with it bit by bit, so it defines the meaning of each operation:
comparisons give 1 or 0, min(x, y) is `x if x < y else y`, sign(x) is x itself where x is 0 or nan.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.compiler import elementary
from hapsis.compiler.ir.functions.blocks import Block, Call, Map, Repeat
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.fold import OF_ARRAYS
from hapsis.compiler.passes.pipeline import prepared

Array = Any


OPERATIONS: dict[int, Callable[..., Array]] = {
    **OF_ARRAYS,
    ops.SIN: lambda x: elementary.evaluate("sincos", x)[0],
    ops.COS: lambda x: elementary.evaluate("sincos", x)[1],
    **{
        op: lambda *xs, name=ops.NAMES[op]: elementary.evaluate(name, *xs)
        for op in (ops.TAN, ops.ASIN, ops.ACOS, ops.ATAN2, ops.EXP, ops.LOG, ops.POW)
    },
}


def evaluate(function: Function, flat: Array) -> Array:
    """Flat outputs (n_out, ...batch) of a prepared Function for flat inputs (n_in, ...batch)."""
    with np.errstate(all="ignore"):
        return _evaluate(function, flat)


def _evaluate(function: Function, flat: Array) -> Array:
    graph = function.graph
    values: dict[int, Array] = {}
    of_type = flat.dtype.type
    batch = flat.shape[1:]

    def value(ref: int) -> Array:
        if ref & 2:
            return np.full(batch, of_type(graph.value(ref)))
        positive = values[ref >> 2]
        return np.negative(positive) if ref & 1 else positive

    for slot, ref in enumerate(function.input_refs):
        values[ref >> 2] = flat[slot]
    for index in function.live:
        if index in values:
            continue
        node = graph.nodes[index]
        op = node[0]
        if op == ops.BLOCK:
            operands = np.stack([value(ref) for ref in node[2:]]) if node[2:] else flat[:0]
            values[index] = run_block(graph.blocks[node[1]], operands)
        elif op == ops.OUT:
            values[index] = values[node[2] >> 2][node[1]]
        elif op == ops.LOOKUP:
            values[index] = graph.tables[node[1]].entries(value(node[2]))
        else:
            values[index] = np.asarray(OPERATIONS[op](*(value(ref) for ref in node[1:])))
    results = [value(ref) for ref in function.output_refs]
    return np.stack(results) if results else np.empty((0, *batch), flat.dtype)


def run_block(block: Block, operands: Array) -> Array:
    """The flat results of a block for flat operands."""
    body = prepared(block.body)
    if isinstance(block, Call):
        return _evaluate(body, operands)
    if isinstance(block, Map):
        return _map(block, body, operands)
    return _repeat(block, body, operands)


def _map(block: Map, body: Function, operands: Array) -> Array:
    # the index range becomes one more batch axis; results are added in the order of the indices
    batch = operands.shape[1:]
    gather, scatter, selected = block.gather, block.scatter, None
    if block.mask is not None:
        # only the indices that are selected in some lane; in the other lanes they count as zero
        selected = operands[block.mask] != 0
        some = selected.reshape(block.count, -1).any(axis=1)
        gather, scatter, selected = gather[some], scatter[some], selected[some]
    gathered = np.moveaxis(operands[gather], 0, 1)  # (body_in, count, *batch)
    results = np.moveaxis(_evaluate(body, gathered), 0, 1)  # (count, body_out, *batch)
    if selected is not None:
        results = np.where(selected[:, None], results, results.dtype.type(0))
    total = np.zeros((block.n_out, *batch), operands.dtype)
    np.add.at(total, scatter.ravel(), results.reshape(scatter.size, *batch))
    return total


def _repeat(block: Repeat, body: Function, operands: Array) -> Array:
    state, others = operands[: block.n_out], operands[block.n_out :]
    running = np.ones(operands.shape[1:], bool)
    for _ in range(block.times):
        results = _evaluate(body, np.concatenate([state, others]))
        # a lane that has stopped keeps its state
        state = np.where(running, results[: block.n_out], state)
        if block.stops_early:
            running = running & ~(results[block.n_out] != 0)
            if not running.any():
                break
    return state


class PythonKernel:
    """The interpreter as a Kernel."""

    def __init__(self, function: Function) -> None:
        self.function = prepared(function)

    def single(self, inputs: list[Array], outputs: list[Array]) -> None:
        """One state."""
        flat = np.concatenate([x.ravel() for x in inputs]) if inputs else np.empty(0)
        self._store(evaluate(self.function, flat), outputs, ())

    def batch(self, inputs: list[Array], outputs: list[Array], count: int) -> None:
        """Many states, along a second axis."""
        ports = [*self.function.inputs]
        sizes = [len(port.refs) for port in ports] + [len(self.function.parameters)]
        rows = [
            np.broadcast_to(x.reshape(x.size // n if n else count, n), (count, n)).T
            for x, n in zip(inputs, sizes, strict=False)
        ]
        flat = np.concatenate(rows) if rows else np.empty((0, count))
        self._store(evaluate(self.function, flat), outputs, (count,))

    def _store(self, flat: Array, outputs: list[Array], batch: tuple[int, ...]) -> None:
        start = 0
        for port, out in zip(self.function.outputs, outputs, strict=True):
            part = flat[start : start + len(port.refs)]
            start += len(port.refs)
            out[...] = np.moveaxis(part, 0, -1).reshape(out.shape)
