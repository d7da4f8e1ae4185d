"""Result: the recorded motion of a run, by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import hapsis.view as view
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import ModelError
from hapsis.mechanics.model.signals.signal_table import SignalTable, unknown_signal
from hapsis.mechanics.model.signals.vector_parts import part_of
from hapsis.mechanics.model.state import State

Array = np.ndarray[Any, np.dtype[np.float64]]
GOOD = ("done", "event")
NO_IMPULSES: Mapping[str, float] = {}


class Happened(NamedTuple):
    """An event: when, and its name. Those of hybrids have more.

    before, after   the names of the phases
    loss            the energy that it took, J
    impulses        {constraint row: impulse} of its impact, N s or N m s
    """

    time: float
    name: str
    before = ""
    after = ""
    loss = 0.0
    impulses = NO_IMPULSES


class PhaseEvent(Happened):
    """An event of a hybrid: when, its name, the phases before and after it, and what it took."""

    def __new__(
        cls,
        time: float,
        name: str,
        before: str = "",
        after: str = "",
        loss: float = 0.0,
        impulses: Mapping[str, float] | None = None,
    ) -> "PhaseEvent":
        """An event; the last four are those of a hybrid."""
        event = super().__new__(cls, time, name)
        event.before, event.after, event.loss, event.impulses = before, after, loss, dict(impulses or {})
        return event

    def __repr__(self) -> str:
        return f"PhaseEvent({self.time!r}, {self.name!r}, {self.before!r} -> {self.after!r})"


class Columns(Mapping[str, Array]):
    """Arrays by name; each group is computed when one of its arrays is first read.

    groups       (names, columns, together): columns by name, or a function that returns them; `together`,
                 where it is given, is a function that returns those of several groups at once
    on_request   a function of a name that is in no group; it returns the array, or None
    """

    def __init__(
        self, groups: Sequence[tuple[Any, ...]], on_request: Callable[[str], Any] = lambda name: None
    ) -> None:
        self._groups = list(groups)
        self._at = {name: k for k, (names, *_) in enumerate(self._groups) for name in names}
        self._ready: dict[int, Mapping[str, Array]] = {}
        self._on_request = on_request
        self._requested: dict[str, Array] = {}

    def __getitem__(self, name: str) -> Array:
        if name not in self._at and name not in self._requested:
            array = self._on_request(name)
            if array is None:
                raise KeyError(name)
            self._requested[name] = _fixed(array)
        if name in self._requested:
            return self._requested[name]
        k = self._at[name]
        if k not in self._ready:
            columns = self._groups[k][1]
            columns = columns() if callable(columns) else columns
            self._ready[k] = {n: _fixed(x) for n, x in columns.items()}
        return self._ready[k][name]

    def __iter__(self) -> Any:
        return iter(self._at)

    def __len__(self) -> int:
        return len(self._at)

    def all(self) -> dict[str, Array]:
        """Every column, as quickly as possible: those that can be computed together are, to rounding."""
        values: dict[str, Array] = {}
        for k, (names, _, *together) in enumerate(self._groups):
            alone = k in self._ready or not together
            values |= {name: self[name] if alone else together[0]()[name] for name in names}
        return values


@verb
@dataclass(frozen=True, eq=False)
class Result(SignalTable, Immutable):
    """A motion: `result.t`, `result["elbow"]`, `result["elbow.v"]`, `result["tip.force"]`, ...

        status            "done", "event" (one that stops), or what went wrong
        message           the same in a sentence
        events            what happened, in order
        energy_drift      the largest change of energy that no force explains, relative to the energy
                          exchanged during the motion
        constraint_error  the largest gap of any loop at any of the times, m or rad
        last              the State at the end
        report            steps, evaluations, seconds, ...
        warnings          what a reader should know
        columns           {name: array}, as `result[name]`; `units` has the unit of each
        title             the heading of plots and of the player
        scene, memory     what the player and a continued run need besides

    Each column has one row per time; vectors have three numbers in a row. Immutable.
    """

    t: Array
    columns: Mapping[str, Array]
    status: str = "done"
    message: str = ""
    events: tuple[Happened, ...] = ()
    energy_drift: float = 0.0
    constraint_error: float = 0.0
    last: State | None = None
    report: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    units: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    scene: Callable[[], Mapping[str, Any]] | None = None  # bodies, poses, arrows, up
    memory: Any = None  # what continuing the run needs besides

    def __reduce__(self) -> Any:
        """How it is pickled: every column computed, and the picture of its bodies."""
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        scene = None if self.scene is None else dict(self.scene())
        return _restored, (values | {"columns": dict(self.columns), "scene": scene},)

    @property
    def success(self) -> bool:
        """Whether the run reached its end, or an event that stops it."""
        return self.status in GOOD

    @property
    def names(self) -> tuple[str, ...]:
        """All columns."""
        return tuple(self.columns)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of the coordinates; empty where the last state is unknown."""
        return () if self.last is None else self.last.coordinates

    def __getitem__(self, name: str) -> Array:
        if isinstance(name, str) and name == "t":  # pyright: ignore
            return self.t
        column = self._column(name) if isinstance(name, str) else None  # pyright: ignore
        if column is None:
            raise unknown_signal("the result has", name, self.names)
        return column

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name == "t" or self._column(name) is not None)

    def _column(self, name: str) -> Array | None:
        """A column, or one number of a vector."""
        if name in self.columns:
            return self.columns[name]
        return part_of(self.columns, self.units, name)

    @verb
    def plot(self, *names: str, x: str | None = None, title: str | None = None) -> "view.Plot":
        """Curves over time, or over the signal x; `.save("x.html")`, `.show()`.

        names   the signals; all coordinates if none is named
        x       the signal on the horizontal axis; time if not given
        title   the heading
        """
        from hapsis.mechanics.model.signals.signal_plot import signal_plot

        return signal_plot(self, names or self.coordinates or self.names[:6], x, title)

    @verb
    def player(self, signals: Sequence[str] | None = None) -> "view.Player":
        """The motion as an interactive page: camera, time slider, curves of every signal.

        signals   names of those that the page has; all if not given. Reactions of large models take seconds
                  when they are first computed
        """
        from hapsis.mechanics.model.signals.data_frames import flat_columns

        if self.scene is None:
            raise ModelError(
                "this result has no bodies to show: it was not saved with them",
                remedy="results of simulate, as .npz, have them; CSV files and recordings of pages do not",
            )
        if signals is not None:
            names = [signals] if isinstance(signals, str) else signals
            columns = {name: self[name] for name in names}
        else:
            columns = self.columns.all() if isinstance(self.columns, Columns) else dict(self.columns)
        series, units = flat_columns(columns, {name: self.unit(name) for name in columns})
        shown = [name for name in self.coordinates if name in series][:3] or list(series)[:3]
        notes = "" if self.success else f"{self.status}: {self.message}"
        title, parts = self.title or "motion", dict(self.scene())
        scene = view.Scene(title, self.t, series=series, units=units, notes=notes, shown=shown, **parts)
        return view.player(scene)

    def show(self) -> Path:
        """Opens the player in the browser and returns its file."""
        return self.player().show()

    @verb
    def save(self, path: str | PathLike[str]) -> Path:
        """Writes the signals in the format of the ending of `path`, and returns the path.

        .csv, .parquet   a table: t and all signals
        .npz             all of it; `hs.load` reads it
        .mcap            rows as messages of ROS 2, with names and units; `hs.recording` reads it
        .html            the player
        .svg             a flat picture that moves
        """
        from hapsis.mechanics.model import result_files

        path = Path(path)
        if path.suffix.lower() == ".html":
            return self.player().save(path)
        if path.suffix.lower() == ".svg":
            return self.player(signals=()).save(path)
        return result_files.save(self, path)

    def _repr_html_(self) -> str:
        from hapsis.mechanics.model.signals.html import signal_rows

        names = [n for n in self.coordinates or self.names[:6] if self[n].ndim == 1]
        return signal_rows(f"{self.title or 'motion'}: {self!r}", self, names[:12])

    def __repr__(self) -> str:
        end = f"t = {self.t[-1]:.6g} s" if len(self.t) else "no time"
        return f"Result({self.status} at {end}, {len(self.t)} times, {len(self.names)} names)"


def _restored(values: dict[str, Any]) -> Result:
    columns, scene = values["columns"], values["scene"]
    values["columns"] = Columns([(tuple(columns), columns)])
    values["scene"] = None if scene is None else partial(dict, scene)
    values["t"] = _fixed(values["t"])
    return Result(**values)


def _fixed(x: Any) -> Array:
    array = np.asarray(x, dtype=float)
    array.flags.writeable = False
    return array
