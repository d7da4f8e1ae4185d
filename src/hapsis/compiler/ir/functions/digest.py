"""The digest of a Function: a hash of what it computes, independent of all names."""

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from hapsis.compiler.ir.graph.ops import ADD, BLOCK, FIRST, LOOKUP, MUL, PARAMETER, SUB, SYMBOL

if TYPE_CHECKING:
    from hapsis.compiler.ir.functions.function import Function


def digest(function: "Function") -> bytes:
    """SHA-256 of the nodes in order of evaluation; leaves are numbered by their position in the inputs."""
    graph = function.graph
    place = {ref >> 2: slot for slot, ref in enumerate(function.input_refs)}
    number: dict[int, int] = {}  # a node's reference in order of evaluation
    stream: list[int] = []
    constants: dict[int, int] = {}

    def moved(ref: int) -> int:
        if ref & 2:
            return constants.setdefault(ref >> 2, len(constants)) << 2 | 2 | (ref & 1)
        return number[ref >> 2] | (ref & 1)

    text = hashlib.sha256()
    for index in function.live:
        node = graph.nodes[index]
        op = node[0]
        number[index] = len(number) << 2
        if op == ADD or op == SUB or op == MUL:
            # the most frequent case: as below, without a loop
            _, x, y = node
            x = moved(x) if x & 2 else number[x >> 2]
            stream += (op, 3, x, moved(y) if y & 2 else number[y >> 2])
            continue
        stream.append(op)
        if op in (SYMBOL, PARAMETER):
            stream.append(place[index])
            continue
        if op == BLOCK:
            text.update(graph.blocks[node[1]].digest)
        elif op == LOOKUP:
            text.update(graph.tables[node[1]].digest)
        elif FIRST[op] == 2:
            stream.append(node[1])
        stream.append(len(node))
        stream.extend(moved(ref) for ref in node[FIRST[op] :])
    for port in function.outputs:
        stream += (-1, len(port.shape), *port.shape)
        stream.extend(moved(ref) for ref in port.refs)
    for port in function.inputs:
        stream.append(-2)
        stream.extend(port.shape)
    stream.append(len(function.parameters))
    text.update(np.array(stream, dtype=np.int64).tobytes())
    text.update(np.array([graph.constants[i] for i in constants], dtype=np.float64).tobytes())
    return text.digest()
