"""Hoisting: expressions that depend on no input are computed once per parameter set, not once per call.

    f(x; p)  =  kernel(x; w(p))

The *preparation* computes w, the largest subexpressions of parameters alone that the rest reads; the
*kernel* is the rest, with w instead of the parameters. Both are ordinary Functions: the preparation
has no inputs, the parameters of f and one output `w`; the kernel has the inputs and outputs of f, and
its parameters are the scalars of w.

Every node has the same operands as in f, so that both together compute the same numbers as f. A block
whose operands all depend on parameters alone moves to the preparation as a whole. Any other block is
split: a call of its body's preparation moves, a block of its body's kernel stays.
"""

from hapsis.compiler.ir.functions.blocks import Call
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.ports import Port
from hapsis.compiler.ir.graph.cost import independent, opens
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.ops import ADD, BLOCK, FIRST, LOOKUP, MUL, OUT, PARAMETER, SUB, SYMBOL
from hapsis.compiler.ir.graph.transplant import relocated
from hapsis.compiler.passes.eliminate import leaves, outputs_of
from hapsis.compiler.passes.parts import hoisted
from hapsis.compiler.passes.shapes import parameters_by_role

_Split = tuple[Function, Function]


def split(function: Function) -> _Split | None:
    """The two parts; None if there is nothing to prepare (see `parts.hoisted`)."""
    if function.n_in == len(function.parameter_nodes):
        return None
    function = _opened(function)
    nodes, live = function.graph.nodes, function.live
    alone = independent(function.graph, live)
    if not any(alone[index] and nodes[index][0] != PARAMETER for index in live):
        return None
    order, read = _kernel_nodes(function, alone)
    preparation, w = _preparation(function, [i for i in live if alone[i]], read)
    size = len(preparation.output_refs)
    kernel = _kernel(function, order, w, size)
    places = parameters_by_role(kernel)
    if places == list(range(size)):
        return preparation, kernel
    # numbers of twins become neighbours
    port = preparation.outputs[0]
    port = port._replace(refs=tuple(port.refs[place] for place in places))
    now = {place: k for k, place in enumerate(places)}
    w = {index: (now[k], sign) for index, (k, sign) in w.items()}
    moved = Function.of(preparation.name, preparation.graph, [], [port], preparation.parameter_nodes)
    return moved, _kernel(function, order, w, size)


def _opened(function: Function) -> Function:
    """The Function with the preparations of blocks' bodies as separate calls."""
    source, live = function.graph, function.live
    if not source.blocks:
        return function
    alone = independent(source, live)
    parts: dict[int, _Split] = {}
    for index in live:
        if opens(source, index, alone):
            preparation, kernel = hoisted(source.blocks[source.nodes[index][1]].body)
            if preparation is not None:
                parts[index] = preparation, kernel
    if not parts:
        return function
    graph = Graph()

    def written(index: int, operands: list[int]) -> int:
        block = source.blocks[source.nodes[index][1]]
        if index in parts:
            preparation, kernel = parts[index]
            w = graph.block(Call(preparation), block.parameters(operands) or ())
            block, operands = block.opened(kernel, operands, w)
        return graph.block_call(block, operands)

    known = leaves(function, function.input_refs, graph)
    order = [index for index in live if index not in known]
    refs = relocated(source, function.output_refs, graph, known, order, written)
    inputs = [p._replace(refs=tuple(known[r >> 2] for r in p.refs)) for p in function.inputs]
    parameters = [known[index] >> 2 for index in function.parameter_nodes]
    return Function.of(function.name, graph, inputs, outputs_of(function, refs), parameters)


def _kernel_nodes(function: Function, alone: bytearray) -> tuple[list[int], list[int]]:
    """The nodes that the kernel evaluates, and those of parameters alone that it reads."""
    nodes = function.graph.nodes
    needed = bytearray(len(nodes))
    for ref in function.output_refs:
        if not ref & 2:
            needed[ref >> 2] = 1
    order: list[int] = []
    for index in reversed(function.live):
        node = nodes[index]
        op = node[0]
        if needed[index] and not alone[index] and op != SYMBOL:
            order.append(index)
            if op == ADD or op == SUB or op == MUL:
                _, x, y = node
                if not x & 2:
                    needed[x >> 2] = 1
                if not y & 2:
                    needed[y >> 2] = 1
                continue
            for ref in node[FIRST[op] :]:
                if not ref & 2:
                    needed[ref >> 2] = 1
    order.reverse()
    return order, [index for index in function.live if alone[index] and needed[index]]


