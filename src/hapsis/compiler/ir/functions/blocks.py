"""Functions inside Functions: kept calls, `map` over an index range, bounded `repeat`.

All three are one kind of node: a block that takes many scalars and returns many.

    Call     y = body(x)
    Map      for i in range(count):  y[scatter[i]] += body(x[gather[i]]), if x[mask[i]] is not 0
    Repeat   at most `times` times:  x, done = body(x, c);  stop when done

so 512 particles are one kernel with two index tables, and a Newton loop is one node. Derivatives of
blocks are blocks (see `derivatives`).
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.call_arguments import bound
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.cost import Cost, cost_of
from hapsis.compiler.ir.graph.expr import Array, Expr, boxed, current_graph, reference
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.ops import ZERO
from hapsis.errors import CompileError

# a bound on loops, so that no single number can cause hours of computation
COUNT_LIMIT = 10_000_000


class Call:
    """One evaluation of `body`, which stays a separate function in the generated code."""

    def __init__(self, body: Function) -> None:
        self.body = body
        self.n_in, self.n_out = body.n_in, body.n_out

    @cached_property
    def digest(self) -> bytes:
        """What identifies the block."""
        return hashlib.sha256(b"call" + self.body.digest).digest()

    def cost(self, opened: bool = False) -> Cost:
        """The body's cost."""
        return _body_cost(self.body, opened)

    def parameters(self, operands: Sequence[int]) -> Sequence[int]:
        """The operands that are the body's parameters."""
        return operands[_n_inputs(self.body) :]

    def opened(self, kernel: Function, operands: Sequence[int], w: list[int]) -> tuple["Block", list[int]]:
        """The same with the kernel of its body, and the operands of that."""
        return Call(kernel), [*operands[: _n_inputs(self.body)], *w]


class Map:
    """`body` for each index of a range: operands gathered, results added into place.

    With a `mask`, the position of one operand for each index, the body runs only where that operand is
    not zero; for the other indices nothing is added.
    """

    def __init__(
        self, body: Function, gather: Array, scatter: Array, n_in: int, n_out: int, mask: Array | None = None
    ) -> None:
        self.body, self.n_in, self.n_out = body, n_in, n_out
        self.gather = np.ascontiguousarray(gather, dtype=np.int64)
        self.scatter = np.ascontiguousarray(scatter, dtype=np.int64)
        self.mask = None if mask is None else np.ascontiguousarray(mask, dtype=np.int64)

    @property
    def count(self) -> int:
        """How many indices."""
        return len(self.gather)

    @cached_property
    def digest(self) -> bytes:
        """What identifies the block."""
        sizes = f"map {self.n_in} {self.n_out} {self.gather.shape} {self.scatter.shape}"
        tables = self.gather.tobytes() + self.scatter.tobytes()
        tables += b"" if self.mask is None else b"when" + self.mask.tobytes()
        return hashlib.sha256(sizes.encode() + self.body.digest + tables).digest()

    def cost(self, opened: bool = False) -> Cost:
        """The body's cost times the count, with no index masked, plus the additions of the scatter."""
        added = self.scatter.size - len(np.unique(self.scatter))
        return _body_cost(self.body, opened) * self.count + Cost(add=added)

    def parameters(self, operands: Sequence[int]) -> Sequence[int] | None:
        """The operands that are the body's parameters; None if they differ from index to index."""
        columns = self.gather[:, _n_inputs(self.body) :]
        return [operands[int(k)] for k in columns[0]] if (columns == columns[0]).all() else None

    def opened(self, kernel: Function, operands: Sequence[int], w: list[int]) -> tuple["Block", list[int]]:
        """The same with the kernel of its body, and the operands of that."""
        own = self.gather[:, : _n_inputs(self.body)]
        if self.mask is not None:
            own = np.column_stack([own, self.mask])
        used, places = np.unique(own, return_inverse=True)
        places, mask = places.reshape(own.shape), None
        if self.mask is not None:
            places, mask = places[:, :-1], places[:, -1]
        shared = np.broadcast_to(len(used) + np.arange(len(w)), (self.count, len(w)))
        gather = np.concatenate([places, shared], axis=1)
        refs = [operands[int(k)] for k in used] + w
        return Map(kernel, gather, self.scatter, len(refs), self.n_out, mask), refs


