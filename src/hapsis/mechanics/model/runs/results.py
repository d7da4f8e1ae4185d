"""Results: the recorded motions of many runs of one model, by name, with the runs as first axis."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

import hapsis.view as view
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import ModelError
from hapsis.mechanics.model.result import GOOD, Array, Columns, Result
from hapsis.mechanics.model.signals.signal_table import unknown_signal
from hapsis.mechanics.model.signals.vector_parts import part_of
from hapsis.mechanics.model.state import State

FEW = 12  # runs that are shown one by one


@verb
@dataclass(frozen=True, eq=False)
class Results(Immutable):
    """Many motions: `results.t`, `results["elbow"]` with a row for each run, `results[3]` the fourth run.

        t             the times, the same for all runs
        columns       {name: array}, as `results[name]`
        given         {name: value of each run}: what they differ in
        status        of each run: "done", or what went wrong; `message` the same in a sentence
        lengths       of each run, how many of the times it reached; after them its numbers are NaN
        energy_drift  of each run, see `hs.Result`
        report        steps, evaluations, ... of each run, the seconds of all
        units, title  as of a Result
        coordinates, speeds   their names
        alone         {number: Result} of the runs that were made one by one
        scene         gives, for the number of a run, what the player needs
        warnings      {number: what a reader should know} of the runs that have warnings
        memory        gives, for the number of a run, what going on from it needs

    All runs have the rows of the times `t`. `results[3]` is the run as `hs.simulate` gives it: with rows of
    its own at events, and at the end where it stopped earlier. Immutable.
    """

    t: Array
    columns: Mapping[str, Array]
    given: Mapping[str, Array]
    status: tuple[str, ...]
    message: tuple[str, ...]
    lengths: Any
    energy_drift: Array
    report: Mapping[str, Any] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    coordinates: tuple[str, ...] = ()
    speeds: tuple[str, ...] = ()
    alone: Mapping[int, Result] = field(default_factory=dict)
    scene: Callable[[int], Mapping[str, Any]] | None = None
    warnings: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    memory: Callable[[int], Any] | None = None

    def __reduce__(self) -> Any:
        """How it is pickled: every column computed, without the pictures of bodies."""
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        return _restored, (values | {"columns": dict(self.columns), "scene": None},)

    def __iter__(self) -> Iterator[Result]:
        return map(self.run, range(len(self)))

    def __len__(self) -> int:
        return len(self.status)

    @property
    def success(self) -> bool:
        """Whether all runs reached their end."""
        return all(status in GOOD for status in self.status)

    @property
    def names(self) -> tuple[str, ...]:
        """All columns."""
        return tuple(self.columns)

    def __getitem__(self, name: str | int) -> Any:
        """A column, with a row for each run; or with a number one run as a Result."""
        if isinstance(name, int | np.integer):
            return self.run(int(name))
        if name == "t":
            return self.t
        column = self._column(name) if isinstance(name, str) else None  # pyright: ignore
        if column is None:
            raise unknown_signal("the results have", name, self.names)
        return column

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name == "t" or self._column(name) is not None)

    def _column(self, name: str) -> Array | None:
        """A column, or one number of a vector; with a row for each run."""
        if name in self.columns:
            return self.columns[name]
        return part_of(self.columns, self.units, name, axes=2)

    def run(self, k: int) -> Result:
        """One run by its number, from 0."""
        if not -len(self) <= k < len(self):
            raise ModelError(f"there is no run {k}", expected=f"0 to {len(self) - 1}")
        k = k % len(self)
        if k in self.alone:
            return self.alone[k]
        rows = int(self.lengths[k])
        groups = [((name,), lambda name=name: {name: self.columns[name][k, :rows]}) for name in self.names]
        counts = {name: int(x[k]) for name, x in self.report.items() if isinstance(x, np.ndarray)}
        scene = self.scene
        return Result(
            t=self.t[:rows],
            columns=Columns(
                groups, lambda name: self.columns[name][k, :rows] if name in self.columns else None
            ),
            status=self.status[k],
            message=self.message[k],
            energy_drift=float(self.energy_drift[k]),
            last=self._state(k, rows - 1) if rows and self.speeds else None,
            report={"method": self.report.get("method", ""), **counts},
            warnings=self.warnings.get(k, ()),
            units=self.units,
            title=self.title,
            memory=None if self.memory is None or not rows else self.memory(k),
            scene=None if scene is None or not rows else lambda: scene(k),
        )

    def _state(self, k: int, row: int) -> State:
        """The state of a run in one of its rows."""
        q, v = ([self.columns[n][k, row] for n in names] for names in (self.coordinates, self.speeds))
        return State(self.coordinates, self.speeds, q, v)

    @verb
    def plot(self, *names: str, x: str | None = None, title: str | None = None) -> "view.Plot":
        """Curves over time, or over the signal x; `.save("x.html")`, `.show()`.

        names   the signals; all coordinates if none is named
        x       the signal on the horizontal axis; time if not given
        title   the heading

        Up to twelve runs are drawn one by one. Of more, bands over time: a part of the runs lies below each
        of five curves; over another signal twelve of the runs, evenly chosen.
        """
        from hapsis.mechanics.model.runs.results_plot import results_plot

        return results_plot(self, names or self.coordinates or self.names[:6], x, title)

    @verb
    def save(self, path: str | PathLike[str]) -> Path:
        """Writes the runs in the format of the ending of `path`, and returns the path.

        .npz             everything at the times `t`; `hs.load` reads it. Rows at events are not in it
        .csv, .parquet   a long table: run, t and all signals
        """
        from hapsis.mechanics.model.runs.results_files import save

        return save(self, Path(path))

    def to_dataframe(self, library: str | None = None) -> Any:
        """A long data frame: the columns run, t, what the runs differ in, and all signals.

        library   "pandas" or "polars"; the first of them that is installed if not given

        Of pandas, `frame.attrs["units"]` has the units by name.
        """
        from hapsis.mechanics.model.runs.results_files import long_columns, long_units
        from hapsis.mechanics.model.signals.data_frames import frame_of

        return frame_of(long_columns(self), long_units(self), library)

    def to_xarray(self) -> Any:
        """An `xarray.Dataset` over run and t, with what the runs differ in along run. Needs xarray."""
        from hapsis.mechanics.model.runs.results_files import dataset

        return dataset(self)

    def _repr_html_(self) -> str:
        from hapsis.mechanics.model.signals.html import small_table

        names = [name for name in self.coordinates or self.names[:6] if self[name].ndim == 2][:8]
        head = ["run", *(f"given {n}" for n in self.given), *(f"last {n}" for n in names), "status"]
        rows = []
        for k in range(min(len(self), FEW)):
            given = [f"{values[k]:.5g}" for values in self.given.values()]
            last = [f"{self[n][k, self.lengths[k] - 1]:.5g}" if self.lengths[k] else "" for n in names]
            rows.append([str(k), *given, *last, self.status[k]])
        if len(self) > FEW:
            rows.append(["...", *[""] * (len(head) - 1)])
        return small_table(f"{self.title or 'motions'}: {self!r}", head, rows)

    def _ipython_key_completions_(self) -> list[str]:
        return ["t", *self.names]

    def __repr__(self) -> str:
        failed = sum(status not in GOOD for status in self.status)
        end = f", {failed} of them not to the end" if failed else ""
        return f"Results({len(self)} runs{end}, {len(self.t)} times, {len(self.names)} names)"


def _restored(values: dict[str, Any]) -> Results:
    columns = values["columns"]
    values["columns"] = Columns([(tuple(columns), columns)])
    return Results(**values)
