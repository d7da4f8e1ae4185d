"""Functions of a simulation with some of their parameters as an input, and what comes of that.

A parameter that is an input, theta, can be differentiated by and changed without compiling again.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from hapsis.compiler.ir import blocks, ops
from hapsis.compiler.ir.function import Function, Port
from hapsis.compiler.ir.graph import negated
from hapsis.compiler.ir.transplant import transplant
from hapsis.compiler.native import bound
from hapsis.errors import ModelError
from hapsis.motion.simulate.kernels import Kernels, port_symbols
from hapsis.motion.simulate.packing import Packed

Array = np.ndarray[Any, np.dtype[np.float64]]
LONG = 20_000  # price; derivatives that would cost more are mapped over their directions


def opened(function: Function, names: Sequence[str]) -> Function:
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


def switches(function: Function) -> tuple[Function | None, int]:
    """The values at whose zeros a function may jump, then those where it has a kink.

    It may jump where something is compared, and bends where the larger of two things changes. With
    it comes how many are of the first kind; None where there are none at all. Where max(x, 0) > 0
    is asked, x is the value that passes zero.
    """
    graph = function.graph
    jumps: dict[int, None] = {}
    kinks: dict[int, None] = {}
    for index in function.live:
        op, *refs = graph.nodes[index]
        if op in (ops.LT, ops.LE):
            x, y = refs
            jumps[graph.sub(_bare(graph, y, x), _bare(graph, x, y)) & -2] = None
        elif op == ops.SIGN:
            jumps[refs[0] & -2] = None
        elif op in (ops.MIN, ops.MAX):
            kinks[graph.sub(*refs) & -2] = None
        elif op == ops.ABS:
            kinks[refs[0] & -2] = None
    first = [ref for ref in jumps if not ref & 2]
    rest = [ref for ref in kinks if not ref & 2 and ref not in jumps]
    if not first and not rest:
        return None, 0
    port = Port("g", (len(first) + len(rest),), (*first, *rest))
    return Function.of("switches", graph, function.inputs, [port]), len(first)


def _bare(graph: Any, ref: int, other: int) -> int:
    """x of max(x, c) or min(x, c) that is compared with c."""
    index, sign = ref >> 2, ref & 1
    if ref & 2 or graph.nodes[index][0] not in (ops.MAX, ops.MIN):
        return ref
    _, x, y = graph.nodes[index]
    limit = negated(other) if sign else other
    for one, rest in ((x, y), (y, x)):
        if one == limit:
            return negated(rest) if sign else rest
    return ref


class Opened(Kernels):
    """Kernels whose parameters of the given names are in `theta`, to be read by all of them."""

    def __init__(
        self, packed: Packed, parameters: Mapping[str, float], names: Sequence[str],
        threads: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(packed, parameters, threads)
        self.names = tuple(names)
        stored = {**known_parameters(self), **self.parameters}
        self.theta = np.zeros(len(self.names))
        self.set_theta([stored[name] for name in self.names])

    def set_theta(self, values: Any) -> None:
        """Other values of the parameters."""
        self.theta[:] = values
        self.parameters |= dict(zip(self.names, self.theta.tolist(), strict=True))

    @cached_property
    def motion(self) -> Function:
        """(t, y, u, near, theta) -> dy."""
        return opened(self.functions["motion"], self.names)

    def shared(self, function: Function) -> dict[str, Array]:
        """What is held and the parameters, as far as a Function takes them."""
        arrays = {"u": self.u, "near": self.near, "theta": self.theta}
        names = {port.name for port in function.inputs}
        return {name: array for name, array in arrays.items() if name in names}

    def handle(self, function: Function, *outputs: str, **more: Array) -> Any:
        """A kernel for native loops, called with t, y and its outputs."""
        return bound(
            self.compiled(function), vary=("t", "y", *outputs), p=self.known(function),
            **self.shared(function), **more,
        )  # fmt: skip

    def numbers(self, function: Function, **arguments: Any) -> dict[str, Any]:
        """The outputs of a Function by name; what is held and theta as they are now."""
        known = self.known(function)
        given = {**self.shared(function), **arguments}
        found = self.compiled(function)(**given, **({"p": known} if known else {}))
        names = [port.name for port in function.outputs]
        return dict(zip(names, [found] if len(names) == 1 else found, strict=True))

    def guards(self, watched: Function | None) -> tuple[Function | None, int]:
        """(t, y, ...) -> g: what is watched, then `switches` of the motion.

        With it comes how many there are before the kinks.
        """
        parts = [opened(watched, self.names)] if watched is not None else []
        before = len(watched.output("g").refs) if watched is not None else 0
        found, jumps = switches(self.motion)
        parts += [found] if found is not None else []
        if not parts:
            return None, 0
        inputs = {port.name: port_symbols(parts[0], port) for port in parts[0].inputs}
        values = [
            value for part in parts
            for value in part(**{port.name: inputs[port.name] for port in part.inputs})
        ]  # fmt: skip
        defaults = {p.name: p.stand_in for p in parts[0].inputs if p.default is not None}
        made = Function("guards", inputs, {"g": values}, defaults=defaults or None)
        return made, before + jumps


def known_parameters(kernels: Kernels) -> dict[str, float]:
    """All parameters of a model's motion, energies and signals."""
    found = dict(kernels.packed.signals().parameters) if kernels.packed.signal_names else {}
    for function in kernels.functions.values():
        found |= function.parameters
    return found


def sensed(motion: Function, by_theta: Array, moves_held: bool) -> Function:
    """(t, y, ..., du) -> dy of y and, behind it, of its derivative in each direction.

    by_theta    (directions, thetas), how the parameters move in each
    moves_held  whether there is an input du, how u moves in each
    """
    m, graph = len(by_theta), motion.graph
    ports = {port.name: port for port in motion.inputs}
    n = len(ports["y"].refs)
    by = ["y", *(["theta"] if "theta" in ports else []), *(["u"] if moves_held else [])]
    along = motion.jvp(*by)
    S = Port("S", (m, n), tuple(graph.symbol(f"S[{k}]") for k in range(m * n)))
    rates: dict[str, Any] = {"d_y": port_symbols(motion, S), "d_theta": by_theta}
    inputs = [p if p.name != "y" else p._replace(shape=(n * (1 + m),), refs=p.refs + S.refs)
              for p in motion.inputs]  # fmt: skip
    if moves_held:
        width = len(ports["u"].refs)
        du = Port("du", (m, width), tuple(graph.symbol(f"du[{k}]") for k in range(m * width)))
        rates["d_u"] = port_symbols(motion, du)
        inputs.append(du)
    given = {name: port_symbols(motion, port) for name, port in ports.items()}
    arguments = [given[p.name] if p.name in given else rates[p.name] for p in along.inputs]
    if m * along.cost().price < LONG:
        mapped = [p.name not in given for p in along.inputs]
        rows = [
            along(*(x[j] if each else x for x, each in zip(arguments, mapped, strict=True)))
            for j in range(m)
        ]
    else:
        rows = list(blocks.map(along, *arguments))
    refs = (*motion.output("dy").refs, *(x.ref for row in rows for x in row))
    return Function.of("sensed", graph, inputs, [Port("dy", (len(refs),), refs)])


def refuse_sampled(packed: Packed) -> None:
    """A controller that is Python code between samples has no derivative."""
    if packed.extras.held:
        name = packed.extras.held[0].partition(".")[0]
        raise ModelError(f'"{name[:60]}" is a sampled controller: Python code has no derivative',
                         remedy="leave out its rate, so that it is traced")  # fmt: skip
