"""Copies of expressions in another graph, with some nodes replaced on the way.

Inlining, substitution, folding of parameters and elimination are all this one operation. The copy
goes through the constructors, so whatever a replacement makes simpler becomes simpler.
"""

from collections.abc import Iterable, Mapping

from hapsis.compiler.ir.graph import Graph, negated
from hapsis.compiler.ir.ops import BLOCK, FIRST, OUT, PARAMETER, SYMBOL


def transplant(
    source: Graph,
    refs: Iterable[int],
    target: Graph,
    known: Mapping[int, int],
    order: Iterable[int] | None = None,
) -> list[int]:
    """References in `target` to what `refs` are in `source`.

    `known` maps node indices of `source` to references of `target`: inputs, as a rule. Leaves it
    does not name are copied by name. `order`, if given, is the order in which nodes are copied.
    """
    refs = list(refs)
    moved = dict(known)
    nodes, values, constant, node_in = source.nodes, source.constants, target.constant, target.node

    def new(ref: int) -> int:
        there = constant(values[ref >> 2]) if ref & 2 else moved[ref >> 2]
        return negated(there) if ref & 1 else there

    for index in source.live(refs) if order is None else order:
        if index in moved:
            continue
        node = nodes[index]
        op = node[0]
        if op == SYMBOL:
            there = target.symbol(source.symbols[node[1]].name, source.symbols[node[1]].kind)
        elif op == PARAMETER:
            name, kind, value = source.parameters[node[1]]
            there = target.parameter(name, value or 0.0, kind)
        elif op == BLOCK:
            there = target.block_call(source.blocks[node[1]], [new(ref) for ref in node[2:]])
        elif op == OUT:
            there = node_in(OUT, node[1], moved[node[2] >> 2])
        else:
            there = node_in(op, *(new(ref) for ref in node[FIRST[op] :]))
        moved[index] = there
    return [new(ref) for ref in refs]
