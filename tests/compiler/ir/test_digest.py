"""The digest: written by NumPy at once, bit for bit that of the plain loop over the nodes."""

import hashlib

import numpy as np
from strategies import EVERY, PLAIN, random_function

import hapsis as hs
from hapsis.compiler.ir.functions.digest import digest
from hapsis.compiler.ir.graph.ops import BLOCK, FIRST, LOOKUP, PARAMETER, SYMBOL


def plainly(function):
    """The same digest, node by node."""
    graph = function.graph
    place = {ref >> 2: slot for slot, ref in enumerate(function.input_refs)}
    number, stream, constants = {}, [], {}

    def moved(ref):
        if ref & 2:
            return constants.setdefault(ref >> 2, len(constants)) << 2 | 2 | (ref & 1)
        return number[ref >> 2] | (ref & 1)

    text = hashlib.sha256()
    for index in function.live:
        node = graph.nodes[index]
        op = node[0]
        number[index] = len(number) << 2
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


def test_random_functions():
    for seed in range(60):
        names = PLAIN * 3 + EVERY
        function = random_function(seed, 3 + 7 * seed, names, blocks=seed % 2 == 0, n_out=1 + seed % 9)
        assert digest(function) == plainly(function)


def test_functions_of_few_nodes():
    x, p = hs.symbols("x", 3), hs.parameter("p", 2.0)
    table = hs.lookup([1.0, 2.0, 4.0], x[0]) if hasattr(hs, "lookup") else x[0]
    outputs = [1.0, x, -x, x[0] * 2.0 + hs.sin(3.0 * x[1]) - 2.0, p * x, table, np.array([0.5, -0.5, 0.5])]
    for y in outputs:
        function = hs.Function("f", {"x": x}, {"y": y})
        assert digest(function) == plainly(function)


def test_functions_of_a_model():
    for verb in (hs.inverse_dynamics, hs.forward_dynamics):
        function = verb(hs.library.governor())
        assert digest(function) == plainly(function)
