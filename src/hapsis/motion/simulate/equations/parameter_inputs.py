"""Functions of a simulation with some of their parameters as an input, and what comes of that.

A parameter that is an input, theta, can be differentiated by and changed without compiling again.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph.transplant import transplant
from hapsis.compiler.native import bound
from hapsis.errors import ModelError
from hapsis.motion.simulate.equations.kernels import Kernels, port_symbols
from hapsis.motion.simulate.equations.switching import Switched, switched
from hapsis.motion.simulate.equations.system import Packed
from hapsis.motion.simulate.run.events import Event

Array = np.ndarray[Any, np.dtype[np.float64]]
MOMENT = 1e-9  # s; where a guard is zero, its sign after that counts
TOUCH, DEEP = 1e-15, 1e-3  # m; a force at the first that is not small against the second jumps
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


class Opened(Kernels):
    """Kernels whose parameters of the given names are in `theta`, to be read by all of them."""

    def __init__(
        self,
        packed: Packed,
        parameters: Mapping[str, float],
        names: Sequence[str],
        threads: int | None = None,
    ) -> None:
        super().__init__(packed, parameters, threads)
        self.names = tuple(names)
        stored = {**known_parameters(self), **self.parameters}
        self.theta = np.zeros(len(self.names))
        self._along: dict[str, tuple[Function, list[str]]] = {}
        self.modes = np.zeros(0)  # of the guards, then one unused for each event
        self.set_theta([stored[name] for name in self.names])

    def set_theta(self, values: Any) -> None:
        """Other values of the parameters."""
        self.theta[:] = values
        self.parameters |= dict(zip(self.names, self.theta.tolist(), strict=True))

    @cached_property
    def plain(self) -> Function:
        """(t, y, u, near, theta) -> dy."""
        return opened(self.functions["motion"], self.names)

    @cached_property
    def switched(self) -> Switched:
        """The same with its modes, and the guards of these."""
        return switched(self.plain)

    @property
    def motion(self) -> Function:
        """(t, y, u, near, theta, modes) -> dy."""
        return self.switched.function

    @cached_property
    def count(self) -> int:
        """How many guards there are."""
        guards = self.switched.guards
        return 0 if guards is None else len(guards.output("g").refs)

    def watching(self, events: Sequence[Event]) -> Function | None:
        """(t, y, ...) -> g: the guards of the motion, then what the events watch."""
        guards = self.switched.guards
        parts = [guards] if guards is not None else []
        parts += [opened(self.packed.watched(events), self.names)] if events else []
        self.modes = np.zeros(self.count + len(events))
        if not parts:
            return None
        inputs = {port.name: port_symbols(parts[0], port) for port in parts[0].inputs}
        values = [
            value
            for part in parts
            for value in part(**{port.name: inputs[port.name] for port in part.inputs})
        ]
        defaults = {p.name: p.stand_in for p in parts[0].inputs if p.default is not None}
        return Function("watched", inputs, {"g": values}, defaults=defaults or None)

    def along(self, name: str, function: Function) -> tuple[Function, list[str]]:
        """The rates of a Function of (t, y, u), opened, and by what: y, theta, u; made once."""
        if name not in self._along:
            f = opened(function, self.names)
            ports = {port.name for port in f.inputs}
            by = [n for n in ("y", "theta", "u") if n in ports]
            self._along[name] = f.jvp(*by), by
        return self._along[name]

    def settle(self, t: float, y: Array) -> None:
        """The modes at a state; where a guard is zero, that of the moment after."""
        if self.switched.guards is None:
            return
        y = y[: self.packed.layout.size]
        value = self.numbers(self.switched.guards, t=t, y=y)["g"]
        if (value == 0.0).any():
            then = y + MOMENT * self.numbers(self.plain, t=t, y=y)["dy"]
            later = self.numbers(self.switched.guards, t=t + MOMENT, y=then)["g"]
            value = np.where(value == 0.0, later, value)
        self.modes[: self.count] = value > 0.0

    def shared(self, function: Function) -> dict[str, Array]:
        """What is held and the parameters, as far as a Function takes them."""
        arrays = {"u": self.u, "near": self.near, "theta": self.theta}
        arrays["modes"] = self.modes[: self.count]
        names = {port.name for port in function.inputs}
        return {name: array for name, array in arrays.items() if name in names}

    def handle(self, function: Function, *outputs: str, **more: Array) -> Any:
        """A kernel for native loops, called with t, y and its outputs."""
        return bound(
            self.compiled(function),
            vary=("t", "y", *outputs),
            p=self.known(function),
            **self.shared(function),
            **more,
        )

    def numbers(self, function: Function, **arguments: Any) -> dict[str, Any]:
        """The outputs of a Function by name; what is held and theta as they are now."""
        known = self.known(function)
        given = {**self.shared(function), **arguments}
        found = self.compiled(function)(**given, **({"p": known} if known else {}))
        names = [port.name for port in function.outputs]
        return dict(zip(names, [found] if len(names) == 1 else found, strict=True))


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
    inputs = [
        p if p.name != "y" else p._replace(shape=(n * (1 + m),), refs=p.refs + S.refs) for p in motion.inputs
    ]
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
            along(*(x[j] if each else x for x, each in zip(arguments, mapped, strict=True))) for j in range(m)
        ]
    else:
        rows = list(blocks.map(along, *arguments))
    refs = (*motion.output("dy").refs, *(x.ref for row in rows for x in row))
    return Function.of("sensed", graph, inputs, [Port("dy", (len(refs),), refs)])


def refuse(packed: Packed) -> None:
    """What has no derivative: sampled controllers, and forces that jump out of sight."""
    sampled = [name for name in packed.extras.held if name not in packed.inputs.names]
    if sampled:
        name = sampled[0].partition(".")[0]
        raise ModelError(
            f'"{name[:60]}" is a sampled controller: Python code has no derivative',
            remedy="leave out its rate, so that it is traced",
        )
    for name, contact in packed.model.contacts.items():
        law = contact.normal_law
        if name in packed.extras.alone or law.states:
            continue
        fields = {n: packed.model.value(x) for n, x in law.fields.items()}
        at, deep = (law.evaluate(fields, (-d, -1.0), {})[0] for d in (TOUCH, DEEP))
        if abs(float(at)) > 1e-6 * abs(float(deep)):
            raise ModelError(
                f'contact "{name[:60]}" is one of many, and its force begins with a jump: the '
                "derivative of that is not available",
                remedy="give it a law that begins at zero, as hs.HuntCrossley does",
            )
