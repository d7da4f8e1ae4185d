"""Results: the recorded motions of many runs of one model, by name, with the runs as first axis."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

import hapsis.view as view
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import ModelError, near
from hapsis.mechanics.model.result import GOOD, Array, Columns, Result
from hapsis.mechanics.model.state import State

BANDS = (0.05, 0.25, 0.5, 0.75, 0.95)  # parts of the runs that lie below the curves of a plot
FEW = 12  # runs that are drawn one by one


@verb
@dataclass(frozen=True, eq=False)
class Results(Immutable):
    """Many motions: `results.t`, `results["elbow"]` with a row for each run, `results[3]` the fourth run.

        t             the times, the same for all runs
        columns       {name: array}, as `results[name]`
        given         {name: value of each run}: what they differ in
        status        of each run: "done", or what went wrong; `message` the same in a sentence
        lengths       of each run, how many of the times it reached; after them its numbers are NaN
        energy_drift  of each run, see `hs.Result`; of runs in lanes it is that at the times `t`
        report        steps, evaluations, ... of each run, the seconds of all
        units, title  as of a Result
        coordinates, speeds   their names
        alone         {number: Result} of the runs that were made one by one
        scene         gives, for the number of a run, what the player needs

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
        if name not in self.columns:
            raise ModelError(
                f'the results have no "{str(name)[:60]}"{near(str(name), self.names)}',
                expected=f"one of {len(self.names)} names, as in {', '.join(self.names[:4])}",
            )
        return self.columns[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name == "t" or name in self.columns)

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
            columns=Columns(groups),
            status=self.status[k],
            message=self.message[k],
            energy_drift=float(self.energy_drift[k]),
            last=self._state(k, rows - 1) if rows and self.speeds else None,
            report={"method": self.report.get("method", ""), **counts},
            units=self.units,
            title=self.title,
            scene=None if scene is None or not rows else lambda: scene(k),
        )

    def _state(self, k: int, row: int) -> State:
        """The state of a run in one of its rows."""
        q, v = ([self.columns[n][k, row] for n in names] for names in (self.coordinates, self.speeds))
        return State(self.coordinates, self.speeds, q, v)

    @verb
    def plot(self, *names: str, title: str | None = None) -> "view.Plot":
        """Curves over time: a few runs one by one, many as bands of the runs below each of five curves."""
        table: dict[str, Any] = {}
        for name in names or self.coordinates or self.names[:6]:
            values = self[name]
            if values.ndim != 2:
                raise ModelError(
                    f'"{name}" has several numbers in a row', remedy="plot one of them with hs.view"
                )
            if len(self) <= FEW:
                table[name] = {f"run {k}": row for k, row in enumerate(values)}
            else:
                with np.errstate(all="ignore"):
                    bands = np.nanquantile(values, BANDS, axis=0)
                table[name] = {f"{100 * part:g} %": row for part, row in zip(BANDS, bands, strict=True)}
        units = {name: self.units[name] for name in table if name in self.units}
        return view.plot(self.t, table, title=title or self.title or None, units=units)

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