def _preparation(
    function: Function, alone: list[int], read: list[int]
) -> tuple[Function, dict[int, tuple[int, int]]]:
    """The Function that computes w, and for each node that the kernel reads its index in w and its sign."""
    source, graph = function.graph, Graph()
    known = leaves(function, [index << 2 for index in function.parameter_nodes], graph)
    order = [index for index in alone if source.nodes[index][0] != PARAMETER]
    refs = relocated(source, [index << 2 for index in read], graph, known, order)
    # in the order of the nodes, so that kernel and preparation can be joined without reordering operands
    outputs = sorted({ref & -2 for ref in refs})
    place = {ref: k for k, ref in enumerate(outputs)}
    w = {index: (place[ref & -2], ref & 1) for index, ref in zip(read, refs, strict=True)}
    port = Port("w", (len(outputs),), tuple(outputs))
    parameters = [known[index] >> 2 for index in function.parameter_nodes]
    return Function.of(function.name, graph, [], [port], parameters), w


def _kernel(function: Function, order: list[int], w: dict[int, tuple[int, int]], size: int) -> Function:
    source, graph = function.graph, Graph()
    known = leaves(function, [ref for port in function.inputs for ref in port.refs], graph)
    inputs = [p._replace(refs=tuple(known[r >> 2] for r in p.refs)) for p in function.inputs]
    places = [graph.parameter(f"w{k}", 0.0) for k in range(size)]
    known |= {index: places[k] | sign for index, (k, sign) in w.items()}
    refs = relocated(source, function.output_refs, graph, known, order)
    outputs = outputs_of(function, refs)
    return Function.of(function.name, graph, inputs, outputs, [ref >> 2 for ref in places])


def joined(preparation: Function, kernel: Function) -> Function:
    """One Function with the operations of the preparation, then those of the kernel, unchanged."""
    graph = Graph()
    known = leaves(kernel, [ref for port in kernel.inputs for ref in port.refs], graph)
    inputs = [p._replace(refs=tuple(known[r >> 2] for r in p.refs)) for p in kernel.inputs]
    own = leaves(preparation, preparation.input_refs, graph)
    w = _appended(preparation, graph, own)
    known |= dict(zip(kernel.parameter_nodes, w, strict=True))
    outputs = outputs_of(kernel, _appended(kernel, graph, known))
    return Function.of(kernel.name, graph, inputs, outputs, [ref >> 2 for ref in own.values()])


def _appended(function: Function, graph: Graph, known: dict[int, int], flat: bool = False) -> list[int]:
    """Copies every node unchanged, without rules or reordering; returns the outputs' references.

    flat    whether calls are replaced by the nodes of what they call
    """
    source = function.graph
    places = dict(known)
    results: dict[int, list[int]] = {}  # of calls that are replaced
    constants = [graph.constant(value) for value in source.constants]

    def new(ref: int) -> int:
        return (constants if ref & 2 else places)[ref >> 2] ^ (ref & 1)

    for index in function.live:
        if index not in places:
            node = source.nodes[index]
            op, first = node[0], FIRST[node[0]]
            head = node[1:first]
            if op == OUT and node[2] >> 2 in results:
                places[index] = results[node[2] >> 2][node[1]]
                continue
            if op == BLOCK and flat and isinstance(source.blocks[node[1]], Call):
                body = source.blocks[node[1]].body
                own = {ref >> 2: new(x) for ref, x in zip(body.input_refs, node[2:], strict=True)}
                results[index] = _appended(body, graph, own, flat)
                continue
            if op == BLOCK:
                head = (graph.block_slot(source.blocks[node[1]]),)
            elif op == LOOKUP:
                head = (graph.table_slot(source.tables[node[1]]),)
            places[index] = graph.append((op, *head, *map(new, node[first:])))
    return [new(ref) for ref in function.output_refs]


def flattened(function: Function) -> Function:
    """A prepared Function with the nodes of the Functions that it calls in the place of the calls.

    Every operation stays as it is. Maps and repeats are left.
    """
    graph = Graph()
    known = leaves(function, function.input_refs, graph)
    inputs = [p._replace(refs=tuple(known[r >> 2] for r in p.refs)) for p in function.inputs]
    refs = _appended(function, graph, known, flat=True)
    parameters = [known[index] >> 2 for index in function.parameter_nodes]
    return Function.of(function.name, graph, inputs, outputs_of(function, refs), parameters)
