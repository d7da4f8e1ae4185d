"""What identification compares: a model's answer for given values, beside what was recorded.

Both kinds give for the values x the residuals of every column, model minus data, and their slopes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.errors import ModelError, SolveError, near
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import inverse_dynamics
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.result import Result
from hapsis.motion.simulate.derivatives.sensitivity_run import Sensing
from hapsis.motion.simulate.equations.closed_system import is_tied
from hapsis.motion.simulate.equations.fixed_partition import closed_start, packed_for
from hapsis.motion.simulate.equations.inputs import effort_name
from hapsis.motion.simulate.equations.parameter_inputs import opened, refuse
from hapsis.motion.simulate.identification.observations import Observations
from hapsis.motion.simulate.run.progress import Bar
from hapsis.motion.simulate.run.result_builder import acceleration_names
from hapsis.motion.simulate.run.run import Plan
from hapsis.motion.simulate.run.run_options import MOST_STEPS
from hapsis.motion.simulate.sensitivities import Sensitivities, plan_of, ready_for

Array = np.ndarray[Any, np.dtype[np.float64]]
LATER = 1e9  # s; data say how long a motion is


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
    """Efforts by inverse dynamics at the recorded states: linear in masses."""

    def __init__(self, model: Model, data: Observations, names: Sequence[str]) -> None:
        if is_tied(model):
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
            if name not in f.parameters:
                raise ModelError(
                    f'"{name[:60]}" is no parameter of the efforts{near(name, f.parameters)}',
                    expected="a number of the model that is not exactly zero",
                )
        self.columns = effort_columns(model)
        self.start = np.array([f.parameters[name] for name in names])
        made = opened(f, names)
        self._tau, self._slopes = compile(made), compile(made.jacobian("tau", "theta"))
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
    """Recorded columns by simulation, its slopes carried along."""

    def __init__(
        self,
        model: Model,
        data: Observations,
        names: Sequence[str],
        columns: Sequence[str] | None,
        start: Any,
        inputs: Mapping[str, Any] | None,
        **options: Any,
    ) -> None:
        given = {n: (data.t, data[n]) for n in effort_columns(model) if n in data}
        packed, _, self.y = packed_for(model, {**given, **(inputs or {})}, start, LATER, {}, names)
        refuse(packed)
        self.data, self.packed = data, packed
        plan = plan_of(options.pop("method", "auto"), most_steps=MOST_STEPS, **options)
        self._plan = Plan(**plan, samples=data.t)
        self._ready = ready_for(packed, names, {}, plan["method"])
        self._wanted = self._ready.wanted
        if self._wanted.moves_held:
            raise ModelError("inputs cannot be identified, only parameters and starts")
        self.columns = self._columns(model, data, columns)
        self.start = self._values()

    def _columns(self, model: Model, data: Observations, columns: Sequence[str] | None) -> tuple[str, ...]:
        known = (
            *self._wanted.starts,
            "energy",
            "kinetic",
            "potential",
            "work",
            *acceleration_names(model),
            *self.packed.signal_names,
        )
        if columns is None:
            every = data if data.chosen else model.coordinates
            columns = [name for name in every if name not in effort_columns(model)]
            columns = [name for name in columns if data.chosen or name in data]
        for name in columns:
            if name not in known:
                raise ModelError(
                    f'the model has nothing called "{str(name)[:60]}" to compare the '
                    f"data with{near(str(name), known)}"
                )
            data[name]
        if not columns:
            raise ModelError(
                "the data have no column to compare the motion with",
                expected=f"t and, for example, {', '.join(known[:3])}",
            )
        return tuple(columns)

    def _values(self) -> Array:
        wanted, theta = self._wanted, self._ready.kernels.theta
        by_theta, by_start = wanted.by_theta, np.zeros((wanted.count, len(self.y)))
        for column, place in wanted._of_start:  # pyright: ignore[reportPrivateUsage]
            by_start[column, place] = 1.0
        return by_theta @ theta + by_start @ self.y

    def _ran(self, x: Array) -> Sensitivities:
        wanted = self._wanted
        self._ready.kernels.set_theta(wanted.by_theta.T @ x)
        y = self.y.copy()
        for column, place in wanted._of_start:  # pyright: ignore[reportPrivateUsage]
            y[place] = x[column]
        span = float(self.data.t[0]), float(self.data.t[-1])
        y = closed_start(self._ready.kernels, span[0], y)
        running = Sensing(self._ready, span, y, self._plan)
        with Bar(*span, False) as bar:
            running.go(bar)
        running.checked()
        return Sensitivities(running)

    def at(self, x: Array) -> tuple[Array, Array]:
        """Residuals and slopes; not finite where the motion cannot be computed."""
        t = self.data.t
        try:
            found = self._ran(x)
        except SolveError:
            shape = (len(self.columns), len(t))
            return np.full(shape, np.inf), np.zeros((*shape, len(x)))
        rows = np.searchsorted(found.t, t)
        values = [found.result[name][rows] - self.data[name] for name in self.columns]
        slopes = [found._columns(name)[rows] for name in self.columns]  # pyright: ignore
        return np.array(values), np.array(slopes)

    def result(self, x: Array) -> Result:
        """The motion with these values."""
        return self._ran(x).result


def _stacked(data: Observations, names: Sequence[str]) -> Array:
    return np.stack([data[name] for name in names], axis=1)
