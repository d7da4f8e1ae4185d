"""Guards: what passes zero where a comparison, a maximum or a minimum changes."""

from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.graph import Graph, negated


def guard_of(graph: Graph, index: int) -> int:
    """An expression that is positive where a comparison holds, or where the first argument is chosen."""
    op, *refs = graph.nodes[index]
    if op in (ops.SIGN, ops.ABS):
        return refs[0]
    if op in (ops.MAX, ops.MIN):
        return graph.sub(*(refs if op == ops.MAX else reversed(refs)))
    low, high = refs
    strict = op == ops.LT
    # in max(x, 0) > 0 it is x that passes zero
    high_bare = _bare(graph, high, low, ops.MAX if strict else ops.MIN)
    low_bare = _bare(graph, low, high, ops.MIN if strict else ops.MAX)
    return graph.sub(high_bare, low_bare)


def _bare(graph: Graph, ref: int, bound: int, operation: int) -> int:
    """x of max(x, c), or of min(x, c), that is compared with c."""
    if ref & 2 or graph.nodes[ref >> 2][0] not in (ops.MAX, ops.MIN):
        return ref
    op, x, y = graph.nodes[ref >> 2]
    if ref & 1:  # -max(x, y) = min(-x, -y)
        op, x, y = (ops.MIN if op == ops.MAX else ops.MAX), negated(x), negated(y)
    if op != operation:
        return ref
    return x if y == bound else y if x == bound else ref
