"""Functions with inputs or parameters replaced: written again into the same graph."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hapsis.compiler.ir.functions.call_arguments import flat
from hapsis.compiler.ir.functions.ports import Port
from hapsis.compiler.ir.graph.expr import reference
from hapsis.compiler.ir.graph.transplant import transplant

if TYPE_CHECKING:
    from hapsis.compiler.ir.functions.function import Function


def substituted(function: "Function", values: Mapping[str, Any]) -> "Function":
    """The Function with some inputs replaced by numbers or expressions of the others."""
    for name in values:
        function.input(name)
    graph = function.graph
    known: dict[int, int] = {}
    for port in function.inputs:
        if port.name in values:
            scalars = flat(port, values[port.name])
            known |= {r >> 2: reference(graph, x) for r, x in zip(port.refs, scalars, strict=True)}
    inputs = [port for port in function.inputs if port.name not in values]
    return function.of(function.name, graph, inputs, _outputs(function, known))


def baked(function: "Function") -> "Function":
    """The Function with its parameters folded in as constants."""
    graph, nodes = function.graph, function.graph.nodes
    stored = {index: graph.parameters[nodes[index][1]].value or 0.0 for index in function.parameter_nodes}
    known = {index: graph.constant(value) for index, value in stored.items()}
    return function.of(function.name, graph, function.inputs, _outputs(function, known))


def _outputs(function: "Function", known: dict[int, int]) -> list[Port]:
    """The outputs of a Function where these nodes are replaced."""
    graph = function.graph
    refs = iter(transplant(graph, function.output_refs, graph, known))
    return [port._replace(refs=tuple(next(refs) for _ in port.refs)) for port in function.outputs]
