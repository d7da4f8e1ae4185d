"""Function: named inputs to named outputs, straight-line between them. The noun of the compiler.

    x = hs.symbols("x", 3)
    f = hs.Function("length", {"x": x}, {"r": hs.sqrt(x @ x)})

It holds a graph and references into it, nothing else; passes make new Functions of it, backends
make callables. Its parameters are whatever parameters its outputs need; they travel as one
trailing input `p` with stored values. An input with a default may be left out of a call.
"""

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.digest import digest
from hapsis.compiler.ir.functions.function_checks import check, named, with_defaults
from hapsis.compiler.ir.functions.ports import Port as Port
from hapsis.compiler.ir.functions.ports import size as size
from hapsis.compiler.ir.graph.cost import Cost, split_cost
from hapsis.compiler.ir.graph.expr import Expr, boxed, current_graph, reference
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.ops import FIRST, PARAMETER
from hapsis.compiler.ir.graph.transplant import transplant
from hapsis.errors import CompileError


class Function:
    """What is computed: ordered, named inputs to ordered, named outputs. Immutable.

    Calling it with expressions (or numbers) writes its formulas into their graph; `hs.call` keeps
    it as one unit instead. Numbers come from `hs.compile(f)`.
    """

    def __init__(
        self,
        name: str,
        inputs: Mapping[str, Any],
        outputs: Mapping[str, Any],
        defaults: Mapping[str, Any] | None = None,
    ) -> None:
        for ports in (inputs, outputs):
            if not isinstance(ports, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise CompileError(
                    "inputs and outputs have names, as in hs.Function('f', {'x': x}, {'y': y}); "
                    f"got a {type(ports).__name__}"
                )
        graph = _common_graph([*inputs.values(), *outputs.values()])
        ports = tuple(_port(graph, label, value) for label, value in inputs.items())
        self._set(
            str(name),
            graph,
            with_defaults(ports, defaults, str(name)) if defaults is not None else ports,
            tuple(_port(graph, label, value) for label, value in outputs.items()),
        )

    @classmethod
    def of(
        cls,
        name: str,
        graph: Graph,
        inputs: Iterable[Port],
        outputs: Iterable[Port],
        parameters: Iterable[int] | None = None,
    ) -> "Function":
        """A Function from ready references; what the passes use.

        `parameters` are the nodes of its parameters, if it shall keep some no output needs.
        """
        new = cls.__new__(cls)
        new._set(name, graph, tuple(inputs), tuple(outputs), parameters)
        return new

    def _set(
        self,
        name: str,
        graph: Graph,
        inputs: tuple[Port, ...],
        outputs: tuple[Port, ...],
        parameters: Iterable[int] | None = None,
    ) -> None:
        self.name, self.graph, self.inputs, self.outputs = name, graph, inputs, outputs
        self.live = graph.live(self.output_refs)
        if parameters is None:
            used = (index for index in self.live if graph.nodes[index][0] == PARAMETER)
            parameters = sorted(used, key=lambda index: graph.nodes[index][1])
        self.parameter_nodes = list(parameters)
        check(self)

    @property
    def output_refs(self) -> list[int]:
        """All scalars of all outputs."""
        return [ref for port in self.outputs for ref in port.refs]

    @property
    def input_refs(self) -> list[int]:
        """All scalars of all inputs, parameters last: the flat input of the backends."""
        refs = [ref for port in self.inputs for ref in port.refs]
        return refs + [index << 2 for index in self.parameter_nodes]

    @property
    def parameters(self) -> dict[str, float]:
        """Names and stored values of the parameters, in the order of the trailing input `p`."""
        table = [self.graph.parameters[self.graph.nodes[i][1]] for i in self.parameter_nodes]
        return {name: value or 0.0 for name, _, value in table}

    @property
    def defaults(self) -> dict[str, Any]:
        """The inputs a call may leave out, and what then stands in for them."""
        return {port.name: port.stand_in for port in self.inputs if port.default is not None}

    @property
    def n_in(self) -> int:
        """Scalars in, parameters included."""
        return len(self.input_refs)

    @property
    def n_out(self) -> int:
        """Scalars out."""
        return sum(len(port.refs) for port in self.outputs)

    @cached_property
    def digest(self) -> bytes:
        """SHA-256 of what is computed; names and parameter values have no part in it."""
        return digest(self)

    def uses(self) -> list[int]:
        """How often each node of the graph is read by this Function, as an output included."""
        nodes = self.graph.nodes
        uses = [0] * len(nodes)
        for index in self.live:
            node = nodes[index]
            for ref in node[FIRST[node[0]] :]:
                if not ref & 2:
                    uses[ref >> 2] += 1
        for ref in self.output_refs:
            if not ref & 2:
                uses[ref >> 2] += 1
        return uses

    def cost(self, preparation: bool = False) -> Cost:
        """Operations of one call: an FMA is 1 mul + 1 add, negation is free.

        What depends on no input is done once per parameter set and not counted; with
        `preparation` just that is counted.
        """
        return split_cost(self.graph, self.live)[preparation]

    def __call__(self, *args: Any, **named: Any) -> Any:
        """The outputs for these expressions or numbers, written into their graph."""
        values = bound(self, args, named)
        graph = _common_graph([v for vs in values for v in vs], current_graph)
        known = {
            ref >> 2: reference(graph, value)
            for port, flat in zip(self.inputs, values, strict=True)
            for ref, value in zip(port.refs, flat, strict=True)
        }
        return self.shaped([Expr(graph, r) for r in transplant(self.graph, self.output_refs, graph, known)])

    def shaped(self, flat: Any) -> Any:
        """Flat scalars as the outputs' shapes: one output alone, several as a named tuple."""
        arrays: list[Any] = []
        start = 0
        for port in self.outputs:
            part = flat[start : start + len(port.refs)]
            start += len(port.refs)
            array = np.empty(len(part), dtype=object)
            array[:] = part
            arrays.append(array.reshape(port.shape) if port.shape else part[0])
        return arrays[0] if len(arrays) == 1 else self.result(*arrays)

    @cached_property
    def result(self) -> Any:
        """The named tuple several outputs come back in."""
        names = [port.name for port in self.outputs]
        return namedtuple("Result", names, rename=True)  # pyright: ignore[reportUntypedNamedTuple]

    def outputs_by_name(self, values: Any) -> dict[str, Any]:
        """The outputs by name, from what a call of this Function, or of its kernel, returned."""
        names = [port.name for port in self.outputs]
        return {names[0]: values} if len(names) == 1 else dict(zip(names, values, strict=True))

    def input_symbols(self) -> dict[str, Any]:
        """The Function's own inputs as expressions, by name and in their shapes."""
        symbols: dict[str, Any] = {}
        for port in self.inputs:
            flat = np.empty(len(port.refs), dtype=object)
            flat[:] = [Expr(self.graph, ref) for ref in port.refs]
            symbols[port.name] = flat.reshape(port.shape) if port.shape else flat[0]
        return symbols

    def substitute(self, **values: Any) -> "Function":
        """The Function with some inputs replaced by numbers or expressions of the others."""
        for name in values:
            self.input(name)
        graph = self.graph
        known: dict[int, int] = {}
        for port in self.inputs:
            if port.name in values:
                flat = _flat(port, values[port.name])
                known |= {r >> 2: reference(graph, x) for r, x in zip(port.refs, flat, strict=True)}
        refs = iter(transplant(graph, self.output_refs, graph, known))
        return Function.of(
            self.name,
            graph,
            [port for port in self.inputs if port.name not in values],
            [port._replace(refs=tuple(next(refs) for _ in port.refs)) for port in self.outputs],
        )

    def baked(self) -> "Function":
        """The Function with its parameters folded in as constants."""
        nodes, table = self.graph.nodes, self.graph.parameters
        known = {
            index: self.graph.constant(table[nodes[index][1]].value or 0.0) for index in self.parameter_nodes
        }
        refs = iter(transplant(self.graph, self.output_refs, self.graph, known))
        outputs = [p._replace(refs=tuple(next(refs) for _ in p.refs)) for p in self.outputs]
        return Function.of(self.name, self.graph, self.inputs, outputs)

    def input(self, name: str) -> Port:
        """The input of that name."""
        return named(name, self.inputs, "input", self.name)

    def output(self, name: str) -> Port:
        """The output of that name."""
        return named(name, self.outputs, "output", self.name)

    def jacobian(self, output: str, input: str) -> "Function":
        """d output / d input, of shape output + input, with the same inputs.

        Instead of an input one may name a parameter, or "p" for all of them.
        """
        from hapsis.compiler.ir.derivatives.jacobian import jacobian

        return jacobian(self, output, input)

    def sparse_jacobian(self, output: str, input: str) -> Any:
        """The Jacobian's structural non-zeros: `.function` returns them, `.rows` and `.columns`
        say where they stand."""
        from hapsis.compiler.ir.derivatives.jacobian import sparse_jacobian

        return sparse_jacobian(self, output, input)

    def jvp(self, *inputs: str) -> "Function":
        """Forward derivative: inputs `d_x` added, outputs are the outputs' rates `d_y`."""
        from hapsis.compiler.ir.derivatives.jacobian import jvp

        return jvp(self, inputs)

    def vjp(self, *inputs: str) -> "Function":
        """Reverse derivative: inputs `w_y` added, outputs are `w_x` = sum of w_y dy/dx."""
        from hapsis.compiler.ir.derivatives.jacobian import vjp

        return vjp(self, inputs)

    def __repr__(self) -> str:
        from hapsis.compiler.ir.text.printing import signature

        return signature(self)

    def __str__(self) -> str:
        from hapsis.compiler.ir.text.printing import listing

        return listing(self)


def bound(function: Function, args: tuple[Any, ...], named: Mapping[str, Any]) -> list[list[Any]]:
    """For each input its scalars, from positional and named arguments; or what is wrong."""
    values = arguments(function, args, named)
    return [_flat(port, value) for port, value in zip(function.inputs, values, strict=True)]


def arguments(function: Function, args: tuple[Any, ...], named: Mapping[str, Any]) -> list[Any]:
    """The value of each input, from positional and named arguments; or what is wrong."""
    ports = function.inputs

    def refused(why: str) -> CompileError:
        known = ", ".join(port.label for port in ports) or "no inputs"
        return CompileError(f"{function.name!r:.60} takes {known}: {why}")

    if len(args) > len(ports):
        raise refused(f"got {len(args)} positional arguments")
    given: dict[str, Any] = {p.name: a for p, a in zip(ports, args, strict=False)}
    for name, value in named.items():
        function.input(name)
        if name in given:
            raise refused(f'"{name[:60]}" is given twice')
        given[name] = value
    for port in ports:
        if port.name not in given:
            if port.default is None:
                raise refused(f"{port.label} is missing")
            given[port.name] = port.stand_in
    return [given[port.name] for port in ports]


def _flat(port: Port, value: Any) -> list[Any]:
    array = boxed(value)
    if array.shape != port.shape:
        raise CompileError(f"{port.label} has shape {array.shape}, expected {port.shape}")
    return list(array.ravel())


def _port(graph: Graph, name: str, value: Any) -> Port:
    array = boxed(value)
    return Port(str(name), array.shape, tuple(reference(graph, x) for x in array.ravel()))


def _common_graph(values: list[Any], otherwise: Callable[[], Graph] = Graph) -> Graph:
    for value in values:
        for x in boxed(value).ravel():
            if isinstance(x, Expr):
                return x.graph
    return otherwise()
