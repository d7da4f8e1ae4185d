"""The verb `sensitivities`: a motion and how it changes with parameters, starts and inputs."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, near
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import tell_warnings
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.state import Start
from hapsis.motion.simulate.derivatives.carried_sensitivities import SensitivityKernels, SensitivityRun
from hapsis.motion.simulate.derivatives.derivative_problem import DerivativeProblem
from hapsis.motion.simulate.run.events import Events, events_of
from hapsis.motion.simulate.run.result_builder import ENERGIES, acceleration_names, announced, result_of
from hapsis.motion.simulate.run.run_options import MOST_STEPS, TOLERANCE, derivative_options, sample_times

Array = np.ndarray[Any, np.dtype[np.float64]]


@verb
class Sensitivities:
    """How a motion changes: s["hinge", "arm.mass"] is d hinge(t) / d mass at the times of s.t.

        result    the motion itself, a Result
        names     what it is differentiated by

    Made by `hs.sensitivities` from its `run`.

    The first name may be any column of the result; of a vector the rows are vectors. The second
    may be a table's, which adds an axis, one number for each of its values.
    """

    def __init__(self, run: SensitivityRun) -> None:
        self.result: Result = result_of(run.run)
        self._run, self._targets = run, run.problem.targets
        self.names = self._targets.names
        self._slopes: dict[str, dict[str, Array]] = {}  # of the outputs of Functions, by Function

    @property
    def t(self) -> Array:
        """The times."""
        return self.result.t

    def __getitem__(self, pair: tuple[str, str]) -> Array:
        if not (isinstance(pair, tuple) and len(pair) == 2):  # pyright: ignore
            raise ModelError('sensitivities are asked for by two names, s["hinge", "arm.mass"]')
        what, by = (str(name) for name in pair)
        if by not in self._targets.places:
            raise ModelError(
                f'not differentiated by "{by[:60]}"{near(by, self.names)}', expected=", ".join(self.names[:6])
            )
        slopes = self.columns(what)[:, self._targets.places[by]]
        slopes.flags.writeable = False
        return slopes

    @verb
    def columns(self, what: str) -> Array:
        """The derivatives of one column of the result by all targets: (times, targets, ...)."""
        system = self._run.problem.system
        states = (*self._targets.starts, "work")
        if what in states:
            return self._run.S[:, :, states.index(what)]
        if what in ENERGIES:
            energies = self._along("energies", system.energies())
            return energies[what] if what != "energy" else energies["kinetic"] + energies["potential"]
        accelerations = acceleration_names(system.model)
        if what in accelerations:
            dy = self._along("motion", system.motion())["dy"]
            return dy[:, :, system.layout.n_q + accelerations.index(what)]
        if what in system.signal_names:
            return self._along("signals", system.signals())[what]
        raise ModelError(f'the result has no "{what[:60]}"{near(what, self.result.names)}')

    def _along(self, name: str, function: Function) -> dict[str, Array]:
        """The outputs of a Function of (t, y, u) in all directions: (times, targets, ...)."""
        if name in self._slopes:
            return self._slopes[name]
        run, kernels, targets = self._run, self._run.problem.kernels, self._targets
        along, by = run.problem.along(name, function)
        inputs: dict[str, Any] = {**run.rows._asdict(), "theta": run.theta}
        inputs = {n: x for n, x in inputs.items() if n == "t" or n in by}
        columns: list[Any] = []
        for k in range(targets.count):
            rates = {"y": run.S[:, k], "u": run.du[:, k], "theta": targets.theta_slopes[k]}
            along_k = {f"d_{n}": np.ascontiguousarray(rates[n]) for n in by}
            columns.append(along.outputs_by_name(kernels.call(along, **inputs, **along_k)))
        self._slopes[name] = {
            n.removeprefix("d_"): np.stack([each[n] for each in columns], axis=1) for n in columns[0]
        }
        return self._slopes[name]

    def __repr__(self) -> str:
        return f"Sensitivities({self.result!r} by {', '.join(self.names[:6])})"


@verb
def sensitivities(
    model: Model,
    until: float,
    to: str | Iterable[str],
    start: Start | Result | None = None,
    *,
    inputs: Mapping[str, Any] | None = None,
    parameters: Mapping[str, float] | None = None,
    events: Events = (),
    every: float | None = None,
    progress: bool | None = None,
    method: str = "auto",
    step: float | None = None,
    tolerance: float = TOLERANCE,
    most_steps: int = MOST_STEPS,
    longest_step: float | None = None,
) -> Sensitivities:
    """The motion of a model and its derivatives with respect to what `to` names.

    until     the time of the end, s
    to        names of parameters ("arm.mass"), of starts ("hinge", "hinge.v", a law's state) and
              of held inputs ("elbow.effort"); see `differentiation_targets`
    start     as for `simulate`, as are inputs, parameters, events, every and progress
    method    "order8", "order5", or with a step "rk4"; "auto" is order8 where no step is given
    step      length of fixed steps, s
    tolerance error allowed per step, relative; a thousandth of it absolute, in SI units
    most_steps  the budget of steps
    longest_step  s, where steps adapt: no step is longer

    The derivative is taken at fixed times. The equations are differentiated exactly and integrated
    along with the motion, one more system of its size for each column; `gradient` costs less where
    there are many parameters and one number depends on them. Where a force jumps, as that of a
    damped contact on touching, the jump of the derivative is computed too. Many contacts of one
    kind share a kernel and are not watched one by one: two or three digits are right then, and laws
    that jump are refused. Parameters do not change the start, even where a pose is a formula of
    them. In a model with loops dependent coordinates follow, and only independent starts can be
    differentiated by. Singular positions are not passed.
    """
    tell_warnings(model)
    chosen = derivative_options(method, step, tolerance, most_steps, longest_step)
    with Bar(progress) as bar:
        problem = DerivativeProblem("sensitivities", model, to, start, inputs, parameters)
        span = problem.problem.span(until)
        kernels = SensitivityKernels(problem, chosen, events_of(events))
        problem.check_step(chosen)
        samples = sample_times(*span, every, len(problem.y) * (1 + problem.targets.count))
        sensitivities = Sensitivities(kernels.run(span, problem.y, samples, bar))
    announced(sensitivities.result, model)
    return sensitivities
