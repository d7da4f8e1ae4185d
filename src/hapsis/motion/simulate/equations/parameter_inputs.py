"""A Function with some of its parameters as an input, theta.

A parameter that is an input can be differentiated by, and changed without compiling again.
"""

from collections.abc import Sequence

from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph.transplant import transplant


def with_parameter_inputs(function: Function, names: Sequence[str]) -> Function:
    """The Function with the parameters of these names as one more input, theta."""
    if not names:
        return function
    graph = function.graph
    inputs = {name: graph.symbol(f"theta[{k}]") for k, name in enumerate(names)}
    nodes = zip(function.parameters, function.parameter_nodes, strict=True)
    known = {index: inputs[name] for name, index in nodes if name in inputs}
    refs = iter(transplant(graph, function.output_refs, graph, known))
    outputs = [p._replace(refs=tuple(next(refs) for _ in p.refs)) for p in function.outputs]
    port = Port("theta", (len(names),), tuple(inputs.values()))
    return Function.of(function.name, graph, [*function.inputs, port], outputs)
