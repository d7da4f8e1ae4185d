"""An initial value problem that is differentiated: its targets, kernels and partition."""

from collections.abc import Collection, Mapping
from typing import Any, final

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import ModelError
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.numbers import described
from hapsis.motion.simulate.derivatives.differentiation_targets import DifferentiationTargets
from hapsis.motion.simulate.derivatives.fixed_partition import FixedPartition
from hapsis.motion.simulate.equations.closed_system import ClosedSystem
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.initial_value_problem import initial_value_problem
from hapsis.motion.simulate.run.drive_jumps import refuse_jumps
from hapsis.motion.simulate.run.run_options import RunOptions
from hapsis.motion.simulate.run.singular_positions import check_regular
from hapsis.motion.simulate.run.step_stability import check_step

Array = np.ndarray[Any, np.dtype[np.float64]]
TOUCH, DEEP = 1e-15, 1e-3  # m; a force at the first that is not small against the second jumps


@final
class DerivativeProblem:
    """A model's motion from a start, with what it is differentiated by.

    verb     as errors name it
    to       names of parameters, starts and held inputs; starts among them lead, then those given
    """

    def __init__(
        self,
        verb: str,
        model: Model,
        to: Any,
        start: Any,
        inputs: Mapping[str, Any] | None,
        parameters: Mapping[str, float] | None,
    ) -> None:
        if not isinstance(model, Model):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(f"{verb} takes a Model, not {described(model)}")
        leading = _starts_among(to)
        leading += [*model.independent, *(start if isinstance(start, Mapping) else ())]
        problem = initial_value_problem(model, Inputs(model, inputs), start, parameters, leading=leading)
        self.problem, self.system, self.loops, self.y = problem, problem.system, problem.loops, problem.y
        check_regular(problem.singular)
        check_differentiable(self.system)
        self.partition: FixedPartition | None = None
        if isinstance(self.system, ClosedSystem) and self.loops is not None:
            self.partition = FixedPartition(self.system, self.loops, problem.t, problem.y)
        self.targets = DifferentiationTargets(self.system, to, self.system.parameters())
        if self.partition is not None:
            self.partition.check_starts(self.targets.names)
        self.kernels = Kernels(self.system, problem.parameters, None, self.targets.parameter_names)
        self._along: dict[str, tuple[Function, list[str]]] = {}

    def check_step(self, options: RunOptions) -> None:
        """Raises an error for a fixed step that cannot be stable."""
        if options.step is not None:
            check_step(self.kernels, options.method, options.step, self.problem.t, self.y)

    def refuse_jumps(self, span: tuple[float, float]) -> None:
        """Refuses drives whose speed jumps within the span."""
        if self.loops is not None:
            refuse_jumps(self.kernels, self.loops, span, self.y)

    def closed(self, t: float, y: Array) -> Array:
        """A state with its loops closed for the current parameters."""
        closing = self.system.closing()
        return y if closing is None else np.array(self.kernels.values(closing, t=t, y=y)["y"])

    def start_slopes(self, t: float, y: Array) -> Array:
        """(columns, y): how the start changes with each target, dependent coordinates included."""
        slopes, closing, targets = self.targets.start_slopes(y), self.system.closing(), self.targets
        if closing is None:
            return slopes
        along, by = self.along("closing", closing)
        rates = {"y": slopes, "theta": targets.theta_slopes, "u": targets.held_slopes(t)}
        rows = [
            self.kernels.values(along, t=t, y=y, **{f"d_{n}": rates[n][k] for n in by})["d_y"]
            for k in range(targets.count)
        ]
        return np.array(rows)

    def along(self, name: str, function: Function) -> tuple[Function, list[str]]:
        """The rates of a Function of (t, y, u), and by what: y, theta, u; written once for a name."""
        if name not in self._along:
            f = self.kernels.opened(function)
            by = [n for n in ("y", "theta", "u") if n in {port.name for port in f.inputs}]
            self._along[name] = f.jvp(*by), by
        return self._along[name]


def _starts_among(to: Any) -> list[str]:
    """The names to differentiate by, as names of coordinates where they are starts."""
    names = to if isinstance(to, Collection) and not isinstance(to, str) else [to]
    return [n.removeprefix("start:").removesuffix(".v") for n in names if isinstance(n, str)]


def check_differentiable(system: System) -> None:
    """Raises an error for sampled controllers, and for contact laws whose jump is not watched."""
    sampled = [name for name in system.extras.held if name not in system.inputs.names]
    if sampled:
        name = sampled[0].partition(".")[0]
        raise ModelError(
            f'"{name[:60]}" is a sampled controller: Python code has no derivative',
            remedy="leave out its rate, so that it is traced",
        )
    for name, contact in system.model.contacts.items():
        law = contact.normal_law
        if name in system.extras.alone or law.states:
            continue
        fields = {n: system.model.value(x) for n, x in law.fields.items()}
        at, deep = (law.evaluate(fields, (-d, -1.0), {})[0] for d in (TOUCH, DEEP))
        if abs(float(at)) > 1e-6 * abs(float(deep)):
            raise ModelError(
                f'contact "{name[:60]}" is one of many, and its force begins with a jump: the '
                "derivative of that is not available",
                remedy="give it a law that begins at zero, as hs.HuntCrossley does",
            )
