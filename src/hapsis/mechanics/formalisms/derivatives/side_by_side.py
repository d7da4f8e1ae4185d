"""The same formulas for several instances, side by side: one kernel mapped over them.

What is the same constant for all instances stays a constant, so that what it makes simpler stays simple.
Instances are padded to a whole number of registers with zeros.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.blocks import map as mapped
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import Expr, symbols
from hapsis.compiler.ir.graph.graph import Graph

SIDE = 8  # instances in one map: the lanes of the widest registers


def side_by_side(
    name: str, formulas: Callable[..., Any], instances: Sequence[tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    """What `formulas` gives for the arguments of each instance: nested tuples of scalars, all alike."""
    rows = [list(_scalars(arguments)) for arguments in instances]
    columns, graph = list(zip(*rows, strict=True)), Graph()
    own = [k for k, column in enumerate(columns) if not _one_constant(column)]
    x = dict(zip(own, symbols("x", len(own), graph=graph), strict=True))
    negative = {k for k in own if all(y.ref & 3 == 1 for y in columns[k])}
    signed = {k: -y if k in negative else y for k, y in x.items()}
    inside = [signed[k] if k in x else _constant(graph, column[0]) for k, column in enumerate(columns)]
    results = formulas(*_filled(instances[0], iter(inside)))
    outputs = [y for y in _scalars(results) if not y.ref & 2]
    if not outputs:  # constants alone
        return [formulas(*arguments) for arguments in instances]
    function = Function(name, {"x": _array(x.values())}, {"y": _array(outputs)})
    table = np.zeros((SIDE, len(own)), dtype=object)
    for lane, row in enumerate(rows):
        table[lane] = [-row[k] if k in negative else row[k] for k in own]
    values, outer = mapped(function, table), columns[0][0].graph

    def of(lane: int) -> Iterator[Any]:
        given = iter(values[lane])
        return (_constant(outer, y) if y.ref & 2 else next(given) for y in _scalars(results))

    return [_filled(results, of(lane)) for lane in range(len(instances))]


def _constant(graph: Graph, x: Expr) -> Expr:
    """The same constant in a graph."""
    return Expr(graph, graph.constant(x.graph.value(x.ref)))


def _array(values: Iterable[Any]) -> Any:
    values = list(values)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _one_constant(column: Sequence[Any]) -> bool:
    return all(x.ref == column[0].ref for x in column) and bool(column[0].ref & 2)


def _scalars(nested: Any) -> Iterator[Any]:
    if isinstance(nested, (tuple, list)):
        for part in nested:
            yield from _scalars(part)
    else:
        yield nested


def _filled(nested: Any, values: Iterator[Any]) -> Any:
    """The same nesting with other scalars."""
    if isinstance(nested, (tuple, list)):
        return tuple(_filled(part, values) for part in nested)
    return next(values)
