"""Function: named inputs to named outputs by a straight-line program; the compiler's central class.

    x = hs.symbols("x", 3)
    f = hs.Function("length", {"x": x}, {"r": hs.sqrt(x @ x)})

It consists of a graph and references into it; passes return new Functions, backends return callables.
A Function whose signature is known may leave its graph unwritten until somebody reads it.
Its parameters are those that its outputs depend on; they form one trailing input `p` with stored
values. An input with a default may be left out of a call.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

from hapsis.compiler.ir.functions.call_arguments import bound, named_result
from hapsis.compiler.ir.functions.digest import digest
from hapsis.compiler.ir.functions.function_checks import check, named, with_defaults
from hapsis.compiler.ir.functions.late_graph import LateGraph
from hapsis.compiler.ir.functions.port_expressions import common_graph, port_of, shaped, symbols
from hapsis.compiler.ir.functions.ports import Port as Port
from hapsis.compiler.ir.functions.ports import size as size
from hapsis.compiler.ir.functions.substitution import baked, substituted
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.cost import Cost, cost_of, split_cost, uses_of
from hapsis.compiler.ir.graph.expr import Expr, current_graph, reference
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.ops import PARAMETER
from hapsis.compiler.ir.graph.transplant import transplant
from hapsis.errors import CompileError


@verb
class Function(LateGraph):
    """A computation from ordered, named inputs to ordered, named outputs. Immutable.

        name       in listings
        inputs     {name: symbol, or array of symbols}
        outputs    {name: expression, or array of expressions}
        defaults   {name: value} of inputs that a call may leave out

    Calling it with expressions (or numbers) writes its formulas into their graph; `hs.call` writes one
    call instead. `hs.compile(f)` returns a callable that computes numbers.
    """

    name: str
    graph: Graph
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    live: list[int]  # the nodes that the outputs need, in order of evaluation
    parameter_nodes: list[int]
    model: Any  # whose parameters it has, if somebody says so: for checks of values
    options: Mapping[str, Any] | None  # with which a verb made it of the model, if somebody says so
    notes: tuple[str, ...] = ()  # what a reader of `explain` should know of how it was made
    # called by hs.compile with the two parts of the Function, see `passes.hoist`; None: nobody asks
    on_split: Callable[["Function | None", "Function"], None] | None = None
    kept_as: str | None = None  # the name of what is kept of it on disk
    _uses: list[int] | None = None  # the last answer of `uses`, as long as the graph has not grown

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
        graph = common_graph([*inputs.values(), *outputs.values()])
        ports = tuple(port_of(graph, label, value) for label, value in inputs.items())
        self._set(
            str(name),
            graph,
            with_defaults(ports, defaults, str(name)) if defaults is not None else ports,
            tuple(port_of(graph, label, value) for label, value in outputs.items()),
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
        """A Function from existing references, for use in passes.

        `parameters` are the nodes of its parameters, if it keeps some that no output needs.
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
        self.model = self.options = None
        self.live = graph.live(self.output_refs)
        if parameters is None:
            used = (i for i, op in zip(self.live, graph.ops(self.live), strict=True) if op == PARAMETER)
            parameters = sorted(used, key=lambda index: graph.nodes[index][1])
        self.parameter_nodes = list(parameters)
        check(self)

    def __getstate__(self) -> dict[str, Any]:
        """The attributes that are pickled: all but what follows from them."""
        names = ("name", "graph", "inputs", "outputs", "live", "parameter_nodes", "model", "options", "notes")
        return {name: getattr(self, name) for name in ("graph", *names)}

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
        return dict(self._parameters)

    @cached_property
    def _parameters(self) -> dict[str, float]:
        table = [self.graph.parameters[self.graph.nodes[i][1]] for i in self.parameter_nodes]
        return {name: value or 0.0 for name, _, value in table}

    @property
    def defaults(self) -> dict[str, Any]:
        """{input that a call may leave out: its default}."""
        return {port.name: port.stand_in for port in self.inputs if port.default is not None}

    @property
    def n_in(self) -> int:
        """Scalars in, parameters included."""
        return sum(len(port.refs) for port in self.inputs) + len(self._parameters)

    @property
    def n_out(self) -> int:
        """Scalars out."""
        return sum(len(port.refs) for port in self.outputs)

    @cached_property
    def digest(self) -> bytes:
        """SHA-256 of the computation; it does not depend on names and parameter values."""
        return digest(self)

    @cached_property
    def price(self) -> float:
        """The operations of all its nodes, weighed by their time."""
        return cost_of(self.graph, self.live).price

    def uses(self) -> list[int]:
        """How often each node of the graph is read by this Function, as an output included; not to be
        changed, because the next one who asks gets the same list."""
        if self._uses is None or len(self._uses) != len(self.graph.nodes):
            self._uses = uses_of(self.graph, self.live, self.output_refs)
        return self._uses

    @verb
    def cost(self, preparation: bool = False) -> Cost:
        """Operations of one call: an FMA is 1 mul + 1 add, negation is free.

        Operations that depend on no input are done once per set of parameters and are not counted;
        with `preparation` only those are counted.
        """
        return split_cost(self.graph, self.live)[preparation]

    def __call__(self, *args: Any, **named: Any) -> Any:
        """The outputs for these expressions or numbers, written into their graph."""
        values = bound(self, args, named)
        graph = common_graph([v for vs in values for v in vs], current_graph)
        known = {
            ref >> 2: reference(graph, value)
            for port, flat in zip(self.inputs, values, strict=True)
            for ref, value in zip(port.refs, flat, strict=True)
        }
        return self.shaped([Expr(graph, r) for r in transplant(self.graph, self.output_refs, graph, known)])

    def shaped(self, flat: Any) -> Any:
        """Flat scalars in the outputs' shapes: a single output itself, several as a named tuple."""
        arrays = shaped(self.outputs, flat)
        return arrays[0] if len(arrays) == 1 else self.result(*arrays)

    @cached_property
    def result(self) -> Any:
        """The named tuple type in which several outputs are returned."""
        return named_result(tuple(port.name for port in self.outputs))

    def outputs_by_name(self, values: Any) -> dict[str, Any]:
        """{output: value}, from the return value of a call of this Function or of its compiled form."""
        names = [port.name for port in self.outputs]
        return {names[0]: values} if len(names) == 1 else dict(zip(names, values, strict=True))

    def input_symbols(self) -> dict[str, Any]:
        """The Function's own inputs as expressions, by name and in their shapes."""
        return symbols(self.graph, self.inputs)

    def substitute(self, **values: Any) -> "Function":
        """The Function with some inputs replaced by numbers or expressions of the others."""
        return substituted(self, values)

    def baked(self) -> "Function":
        """The Function with its parameters folded in as constants."""
        return baked(self)

    @verb
    def input(self, name: str) -> Port:
        """The input of that name."""
        return named(name, self.inputs, "input", self.name)

    @verb
    def output(self, name: str) -> Port:
        """The output of that name."""
        return named(name, self.outputs, "output", self.name)

    @verb
    def jacobian(self, output: str, input: str) -> "Function":
        """d output / d input, of shape output + input, with the same inputs.

        Instead of an input, a parameter can be named, or "p" for all of them.
        """
        from hapsis.compiler.ir.derivatives.jacobian import jacobian

        return jacobian(self, output, input)

    @verb
    def sparse_jacobian(self, output: str, input: str) -> Any:
        """The Jacobian's structural non-zeros: `.function` returns their values, `.rows` and `.columns`
        are their positions."""
        from hapsis.compiler.ir.derivatives.jacobian import sparse_jacobian

        return sparse_jacobian(self, output, input)

    @verb
    def jvp(self, *inputs: str) -> "Function":
        """Forward derivative: inputs `d_x` added, outputs are the outputs' rates `d_y`."""
        from hapsis.compiler.ir.derivatives.jacobian import jvp

        return jvp(self, inputs)

    @verb
    def vjp(self, *inputs: str) -> "Function":
        """Reverse derivative: inputs `w_y` added, outputs are `w_x` = sum of w_y dy/dx."""
        from hapsis.compiler.ir.derivatives.jacobian import vjp

        return vjp(self, inputs)

    def __repr__(self) -> str:
        from hapsis.compiler.ir.text.printer import signature

        return signature(self)

    def __str__(self) -> str:
        from hapsis.compiler.ir.text.printer import listing

        return listing(self)
