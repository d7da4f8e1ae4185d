"""Sweep: a table with one row for each of many runs: what they differ in, and what was measured."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

import hapsis.view as view
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import ModelError, near
from hapsis.mechanics.model.result import GOOD
from hapsis.mechanics.model.result_files import plain_text, pyarrow_of, whole
from hapsis.mechanics.model.signals.data_frames import frame_of, installed
from hapsis.mechanics.model.signals.html import small_table

Array = np.ndarray[Any, np.dtype[np.float64]]
ENDINGS = (".csv", ".parquet")
SHOWN = 10  # rows that notebooks show
TEXTS = ("status", "message")  # columns beside those of numbers


@verb
@dataclass(frozen=True, eq=False)
class Sweep(Immutable):
    """A table of runs: `sweep["arm.mass"]`, `sweep["max(hinge)"]`, one number for each run.

        given      {name: value of each run}: what the runs differ in
        measured   {name: number of each run}: what was measured; NaN where the run did not succeed
        status     of each run: "done", "event", or what went wrong; `message` the same in a sentence
        lengths    of each run, how many of the common times it reached
        axes       {name: values}, as they were given
        shape      of a grid the numbers of these values, as in `sweep.grid("max(hinge)")`; else the
                   number of runs
        units      {name: unit}, as far as they are known
        title      the heading of plots

    Immutable.
    """

    given: Mapping[str, Array]
    measured: Mapping[str, Array]
    status: tuple[str, ...]
    message: tuple[str, ...]
    lengths: Any
    axes: Mapping[str, Array]
    shape: tuple[int, ...]
    units: Mapping[str, str] = field(default_factory=dict)
    title: str = ""

    def __len__(self) -> int:
        return len(self.status)

    @property
    def success(self) -> bool:
        """Whether all runs reached their end, and everything was measured."""
        return all(status in GOOD for status in self.status)

    @property
    def names(self) -> tuple[str, ...]:
        """All columns of numbers."""
        return (*self.given, *self.measured)

    def __getitem__(self, name: str) -> Array:
        """A column, with one number for each run."""
        for columns in (self.given, self.measured):
            if isinstance(name, str) and name in columns:  # pyright: ignore
                return columns[name]
        raise ModelError(
            f'the sweep has no "{str(name)[:60]}"{near(str(name), self.names)}',
            expected=", ".join(self.names),
        )

    def __iter__(self) -> Iterator[str]:
        """The names of all columns of numbers."""
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self.names

    def grid(self, name: str) -> Array:
        """A column in the shape of the grid: one axis for each name of `axes`, in their order."""
        return self[name].reshape(self.shape)

    @property
    def columns(self) -> dict[str, Any]:
        """All columns by name: numbers, then length, status and message of each run."""
        texts = {name: np.array(getattr(self, name), object) for name in TEXTS}
        return {**self.given, **self.measured, "length": np.asarray(self.lengths), **texts}

    # for other programs --------------------------------------------------------------------------

    def to_dataframe(self, library: str | None = None) -> Any:
        """A data frame with all columns, one row for each run.

        library   "pandas" or "polars"; the first of them that is installed if not given

        Of pandas, `frame.attrs["units"]` has the units by name.
        """
        return frame_of(self.columns, self.units, library)

    def to_xarray(self) -> Any:
        """An `xarray.Dataset` with the measures, over the axes of the grid or over runs. Needs xarray."""
        xarray = installed("to_xarray", ("xarray",))
        columns = {**self.measured, **{name: self.columns[name] for name in ("length", *TEXTS)}}
        axes, places = ("run",), {name: ("run", x) for name, x in self.given.items()}
        if self.is_grid:
            axes, places = tuple(self.axes), dict(self.axes)
        values = {
            name: (axes, np.asarray(x).reshape(self.shape), {"units": self.units.get(name, "")})
            for name, x in columns.items()
        }
        return xarray.Dataset(values, places)

    @property
    def is_grid(self) -> bool:
        """Whether every value of an axis meets every value of the others."""
        return self.shape == tuple(map(len, self.axes.values()))

    @verb
    def save(self, path: str | PathLike[str]) -> Path:
        """Writes the table, .csv or .parquet (needs pyarrow), and returns the path."""
        path = Path(path)
        ending = path.suffix.lower()
        if ending not in ENDINGS:
            raise ModelError(f'a sweep cannot be saved as "{path.name[:60]}"', expected=", ".join(ENDINGS))
        whole(path, self._csv if ending == ".csv" else self._parquet)
        return path

    def _csv(self, path: Path) -> None:
        columns = self.columns
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([plain_text(name) for name in columns])
            for row in zip(*columns.values(), strict=True):
                writer.writerow([_cell(x) for x in row])

    def _parquet(self, path: Path) -> None:
        pyarrow = pyarrow_of()
        rows = pyarrow.table({name: pyarrow.array(x) for name, x in self.columns.items()})
        pyarrow.parquet.write_table(rows, path)

    # to look at ----------------------------------------------------------------------------------

    @verb
    def plot(
        self, *names: str, x: str | None = None, y: str | None = None, title: str | None = None
    ) -> "view.Plot":
        """Measures over what was swept.

        names   the measures; all if none is named
        x       the name on the horizontal axis; the first that was swept if not given
        y       the name on the vertical axis, for a map in colours; x and y are two axes of a grid
        title   the heading

        On a grid of several names there is a curve for each value of the others. More than twelve are not
        drawn: twelve of them, evenly chosen, are, and a notice says so. Samples (grid=False) are points.
        """
        from hapsis.mechanics.model.runs.sweep_plot import sweep_plot

        return sweep_plot(self, names or tuple(self.measured), x, y, title or self.title or None)

    def _repr_html_(self) -> str:
        names = self.names
        head = ["run", *(f"{n}, {self.units[n]}" if n in self.units else n for n in names), "status"]
        rows = [
            [str(k), *(f"{self[n][k]:.5g}" for n in names), self.status[k]]
            for k in range(min(len(self), SHOWN))
        ]
        if len(self) > SHOWN:
            rows.append(["...", *[""] * (len(head) - 1)])
        return small_table(repr(self), head, rows)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.names)

    def __repr__(self) -> str:
        failed = sum(status not in GOOD for status in self.status)
        end = f", {failed} of them did not succeed" if failed else ""
        over = " x ".join(f"{len(x)} {name}" for name, x in self.axes.items())
        text = over if self.is_grid else ", ".join(self.axes)
        return f"Sweep({len(self)} runs{end}, over {text}; measured {', '.join(self.measured)})"


def _cell(x: Any) -> str:
    """A number with all its digits, or a text that a spreadsheet does not take for a formula."""
    if isinstance(x, float):
        return f"{x:.17g}"
    return plain_text(x) if isinstance(x, str) else str(x)
