"""The derivative of every operation, as data, and of every block, as another block.

`PARTIALS[op](graph, result, *operands)` lists d result / d operand as references (None: zero).
`ROUTES[op]` is for operations whose result is one of two operands: it gives the condition under which
it is the first. Selecting a derivative instead of multiplying it by 0 keeps infinities of the operand
that is not selected out of the result. Comparisons, floor and sign have derivative zero.
"""

from collections.abc import Callable

import numpy as np

from hapsis.compiler.ir.functions.blocks import Block, Call, Map, Repeat
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.graph import Graph, negated
from hapsis.compiler.ir.graph.ops import ONE, ZERO
from hapsis.compiler.ir.graph.transplant import transplant

Ref = int


def _circle(g: Graph, x: Ref) -> Ref:
    """sqrt(1 - x²), as sqrt((1 - x)(1 + x)), which is accurate near 1."""
    return g.node(ops.SQRT, g.mul(g.sub(ONE, x), g.add(ONE, x)))


def _power(g: Graph, r: Ref, x: Ref, y: Ref) -> tuple[Ref | None, Ref | None]:
    dx = g.mul(y, g.node(ops.POW, x, g.sub(y, ONE)))
    return dx, None if y & 2 else g.mul(r, g.node(ops.LOG, x))


def _atan2(g: Graph, r: Ref, y: Ref, x: Ref) -> tuple[Ref, Ref]:
    square = g.add(g.mul(x, x), g.mul(y, y))
    return g.div(x, square), negated(g.div(y, square))


_OF_ONE: dict[int, Callable[[Graph, Ref, Ref], tuple[Ref]]] = {
    ops.SQRT: lambda g, r, x: (g.div(g.constant(0.5), r),),
    ops.SIN: lambda g, r, x: (g.node(ops.COS, x),),
    ops.COS: lambda g, r, x: (negated(g.node(ops.SIN, x)),),
    ops.TAN: lambda g, r, x: (g.add(ONE, g.mul(r, r)),),
    ops.ASIN: lambda g, r, x: (g.div(ONE, _circle(g, x)),),
    ops.ACOS: lambda g, r, x: (negated(g.div(ONE, _circle(g, x))),),
    ops.EXP: lambda g, r, x: (r,),
    ops.LOG: lambda g, r, x: (g.div(ONE, x),),
    ops.ABS: lambda g, r, x: (g.node(ops.SIGN, x),),
}
_OF_TWO: dict[int, Callable[[Graph, Ref, Ref, Ref], tuple[Ref | None, Ref | None]]] = {
    ops.ADD: lambda g, r, x, y: (ONE, ONE),
    ops.SUB: lambda g, r, x, y: (ONE, negated(ONE)),
    ops.MUL: lambda g, r, x, y: (y, x),
    ops.DIV: lambda g, r, x, y: (g.div(ONE, y), negated(g.div(r, y))),
    ops.ATAN2: _atan2,
    ops.POW: _power,
}
PARTIALS: dict[int, Callable[..., tuple[Ref | None, ...]]] = {**_OF_ONE, **_OF_TWO}


def _smaller(g: Graph, x: Ref, y: Ref) -> tuple[Ref, Ref, Ref]:
    return g.node(ops.LT, x, y), x, y


def _larger(g: Graph, x: Ref, y: Ref) -> tuple[Ref, Ref, Ref]:
    return g.node(ops.LT, y, x), x, y


def _chosen(g: Graph, c: Ref, x: Ref, y: Ref) -> tuple[Ref, Ref, Ref]:
    return c, x, y


# condition, what passes if it holds, what passes if not
ROUTES: dict[int, Callable[..., tuple[Ref, Ref, Ref]]] = {
    ops.MIN: _smaller,
    ops.MAX: _larger,
    ops.SELECT: _chosen,
}


def block_partials(g: Graph, block: Block, operands: tuple[Ref, ...]) -> list[dict[int, Ref]]:
    """For each result of the block: {operand position: d result / d operand}, non-zeros only."""
    if isinstance(block, Repeat):
        return _repeat_partials(g, block, operands)
    rows, columns, derived = _body_jacobian(block.body)
    result: list[dict[int, Ref]] = [{} for _ in range(block.n_out)]
    if not len(rows):
        return result
    if isinstance(block, Call):
        for row, column, ref in zip(rows, columns, g.block(Call(derived), operands), strict=True):
            result[row][column] = ref
        return result
    # a map: the same gather, the non-zeros of every index stacked, then summed at equal positions
    stacked = np.arange(block.count * len(rows)).reshape(block.count, -1)
    wide = Map(derived, block.gather, stacked, block.n_in, stacked.size, block.mask)
    flat = g.block(wide, operands)
    for i in range(block.count):
        for k, (row, column) in enumerate(zip(rows, columns, strict=True)):
            target = result[int(block.scatter[i, row])]
            source = int(block.gather[i, column])
            old = target.get(source, ZERO)
            target[source] = g.add(old, flat[i * len(rows) + k])
    return result


def _body_jacobian(body: Function) -> tuple[list[int], list[int], Function]:
    """Rows and columns of the body's non-zeros over its flat inputs, and the Function of their values."""
    from hapsis.compiler.ir.derivatives.jacobian import tangents

    flat = flattened(body)
    wrt = {ref >> 2: k for k, ref in enumerate(flat.inputs[0].refs)}
    lines = tangents(flat.graph, flat.output_refs, wrt)
    rows = [row for row, line in enumerate(lines) for _ in line]
    columns = [column for line in lines for column in line]
    refs = [ref for line in lines for ref in line.values()]
    ports = [Port("y", (len(refs),), tuple(refs))]
    return rows, columns, Function.of(body.name, flat.graph, flat.inputs, ports)


