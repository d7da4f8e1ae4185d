"""Elimination of the equations that no output of a Function needs.

A formalism writes all components of every recursive vector, many of which no output needs; [Robotran]
reports up to 30 % of such equations. The resulting Function has its own graph, whose first nodes are
its inputs, in order, then its parameters: node number = flat input slot.
"""

from collections.abc import Iterable

from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.ops import FIRST, OUT, PARAMETER, SYMBOL
from hapsis.compiler.ir.graph.transplant import relocated


def eliminated(function: Function, order: list[int] | None = None) -> Function:
    """The same Function without unneeded equations, with its nodes in the given order if there is one."""
    graph = Graph()
    known = leaves(function, function.input_refs, graph)
    order = [index for index in order or function.live if index not in known]
    refs = relocated(function.graph, function.output_refs, graph, known, order)
    outputs = outputs_of(function, refs)
    inputs = [p._replace(refs=tuple(known[r >> 2] for r in p.refs)) for p in function.inputs]
    parameters = [known[index] >> 2 for index in function.parameter_nodes]
    return Function.of(function.name, graph, inputs, outputs, parameters)


def leaves(function: Function, refs: Iterable[int], graph: Graph) -> dict[int, int]:
    """{node: reference} of new inputs and parameters of the Function in another graph."""
    source, known = function.graph, dict[int, int]()
    for ref in refs:
        op, at = source.nodes[ref >> 2]
        if op == SYMBOL:
            known[ref >> 2] = graph.symbol(*source.symbols[at][:2])
        else:
            name, kind, value = source.parameters[at]
            known[ref >> 2] = graph.parameter(name, value or 0.0, kind)
    return known


def outputs_of(function: Function, refs: Iterable[int]) -> list[Port]:
    """The outputs of the Function, with these references instead of theirs."""
    left = iter(refs)
    return [p._replace(refs=tuple(next(left) for _ in p.refs)) for p in function.outputs]


def equations(function: Function) -> tuple[int, int]:
    """How many equations were written from this Function's inputs, and how many it needs.

    These are the equations of its graph up to its last one; later ones belong to other Functions.
    """
    graph = function.graph
    inputs = {ref >> 2 for ref in function.input_refs}
    own = graph.nodes[: max(function.live, default=-1) + 1]
    computable = bytearray(len(own))
    written = 0
    for index, node in enumerate(own):
        op = node[0]
        if op in (SYMBOL, PARAMETER):
            computable[index] = index in inputs
        elif all(ref & 2 or computable[ref >> 2] for ref in node[FIRST[op] :]):
            computable[index] = 1
            written += op > OUT
    needed = sum(graph.nodes[index][0] > OUT for index in function.live)
    return written, needed
