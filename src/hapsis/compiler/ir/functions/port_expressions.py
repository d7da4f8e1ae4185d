"""Expressions in the shapes of ports: the ports of given expressions, and expressions of given ports."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.ports import Port
from hapsis.compiler.ir.graph.expr import Expr, boxed, reference
from hapsis.compiler.ir.graph.graph import Graph


def port_of(graph: Graph, name: str, value: Any) -> Port:
    """The port of an expression or an array of them."""
    array = boxed(value)
    return Port(str(name), array.shape, tuple(reference(graph, x) for x in array.ravel()))


def common_graph(values: list[Any], otherwise: Callable[[], Graph] = Graph) -> Graph:
    """The graph of the first expression among these values; `otherwise` gives one where there is none."""
    for value in values:
        for x in boxed(value).ravel():
            if isinstance(x, Expr):
                return x.graph
    return otherwise()


def shaped(ports: Sequence[Port], flat: Any) -> list[Any]:
    """Flat scalars in the shapes of ports, one array or scalar for each."""
    arrays: list[Any] = []
    start = 0
    for port in ports:
        part = flat[start : start + len(port.refs)]
        start += len(port.refs)
        array = np.empty(len(part), dtype=object)
        array[:] = part
        arrays.append(array.reshape(port.shape) if port.shape else part[0])
    return arrays


def symbols(graph: Graph, ports: Sequence[Port]) -> dict[str, Any]:
    """{name: expressions} of ports, in their shapes."""
    named: dict[str, Any] = {}
    for port in ports:
        flat = np.empty(len(port.refs), dtype=object)
        flat[:] = [Expr(graph, ref) for ref in port.refs]
        named[port.name] = flat.reshape(port.shape) if port.shape else flat[0]
    return named
