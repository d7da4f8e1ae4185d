"""The loops of a model in numbers: rows, Jacobian, drives, and the rates of the coordinates."""

import random
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.errors import SolveError
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names, position_rows
from hapsis.mechanics.formalisms.constraints.row_units import row_units
from hapsis.mechanics.formalisms.deferred_verbs import constraints, coordinate_rates, drifts, row_rates
from hapsis.mechanics.formalisms.forces.imposed_motion import imposed_motion
from hapsis.mechanics.model.checks.changed_values import parameter_values
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.driven_points import driven_coordinate
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import speed_name
from hapsis.mechanics.model.units import coordinate_units, speed_units
from hapsis.motion.analysis.start_values import quaternions

Array = np.ndarray[Any, np.dtype[np.float64]]


class Driven(NamedTuple):
    """The motion of a drive at one time; None for what it does not prescribe. `constant` is a lock."""

    drive: Drive
    position: float | None
    velocity: float | None
    constant: bool


class LoopKernels(NamedTuple):
    """The compiled constraint rows of a model: h and J, and ∂h/∂t; None where there are no rows."""

    names: tuple[str, ...]
    positions: int  # how many rows are of positions; those of speeds come after these
    rows: Any
    drift: Any
    drives: Any  # (u, t) -> what drives impose; None without any
    still: set[str]  # names of the drives that are locks
    held: tuple[str, ...]  # names of u of drives

    @staticmethod
    def of(model: Model) -> "LoopKernels":
        """Those of a model, kept with it."""
        return derived(model, LoopKernels, lambda: LoopKernels._compiled(model))

    @staticmethod
    def _compiled(model: Model) -> "LoopKernels":
        names = constraint_names(model)
        function, still, held = imposed_motion(model) if model.drives else (None, set[str](), ())
        return LoopKernels(
            names,
            len(position_rows(model)),
            compile(constraints(model)) if names else None,
            compile(drifts(model)) if names else None,
            None if function is None else compile(function),
            still,
            held,
        )


def compiled_rates(model: Model) -> Any:
    """The native code of (q, v) -> q̇, kept with the model."""
    return derived(model, ("native", coordinate_rates), lambda: compile(coordinate_rates(model)))


def _compiled_row_rates(model: Model) -> Any:
    """The native code of (q, v, t) -> h, ḣ, kept with the model."""
    return derived(model, ("native", row_rates), lambda: compile(row_rates(model)))


