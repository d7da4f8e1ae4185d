"""The switches of a Function, made explicit: guards that pass zero, and modes in their place.

Every decision by a sign (comparisons, max, min, |x|, sign) becomes an input of the Function, one
number per guard. For given modes the Function is smooth, and it jumps only where a mode changes.
Decisions inside maps and lookups are left as they are, and so are bounds that keep roots, powers and
logarithms where they are defined, as in √max(x, 0): a step goes a little way behind a guard before it
is found there.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.graph import Graph, negated
from hapsis.compiler.ir.graph.guards import guard_of
from hapsis.compiler.ir.graph.ops import ONE
from hapsis.compiler.ir.graph.transplant import transplant

SWITCHES = (ops.LT, ops.LE, ops.SIGN, ops.MIN, ops.MAX, ops.ABS)
JUMPS = (ops.LT, ops.LE, ops.SIGN)  # the others only have a kink
PARTIAL = (ops.SQRT, ops.LOG, ops.POW, ops.ASIN, ops.ACOS)  # not defined for all numbers


class Switched(NamedTuple):
    """A Function with modes.

    function  with the input `modes`; the Function itself if it has no decisions
    guards    (same inputs) -> g: the mode is 1 where g > 0; None where there are none
    jumps     how many of the guards, which come first, may make it jump
    """

    function: Function
    guards: Function | None
    jumps: int


def switched(function: Function) -> Switched:
    """The Function with its modes as an input."""
    graph = function.graph
    bounds = _bounds(function)
    guards_of = {
        i: guard_of(graph, i) for i in function.live if graph.nodes[i][0] in SWITCHES and i not in bounds
    }
    kinds: dict[int, bool] = {}  # guard: whether it may make a jump
    for index, guard in guards_of.items():
        if guard & 2 == 0:
            jumps = graph.nodes[index][0] in JUMPS
            kinds[guard & -2] = kinds.get(guard & -2, False) or jumps
    if not kinds:
        return Switched(function, None, 0)
    guards = sorted(kinds, key=lambda ref: not kinds[ref])
    modes = {ref: graph.symbol(f"modes[{k}]") for k, ref in enumerate(guards)}
    known: dict[int, int] = {}
    for index, guard in guards_of.items():
        if guard & 2 == 0:
            mode = modes[guard & -2]
            mode = graph.sub(ONE, mode) if guard & 1 else mode
            known[index] = _decided(graph, index, mode, known)
    refs = iter(transplant(graph, function.output_refs, graph, known))
    outputs = [p._replace(refs=tuple(next(refs) for _ in p.refs)) for p in function.outputs]
    inputs = [*function.inputs, Port("modes", (len(guards),), tuple(modes.values()))]
    watched = [Port("g", (len(guards),), tuple(guards))]
    return Switched(
        Function.of(function.name, graph, inputs, outputs),
        Function.of("guards", graph, function.inputs, watched),
        sum(kinds.values()),
    )


def _bounds(function: Function) -> set[int]:
    """The nodes max, min and |x| whose value is the argument of a root, a power or the like."""
    nodes = function.graph.nodes
    arguments = [nodes[i][1] for i in function.live if nodes[i][0] in PARTIAL]
    return {ref >> 2 for ref in arguments if ref & 2 == 0 and nodes[ref >> 2][0] not in JUMPS}


def _decided(graph: Graph, index: int, mode: int, known: dict[int, int]) -> int:
    """The node with the mode in place of its comparison."""
    op, *refs = graph.nodes[index]
    if op in (ops.LT, ops.LE):
        return mode
    if op == ops.SIGN:
        return graph.node(ops.SELECT, mode, ONE, negated(ONE))
    parts: Sequence[Any] = transplant(graph, refs, graph, known)
    if op == ops.ABS:
        return graph.node(ops.SELECT, mode, parts[0], negated(parts[0]))
    return graph.node(ops.SELECT, mode, parts[0], parts[1])
