"""The residuals that identification makes small: a model's answer minus recorded data.

Both kinds of fit give for the values x the residuals of every column, model minus data, and their slopes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.errors import ModelError, SolveError, check_known
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import inverse_dynamics
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import effort_name
from hapsis.mechanics.model.result import Result
from hapsis.motion.simulate.derivatives.carried_sensitivities import SensitivityKernels
from hapsis.motion.simulate.derivatives.derivative_problem import DerivativeProblem
from hapsis.motion.simulate.equations.closed_system import has_constraints
from hapsis.motion.simulate.equations.parameter_inputs import with_parameter_inputs
from hapsis.motion.simulate.identification.observations import Observations
from hapsis.motion.simulate.run.result_builder import ENERGIES, acceleration_names
from hapsis.motion.simulate.run.run_options import RunOptions
from hapsis.motion.simulate.sensitivities import Sensitivities

Array = np.ndarray[Any, np.dtype[np.float64]]


class Fit(Protocol):
    """Residuals (columns, times) and their slopes (columns, times, unknowns) for values x."""

    columns: tuple[str, ...]
    start: Array  # the values in the model

    def at(self, x: Array) -> tuple[Array, Array]:
        """Residuals and slopes."""
        ...

    def result(self, x: Array) -> Result | None:
        """The motion, where there is one."""
        ...


def effort_columns(model: Model) -> tuple[str, ...]:
    """`elbow.effort` of each speed."""
    return tuple(effort_name(speed) for speed in model.speeds)


def has_efforts(model: Model, data: Observations) -> bool:
    """Whether states, accelerations and efforts are all recorded."""
    states = (*model.coordinates, *model.speeds, *acceleration_names(model))
    return all(name in data for name in (*states, *effort_columns(model)))


class Efforts:
    """Residuals of efforts, by inverse dynamics at the recorded states: linear in masses."""

    def __init__(self, model: Model, data: Observations, names: Sequence[str]) -> None:
        if has_constraints(model):
            raise ModelError(
                "efforts of a mechanism with loops or drives do not follow from its states alone",
                remedy='fit="motion"',
            )
        f = inverse_dynamics(model)
        ports = {port.name for port in f.inputs}
        if "z" in ports or "u" in ports:
            raise ModelError(
                "laws of this model have states that were not recorded, so that its "
                "efforts cannot be computed",
                remedy='fit="motion"',
            )
        for name in names:
            check_known(
                name,
                f.parameters,
                "{} is no parameter of the efforts",
                expected="a number of the model that is not exactly zero",
            )
        self.columns = effort_columns(model)
        self.start = np.array([f.parameters[name] for name in names])
        opened = with_parameter_inputs(f, names)
        self._tau, self._slopes = compile(opened), compile(opened.jacobian("tau", "theta"))
        groups = (model.coordinates, model.speeds, acceleration_names(model))
        self._given = dict(zip("qva", (_stacked(data, group) for group in groups), strict=True))
        if "t" in ports:
            self._given["t"] = data.t
        self._measured = _stacked(data, self.columns).T

    def at(self, x: Array) -> tuple[Array, Array]:
        """Residuals and slopes."""
        tau, slopes = (f(**self._given, theta=x) for f in (self._tau, self._slopes))
        return tau.T - self._measured, np.moveaxis(slopes, 1, 0)

    def result(self, x: Array) -> None:
        """There is no motion: every state was recorded."""
        return None


class Motions:
    """Residuals of recorded columns, by a simulation that carries its sensitivities."""

    def __init__(
        self,
        model: Model,
        data: Observations,
        names: Sequence[str],
        columns: Sequence[str] | None,
        start: Any,
        inputs: Mapping[str, Any] | None,
        options: RunOptions,
    ) -> None:
        efforts = {n: (data.t, data[n]) for n in effort_columns(model) if n in data}
        problem = DerivativeProblem("identify", model, names, start, {**efforts, **(inputs or {})}, None)
        if problem.targets.moves_held:
            raise ModelError("inputs cannot be identified, only parameters and starts")
        self.data, self.problem = data, problem
        self._kernels = SensitivityKernels(problem, options, ())
        self.columns = self._columns(model, data, columns)
        self.start = problem.targets.values(problem.kernels.theta, problem.y)

    def _columns(self, model: Model, data: Observations, columns: Sequence[str] | None) -> tuple[str, ...]:
        known = (
            *self.problem.targets.starts,
            *ENERGIES,
            "work",
            *acceleration_names(model),
            *self.problem.system.signal_names,
        )
        if columns is None:
            every = data if data.chosen else model.coordinates
            columns = [name for name in every if name not in effort_columns(model)]
            columns = [name for name in columns if data.chosen or name in data]
        for name in columns:
            check_known(name, known, "the model has nothing called {} to compare the data with")
            data[name]
        if not columns:
            raise ModelError(
                "the data have no column to compare the motion with",
                expected=f"t and, for example, {', '.join(known[:3])}",
            )
        return tuple(columns)

    def _run(self, x: Array) -> Sensitivities:
        """The motion with these values, and its slopes."""
        theta, y = self.problem.targets.with_values(x, self.problem.y)
        self.problem.kernels.set_theta(theta)
        span = float(self.data.t[0]), float(self.data.t[-1])
        y = self.problem.closed(span[0], y)
        with Bar(False) as bar:
            return Sensitivities(self._kernels.run(span, y, self.data.t, bar))

    def at(self, x: Array) -> tuple[Array, Array]:
        """Residuals and slopes; not finite where the motion cannot be computed."""
        t = self.data.t
        try:
            motion = self._run(x)
        except SolveError:
            shape = (len(self.columns), len(t))
            return np.full(shape, np.inf), np.zeros((*shape, len(x)))
        rows = np.searchsorted(motion.t, t)
        values = [motion.result[name][rows] - self.data[name] for name in self.columns]
        slopes = [motion.columns(name)[rows] for name in self.columns]
        return np.array(values), np.array(slopes)

    def result(self, x: Array) -> Result:
        """The motion with these values."""
        return self._run(x).result


def _stacked(data: Observations, names: Sequence[str]) -> Array:
    return np.stack([data[name] for name in names], axis=1)
