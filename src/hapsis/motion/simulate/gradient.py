"""The verb `gradient`: how one number of a motion changes with everything, by going back once."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.errors import ModelError, near
from hapsis.mechanics.formalisms.dynamics.state_rates import signals
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.values.numbers import described
from hapsis.motion.simulate.derivatives.differentiation_targets import Wanted
from hapsis.motion.simulate.derivatives.tape import Taping
from hapsis.motion.simulate.equations.fixed_partition import Led, check_starts, closed_start, packed_for
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.parameter_inputs import Opened, known_parameters, opened, refuse
from hapsis.motion.simulate.equations.system import Packed
from hapsis.motion.simulate.run.energy_watchdog import Watchdog
from hapsis.motion.simulate.run.events import Sight
from hapsis.motion.simulate.run.run import Plan
from hapsis.motion.simulate.run.run_options import MOST_STEPS, TOLERANCE, parameter_values
from hapsis.motion.simulate.run.step_stability import check_step
from hapsis.motion.simulate.sensitivities import plan_of

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, eq=False)
class Gradient(Mapping[str, Any]):
    """A loss and its slopes: g.value, g["arm.mass"], g["elbow.effort"] (an array for a table).

    last      the State at the end
    report    steps, ...
    """

    value: float
    slopes: Mapping[str, Any]
    last: State
    report: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        if name not in self.slopes:
            raise ModelError(f'not differentiated by "{str(name)[:60]}"{near(str(name), self.slopes)}')
        return self.slopes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.slopes)

    def __len__(self) -> int:
        return len(self.slopes)


def gradient(
    model: Model,
    loss: Callable[[Any], Any] | None,
    to: Any,
    until: float,
    start: Any = None,
    *,
    running: Callable[[Any], Any] | None = None,
    method: str = "order5",
    step: float | None = None,
    tolerance: float = TOLERANCE,
    inputs: Mapping[str, Any] | None = None,
    parameters: Mapping[str, float] | None = None,
    most_steps: int = MOST_STEPS,
) -> Gradient:
    """The loss at the end of a motion, and its derivative with respect to all that `to` names.

    loss      of the last state, traced as a law is: loss(s), s["hinge"], s["tip.gap"], s.t; or None
    to        names of parameters, starts and held inputs, as for `sensitivities`
    running   a loss per second, integrated over the motion and added
    method    "order5" (the default), "order8", or with a step "rk4"

    The motion is kept on a tape and gone through backwards, so that the cost does not depend on how
    many names there are: a table of ten thousand values costs what one number does. The derivative
    is that of the very steps that were made, with their lengths held; at jumps of forces it is that
    of the true motion.
    """
    if not isinstance(model, Model):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"gradient takes a Model, not {described(model)}")
    if loss is None and running is None:
        raise ModelError("gradient needs a loss, a running loss, or both")
    plan = plan_of("rk4" if step is not None else method, step, tolerance, most_steps)
    given = parameter_values(parameters)
    packed, (t, until), y = packed_for(model, inputs, start, until, given, to)
    refuse(packed)
    wanted = Wanted(packed, to, known_parameters(Kernels(packed, given, None)))
    check_starts(packed, wanted.names)
    kernels = Opened(packed, given, wanted.thetas)
    if plan["step"] is not None:
        check_step(kernels, plan["method"], plan["step"], t, y)
    cost = traced(packed, running, "running", kernels.names) if running else None
    taping = Taping(kernels, wanted, cost, Plan(**plan, samples=np.empty(0)))
    last = taping.forwards((t, until), y, _turnover(kernels, t, y))
    value, slopes = _final(kernels, loss, until, last[: len(y)], taping)
    columns = taping.backwards(*slopes, y)
    end = closed_start(kernels, until, last[: len(y)])
    if isinstance(packed, Led):
        packed.check(np.array([until]), end[None])
    q, v, _, _ = packed.layout.split(end)
    state = State(model.coordinates, model.speeds, q, v)
    report = {
        "method": plan["method"],
        "steps": taping.run.steps,
        "evaluations": taping.run.evaluations,
        "taped": taping.modal.stored,
    }
    whole = value + (float(last[-1]) if running else 0.0)
    return Gradient(whole, wanted.named(columns), state, report)


def _turnover(kernels: Opened, t: float, y: Array) -> float:
    """The energy at the start, as the error control of work takes it."""
    kernels.hold(kernels.packed.inputs.values(t))
    found = kernels.rows(kernels.functions["energies"], np.array([t]), y[None], kernels.u[None])
    energies = float(found["kinetic"][0]), float(found["potential"][0])
    return Watchdog((0.0, 1.0), *energies, 0.0).scale


def _final(
    kernels: Opened, loss: Callable[[Any], Any] | None, t: float, y: Array, taping: Taping
) -> tuple[float, tuple[Array, Array, Array]]:
    """The loss at the end, and its slopes by y, theta and u."""
    sizes = len(y), len(kernels.theta), len(kernels.u)
    if loss is None:
        by_y, by_theta, by_u = (np.zeros(size) for size in sizes)
        return 0.0, (by_y, by_theta, by_u)
    f = traced(kernels.packed, loss, "loss", kernels.names)
    names = {port.name for port in f.inputs}
    by = [name for name in ("y", "theta", "u") if name in names]
    value = kernels.numbers(f, t=t, y=y)["value"]
    if not np.isfinite(value):
        raise ModelError(f"the loss is {value:g} at the end")
    back = kernels.numbers(f.vjp(*by), t=t, y=y, w_value=1.0)
    by_y, by_theta, by_u = (
        back.get(f"w_{name}", np.zeros(size)) for name, size in zip(("y", "theta", "u"), sizes, strict=True)
    )
    return float(value), (by_y, by_theta, by_u)


def traced(packed: Packed, function: Callable[[Any], Any], what: str, names: Any) -> Function:
    """A loss as a Function of (t, y, u, theta) -> value; s has names, energies and signals."""
    x = packed._arguments()  # pyright: ignore[reportPrivateUsage]
    model = packed.model
    made = signals(model)
    told = packed._given(made, x)  # pyright: ignore[reportPrivateUsage]
    known: dict[str, Any] = dict(zip(model.coordinates, x["q"], strict=True))
    known |= dict(zip(model.speeds, x["v"], strict=True))
    known |= dict(zip((port.name for port in made.outputs), told, strict=True))
    known |= {name: x["tau"][slot] for slot, name in packed.inputs.names.items()}
    known |= {"energy": known["kinetic"] + known["potential"], "work": packed.layout.split(x["y"])[3]}
    value = function(Sight(known, x["t"]))
    if not isinstance(value, Expr | int | float):
        raise ModelError(f"the {what} must give one number, not {described(value)}")
    outputs = {"value": x["y"][0] * 0.0 + value}
    plain = packed._function(what, x, outputs)  # pyright: ignore[reportPrivateUsage]
    return opened(plain, names)
