"""The order of instructions: values are used soon after they are computed, so that few are live at once.

Depth first from the outputs, the operand that needs more registers first (Sethi-Ullman numbers,
computed as if the graph were a tree). A product that only one sum uses comes immediately before that
sum, so that it can become a fused multiply-add. Sines and cosines of sums of inputs come first of all,
with their angles: backends evaluate them together, as vectors.
"""

from collections.abc import Iterable

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.ops import ADD, COS, FIRST, MUL, OUT, PARAMETER, SIN, SUB, SYMBOL
from hapsis.compiler.passes.eliminate import eliminated
from hapsis.compiler.passes.interleave import interleaved

# up to this many nodes the new order is compared with the given one
SHORT = 2000


def ordered(function: Function, spread: bool = False) -> Function:
    """The Function with its nodes in an order with few live values; a short one never gets more.

    spread    afterwards interleave, for processors that start several instructions at once
    """
    first = early(function)
    order = _schedule(function, first)
    if len(order) <= SHORT:
        present = [*first, *_others(function, first)]
        if _peak(function, order, first) > _peak(function, present, first):
            order = present
    if spread:
        order = interleaved(function, order, len(first))
    return eliminated(function, order)


def pressure(function: Function) -> int:
    """The largest number of values that are live at once, in the order of the nodes.

    Inputs, constants, results of blocks and early sines are loads and do not count; an output is
    stored when it is computed.
    """
    first = early(function)
    return _peak(function, _others(function, first), first)


def early(function: Function) -> list[int]:
    """Sines and cosines of linear forms of the inputs, in pairs; before them, their angles."""
    nodes = function.graph.nodes
    linear = bytearray(len(nodes))
    trig: list[int] = []
    for index in function.live:
        node = nodes[index]
        op = node[0]
        if op == SYMBOL or op == PARAMETER:
            linear[index] = 1
        elif op == ADD or op == SUB or op == MUL:
            _, x, y = node
            if (x & 2 or (op != MUL and linear[x >> 2])) and (y & 2 or linear[y >> 2]):
                linear[index] = 1
        elif (op == SIN or op == COS) and not node[1] & 2 and linear[node[1] >> 2]:
            trig.append(index)
    angles: set[int] = set()
    left = [nodes[index][1] for index in trig]
    while left:
        ref = left.pop()
        if not ref & 2 and ref >> 2 not in angles and nodes[ref >> 2][0] > OUT:
            angles.add(ref >> 2)
            left += nodes[ref >> 2][1:]
    return sorted(angles) + sorted(trig, key=lambda index: (nodes[index][1], nodes[index][0]))


def _others(function: Function, first: Iterable[int]) -> list[int]:
    known = {ref >> 2 for ref in function.input_refs}.union(first)
    return [index for index in function.live if index not in known]


def schedule(function: Function) -> list[int]:
    """The nodes in the order described above, without the inputs."""
    return _schedule(function, early(function))


def _schedule(function: Function, first: list[int]) -> list[int]:
    nodes = function.graph.nodes
    order = list(first)
    done = bytearray(len(nodes))
    for index in order:
        done[index] = 1
    for ref in function.input_refs:
        done[ref >> 2] = 1
    rank = [*_ranks(function, done), -1]  # the last one is that of constants
    rank_of, uses, ops = rank.__getitem__, function.uses(), function.graph.ops(range(len(nodes)))
    # the stack has nodes to visit and, as ~index, nodes to append to the order
    left = [ref >> 2 for ref in reversed(function.output_refs) if not ref & 2]
    while left:
        index = left.pop()
        if index < 0:
            order.append(~index)
            done[~index] = 1
        elif not done[index]:
            left.append(~index)
            node = nodes[index]
            op = node[0]
            if op == MUL:
                # as below, without a list
                _, x, y = node
                x, y = (-1 if x & 2 else x >> 2), (-1 if y & 2 else y >> 2)
                if rank[x] > rank[y]:
                    x, y = y, x
                if x >= 0 and not done[x]:
                    left.append(x)
                if y >= 0 and not done[y]:
                    left.append(y)
                continue
            operands = [r >> 2 for r in node[FIRST[op] :] if not r & 2 and not done[r >> 2]]
            if op == ADD or op == SUB:
                products = [at for at in operands if uses[at] == 1 and ops[at] == MUL]
                if products:
                    # a product that only this sum uses comes right before it
                    product = products[0]
                    if len(products) == 2 and rank[products[1]] < rank[product]:
                        product = products[1]
                    left.append(~product)
                    operands.remove(product)
                    operands += [ref >> 2 for ref in nodes[product][1:] if not ref & 2]
            if len(operands) > 1:
                operands.sort(key=rank_of)
            left += operands
    return order


def _ranks(function: Function, early: bytearray) -> list[int]:
    """For each node its rank, by the registers it needs, then its age; higher ranks are visited first.

    The registers that a value needs are counted as if nothing were shared.
    """
    nodes = function.graph.nodes
    size = len(nodes)
    rank = [0] * size
    for index in function.live:
        if early[index]:
            continue
        node = nodes[index]
        op = node[0]
        if op == ADD or op == SUB or op == MUL:
            # as below, without a loop; what is a constant needs none
            _, x, y = node
            most, other = 0 if x & 2 else rank[x >> 2] // size, 0 if y & 2 else rank[y >> 2] // size
            tied = most == other
            if other > most:
                most = other
            rank[index] = (most + tied) * size + size - 1 - index
            continue
        most = tied = 0
        for ref in node[FIRST[node[0]] :]:
            need = 0 if ref & 2 else rank[ref >> 2] // size
            if need > most:
                most, tied = need, 0
            elif need == most:
                tied = 1
        # one more where two operands need the same number; at least one, for the result
        rank[index] = (most + tied) * size + size - 1 - index
    return rank


def _peak(function: Function, order: list[int], free: Iterable[int]) -> int:
    """The largest number of values live at once in this order, the free ones not counted."""
    nodes = function.graph.nodes
    counted = bytearray(len(nodes))
    for index in order:
        counted[index] = nodes[index][0] > OUT
    for index in free:
        counted[index] = 0
    # backwards: a value is live from its last use back to its computation
    alive = bytearray(len(nodes))
    peak = count = 0
    for index in reversed(order):
        if counted[index]:
            if count + 1 - alive[index] > peak:
                peak = count + 1 - alive[index]
            count -= alive[index]
        node = nodes[index]
        for ref in node[FIRST[node[0]] :]:
            if not ref & 2 and counted[ref >> 2] and not alive[ref >> 2]:
                alive[ref >> 2] = 1
                count += 1
    return peak