class Repeat:
    """`body` applied to its own result at most `times` times, or until it returns a stop condition.

    The body's first `n_out` inputs and outputs are the state; its other inputs are constant; a further
    output, if any, stops the loop when it is not zero (the state of that step is the result).
    """

    def __init__(self, body: Function, times: int, n_out: int) -> None:
        self.body, self.times = body, times
        self.n_in, self.n_out = body.n_in, n_out

    @property
    def stops_early(self) -> bool:
        """Whether the body returns a condition to stop."""
        return self.body.n_out > self.n_out

    @cached_property
    def digest(self) -> bytes:
        """What identifies the block."""
        head = f"repeat {self.times} {self.n_out}".encode()
        return hashlib.sha256(head + self.body.digest).digest()

    def cost(self, opened: bool = False) -> Cost:
        """The worst case: all repetitions."""
        return _body_cost(self.body, opened) * self.times

    def parameters(self, operands: Sequence[int]) -> Sequence[int]:
        """The operands that are the body's parameters."""
        return operands[_n_inputs(self.body) :]

    def opened(self, kernel: Function, operands: Sequence[int], w: list[int]) -> tuple["Block", list[int]]:
        """The same with the kernel of its body, and the operands of that."""
        block = Repeat(kernel, self.times, self.n_out)
        return block, [*operands[: _n_inputs(self.body)], *w]


Block = Call | Map | Repeat


def _body_cost(body: Function, opened: bool) -> Cost:
    """The cost of one run of a body: all of it or, if opened, without what depends on parameters alone."""
    return body.cost() if opened else cost_of(body.graph, body.live)


def _n_inputs(body: Function) -> int:
    return body.n_in - len(body.parameter_nodes)


@verb
def call(function: Function, *args: Any, **named: Any) -> Any:
    """The outputs of `function`, as one call instead of its formulas.

    args    values of its inputs, in their order
    named   values of its inputs by name
    """
    values = [x for flat in bound(function, args, named) for x in flat]
    graph = _graph_of(values)
    operands = [reference(graph, x) for x in values] + _parameters(graph, function)
    refs = graph.block(Call(function), operands)
    return function.shaped([Expr(graph, ref) for ref in refs])


@verb
def map(
    function: Function, *args: Any, add_into: Mapping[str, tuple[Any, int]] | None = None, when: Any = None
) -> Any:
    """The outputs of `function` for every index of a range, as one kernel; `args` are its inputs.

    An argument with one more dimension than the function's input has one value for each index, along
    its first axis; an argument of the input's shape is the same for all. Gathering is NumPy's
    indexing: `map(spring, x[i], x[j], k)`. An output is stacked along a new first axis, or, with
    `add_into={"force": (i, n)}`, its result number m is added to row i[m] of an array of n rows.

    With `when`, an array of one expression or number for each index, the function is computed only for
    indices where that is not zero; the generated code skips the others. Their stacked outputs are 0.0
    and they add nothing, whatever the function's value would be. The derivative is that of the
    computed indices; the condition itself has none.
    """
    ports = function.inputs
    left_out = [port.stand_in for port in ports[len(args) :] if port.default is not None]
    arrays = [boxed(a) for a in (*args, *left_out)]
    if len(arrays) != len(ports):
        raise CompileError(f"map of {function.name!r:.60} takes {len(ports)} arguments, got {len(args)}")
    count = _common_count(ports, arrays)
    mask = None if when is None else _mask(function, boxed(when), count)
    graph = _graph_of([x for a in (*arrays, *([] if mask is None else [mask])) for x in a.ravel()])
    gathered = _gathered(graph, function, arrays, count)
    scatter, sizes = _scatter(function, count, dict(add_into or {}))
    refs = _mapped(graph, function, gathered, scatter, sum(n for n, _ in sizes), mask)
    return _results(function, [Expr(graph, ref) for ref in refs], sizes)


def _gathered(graph: Graph, function: Function, arrays: Sequence[Array], count: int) -> Array:
    """For each index the references of the body's operands, its parameters last."""
    columns: list[Array] = []
    for port, array in zip(function.inputs, arrays, strict=True):
        refs = np.array([reference(graph, x) for x in array.ravel()], dtype=np.int64)
        mapped = array.ndim > len(port.shape)
        table = refs.reshape(count, -1) if mapped else np.broadcast_to(refs, (count, refs.size))
        columns.append(table)
    shared = np.array(_parameters(graph, function), dtype=np.int64)
    columns.append(np.broadcast_to(shared, (count, shared.size)))
    return np.concatenate(columns, axis=1)


def _mapped(
    graph: Graph, function: Function, gathered: Array, scatter: Array, n_out: int, when: Array | None
) -> Sequence[int]:
    """The results of a map; a mask of numbers is applied here, by leaving out indices."""
    conditional = False
    if when is not None:
        # the sign of a condition does not matter
        conditions = np.array([reference(graph, x) & -2 for x in when], dtype=np.int64)
        selected = conditions != ZERO
        gathered, scatter, conditions = gathered[selected], scatter[selected], conditions[selected]
        if not len(gathered):
            return [ZERO] * n_out
        conditional = not (conditions & 2).all()
        if conditional:
            gathered = np.column_stack([gathered, conditions])
    operands, places = np.unique(gathered, return_inverse=True)
    places, mask = places.reshape(gathered.shape), None
    if conditional:
        places, mask = places[:, :-1], places[:, -1]
    block = Map(function, places, scatter, len(operands), n_out, mask)
    return graph.block(block, [int(r) for r in operands])


