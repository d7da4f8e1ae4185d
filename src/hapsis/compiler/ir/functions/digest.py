"""The digest of a Function: a hash of what it computes, independent of all names.

The nodes are hashed in order of evaluation, as a stream of integers:

    input, parameter        op, position among the inputs
    result of a block       op, which of them, length of the node, the block
    any other               op, length of the node, operands

An operand is a node's number in order of evaluation, or a constant's in order of first appearance. All
nodes are written at once, by NumPy: a Function read from the cache costs hardly more than its digest.
"""

import hashlib
import marshal
from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis.compiler.ir.graph.ops import BLOCK, FIRST, LOOKUP, PARAMETER, SYMBOL

if TYPE_CHECKING:
    from hapsis.compiler.ir.functions.function import Function

Ints = Any
_FIRST = np.array([FIRST[op] for op in range(len(FIRST))], np.int64)


def digest(function: "Function") -> bytes:
    """SHA-256 of the nodes in order of evaluation; leaves are numbered by their position in the inputs."""
    graph = function.graph
    live = np.array(function.live, np.int64)
    text = hashlib.sha256()
    flat, begin, lengths = _flat(list(map(graph.nodes.__getitem__, function.live)))
    ops = flat[begin]
    for k in np.flatnonzero((ops == BLOCK) | (ops == LOOKUP)).tolist():
        part = int(flat[begin[k] + 1])
        text.update((graph.blocks[part] if ops[k] == BLOCK else graph.tables[part]).digest)
    first = _FIRST[ops]
    leaf = (ops == SYMBOL) | (ops == PARAMETER)
    own = (first == 2) & ~leaf & (ops != BLOCK) & (ops != LOOKUP)  # with a number of its own
    counts, heads = np.where(leaf, 0, lengths - first), 2 + own
    starts = np.cumsum(heads + counts) - heads - counts
    stream = np.zeros(int((heads + counts).sum()), np.int64)
    stream[starts] = ops
    stream[starts + heads - 1] = lengths
    stream[starts[own] + 1] = flat[begin[own] + 1]
    slots = {ref >> 2: slot for slot, ref in enumerate(function.input_refs)}
    stream[starts[leaf] + 1] = [slots[index] for index in live[leaf].tolist()]
    ramp = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    refs = flat[np.repeat(begin + lengths - counts, counts) + ramp]
    moved, constants = _moved(np.concatenate([refs, np.array(function.output_refs, np.int64)]), live)
    stream[np.repeat(starts + heads, counts) + ramp] = moved[: len(refs)]
    text.update(stream.tobytes())
    text.update(np.array(_signature(function, moved[len(refs) :].tolist()), np.int64).tobytes())
    text.update(np.array([graph.constants[i] for i in constants], np.float64).tobytes())
    return text.digest()


def _flat(nodes: list[tuple[int, ...]]) -> tuple[Ints, Ints, Ints]:
    """All integers of all nodes, the place of each node's first, and their numbers.

    `marshal` writes tuples and integers fastest: a byte for the kind and 32 bits each, in version 2.
    """
    words = np.frombuffer(marshal.dumps(nodes, 2), np.dtype([("kind", "S1"), ("value", "<i4")]))[1:]
    flat = words["value"].astype(np.int64)
    tuples = np.flatnonzero(words["kind"] == b"(")
    return flat, tuples + 1, flat[tuples]


def _moved(refs: Ints, live: Ints) -> tuple[Ints, list[int]]:
    """References by order of evaluation and of first appearance, and the constants in that order."""
    number = np.zeros(int(live[-1]) + 1 if len(live) else 1, np.int64)
    number[live] = np.arange(len(live)) << 2
    constant = (refs & 2) > 0
    used = refs[constant] >> 2
    first = np.full(int(used.max(initial=-1)) + 1, -1, np.int64)
    first[used[::-1]] = np.arange(len(used))[::-1]  # of equal indices the last is assigned
    order = np.argsort(first, kind="stable")[int((first < 0).sum()) :]
    rank = np.zeros(len(first), np.int64)
    rank[order] = np.arange(len(order))
    moved = refs & 1
    moved[constant] |= rank[used] << 2 | 2
    moved[~constant] |= number[refs[~constant] >> 2]
    return moved, order.tolist()


def _signature(function: "Function", refs: list[int]) -> list[int]:
    """Shapes of the outputs with their references, shapes of the inputs, number of parameters."""
    stream: list[int] = []
    at = 0
    for port in function.outputs:
        stream += (-1, len(port.shape), *port.shape, *refs[at : at + len(port.refs)])
        at += len(port.refs)
    for port in function.inputs:
        stream += (-2, *port.shape)
    stream.append(len(function.parameters))
    return stream