def flattened(body: Function) -> Function:
    """The body as a Function of one vector to one vector, parameters among the inputs, in its own graph."""
    graph = Graph()
    slots = body.input_refs
    here = [graph.symbol(f"x[{k}]") for k in range(len(slots))]
    known = {ref >> 2: new for ref, new in zip(slots, here, strict=True)}
    refs = transplant(body.graph, body.output_refs, graph, known)
    return Function.of(
        body.name, graph, [Port("x", (len(here),), tuple(here))], [Port("y", (len(refs),), tuple(refs))]
    )


def _repeat_partials(g: Graph, block: Repeat, operands: tuple[Ref, ...]) -> list[dict[int, Ref]]:
    """The partials of a repeat: the loop also updates D = d state / d (first state, others), D' = J D."""
    n, m = block.n_out, block.n_in
    identity = [[ONE if j == i else ZERO for j in range(m)] for i in range(n)]
    flat = g.block(
        _carried(block, n, m), [*operands[:n], *(x for row in identity for x in row), *operands[n:]]
    )
    jacobian = flat[n:]
    return [{j: jacobian[i * m + j] for j in range(m)} for i in range(n)]


def _carried(block: Repeat, n: int, directions: int, seeds: bool = True) -> Repeat:
    """The loop with `directions` tangents of the state as further state.

    With `seeds`, direction j >= n is the other input number j - n, which acts at every step.
    Without, the tangents of the other inputs are further inputs.
    """
    from hapsis.compiler.ir.derivatives.jacobian import tangents

    flat = flattened(block.body)
    graph, refs = flat.graph, flat.inputs[0].refs
    state, others = refs[:n], refs[n:]
    carried = [graph.symbol(f"d[{k}]") for k in range(n * directions)]
    extra = [] if seeds else [graph.symbol(f"e[{k}]") for k in range(len(others) * directions)]
    local = tangents(graph, flat.output_refs[:n], {r >> 2: k for k, r in enumerate(refs)})
    new: list[Ref] = []
    for line in local:
        for j in range(directions):
            total = ZERO
            for k, partial in line.items():
                if k < n:
                    step = carried[k * directions + j]
                elif seeds:
                    step = ONE if k == j else ZERO
                else:
                    step = extra[(k - n) * directions + j]
                total = graph.add(total, graph.mul(partial, step))
            new.append(total)
    inputs = (*state, *carried, *others, *extra)
    outputs = [*flat.output_refs[:n], *new, *flat.output_refs[n:]]
    body = Function.of(
        block.body.name,
        graph,
        [Port("x", (len(inputs),), tuple(inputs))],
        [Port("y", (len(outputs),), tuple(outputs))],
    )
    return Repeat(body, block.times, n * (1 + directions))


def block_jvp(g: Graph, block: Block, operands: tuple[Ref, ...], rates: list[Ref]) -> list[Ref]:
    """The rates of the block's results from those of its operands, computed by one block."""
    if isinstance(block, Repeat):
        n = block.n_out
        wide = _carried(block, n, 1, seeds=False)
        inputs = [*operands[:n], *rates[:n], *operands[n:], *rates[n:]]
        return g.block(wide, inputs)[n:]
    body = flattened(block.body).jvp("x")
    if isinstance(block, Call):
        return g.block(Call(body), [*operands, *rates])
    gather = np.concatenate([block.gather, block.gather + block.n_in], axis=1)
    wide_map = Map(body, gather, block.scatter, 2 * block.n_in, block.n_out, block.mask)
    return g.block(wide_map, [*operands, *rates])


def block_vjp(
    g: Graph, block: Block, operands: tuple[Ref, ...], weights: list[Ref], routed: bool = False
) -> list[Ref]:
    """The adjoints of the block's operands from those of its results.

    With `routed`, infinite partials with a weight of 0 do not count.
    """
    from hapsis.compiler.ir.derivatives.jacobian import vjp, weighted

    if isinstance(block, Repeat):
        sums: list[Ref] = [ZERO] * block.n_in
        for weight, line in zip(weights, block_partials(g, block, operands), strict=True):
            for j, partial in line.items():
                sums[j] = g.add(sums[j], weighted(g, weight, partial, routed))
        return sums
    body = vjp(flattened(block.body), ["x"], routed)
    if isinstance(block, Call):
        return g.block(Call(body), [*operands, *weights])
    # gather and scatter are exchanged
    gather = np.concatenate([block.gather, block.scatter + block.n_in], axis=1)
    wide = Map(body, gather, block.gather, block.n_in + block.n_out, block.n_in, block.mask)
    refs = g.block(wide, [*operands, *weights])
    # an operand that is only a condition has no adjoint
    read = set(block.gather.ravel().tolist())
    return [ref if k in read else ZERO for k, ref in enumerate(refs)]


def block_at(graph: Graph, index: int) -> tuple[Block, tuple[Ref, ...]]:
    """The block a node calls, and its operands."""
    node = graph.nodes[index]
    return graph.blocks[node[1]], node[2:]
