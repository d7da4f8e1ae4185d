"""A Function as plain lists of numbers and texts, for JSON, and back: every node stays as it is.

    {"name": ..., "inputs": [[name, shape, references, default]], "outputs": ..., "parameters": [node],
     "nodes": [[op, references...]], "constants": [...], "symbols": [[name, kind]],
     "stored": [[name, kind]], "blocks": [...], "tables": [...]}

Values of parameters are no part of it. What is read is checked for its form, so that a text of
another form is an error and not a wrong graph.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.blocks import Block, Call, Map, Repeat
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.functions.tables import Table
from hapsis.compiler.ir.graph.graph import Symbol, restored
from hapsis.compiler.ir.graph.ops import BLOCK, FIRST, LOOKUP, NAMES, PARAMETER, SYMBOL


def lists_of(function: Function) -> dict[str, Any]:
    """The Function as lists; its graph should hold little besides its own nodes."""
    graph = function.graph
    return {
        "name": function.name,
        "inputs": [[p.name, [*p.shape], [*p.refs], p.default and [*p.default]] for p in function.inputs],
        "outputs": [[p.name, [*p.shape], [*p.refs], None] for p in function.outputs],
        "parameters": list(function.parameter_nodes),
        "nodes": [list(node) for node in graph.nodes],
        "constants": list(graph.constants),
        "symbols": [[symbol.name, symbol.kind] for symbol in graph.symbols],
        "stored": [[symbol.name, symbol.kind] for symbol in graph.parameters],
        "blocks": [_block_lists(block) for block in graph.blocks],
        "tables": [[list(table.values.shape), table.values.ravel().tolist()] for table in graph.tables],
    }


def _block_lists(block: Block) -> list[Any]:
    body = lists_of(block.body)
    if isinstance(block, Call):
        return ["call", body]
    if isinstance(block, Repeat):
        return ["repeat", body, block.times, block.n_out]
    mask = None if block.mask is None else block.mask.tolist()
    return ["map", body, block.gather.tolist(), block.scatter.tolist(), block.n_in, block.n_out, mask]


def function_of(lists: Mapping[str, Any], values: Mapping[str, float]) -> Function:
    """The Function of these lists, with these values of its parameters; ValueError for wrong lists."""
    nodes = [tuple(node) for node in lists["nodes"]]
    _check(lists, nodes)
    symbols = [Symbol(name, kind) for name, kind in lists["symbols"]]
    stored = [Symbol(name, kind, values.get(name, 0.0)) for name, kind in lists["stored"]]
    blocks = [_block_of(block) for block in lists["blocks"]]
    tables = [Table(np.array(entries, dtype=float).reshape(shape)) for shape, entries in lists["tables"]]
    graph = restored(lists["constants"], nodes, (symbols, stored, blocks, tables), {})
    inputs, outputs = _ports(lists["inputs"]), _ports(lists["outputs"])
    return Function.of(lists["name"], graph, inputs, outputs, lists["parameters"])


def _ports(lists: list[Any]) -> list[Port]:
    return [
        Port(name, tuple(shape), tuple(refs), default and tuple(default))
        for name, shape, refs, default in lists
    ]


def _check(lists: Mapping[str, Any], nodes: list[tuple[int, ...]]) -> None:
    """Raises ValueError where a node refers to something that is not there."""
    sizes = {SYMBOL: len(lists["symbols"]), PARAMETER: len(lists["stored"])}
    sizes |= {BLOCK: len(lists["blocks"]), LOOKUP: len(lists["tables"])}
    constants = len(lists["constants"])
    for index, node in enumerate(nodes):
        op = node[0]
        if not 0 <= op < len(NAMES) or (op in sizes and not 0 <= node[1] < sizes[op]):
            raise ValueError("a node has no such operation or leaf")
        for ref in () if op in (SYMBOL, PARAMETER) else node[FIRST[op] :]:
            if not 0 <= ref >> 2 < (constants if ref & 2 else index):
                raise ValueError("a node refers to what is not there")


def _block_of(lists: list[Any]) -> Block:
    kind, body = lists[0], function_of(lists[1], {})
    if kind == "call":
        return Call(body)
    if kind == "repeat":
        return Repeat(body, lists[2], lists[3])
    gather, scatter, n_in, n_out, mask = lists[2:]
    mask = None if mask is None else np.array(mask, dtype=np.int64)
    return Map(body, np.array(gather), np.array(scatter), n_in, n_out, mask)