class Loops:
    """The constraint rows of a model, and the motion of its drives at the time t, in numbers.

    Rows and coordinates have units, so that tolerances do not depend on the size of the model; what is
    called relative is measured in these units.

    inputs      {NAME.position: value} of drives that take an input; without it they stand still
    parameters  {name: value} other than the model's own
    """

    def __init__(
        self,
        model: Model,
        t: float = 0.0,
        inputs: Mapping[str, float] | None = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        kernels = LoopKernels.of(model)
        self.model, self.t, self.names, self.positions = model, t, kernels.names, kernels.positions
        self.parameters = parameter_values(model, parameters)
        self.rows, self._drift, self.rates = kernels.rows, kernels.drift, compiled_rates(model)
        self._known = given_parameters(self.rows, self.parameters)
        self._drift_known = given_parameters(self._drift, self.parameters)
        self.quaternions = list(quaternions(model).values())
        self.rest = np.zeros(len(model.speeds))
        self.timed = bool(self.names) and any(p.name == "t" for p in self.rows.function.inputs)
        self.speed_units, self.units = np.array(speed_units(model)), np.array(coordinate_units(model))
        of_rows = row_units(model) if self.names else {}
        self.row_units = np.array([of_rows[name] for name in self.names])
        slots = {name: k for k, name in enumerate(model.speeds)}
        # the place of a coordinate in v, for those that have a speed of their own
        self.slots = {n: slots[speed_name(n)] for n in model.coordinates if speed_name(n) in slots}
        self.driven = _driven(model, t, inputs or {}, self.parameters)

    @cached_property
    def pattern(self) -> Any:
        """Whether entries of J can differ from zero, by their values in a pose that nobody chose."""
        draw = random.Random(9)  # NumPy's takes longer to load than all else here takes
        q = np.array([draw.uniform(-1.0, 1.0) for _ in self.units]) * self.units
        return ~(self.relative_jacobian(q) == 0.0)

    @property
    def held(self) -> list[int]:
        """The places in v of the speeds that drives prescribe."""
        return sorted(self.slots[name] for name in self.driven)

    def _rows(self, q: Array, v: Array, t: Any = None) -> Any:
        clock = {"t": self.t if t is None else t} if self.timed else {}
        return self.rows(q, v, **clock, **self._known)

    def errors(self, t: Array, q: Array, v: Array) -> tuple[Array, Array]:
        """For rows of states the largest |h| and the largest rate of it."""
        if not self.names:
            return np.zeros(len(t)), np.zeros(len(t))
        h, rate = self._gaps_and_rates(t, q, v)
        return np.abs(h).max(axis=1), np.abs(rate).max(axis=1)

    def relative_gaps(self, t: Array, q: Array, v: Array) -> Array:
        """For rows of states |h| of every row of positions, and the rate of every one of speeds, relative."""
        if not self.names:
            return np.zeros((len(t), 0))
        h, rate = (x / self.row_units for x in self._gaps_and_rates(t, q, v))
        speeds = np.abs(v / self.speed_units).max(axis=1, initial=0.0)
        gaps = np.abs(rate) / np.maximum(1.0, speeds)[:, None]
        gaps[:, : self.positions] = np.abs(h)[:, : self.positions]
        return gaps

    def _gaps_and_rates(self, t: Array, q: Array, v: Array) -> tuple[Array, Array]:
        """h, and J v + ∂h/∂t, for rows of states."""
        native = _compiled_row_rates(self.model)
        clock = {"t": t} if self.timed else {}
        rows = native(q, v, **clock, **given_parameters(native, self.parameters))
        return rows.h, rows.rate

    def _drifts(self, t: Any, q: Array) -> Array:
        """∂h/∂t, at poses."""
        clock = {"t": t} if self.timed else {}
        return self._drift(q, **clock, **self._drift_known)

    def gap(self, q: Array) -> Array:
        """h."""
        return self._rows(q, self.rest).h if self.names else np.zeros(0)

    def jacobian(self, q: Array, t: float | None = None) -> Array:
        """J: a row for each constraint, a column for each speed."""
        return self._rows(q, self.rest, t).J if self.names else np.zeros((0, len(self.rest)))

    def relative_gap(self, q: Array) -> Array:
        """h, each row in its unit."""
        return self.gap(q) / self.row_units

    def relative_jacobian(self, q: Array, t: float | None = None) -> Array:
        """J with each row and each speed in its unit."""
        return self.jacobian(q, t) * self.speed_units / self.row_units[:, None]

    def check_finite(self, q: Array) -> None:
        """Raises an error for a pose in which a row has no value or no slope, as a wheel that lies flat."""
        rows = np.column_stack([self.gap(q), self.jacobian(q)])
        lost = np.flatnonzero(~np.isfinite(rows).all(axis=1))
        if len(lost):
            name = self.names[lost[0]].rpartition(".")[0]
            raise SolveError(
                f'the rows of "{name[:60]}" are not finite in this pose', remedy="start in another pose"
            )

    def drift(self, q: Array) -> Array:
        """∂h/∂t."""
        return self._drifts(self.t, q) if self.names else np.zeros(0)

    def moved(self, q: Array, d: Array) -> Array:
        """The coordinates after a step along the speeds."""
        new = q + self.rates(q, d)
        for places in self.quaternions:
            new[places] /= np.linalg.norm(new[places])
        return new


def given_parameters(compiled: Any, parameters: Mapping[str, float]) -> dict[str, Any]:
    """Those of these parameters that a compiled Function takes, as its argument p; empty without any."""
    if compiled is None or not parameters:
        return {}
    values = {n: x for n, x in parameters.items() if n in compiled.function.parameters}
    return {"p": values} if values else {}


def _check_finite(model: Model, t: float, levels: Mapping[str, float], inputs: Mapping[str, float]) -> None:
    """Refuses a drive that says where or how fast in numbers that are not finite."""
    for name, drive in model.drives.items():
        if any(needed not in inputs for needed in drive.inputs):
            continue  # not given: it holds still
        for level in ("position", "velocity"):
            value = levels.get(f"{name}.{level}", 0.0)
            if not np.isfinite(value) and drive.point is not None and level == "position":
                raise drive.wrong(f"its position at t = {t:g} s is beyond the reach of its point")
            if not np.isfinite(value):
                raise drive.wrong(f"its {level} at t = {t:g} s is {value:g}", expected="a finite number")


def _driven(
    model: Model, t: float, inputs: Mapping[str, float], parameters: Mapping[str, float]
) -> dict[str, Driven]:
    """The drives by the coordinate they drive."""
    kernels = LoopKernels.of(model)
    levels: dict[str, float] = {}
    if kernels.drives is not None:
        function, held = kernels.drives.function, kernels.held
        clock = {"t": t} if any(port.name == "t" for port in function.inputs) else {}
        u: dict[str, Any] = {"u": [inputs.get(name, np.nan) for name in held]} if held else {}
        values = np.atleast_1d(kernels.drives(**clock, **u, **given_parameters(kernels.drives, parameters)))
        names = [port.name for port in function.outputs]
        levels = {n: float(x) for n, x in zip(names, values, strict=True) if not np.isnan(x)}
        _check_finite(model, t, dict(zip(names, values.tolist(), strict=True)), inputs)
    return {
        driven_coordinate(model, drive): Driven(
            drive, levels.get(f"{name}.position"), levels.get(f"{name}.velocity"), name in kernels.still
        )
        for name, drive in model.drives.items()
    }
