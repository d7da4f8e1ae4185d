"""Derivatives of Functions: sparse forward sweeps, reverse sweeps, and the cheaper of the two.

Forward: each node has {direction: tangent} without zeros, so the sparsity of a Jacobian is exploited
automatically. Reverse: one sweep per output scalar. Both write into the Function's own graph, so that
subexpressions common to the function and its derivative are shared.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.compiler.ir.derivatives.derivative_rules import (
    PARTIALS,
    ROUTES,
    block_at,
    block_jvp,
    block_partials,
    block_vjp,
)
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.cost import cost_of
from hapsis.compiler.ir.graph.graph import Graph, negated
from hapsis.compiler.ir.graph.ops import ONE, ZERO

Tangent = dict[int, int]

# above this many output scalars times nodes reverse sweeps are not tried
REVERSE_BUDGET = 2_000_000


def tangents(graph: Graph, refs: Iterable[int], wrt: Mapping[int, int]) -> list[Tangent]:
    """For each reference {direction: derivative}; `wrt` maps node indices to directions."""
    refs = list(refs)
    rates: dict[int, Tangent] = {index: {k: ONE} for index, k in wrt.items()}
    pending: dict[int, list[dict[int, int]]] = {}
    for index in graph.live(refs):
        if index in rates:
            continue
        node = graph.nodes[index]
        op = node[0]
        if op == ops.BLOCK:
            if any(_rate(rates, r) for r in node[2:]):
                pending[index] = block_partials(graph, *block_at(graph, index))
        elif op == ops.OUT:
            call = node[2] >> 2
            if call in pending:
                operands = graph.nodes[call][2:]
                places = [(operands[k], p) for k, p in pending[call][node[1]].items()]
                rates[index] = _combined(graph, rates, places)
        elif op in PARTIALS and any(_rate(rates, r) for r in node[1:]):
            partials = PARTIALS[op](graph, index << 2, *node[1:])
            places = [(r, p) for r, p in zip(node[1:], partials, strict=True) if p is not None]
            rates[index] = _combined(graph, rates, places)
        elif op in ROUTES:
            condition, x, y = ROUTES[op](graph, *node[1:])
            rates[index] = _routed(graph, condition, _rate(rates, x), _rate(rates, y))
    return [_signed(_rate(rates, ref & -2), ref & 1) for ref in refs]


def _rate(rates: dict[int, Tangent], ref: int) -> Tangent:
    row = {} if ref & 2 else rates.get(ref >> 2, {})
    return _signed(row, ref & 1)


def _signed(tangent: Tangent, sign: int) -> Tangent:
    return {k: negated(ref) for k, ref in tangent.items()} if sign and tangent else tangent


def _combined(graph: Graph, rates: dict[int, Tangent], places: list[tuple[int, int]]) -> Tangent:
    total: Tangent = {}
    for ref, partial in places:
        for k, rate in _rate(rates, ref).items():
            term = graph.mul(partial, rate)
            total[k] = graph.add(total[k], term) if k in total else term
    return {k: ref for k, ref in total.items() if ref != ZERO}


def _routed(graph: Graph, condition: int, x: Tangent, y: Tangent) -> Tangent:
    both = {k: (x.get(k, ZERO), y.get(k, ZERO)) for k in [*x, *(k for k in y if k not in x)]}
    return {k: graph.node(ops.SELECT, condition, a, b) for k, (a, b) in both.items()}


def adjoints(
    graph: Graph,
    weights: Mapping[int, int],
    wrt: Sequence[int],
    routed: bool = False,
    through: Container[int] | None = None,
) -> list[int]:
    """For each node of `wrt` the sum of weight * d ref / d node, by one reverse sweep.

    `weights` maps references to the references of their weights. Where a node is reached only through
    a selection, its weight is 0 where it is not selected, and its partials there may be infinite: they
    count only where the weight is not 0. With `routed` this applies to all nodes. `through`, if given,
    holds all nodes that depend on `wrt`: nothing is written for others.
    """
    adjoint: dict[int, int] = {}
    certain: set[int] = set()  # reached without a selection

    def give(ref: int, weight: int, by_route: bool) -> None:
        if not ref & 2 and weight != ZERO and (through is None or ref >> 2 in through):
            weight = negated(weight) if ref & 1 else weight
            index = ref >> 2
            adjoint[index] = graph.add(adjoint[index], weight) if index in adjoint else weight
            if not by_route:
                certain.add(index)

    for ref, weight in weights.items():
        give(ref, weight, routed)
    stop = set(wrt)
    results: dict[int, dict[int, int]] = {}
    for index in reversed(graph.live(weights)):
        node = graph.nodes[index]
        op = node[0]
        weight = adjoint.get(index, ZERO)
        if op == ops.BLOCK and index in results:
            block, operands = block_at(graph, index)
            given = [results[index].get(j, ZERO) for j in range(block.n_out)]
            by_route = index not in certain
            sums = block_vjp(graph, block, operands, given, by_route)
            for ref, more in zip(operands, sums, strict=True):
                give(ref, more, by_route)
        elif weight == ZERO or index in stop:
            continue
        elif op == ops.OUT:
            results.setdefault(node[2] >> 2, {})[node[1]] = weight
            if index in certain:
                certain.add(node[2] >> 2)
        elif op in PARTIALS:
            for ref, partial in zip(node[1:], PARTIALS[op](graph, index << 2, *node[1:]), strict=True):
                if partial is not None and not (ref & 2) and (through is None or ref >> 2 in through):
                    more = weighted(graph, weight, partial, index not in certain)
                    give(ref, more, index not in certain)
        elif op in ROUTES:
            condition, x, y = ROUTES[op](graph, *node[1:])
            give(x, graph.node(ops.SELECT, condition, weight, ZERO), True)
            give(y, graph.node(ops.SELECT, condition, ZERO, weight), True)
    return [adjoint.get(index, ZERO) for index in wrt]


def weighted(graph: Graph, weight: int, partial: int, by_route: bool) -> int:
    """The product; with `by_route` it is 0 where the weight is 0, even if the partial is infinite."""
    product = graph.mul(weight, partial)
    if not by_route or partial & 2:
        return product
    return graph.node(ops.SELECT, weight, product, ZERO)


def _lines(function: Function, output: Port, input: Port) -> list[Tangent]:
    """The rows of the Jacobian, by the cheaper of forward and reverse."""
    graph = function.graph
    wrt = [ref >> 2 for ref in input.refs]
    forward = tangents(graph, output.refs, {index: k for k, index in enumerate(wrt)})
    if len(output.refs) * len(function.live) > REVERSE_BUDGET:
        return forward
    reverse: list[Tangent] = []
    for ref in output.refs:
        row = adjoints(graph, {ref: ONE}, wrt) if not ref & 2 else [ZERO] * len(wrt)
        reverse.append({k: r for k, r in enumerate(row) if r != ZERO})

    def price(lines: list[Tangent]) -> float:
        return cost_of(graph, graph.live(r for line in lines for r in line.values())).price

    return forward if price(forward) <= price(reverse) else reverse


def cheapest_lines(
    graph: Graph, groups: Iterable[Sequence[int]], wrt: Sequence[int], written: Iterable[int]
) -> list[Tangent]:
    """The rows of a Jacobian, for each group of references by the cheaper of forward and reverse.

    What the references in `written` depend on costs nothing.
    """
    groups = list(groups)
    forward = tangents(graph, [ref for group in groups for ref in group], {x: k for k, x in enumerate(wrt)})
    through = dependent(graph, [ref for group in groups for ref in group], wrt)
    done = set(graph.live(written))
    lines: list[Tangent] = []
    for group in groups:
        ahead = forward[len(lines) : len(lines) + len(group)]
        back = [_reverse(graph, ref, wrt, through) for ref in group]
        choices = [_new_nodes(graph, rows, done) for rows in (ahead, back)]
        best = int(choices[1][1] < choices[0][1])
        done |= set(choices[best][0])
        lines += (ahead, back)[best]
    return lines


def dependent(graph: Graph, refs: Sequence[int], wrt: Sequence[int]) -> set[int]:
    """The nodes of these references that depend on one of the nodes `wrt`."""
    nodes, through = graph.nodes, set(wrt)
    for index in graph.live(refs):
        node = nodes[index]
        if any(not ref & 2 and ref >> 2 in through for ref in node[ops.FIRST[node[0]] :]):
            through.add(index)
    return through


def _reverse(graph: Graph, ref: int, wrt: Sequence[int], through: Container[int]) -> Tangent:
    row = adjoints(graph, {ref: ONE}, wrt, through=through) if not ref & 2 else []
    return {k: r for k, r in enumerate(row) if r != ZERO}


def _new_nodes(graph: Graph, lines: Sequence[Tangent], done: Container[int]) -> tuple[list[int], float]:
    """The nodes of these lines that are not done yet, and their price."""
    nodes = [i for i in graph.live((r for line in lines for r in line.values()), done) if i not in done]
    return nodes, cost_of(graph, nodes).price


def _variable(function: Function, name: str) -> Port:
    """The port to differentiate by: an input, a parameter, or all parameters as the vector `p`."""
    refs = [index << 2 for index in function.parameter_nodes]
    if name == "p" and refs:
        return Port("p", (len(refs),), tuple(refs))
    known = dict(zip(function.parameters, refs, strict=True))
    if name in known and name not in (port.name for port in function.inputs):
        return Port(name, (), (known[name],))
    return function.input(name)


def jacobian(function: Function, output: str, input: str) -> Function:
    """d output / d input as a Function of the same inputs, of shape output + input.

    Instead of an input, a parameter can be named, or `p` for all of them.
    """
    out, in_ = function.output(output), _variable(function, input)
    refs = tuple(line.get(k, ZERO) for line in _lines(function, out, in_) for k in range(len(in_.refs)))
    port = Port(f"d_{output}_d_{input}", out.shape + in_.shape, refs)
    return Function.of(f"{function.name}.jacobian", function.graph, function.inputs, [port])


@dataclass(frozen=True)
class SparseJacobian:
    """The structural non-zeros of a Jacobian: `function` computes them in the order of `rows`,
    `columns` (flat positions in the output and the input)."""

    function: Function
    rows: Any
    columns: Any
    shape: tuple[int, int]


def sparse_jacobian(function: Function, output: str, input: str) -> SparseJacobian:
    """The non-zeros of d output / d input and their positions."""
    out, in_ = function.output(output), _variable(function, input)
    lines = [dict(sorted(line.items())) for line in _lines(function, out, in_)]
    refs = tuple(ref for line in lines for ref in line.values())
    port = Port(f"d_{output}_d_{input}", (len(refs),), refs)
    return SparseJacobian(
        Function.of(f"{function.name}.jacobian", function.graph, function.inputs, [port]),
        np.array([row for row, line in enumerate(lines) for _ in line], dtype=int),
        np.array([column for line in lines for column in line], dtype=int),
        (len(out.refs), len(in_.refs)),
    )


def _chosen(function: Function, inputs: Sequence[str]) -> list[Port]:
    return [function.input(name) for name in inputs] if inputs else list(function.inputs)


def _extra(function: Function, prefix: str, ports: Iterable[Port]) -> list[Port]:
    """New inputs of the shapes of `ports`, their names prefixed."""
    graph = function.graph
    extra: list[Port] = []
    names = {port.name for port in function.inputs}
    used = {*function.live, *(ref >> 2 for ref in function.input_refs)}
    for port in ports:
        name = port.name
        while True:
            # repeat until neither the name nor a symbol of it is in use
            name = prefix + name
            refs = tuple(graph.symbol(f"{name}[{k}]") for k in range(len(port.refs)))
            if name not in names and used.isdisjoint(ref >> 2 for ref in refs):
                break
        names.add(name)
        extra.append(Port(name, port.shape, refs))
    return extra


def rates_along(graph: Graph, refs: Sequence[int], known: Mapping[int, int]) -> list[int]:
    """The rate of each reference, from known rates of nodes; blocks stay blocks.

    Nothing below a node with a known rate is differentiated; all other leaves have the rate zero.
    """
    rates = dict(known)

    def rate(ref: int) -> int:
        positive = ZERO if ref & 2 else rates.get(ref >> 2, ZERO)
        return negated(positive) if ref & 1 else positive

    results: dict[int, list[int]] = {}
    for index in graph.live(refs, rates):
        if index in rates:
            continue
        node = graph.nodes[index]
        op = node[0]
        if op == ops.BLOCK and any(rate(r) != ZERO for r in node[2:]):
            block, operands = block_at(graph, index)
            results[index] = block_jvp(graph, block, operands, [rate(r) for r in operands])
        elif op == ops.OUT and node[2] >> 2 in results:
            rates[index] = results[node[2] >> 2][node[1]]
        elif op in PARTIALS and any(rate(r) != ZERO for r in node[1:]):
            total = ZERO
            for r, p in zip(node[1:], PARTIALS[op](graph, index << 2, *node[1:]), strict=True):
                if p is not None:
                    total = graph.add(total, graph.mul(p, rate(r)))
            rates[index] = total
        elif op in ROUTES:
            condition, x, y = ROUTES[op](graph, *node[1:])
            rates[index] = graph.node(ops.SELECT, condition, rate(x), rate(y))
    return [rate(ref) for ref in refs]


def jvp(function: Function, inputs: Sequence[str]) -> Function:
    """The outputs' rates for given rates of the inputs; blocks stay blocks."""
    graph = function.graph
    chosen = _chosen(function, inputs)
    extra = _extra(function, "d_", chosen)
    rates: dict[int, int] = {}
    for port, more in zip(chosen, extra, strict=True):
        rates |= {r >> 2: d for r, d in zip(port.refs, more.refs, strict=True)}

    derivatives = iter(rates_along(graph, function.output_refs, rates))
    outputs = [
        Port("d_" + port.name, port.shape, tuple(next(derivatives) for _ in port.refs))
        for port in function.outputs
    ]
    return Function.of(f"{function.name}.jvp", graph, [*function.inputs, *extra], outputs)


def vjp(function: Function, inputs: Sequence[str], routed: bool = False) -> Function:
    """The inputs' adjoints for given weights of the outputs; blocks stay blocks.

    With `routed`, infinite partials with a weight of 0 do not count (see `adjoints`).
    """
    graph = function.graph
    chosen = _chosen(function, inputs)
    extra = _extra(function, "w_", function.outputs)
    weights: dict[int, int] = {}
    for port, more in zip(function.outputs, extra, strict=True):
        for ref, weight in zip(port.refs, more.refs, strict=True):
            # the sign is moved to the weight, so that weights of x and -x are added
            weight = negated(weight) if ref & 1 else weight
            weights[ref & -2] = graph.add(weights.get(ref & -2, ZERO), weight)
    wrt = [r >> 2 for port in chosen for r in port.refs]
    sums = iter(adjoints(graph, weights, wrt, routed))
    outputs = [Port("w_" + port.name, port.shape, tuple(next(sums) for _ in port.refs)) for port in chosen]
    return Function.of(f"{function.name}.vjp", graph, [*function.inputs, *extra], outputs)
