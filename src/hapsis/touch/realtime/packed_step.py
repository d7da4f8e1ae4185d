"""A step as the loop calls it: one vector of states in and out, one of inputs, one of outputs."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.native import bound
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.model.checks.changed_values import check_values
from hapsis.mechanics.model.model import Model
from hapsis.motion.simulate.equations.parameter_inputs import with_parameter_inputs

STATES = ("q", "v", "z", "t")
STEP_PORTS = ("y", "u", "live", "y_new", "out")
SAME_PERIOD = 1e-6  # part by which dt and the period of the rate may differ


@runtime_checkable
class NativeStep(Protocol):
    """A step that is native code and no Function, as one with contacts or one of surfaces."""

    @property
    def kernel(self) -> Any:
        """What a tick calls: (y, u, live, y_new, out)."""
        ...

    @property
    def start(self) -> Any:
        """y at the start; its last number is the time."""
        ...

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the numbers in u."""
        ...

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the numbers in out."""
        ...

    @property
    def dt(self) -> float:
        """The time of a step, s."""
        ...

    @property
    def model(self) -> Model | None:
        """What it steps, where that is a Model."""
        ...

    @property
    def digest(self) -> str:
        """What tells the step from others."""
        ...

    @property
    def units(self) -> Mapping[str, str]:
        """The units of inputs and outputs, where no model tells them."""
        ...


class PackedStep(NamedTuple):
    """A Function (y, u, live) -> y_new, out, and the names of the numbers in them.

    start         y at the start
    rest          u at the start
    live_values   the live parameters at the start
    dt            s by which a step advances its time
    model         what it steps; None for a step that `hs.stepper` did not return as it is
    passive       what the guard's controller keeps, unless its settings say otherwise
    """

    function: Function | None
    start: Any
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    rest: Any
    live: tuple[str, ...]
    live_values: Any
    dt: float
    model: Model | None
    native: NativeStep | None = None  # the step itself, where it is no Function
    passive: bool | str = True

    @property
    def kernel(self) -> Any:
        """The step as native code calls it: (y, u, live, y_new, out)."""
        if self.native is not None:
            return self.native.kernel
        assert self.function is not None
        return bound(compile(self.function), vary=STEP_PORTS)

    @property
    def parameters(self) -> Mapping[str, float]:
        """The parameters of its Function; a native step has its numbers inside."""
        return {} if self.function is None else self.function.parameters

    @property
    def digest(self) -> str:
        """What tells the step from others."""
        if self.native is not None:
            return self.native.digest
        assert self.function is not None
        return self.function.digest.hex()

    def check(self, values: Mapping[str, float]) -> None:
        """An error if the model would refuse these values of parameters."""
        if self.model is not None:
            check_values(self.model, values)


def check_period(step: PackedStep, rate: float) -> None:
    """An error if a step is longer or shorter than a period of a loop: the model would run faster or
    slower than the clock."""
    if not abs(step.dt * rate - 1.0) <= SAME_PERIOD:
        raise ModelError(
            f"the step advances by {step.dt:g} s, and at {rate:g} per second a period has {1.0 / rate:g} s",
            remedy=f"make the step with dt=1/{rate:g}, or the loop with rate={1.0 / step.dt:g}",
        )


def pack_step(step: Function | NativeStep, live: Sequence[str] | str = ()) -> PackedStep:
    """A step, packed for the loop: the result of `hs.stepper`, or native code.

    live    names of parameters that may change while the loop runs, or "all" of them
    """
    if isinstance(step, NativeStep):
        if live:
            raise ModelError("a step that is native code has no live parameters")
        still = np.zeros(len(step.inputs))
        rest, none = np.append(getattr(step, "rest", still), 0.0)[: max(1, len(still))], np.zeros(1)
        names = step.inputs, step.outputs
        passive = getattr(step, "passive", True)
        return PackedStep(None, step.start, *names, rest, (), none, step.dt, step.model, step, passive)
    if not _is_step(step):
        raise ModelError("a loop takes what hs.stepper returns, or a step that is native code")
    if isinstance(live, str):
        live = tuple(step.parameters) if live == "all" else (live,)
    for name in live:
        check_known(name, step.parameters, "the step has no parameter {}")
    values = np.array([step.parameters[name] for name in live] or [0.0])
    whole = with_parameter_inputs(step, live)
    ports = {port.name: port for port in whole.inputs}
    states = [name for name in STATES if name in ports]
    inputs = [name for name in ports if name not in (*STATES, "theta")]
    function, outputs = _packed(whole, states, inputs, len(values))
    start = np.concatenate([np.atleast_1d(ports[name].stand_in) for name in states])
    rest = np.array([float(ports[name].stand_in) for name in inputs] or [0.0])
    names = tuple(inputs), outputs
    known = (*names, rest, tuple(live), values, period_of(step), step.model, None)
    return PackedStep(function, start, *known, (step.options or {}).get("passive", True))


def period_of(step: Function) -> float:
    """The time by which a step advances, from the start."""
    ports = {port.name: port for port in step.inputs}
    only = Function.of("time", step.graph, step.inputs, [step.output("t")])
    known = {name: port.stand_in for name, port in ports.items()}
    (t,) = np.ravel(compile(only, "python")(**known))
    return float(t) - float(known["t"])


def _packed(
    step: Function, states: list[str], inputs: list[str], lives: int
) -> tuple[Function, tuple[str, ...]]:
    """The Function of three vectors, and the names of its outputs."""
    ports = {port.name: port for port in step.inputs}
    graph = Graph()
    y = symbols("y", sum(len(ports[n].refs) for n in states), kind="coordinate", graph=graph)
    u, theta = symbols("u", max(1, len(inputs)), graph=graph), symbols("live", lives, graph=graph)
    known = {**_split(y, states, ports), **dict(zip(inputs, u, strict=False)), "theta": theta}
    results = step.outputs_by_name(step(**{name: known[name] for name in ports}))
    values = {name: _listed(x) for name, x in results.items()}
    outputs = tuple(name for name in values if name not in states)
    for name in outputs:
        if len(values[name]) != 1:
            raise ModelError(f'the output "{name[:60]}" is a vector; a loop takes numbers')
    y_new = [x for name in states for x in values[name]]
    out = [values[name][0] for name in outputs] or [y[0] * 0.0]
    return Function("tick", {"y": y, "u": u, "live": theta}, {"y_new": y_new, "out": out}), outputs


def _split(y: Any, states: Sequence[str], ports: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of y, by the names of the states."""
    parts: dict[str, Any] = {}
    start = 0
    for name in states:
        part = y[start : start + len(ports[name].refs)]
        parts[name] = part if ports[name].shape else part[0]
        start += len(part)
    return parts


def _listed(x: Any) -> list[Any]:
    return list(x) if hasattr(x, "__len__") else [x]


def _is_step(step: Any) -> bool:
    """Whether this is a Function whose outputs include all its states and the time, as of a step."""
    if not isinstance(step, Function):
        return False
    inputs, outputs = ({p.name: p.shape for p in ports} for ports in (step.inputs, step.outputs))
    states = {name: inputs[name] for name in STATES if name in inputs}
    return "t" in states and states == {name: outputs.get(name) for name in states}
