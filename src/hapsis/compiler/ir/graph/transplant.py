"""Copies of expressions in another graph, with some nodes replaced on the way.

Inlining, substitution, folding of parameters and elimination are all this one operation. The copy is
made by the constructors, so that simplifications enabled by a replacement take place.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from hapsis.compiler.ir.graph.graph import Graph, negated
from hapsis.compiler.ir.graph.ops import ADD, BLOCK, FIRST, LOOKUP, MUL, OUT, PARAMETER, SUB, SYMBOL

if TYPE_CHECKING:
    from hapsis.compiler.ir.functions.blocks import Block


def transplant(
    source: Graph,
    refs: Iterable[int],
    target: Graph,
    known: Mapping[int, int],
    leaf: Callable[[int], int] | None = None,
    block: Callable[["Block", list[int]], tuple["Block", list[int]]] | None = None,
) -> list[int]:
    """The references in `target` of copies of `refs` in `source`.

    `known` maps node indices of `source` to references of `target`, usually those of inputs. Other
    leaves are copied by name, or symbols by `leaf`, which is given the node index when it is reached.
    `block`, if given, returns another block with the same outputs, and its operands, for a block and its
    operands in `target`.
    """
    refs = list(refs)
    moved = dict(known)
    nodes, values, constant, node_in = source.nodes, source.constants, target.constant, target.node
    binary = {ADD: target.add, SUB: target.sub, MUL: target.mul}

    def new(ref: int) -> int:
        there = constant(values[ref >> 2]) if ref & 2 else moved[ref >> 2]
        return negated(there) if ref & 1 else there

    for index in source.live(refs):
        if index in moved:
            continue
        node = nodes[index]
        op = node[0]
        if op in binary:
            # the most frequent case: as below, without a loop
            _, x, y = node
            there = binary[op](new(x), new(y))
        elif op == SYMBOL and leaf is not None:
            there = leaf(index)
        elif op == SYMBOL:
            there = target.symbol(source.symbols[node[1]].name, source.symbols[node[1]].kind)
        elif op == PARAMETER:
            name, kind, value = source.parameters[node[1]]
            there = target.parameter(name, value or 0.0, kind)
        elif op == BLOCK:
            called, operands = source.blocks[node[1]], [new(ref) for ref in node[2:]]
            if block is not None:
                called, operands = block(called, operands)
            there = target.block_call(called, operands)
        elif op == OUT:
            there = node_in(OUT, node[1], moved[node[2] >> 2])
        elif op == LOOKUP:
            there = target.lookup(source.tables[node[1]], new(node[2]))
        else:
            there = node_in(op, *(new(ref) for ref in node[FIRST[op] :]))
        moved[index] = there
    return [new(ref) for ref in refs]


def relocated(
    source: Graph,
    refs: Iterable[int],
    target: Graph,
    known: Mapping[int, int],
    order: Iterable[int],
    block: Callable[[int, list[int]], int] | None = None,
) -> list[int]:
    """As `transplant`, into a new graph and in a given order; `known` names all leaves.

    This enables no simplification, so sums and products are written without matching rules. `block`,
    if given, writes the block call of a node of the source, by its index.
    """
    nodes, append, node_in = source.nodes, target.append, target.node
    places = [0] * len(nodes)
    for index, ref in known.items():
        places[index] = ref
    constants = [target.constant(value) for value in source.constants]

    def new(ref: int) -> int:
        there = constants[ref >> 2] if ref & 2 else places[ref >> 2]
        return negated(there) if ref & 1 else there

    for index in order:
        node = nodes[index]
        op = node[0]
        if op == MUL:
            _, x, y = node
            x = constants[x >> 2] if x & 2 else places[x >> 2]
            y = constants[y >> 2] if y & 2 else places[y >> 2]
            sign = (x ^ y) & 1
            if (x | y) & 1:
                x, y = x & -2, y & -2
            # operands in canonical order; a constant factor is first already
            places[index] = append((MUL, x, y) if x <= y or x & 2 else (MUL, y, x)) ^ sign
            continue
        if op == ADD or op == SUB:
            _, x, y = node
            x = constants[x >> 2] if x & 2 else places[x >> 2]
            y = (constants[y >> 2] if y & 2 else places[y >> 2]) ^ (op == SUB)
            if x > y:
                x, y = y, x
            sign = x & 1
            y ^= sign
            places[index] = append((SUB, x ^ sign, y ^ 1) if y & 1 else (ADD, x ^ sign, y)) ^ sign
            continue
        if op == BLOCK:
            operands = [new(r) for r in node[2:]]
            if block is not None:
                places[index] = block(index, operands)
            else:
                places[index] = target.block_call(source.blocks[node[1]], operands)
        elif op == OUT:
            places[index] = node_in(OUT, node[1], places[node[2] >> 2])
        elif op == LOOKUP:
            places[index] = target.lookup(source.tables[node[1]], new(node[2]))
        else:
            places[index] = node_in(op, *(new(ref) for ref in node[1:]))
    return [new(ref) for ref in refs]