def _mask(function: Function, when: Array, count: int) -> Array:
    if when.shape != (count,):
        raise CompileError(
            f"when of a map of {function.name!r:.60} has shape {when.shape}, expected ({count},): "
            "one condition for each index"
        )
    return when


@verb
def repeat(function: Function, state: Any, *others: Any, times: int) -> Any:
    """The state after at most `times` applications of `function`.

    The function's first input and first output are the state, of the same shape; `others` are its
    other inputs, which are constant. A second, scalar output stops the loop when it is not zero.
    """
    if not function.inputs:
        raise CompileError(f"repeat of {function.name!r:.60}: it has no input for the state")
    first, result = function.inputs[0], function.outputs[0]
    if first.shape != result.shape:
        raise CompileError(
            f"repeat of {function.name!r:.60}: its state comes in with shape {first.shape} and "
            f"goes out with {result.shape}: they must be equal"
        )
    if len(function.outputs) > 2 or any(p.shape for p in function.outputs[1:]):
        raise CompileError(
            f"repeat of {function.name!r:.60}: besides the state it may return one scalar, the "
            "condition to stop"
        )
    if not 1 <= times <= COUNT_LIMIT or times != int(times):
        raise CompileError(f"repeat takes 1 to {COUNT_LIMIT:,} times, not {times}")
    values = [x for flat in bound(function, (state, *others), {}) for x in flat]
    graph = _graph_of(values)
    operands = [reference(graph, x) for x in values] + _parameters(graph, function)
    refs = graph.block(Repeat(function, int(times), len(first.refs)), operands)
    flat = np.empty(len(refs), dtype=object)
    flat[:] = [Expr(graph, ref) for ref in refs]
    return flat.reshape(first.shape) if first.shape else flat[0]


def _parameters(graph: Graph, function: Function) -> list[int]:
    """The function's parameters as parameters of the caller."""
    table = {s.name: s.kind for s in function.graph.parameters}
    return [graph.parameter(n, v, table[n]) for n, v in function.parameters.items()]


def _graph_of(values: Sequence[Any]) -> Graph:
    return next((x.graph for x in values if isinstance(x, Expr)), None) or current_graph()


def _common_count(ports: Sequence[Port], arrays: Sequence[Array]) -> int:
    counts: set[int] = set()
    for port, array in zip(ports, arrays, strict=True):
        if array.shape[1:] == port.shape and array.ndim == len(port.shape) + 1:
            counts.add(len(array))
        elif array.shape != port.shape:
            raise CompileError(
                f"{port.label} of a map has shape {array.shape}, expected {port.shape} (the same "
                f"for all) or one more leading dimension"
            )
    if not counts:
        raise CompileError("nothing is mapped: at least one argument needs one more leading dimension")
    if len(counts) != 1:
        raise CompileError(
            f"the mapped arguments have leading dimensions {sorted(counts)}: one and the same is needed"
        )
    count = counts.pop()
    if not 1 <= count <= COUNT_LIMIT:
        raise CompileError(f"a map takes 1 to {COUNT_LIMIT:,} indices, not {count}")
    return count


def _scatter(
    function: Function, count: int, add_into: dict[str, tuple[Any, int]]
) -> tuple[Array, list[tuple[int, int]]]:
    """The table of target positions, and for each output (its total number of scalars, rows)."""
    for name, place in add_into.items():
        function.output(name)
        if not isinstance(place, tuple) or len(place) != 2:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CompileError(f'add_into of "{name}" is a pair: (row numbers, number of rows)')
    columns: list[Array] = []
    sizes: list[tuple[int, int]] = []
    start = 0
    for port in function.outputs:
        rows, length = np.arange(count), count
        if port.name in add_into:
            rows, length = np.asarray(add_into[port.name][0]), int(add_into[port.name][1])
            whole = rows.shape == (count,) and rows.dtype.kind in "iu"
            if not whole or rows.min() < 0 or rows.max() >= length:
                raise CompileError(
                    f"add_into of {port.label}: needs {count} row numbers from 0 to {length - 1}"
                )
        width = len(port.refs)
        columns.append(start + rows[:, None] * width + np.arange(width)[None, :])
        sizes.append((length * width, length))
        start += length * width
    return np.concatenate(columns, axis=1), sizes


def _results(function: Function, flat: list[Expr], sizes: list[tuple[int, int]]) -> Any:
    arrays: list[Array] = []
    start = 0
    for port, (scalars, rows) in zip(function.outputs, sizes, strict=True):
        array = np.empty(scalars, dtype=object)
        array[:] = flat[start : start + scalars]
        start += scalars
        arrays.append(array.reshape(rows, *port.shape))
    return arrays[0] if len(arrays) == 1 else function.result(*arrays)
