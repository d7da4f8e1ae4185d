"""The verb `compare`: drives a model with a measured motion and compares forces with measured ones.

An example: a key is moved by hand, its motion and the force on it are measured; the model is driven
by the same motion, and gives the force that it would have needed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import hapsis.view as view
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.model.changes import SETTINGS
from hapsis.mechanics.model.drives import INPUT, Drive
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import drive_effort_name, without_effort
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.simulate.follow import check_not_driven, follow
from hapsis.motion.simulate.identification.observations import Observations
from hapsis.motion.simulate.simulate import simulate
from hapsis.touch.recording.measured import measured

Array = np.ndarray[Any, np.dtype[np.float64]]


class Agreement(NamedTuple):
    """How close a column of the model is to a measured one.

    rms          root mean square of the difference
    largest      the largest absolute difference, at the time `at`
    correlation  of the two columns; NaN if one of them is constant
    spread       of the measured column: its largest minus its least value
    """

    rms: float
    largest: float
    at: float
    correlation: float
    spread: float


@verb
@dataclass(frozen=True, eq=False)
class Comparison:
    """Columns of the model and of the measurement, at the measured times `t`.

    model, measured   {name: values}; the delay of the model's tracking is removed
    delay             of the tracking, in seconds
    result            all results of the model
    title             the heading of plots
    """

    t: Array
    model: Mapping[str, Array]
    measured: Mapping[str, Array]
    result: Result
    delay: float
    title: str = ""

    def __getitem__(self, name: str) -> Agreement:
        check_known(name, self.model, "{} was not compared")
        model, measured = self.model[name], self.measured[name]
        gap = model - measured
        k = int(np.abs(gap).argmax())
        constant = np.ptp(model) == 0.0 or np.ptp(measured) == 0.0
        return Agreement(
            rms=float(np.sqrt(np.mean(gap * gap))),
            largest=float(abs(gap[k])),
            at=float(self.t[k]),
            correlation=float("nan") if constant else float(np.corrcoef(model, measured)[0, 1]),
            spread=float(np.ptp(measured)),
        )

    def __str__(self) -> str:
        lines = []
        for name in self.model:
            rms, largest, at, correlation, spread = self[name]
            part = f", {100 * rms / spread:.1f} % of its spread" if spread else ""
            lines.append(
                f"{name}: RMS {rms:.4g}{part}; largest {largest:.4g} at "
                f"{at:.4g} s; correlation {correlation:.4f}"
            )
        return "\n".join(lines)

    def plot(self) -> "view.Plot":
        """A plot of model and measurement, with a panel for each pair."""
        table = {
            name: {f"{name}, model": values, f"{name}, measured": self.measured[name]}
            for name, values in self.model.items()
        }
        units = {name: self.result.units[name] for name in table if name in self.result.units}
        return view.plot(self.t, table, title=self.title or None, units=units)


@verb
def compare(
    model: Model,
    data: Any,
    motion: Any,
    against: Mapping[str, str],
    *,
    tracking: float | None = None,
    stream: str | None = None,
    every: float | None = None,
    start: Any = None,
    inputs: Mapping[str, Any] | None = None,
    parameters: Mapping[str, float] | None = None,
    title: str = "",
) -> Comparison:
    """The comparison of measured columns with those of a model that is driven by the measured motion.

    data       {"t": times, "angle": values, ...}, a Result, or a .csv, .npz or .mcap file
    motion     {coordinate: column}; columns (q, v, a) if rates were measured too
    against    {column of the model: column of the data}, as {"key.effort": "force"}
    tracking   rad/s of the drives' filter: for noisy motion, and for models with more degrees of
               freedom than were measured. Without it a spline goes through the positions, and the
               motion of all degrees of freedom must be given
    stream     of a recording: the stream to read
    title      the heading of plots

    `start`, `inputs`, `parameters` and `every` are those of `simulate` and `follow`. The filter of
    the drives delays by 2 / tracking seconds; this delay is removed before comparing.
    """
    motion = _checked_columns(motion, against)
    used = [name for x in motion.values() for name in (x if isinstance(x, tuple) else (x,))]
    table = measured(data, stream, dict.fromkeys([*used, *against.values()]))
    t = table.t - table.t[0]
    motions = {name: _motion(table, t, columns) for name, columns in motion.items()}
    interval = float(np.median(np.diff(t))) if every is None else real(every, "every")
    common: dict[str, Any] = {"every": interval, "parameters": parameters, "title": str(title)}
    if tracking is None:
        delay = 0.0
        result = follow(model, motions, float(t[-1]), start=start, inputs=inputs, **common)
    else:
        tracking = real(tracking, "tracking")
        delay = 2.0 / tracking
        result = _tracked(model, motions, tracking, start, inputs, float(t[-1]), common)
    return _comparison(result, table, t, delay, against, str(title))


def _checked_columns(motion: Any, against: Any) -> Mapping[str, Any]:
    """The columns of each measured coordinate."""
    if not isinstance(against, Mapping) or not against:
        raise ModelError(
            f"against must be {{column of the model: column of the data}}, not {described(against)}"
        )
    motion = {name: name for name in motion} if isinstance(motion, list | tuple) else motion
    if not isinstance(motion, Mapping) or not motion:
        raise ModelError(f"motion must be {{coordinate: column}}, not {described(motion)}")
    return motion


def _motion(table: Observations, t: Array, columns: Any) -> tuple[Array, ...]:
    """Times and positions of a coordinate; with rates if they were measured."""
    if not isinstance(columns, tuple):
        return t, table[columns]
    if len(columns) != 3:
        raise ModelError("a measured motion is a column, or (q, v, a)")
    return t, *(table[name] for name in columns)


def _tracked(
    model: Model,
    motion: Mapping[str, Any],
    tracking: float,
    start: Any,
    inputs: Mapping[str, Any] | None,
    until: float,
    common: dict[str, Any],
) -> Result:
    """The model's motion with drives that follow the measured positions; all else moves freely."""
    if any(len(rows) > 2 for rows in motion.values()):
        raise ModelError("tracking takes positions only", remedy="leave out measured rates")
    check_not_driven(model, motion)
    settings = {name: getattr(model, name) for name in SETTINGS}
    drives = [Drive(_drive(name), name, position=INPUT, tracking=tracking) for name in motion]
    positions: dict[str, Any] = {f"{_drive(n)}.position": rows for n, rows in motion.items()}
    begin = {**(start or {}), **{name: float(rows[1][0]) for name, rows in motion.items()}}
    return simulate(
        Model(*model.facts, *drives, **settings),
        until=until,
        start=begin,
        inputs={**(inputs or {}), **positions},
        **common,
    )


def _drive(name: str) -> str:
    """The name of the drive of a measured coordinate."""
    return f"{name} measured"


def _comparison(
    result: Result, table: Observations, t: Array, delay: float, against: Mapping[str, str], title: str
) -> Comparison:
    """Model and measurement at the measured times that the model reached."""
    if not result.success:
        raise ModelError(f"the model cannot follow the measured motion: {result.message}")
    reached = t + delay <= result.t[-1] * (1.0 + 1e-12)
    model: dict[str, Array] = {}
    data: dict[str, Array] = {}
    for name, column in against.items():
        effort = drive_effort_name(_drive(without_effort(name)))
        values = result[effort if effort in result else name]
        if values.ndim != 1:
            raise ModelError(f'"{name[:60]}" is a vector', expected="a column of numbers")
        model[name] = np.interp(t[reached] + delay, result.t, values)
        data[name] = table[column][reached]
    return Comparison(table.t[reached], model, data, result, delay, title)
