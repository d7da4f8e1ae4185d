"""Functions with inputs or parameters replaced: written again into the same graph."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hapsis.compiler.ir.functions.call_arguments import flat
from hapsis.compiler.ir.functions.ports import Port
from hapsis.compiler.ir.graph.expr import reference
from hapsis.compiler.ir.graph.transplant import transplant

CONSTANT = 2  # the bit of a reference that refers to a constant

if TYPE_CHECKING:
    from hapsis.compiler.ir.functions.blocks import Block
    from hapsis.compiler.ir.functions.function import Function
    from hapsis.compiler.ir.graph.graph import Graph


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
    """The Function with its parameters folded in as constants, in the Functions that it calls too."""
    fixed = _with_parameters(function, list(function.parameters.values()), {})
    fixed.model, fixed.options, fixed.notes = function.model, function.options, function.notes
    return fixed


# bodies with their parameters folded in, by the digest of the body and the values
Bodies = dict[tuple[bytes, tuple[float, ...]], "Function"]


def _with_parameters(function: "Function", values: Sequence[float], bodies: Bodies) -> "Function":
    """The Function with constants in the place of its parameters."""
    graph = function.graph
    known = {i: graph.constant(x) for i, x in zip(function.parameter_nodes, values, strict=True)}

    def inner(block: "Block", operands: list[int]) -> tuple["Block", list[int]]:
        parameters = block.parameters(operands)
        if not parameters or not all(ref & CONSTANT for ref in parameters):
            return block, operands
        numbers = tuple(_number(graph, ref) for ref in parameters)
        key = block.body.digest, numbers
        if key not in bodies:
            bodies[key] = _with_parameters(block.body, numbers, bodies)
        return block.opened(bodies[key], operands, [])

    return function.of(function.name, graph, function.inputs, _outputs(function, known, inner))


def _number(graph: "Graph", ref: int) -> float:
    """The value of a reference to a constant."""
    value = graph.constants[ref >> 2]
    return -value if ref & 1 else value


def _outputs(function: "Function", known: dict[int, int], block: Any = None) -> list[Port]:
    """The outputs of a Function where these nodes are replaced, and blocks by those that `block` returns."""
    graph = function.graph
    refs = iter(transplant(graph, function.output_refs, graph, known, block=block))
    return [port._replace(refs=tuple(next(refs) for _ in port.refs)) for port in function.outputs]
