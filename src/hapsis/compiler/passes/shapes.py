"""Shapes of nodes: the same operations down to the inputs, whatever these are.

Parameters and constants are not distinguished from each other either.

Sums and differences are not distinguished, since mirror images differ by signs, nor are the two orders of the
operands of sums and products.
"""

from collections import Counter, defaultdict
from typing import NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.ops import ADD, BLOCK, FIRST, OUT, SUB
from hapsis.compiler.passes.packs import SWAPPED, Row

FEWEST = 8  # parameters of twins


class Shapes(NamedTuple):
    """By nodes: a number for the shape, the inputs that it reads as bits, operations one after the other."""

    shape: list[int]
    reads: list[int]
    depth: list[int]


def shapes(function: Function) -> Shapes:
    """The shapes of all nodes of a Function."""
    nodes = function.graph.nodes
    numbers: dict[Row, int] = {}
    shape, reads, depth = ([0] * len(nodes) for _ in range(3))
    for k, ref in enumerate(ref for port in function.inputs for ref in port.refs):
        reads[ref >> 2] = 1 << k
    for index in function.live:
        node = nodes[index]
        op = node[0]
        if op < BLOCK:
            continue
        kids, deepest, all_read = [], 0, 0
        for ref in node[FIRST[op] :]:
            if ref & 2:
                kids.append(-1)
                continue
            kid = ref >> 2
            kids.append(shape[kid])
            all_read |= reads[kid]
            if depth[kid] > deepest:
                deepest = depth[kid]
        depth[index], reads[index] = deepest + 1, all_read
        if op <= OUT:
            shape[index] = -index - 2  # like no other
            continue
        if op in SWAPPED:
            kids.sort()
        key = (ADD if op == SUB else op, *node[1 : FIRST[op]], *kids)
        shape[index] = numbers.setdefault(key, len(numbers) + 1)
    return Shapes(shape, reads, depth)


def parameters_by_role(kernel: Function) -> list[int]:
    """The places of a kernel's parameters in an order in which those of twins are neighbours.

    Parameters have one role where nodes of the same shapes read them. Those of one role stand together, one
    of each instance in the order of the inputs, so that a vector instruction reads them at once. Few are
    left where they are.
    """
    found = shapes(kernel)
    nodes = kernel.graph.nodes
    readers: dict[int, list[int]] = {index: [] for index in kernel.parameter_nodes}
    for index in kernel.live:
        if nodes[index][0] > OUT:
            for ref in nodes[index][FIRST[nodes[index][0]] :]:
                if not ref & 2 and ref >> 2 in readers:
                    readers[ref >> 2].append(index)
    first: dict[Row, int] = {}
    seen: dict[tuple[Row, Row], int] = defaultdict(int)
    keys: list[tuple[int, int, Row]] = []
    for place, index in enumerate(kernel.parameter_nodes):
        role = tuple(sorted(found.shape[x] for x in readers[index]))
        instance = tuple(sorted({found.reads[x] for x in readers[index]}))
        keys.append((first.setdefault(role, place), seen[role, instance], instance))
        seen[role, instance] += 1
    instances = Counter(key[0] for key in set(keys))
    if sum(count for count in instances.values() if count > 1) < FEWEST:
        return list(range(len(keys)))
    return sorted(range(len(keys)), key=keys.__getitem__)
