"""The verb `compare`: a model moved as something real was, and its forces beside the measured ones.

The validation of seed 000 (figures 14 to 17): a key is moved by hand, its motion and the force on
it are measured; the model is driven by the same motion, and says what force it would have taken.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hapsis import view
from hapsis.errors import ModelError, near
from hapsis.mechanics.model.changes import SETTINGS
from hapsis.mechanics.model.drives import INPUT, Drive
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.simulate.follow import follow
from hapsis.motion.simulate.identification.observations import Observations
from hapsis.motion.simulate.simulate import simulate
from hapsis.touch.recording.measured import measured

Array = np.ndarray[Any, np.dtype[np.float64]]


class Agreement(NamedTuple):
    """How near a column of the model is to a measured one.

    rms          of the difference
    largest      difference, at the time `at`
    correlation  of the two; NaN where one of them does not change
    spread       of what was measured: its largest minus its least value
    """

    rms: float
    largest: float
    at: float
    correlation: float
    spread: float


@dataclass(frozen=True, eq=False)
class Comparison:
    """The model beside the measurement, over the measured times `t`.

    model, measured   {name: values}; `delay` seconds of the model's tracking are taken out
    result            everything the model did
    """

    t: Array
    model: Mapping[str, Array]
    measured: Mapping[str, Array]
    result: Result
    delay: float
    title: str = ""

    def __getitem__(self, name: str) -> Agreement:
        if name not in self.model:
            raise ModelError(f'"{str(name)[:60]}" was not compared{near(str(name), self.model)}')
        ours, theirs = self.model[name], self.measured[name]
        gap = ours - theirs
        k = int(np.abs(gap).argmax())
        steady = np.ptp(ours) == 0.0 or np.ptp(theirs) == 0.0
        together = float("nan") if steady else float(np.corrcoef(ours, theirs)[0, 1])
        return Agreement(
            float(np.sqrt(np.mean(gap * gap))),
            float(abs(gap[k])),
            float(self.t[k]),
            together,
            float(np.ptp(theirs)),
        )

    def __str__(self) -> str:
        lines = []
        for name in self.model:
            found = self[name]
            part = f", {100 * found.rms / found.spread:.1f} % of its spread" if found.spread else ""
            lines.append(
                f"{name}: RMS {found.rms:.4g}{part}; largest {found.largest:.4g} at "
                f"{found.at:.4g} s; correlation {found.correlation:.4f}"
            )
        return "\n".join(lines)

    def plot(self) -> "view.Plot":
        """Model and measurement, a panel for each pair."""
        table = {
            name: {f"{name}, model": ours, f"{name}, measured": self.measured[name]}
            for name, ours in self.model.items()
        }
        units = {name: self.result.units[name] for name in table if name in self.result.units}
        return view.plot(self.t, table, title=self.title or None, units=units)


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
    """Drives a model with a measured motion and compares what it tells with what was measured.

    data       {"t": times, "angle": values, ...}, a Result, or a .csv, .npz or .mcap file
    motion     {coordinate: column}; a column (q, v, a) where rates were measured too
    against    {column of the model: column of the data}, as {"key.effort": "force"}
    tracking   rad/s of the drives' filter: for noisy motion, and for models with more freedoms
               than were measured. Without it a spline goes through the positions, and all
               freedoms must be given
    stream     of a recording: whose rows

    `start`, `inputs`, `parameters` and `every` are those of `simulate` and `follow`. The drives'
    filter is 2 / tracking seconds late; that much is taken out before comparing.
    """
    if not isinstance(against, Mapping) or not against:
        raise ModelError(
            f"against must be {{column of the model: column of the data}}, not {described(against)}"
        )
    motion = {name: name for name in motion} if isinstance(motion, list | tuple) else motion
    if not isinstance(motion, Mapping) or not motion:
        raise ModelError(f"motion must be {{coordinate: column}}, not {described(motion)}")
    used = [x for each in motion.values() for x in (each if isinstance(each, tuple) else (each,))]
    table = measured(data, stream, dict.fromkeys([*used, *against.values()]))
    t = table.t - table.t[0]
    moved = {name: _motion(table, t, columns) for name, columns in motion.items()}
    pace = float(np.median(np.diff(t))) if every is None else real(every, "every")
    common: dict[str, Any] = {"every": pace, "parameters": parameters, "title": str(title)}
    if tracking is None:
        delay = 0.0
        result = follow(model, moved, float(t[-1]), start=start, inputs=inputs, **common)
    else:
        tracking = real(tracking, "tracking")
        if any(len(each) > 2 for each in moved.values()):
            raise ModelError("tracking takes positions only", remedy="leave out measured rates")
        delay = 2.0 / tracking
        result = _tracked(model, moved, tracking, start, inputs, float(t[-1]), common)
    return _beside(result, table, t, delay, against, str(title))


def _motion(table: Observations, t: Array, columns: Any) -> tuple[Array, ...]:
    if not isinstance(columns, tuple):
        return t, table[columns]
    if len(columns) != 3:
        raise ModelError("a measured motion is a column, or (q, v, a)")
    return t, *(table[name] for name in columns)


def _tracked(
    model: Model,
    moved: Mapping[str, Any],
    tracking: float,
    start: Any,
    inputs: Mapping[str, Any] | None,
    until: float,
    common: dict[str, Any],
) -> Result:
    """The model with drives that follow the measured positions; all else moves freely."""
    taken = {drive.joint: drive for drive in model.drives.values()}
    known = {speed.removesuffix(".v") for speed in model.speeds if speed.endswith(".v")}
    for name in moved:
        if name not in known:
            raise ModelError(
                f'there is no coordinate "{str(name)[:60]}" whose motion can be given{near(str(name), known)}'
            )
        if name in taken:
            raise ModelError(f'"{name[:60]}" is driven by {taken[name].label} already')
    settings = {name: getattr(model, name) for name in SETTINGS}
    drives = [Drive(_drive(name), name, position=INPUT, tracking=tracking) for name in moved]
    given: dict[str, Any] = {f"{_drive(n)}.position": rows for n, rows in moved.items()}
    begin = {**(start or {}), **{name: float(rows[1][0]) for name, rows in moved.items()}}
    return simulate(
        Model(*model.facts, *drives, **settings),
        until=until,
        start=begin,
        inputs={**(inputs or {}), **given},
        **common,
    )


def _drive(name: str) -> str:
    return f"{name} measured"


def _beside(
    result: Result, table: Observations, t: Array, delay: float, against: Mapping[str, str], title: str
) -> Comparison:
    """Both at the measured times that the model reached."""
    if not result.success:
        raise ModelError(f"the model cannot follow the measured motion: {result.message}")
    there = t + delay <= result.t[-1] * (1.0 + 1e-12)
    ours: dict[str, Array] = {}
    theirs: dict[str, Array] = {}
    for name, column in against.items():
        effort = f"{_drive(name.removesuffix('.effort'))}.effort"
        values = result[effort if effort in result else name]
        if values.ndim != 1:
            raise ModelError(f'"{name[:60]}" is a vector', expected="a column of numbers")
        ours[name] = np.interp(t[there] + delay, result.t, values)
        theirs[name] = table[column][there]
    return Comparison(table.t[there], ours, theirs, result, delay, title)
