"""Function: named inputs to named outputs, straight-line between them. The noun of the compiler.

    x = hs.symbols("x", 3)
    f = hs.Function("length", {"x": x}, {"r": hs.sqrt(x @ x)})

It holds a graph and references into it, nothing else; passes make new Functions of it, backends
make callables. Its parameters are whatever parameters its outputs need; they travel as one
trailing input `p` with stored values.
"""

import hashlib
import math
from collections import namedtuple
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.cost import Cost, cost_of
from hapsis.compiler.ir.expr import Expr, reference
from hapsis.compiler.ir.graph import Graph
from hapsis.compiler.ir.ops import BLOCK, FIRST, PARAMETER, SYMBOL
from hapsis.compiler.ir.transplant import transplant
from hapsis.errors import CompileError, near


class Port(NamedTuple):
    """One named input or output: its shape and, row by row, its references."""

    name: str
    shape: tuple[int, ...]
    refs: tuple[int, ...]

    @property
    def label(self) -> str:
        """The name as errors show it."""
        return f'"{self.name[:60]}"'


class Function:
    """What is computed: ordered, named inputs to ordered, named outputs. Immutable.

    Calling it with expressions (or numbers) writes its formulas into their graph; `hs.call` keeps
    it as one unit instead. Numbers come from `hs.compile(f)`.
    """

    def __init__(self, name: str, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> None:
        graph = _common_graph([*inputs.values(), *outputs.values()])
        self._set(
            name,
            graph,
            tuple(_port(graph, label, value) for label, value in inputs.items()),
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
        _check_names(inputs, outputs)
        self.live = graph.live(self.output_refs)
        if parameters is None:
            used = (index for index in self.live if graph.nodes[index][0] == PARAMETER)
            parameters = sorted(used, key=lambda index: graph.nodes[index][1])
        self.parameter_nodes = list(parameters)
        self._check_inputs()

    def _check_inputs(self) -> None:
        """Inputs are distinct symbols, and no output needs a symbol that is not among them."""
        declared: set[int] = set()
        nodes = self.graph.nodes
        for port in self.inputs:
            for ref in port.refs:
                if ref & 3 or nodes[ref >> 2][0] != SYMBOL:
                    raise CompileError(
                        f"input {port.label} of {self.name!r:.60} must be made of symbols: "
                        "use hs.symbol or hs.symbols"
                    )
                if ref >> 2 in declared:
                    raise CompileError(
                        f"input {port.label} of {self.name!r:.60} repeats a symbol of another "
                        "input: make a new one"
                    )
                declared.add(ref >> 2)
        named: dict[str, float | None] = {}
        for index in self.parameter_nodes:
            name, _, value = self.graph.parameters[nodes[index][1]]
            if name in named:
                raise CompileError(
                    f'{self.name!r:.60} has two parameters called "{name[:60]}", with values '
                    f"{named[name]} and {value}: give one of them another name"
                )
            named[name] = value
        for index in self.live:
            if nodes[index][0] == SYMBOL and index not in declared:
                missing = self.graph.symbols[nodes[index][1]].name
                raise CompileError(
                    f'an output of {self.name!r:.60} depends on "{missing[:60]}", which is not '
                    "among its inputs: add it to inputs, or substitute a value"
                )

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
        return _digest(self)

    def cost(self) -> Cost:
        """Operations of one evaluation: an FMA is 1 mul + 1 add, negation is free."""
        return cost_of(self.graph, self.live)

    def __call__(self, *args: Any, **named: Any) -> Any:
        """The outputs for these expressions or numbers, written into their graph."""
        values = bound(self, args, named)
        graph = _common_graph([v for vs in values for v in vs])
        known = {
            ref >> 2: reference(graph, value)
            for port, flat in zip(self.inputs, values, strict=True)
            for ref, value in zip(port.refs, flat, strict=True)
        }
        return self.shaped(
            [Expr(graph, r) for r in transplant(self.graph, self.output_refs, graph, known)]
        )

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
            index: self.graph.constant(table[nodes[index][1]].value or 0.0)
            for index in self.parameter_nodes
        }
        refs = iter(transplant(self.graph, self.output_refs, self.graph, known))
        outputs = [p._replace(refs=tuple(next(refs) for _ in p.refs)) for p in self.outputs]
        return Function.of(self.name, self.graph, self.inputs, outputs)

    def input(self, name: str) -> Port:
        """The input of that name."""
        return _named(name, self.inputs, "input", self.name)

    def output(self, name: str) -> Port:
        """The output of that name."""
        return _named(name, self.outputs, "output", self.name)

    def jacobian(self, output: str, input: str) -> "Function":
        """d output / d input, of shape output + input, with the same inputs."""
        from hapsis.compiler.ir.jacobian import jacobian

        return jacobian(self, output, input)

    def sparse_jacobian(self, output: str, input: str) -> Any:
        """The Jacobian's structural non-zeros: `.function` returns them, `.rows` and `.columns`
        say where they stand."""
        from hapsis.compiler.ir.jacobian import sparse_jacobian

        return sparse_jacobian(self, output, input)

    def jvp(self, *inputs: str) -> "Function":
        """Forward derivative: inputs `d_x` added, outputs are the outputs' rates `d_y`."""
        from hapsis.compiler.ir.jacobian import jvp

        return jvp(self, inputs)

    def vjp(self, *inputs: str) -> "Function":
        """Reverse derivative: inputs `w_y` added, outputs are `w_x` = sum of w_y dy/dx."""
        from hapsis.compiler.ir.jacobian import vjp

        return vjp(self, inputs)

    def __repr__(self) -> str:
        from hapsis.compiler.ir.printing import signature

        return signature(self)

    def __str__(self) -> str:
        from hapsis.compiler.ir.printing import listing

        return listing(self)


def bound(function: Function, args: tuple[Any, ...], named: Mapping[str, Any]) -> list[list[Any]]:
    """For each input its scalars, from positional and named arguments; or what is wrong."""
    ports = function.inputs
    labels = ", ".join(p.label for p in ports) or "no inputs"
    expected = f"{function.name!r:.60} takes {labels}"
    if len(args) > len(ports):
        raise CompileError(f"{expected}: got {len(args)} positional arguments")
    given: dict[str, Any] = {p.name: a for p, a in zip(ports, args, strict=False)}
    for name, value in named.items():
        function.input(name)
        if name in given:
            raise CompileError(f'{expected}: "{name[:60]}" is given twice')
        given[name] = value
    for port in ports:
        if port.name not in given:
            raise CompileError(f"{expected}: {port.label} is missing")
    return [_flat(port, given[port.name]) for port in ports]


def _flat(port: Port, value: Any) -> list[Any]:
    array = _boxed(value)
    if array.shape != port.shape:
        raise CompileError(f"{port.label} has shape {array.shape}, expected {port.shape}")
    return list(array.ravel())


def _boxed(value: Any) -> Any:
    if isinstance(value, Expr):
        box = np.empty((), dtype=object)
        box[()] = value
        return box
    return np.asarray(value, dtype=object)


def _port(graph: Graph, name: str, value: Any) -> Port:
    array = _boxed(value)
    return Port(str(name), array.shape, tuple(reference(graph, x) for x in array.ravel()))


def _common_graph(values: list[Any]) -> Graph:
    for value in values:
        for x in _boxed(value).ravel():
            if isinstance(x, Expr):
                return x.graph
    return Graph()


def _check_names(inputs: tuple[Port, ...], outputs: tuple[Port, ...]) -> None:
    for ports, what in ((inputs, "input"), (outputs, "output")):
        names = [port.name for port in ports]
        for port in ports:
            if names.count(port.name) > 1:
                raise CompileError(f"two {what}s are called {port.label}: names must differ")
            if what == "input" and port.name in ("p", "out"):
                raise CompileError(f"no input may be called {port.label}: calls use that name")
    if not outputs:
        raise CompileError("a Function needs at least one output")


def _named(name: str, ports: tuple[Port, ...], what: str, function: str) -> Port:
    for port in ports:
        if port.name == name:
            return port
    names = [port.name for port in ports]
    raise CompileError(
        f'{function!r:.60} has no {what} "{name[:60]}"{near(name, names)}: its {what}s are '
        + ", ".join(f'"{n[:60]}"' for n in names)
    )


def _digest(function: Function) -> bytes:
    """Nodes renumbered in order of evaluation; leaves by their place among the flat inputs."""
    graph = function.graph
    place = {ref >> 2: slot for slot, ref in enumerate(function.input_refs)}
    number: dict[int, int] = {}
    stream: list[int] = []
    constants: dict[int, int] = {}

    def moved(ref: int) -> int:
        if ref & 2:
            return constants.setdefault(ref >> 2, len(constants)) << 2 | 2 | (ref & 1)
        return number[ref >> 2] << 2 | (ref & 1)

    text = hashlib.sha256()
    for index in function.live:
        node = graph.nodes[index]
        op = node[0]
        number[index] = len(number)
        stream.append(op)
        if op in (SYMBOL, PARAMETER):
            stream.append(place[index])
            continue
        if op == BLOCK:
            text.update(graph.blocks[node[1]].digest)
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


def size(shape: tuple[int, ...]) -> int:
    """How many scalars a shape holds."""
    return math.prod(shape)
