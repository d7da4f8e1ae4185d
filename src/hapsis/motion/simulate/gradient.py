"""The verb `gradient`: the derivative of one number of a motion by many parameters, in one backward pass."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.errors import ModelError, SolveError, check_known
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import tell_warnings
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.state import Start, State
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.user_functions import call_user
from hapsis.motion.simulate.derivatives.derivative_problem import DerivativeProblem
from hapsis.motion.simulate.derivatives.tape import Tape
from hapsis.motion.simulate.run.events import SignalView
from hapsis.motion.simulate.run.run_options import MOST_STEPS, TOLERANCE, derivative_options

Array = np.ndarray[Any, np.dtype[np.float64]]


@verb
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
        check_known(name, self.slopes, "not differentiated by {}")
        return self.slopes[name]

    @property
    def names(self) -> tuple[str, ...]:
        """What it is differentiated by."""
        return tuple(self.slopes)

    def __iter__(self) -> Iterator[str]:
        return iter(self.slopes)

    def __len__(self) -> int:
        return len(self.slopes)


@verb
def gradient(
    model: Model,
    loss: Callable[[Any], Any] | None,
    to: str | Iterable[str],
    until: float,
    start: Start | Result | None = None,
    *,
    running: Callable[[Any], Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
    parameters: Mapping[str, float] | None = None,
    method: str = "auto",
    step: float | None = None,
    tolerance: float = TOLERANCE,
    most_steps: int = MOST_STEPS,
    longest_step: float | None = None,
) -> Gradient:
    """The loss at the end of a motion, and its derivative with respect to all that `to` names.

    loss      of the last state, traced as a law is: loss(s), s["hinge"], s["tip.gap"], s.t; or None
    to        names of parameters, starts and held inputs, as for `sensitivities`
    running   a loss per second, integrated over the motion and added
    until     the time of the end of the motion of the model, s
    start     as for `simulate`, as are inputs and parameters
    method    "order5", "order8", or with a step "rk4"; "auto" is order5 where no step is given
    step      length of fixed steps, s
    tolerance error allowed per step, relative; a thousandth of it absolute, in SI units
    most_steps  the budget of steps
    longest_step  s, where steps adapt: no step is longer

    The motion is stored on a tape and differentiated backwards, so the cost does not depend on the
    number of names: a table of ten thousand values costs as much as one number. The derivative is
    that of the steps that were made, with their lengths constant; at jumps of forces it is that of
    the true motion.
    """
    tell_warnings(model)
    if loss is None and running is None:
        raise ModelError("gradient needs a loss, a running loss, or both")
    if step is not None and method not in ("auto", "rk4"):
        raise SolveError(f'gradient has no fixed steps of the method "{method}"', expected="rk4")
    if method == "auto":
        method = "order5" if step is None else "rk4"
    chosen = derivative_options(method, step, tolerance, most_steps, longest_step)
    problem = DerivativeProblem("gradient", model, to, start, inputs, parameters)
    span, y = problem.problem.span(until), problem.y
    problem.check_step(chosen)
    tape = Tape(problem, traced(problem, running, "running loss") if running else None, chosen)
    last = tape.forwards(span, y)
    value, slopes = _loss_at_end(problem, loss, span[1], last[: len(y)])
    columns = tape.backwards(*slopes, y)
    end = problem.closed(span[1], last[: len(y)])
    if problem.partition is not None:
        problem.partition.check(np.array([span[1]]), end[None])
    q, v, _, _ = problem.system.layout.split(end)
    counts = tape.integrator.counts()
    report = {
        "method": chosen.method,
        "steps": counts["steps"],
        "evaluations": counts["evaluations"],
        "taped": tape.integrator.taped_steps,
    }
    whole = value + (float(last[-1]) if running else 0.0)
    state = State(model.coordinates, model.speeds, q, v)
    return Gradient(whole, problem.targets.by_name(columns), state, report)


def _loss_at_end(
    problem: DerivativeProblem, loss: Callable[[Any], Any] | None, t: float, y: Array
) -> tuple[float, tuple[Array, Array, Array]]:
    """The loss at the end, and its slopes by y, theta and u."""
    kernels = problem.kernels
    zeros = {"y": np.zeros(len(y)), "theta": np.zeros(len(kernels.theta)), "u": np.zeros(len(kernels.u))}
    if loss is None:
        return 0.0, (zeros["y"], zeros["theta"], zeros["u"])
    f = traced(problem, loss, "loss")
    by = [name for name in zeros if name in {port.name for port in f.inputs}]
    value = kernels.values(f, t=t, y=y)["value"]
    if not np.isfinite(value):
        raise ModelError(f"the loss is {value:g} at the end")
    back = kernels.values(f.vjp(*by), t=t, y=y, w_value=1.0)
    by_y, by_theta, by_u = (back.get(f"w_{name}", zero) for name, zero in zeros.items())
    return float(value), (by_y, by_theta, by_u)


def traced(problem: DerivativeProblem, loss: Callable[[Any], Any], what: str) -> Function:
    """A loss as a Function of (t, y, u, theta) -> value; it reads states, energies and signals."""
    system = problem.system
    x = system.symbols()
    known: dict[str, Any] = dict(zip(system.model.coordinates, x["q"], strict=True))
    known |= dict(zip(system.model.speeds, x["v"], strict=True))
    known |= system.outputs_by_name(system.force_signals(), x)
    known |= system.input_values(x)
    known |= {"energy": known["kinetic"] + known["potential"], "work": system.layout.split(x["y"])[3]}
    view = SignalView(known, x["t"], frames=lambda name: system.frame_value(name, x))
    value = call_user(loss, f"the {what}", view)
    if not isinstance(value, Expr | int | float):
        raise ModelError(f"the {what} must give one number, not {described(value)}")
    return problem.kernels.opened(
        system.function(what.replace(" ", "_"), x, {"value": x["y"][0] * 0.0 + value})
    )
