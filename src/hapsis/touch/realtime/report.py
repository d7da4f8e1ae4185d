"""The report of a loop: rate held, lateness, misses, faults, and the telemetry by name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import hapsis.view as view
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import check_known, notice
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.signals.signal_table import SignalTable
from hapsis.touch.realtime.guard_memory import ASKED, CAUSES
from hapsis.touch.realtime.loop_memory import COMPUTE, LATE

if TYPE_CHECKING:
    from hapsis.touch.realtime.loop import Loop

REAL_TIME = 0.99
STOPPED = CAUSES[ASKED]
# counts of the guard that say once more, as the guard sees it, what the loop counts itself
OF_THE_LOOP = ("ticks", "late ticks", "missed periods", "longest row of misses")
PERCENTILES = (50.0, 99.0, 99.9, 99.99)
Array = np.ndarray[Any, np.dtype[np.float64]]


@verb
@dataclass(frozen=True, eq=False)
class Report(SignalTable):
    """How a loop ran: rate, lateness, computing time, what the guard did, and rows by name; times in s.

    rate        that was asked for; `held` is the rate that was reached; `factor` is their ratio:
                below 1 the model ran in slow motion
    lateness    percentiles 50, 99, 99.9, 99.99 and the largest, of waking after the deadline
    compute     the same of reading, stepping, guarding and writing
    misses      commands written after their period; `skips` periods without one; `longest` run
    faults      how often each rule of the guard acted, by name; a stop that was asked for is no fault
    missing     what the system did not grant
    ticks       their number; `late_bins` are counts of lateness, `rows` the telemetry and
                `columns` the names of its columns, in `units` where these are known
    cause       why the guard took the force to zero; empty if it did not
    """

    rate: float
    held: float
    ticks: int
    lateness: tuple[float, ...]
    compute: tuple[float, ...]
    misses: int
    skips: int
    longest: int
    faults: dict[str, int]
    cause: str
    missing: tuple[str, ...]
    late_bins: Any
    rows: Array
    columns: tuple[str, ...]
    units: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def of(loop: "Loop") -> "Report":
        """The report of what a loop has counted."""
        memory = loop.memory
        ticks, spent = int(memory.ticks), int(memory.spent)
        rows, _ = loop.telemetry.reader(0).take()
        late_bins, work_bins = memory.late_bins.copy(), memory.work_bins.copy()  # the loop may run
        return Report(
            rate=loop.rate,
            held=ticks / (spent * 1e-9) if spent else 0.0,
            ticks=ticks,
            lateness=percentiles(late_bins, rows[:, LATE]),
            compute=percentiles(work_bins, rows[:, COMPUTE]),
            misses=int(memory.misses),
            skips=int(memory.skips),
            longest=int(memory.longest),
            faults=loop.guard.report(),
            cause=loop.guard.cause,
            missing=() if loop.granted is None else loop.granted.missing,
            late_bins=late_bins,
            rows=rows,
            columns=loop.columns,
            units=loop.units,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the telemetry."""
        return self.columns

    @property
    def t(self) -> Array:
        """The times of the rows of the telemetry, s."""
        return self["t"]

    @property
    def factor(self) -> float:
        """The model's time divided by real time."""
        return self.held / self.rate

    @property
    def slow(self) -> str:
        """A line if the loop lost more than 1 % of its periods; else empty."""
        if not self.ticks or not self.skips or self.factor > REAL_TIME:
            return ""
        return (
            f"slow motion: the model ran at {self.factor:.3g} of real time; p99 of compute is "
            f"{1e6 * self.compute[1]:.3g} of {1e6 / self.rate:.3g} microseconds"
        )

    @property
    def too_deep(self) -> str:
        """A line if the step has the output "deepest" and a contact was pressed deeper than its substeps
        suffice for; else empty."""
        most = float(self["deepest"].max()) if "deepest" in self.columns and len(self.rows) else 0.0
        if not most > 1.0:
            return ""
        return f"too few substeps: a contact was pressed {most:.3g} times as deep as they suffice for"

    def __getitem__(self, name: str) -> Array:
        """A column of the telemetry, by name."""
        check_known(name, self.columns, "the telemetry has no column {}")
        return self.rows[:, self.columns.index(name)]

    @property
    def work_of_parameters(self) -> float:
        """The energy added by changes of live parameters, J, over the rows that are kept; the step
        must have the outputs "energy" and "energy.before"."""
        return float((self["energy.before"][1:] - self["energy"][:-1]).sum())

    def plot(
        self, *names: str, x: str | None = None, y: str | None = None, title: str | None = None
    ) -> "view.Plot":
        """Curves over time, or over the column x, as in plot("hand.force", x="hand.position").

        names   columns of the telemetry; the commands if none is named
        x       the column on the horizontal axis; time if not given
        y       one more name
        title   the heading

        Two names and no x are x and y, as they were in the version before; a notice says so.
        """
        from hapsis.mechanics.model.signals.signal_plot import signal_plot

        if len(names) == 2 and x is None and y is None:
            first, second = names
            notice(f'report.plot("{first}", "{second}") is now report.plot("{second}", x="{first}")')
            names, x = (second,), first
        names = names if y is None else (*names, y)
        return signal_plot(self, names or [n for n in self.columns if n.endswith(".command")], x, title)

    @verb
    def save(self, path: str | PathLike[str]) -> Path:
        """Writes the telemetry as .csv, .npz, .parquet or .mcap, as a Result is saved; returns the path."""
        columns = {name: self[name] for name in self.columns if name != "t"}
        return Result(t=self.t, columns=columns, units=self.units, title="telemetry").save(path)

    def _repr_html_(self) -> str:
        from hapsis.mechanics.model.signals.html import small_table

        rows = [(a, f"{self.held:.6g}", f"{self.rate:g}") for a in ("rate, 1/s",)]
        rows += [
            (name, f"{1e6 * x[1]:.3g}", f"{1e6 * x[-1]:.3g}")
            for name, x in (("lateness p99, max, µs", self.lateness), ("compute p99, max, µs", self.compute))
        ]
        rows.append(("misses, skips", str(self.misses), str(self.skips)))
        line = "; ".join(
            [f"{self.ticks} ticks", *filter(None, (self.cause, self.slow, self.too_deep, *self.missing))]
        )
        return small_table(line, ("loop", "", ""), rows)

    def histogram(self) -> "view.Plot":
        """A plot of how many ticks woke how late."""
        used = np.flatnonzero(self.late_bins)
        last = min(int(used[-1]) + 2, len(self.late_bins)) if len(used) else 2
        late = np.arange(last) + 0.5
        return view.curves(
            late,
            {"ticks": np.maximum(self.late_bins[:last], 0.5)},
            xlabel="lateness, microseconds",
            logarithmic="y",
        )

    def __str__(self) -> str:
        def line(name: str, values: tuple[float, ...]) -> str:
            names = ("p50", "p99", "p99.9", "p99.99", "max")
            shown = ", ".join(f"{n} {1e6 * x:.3g}" for n, x in zip(names, values, strict=True))
            return f"{name} {shown} microseconds"

        acted = ", ".join(f"{n} {k}" for n, k in self.faults.items() if k and n not in OF_THE_LOOP)
        lines = [
            f"{self.ticks} ticks at {self.held:.6g} per second (asked: {self.rate:g})",
            line("lateness", self.lateness),
            line("compute", self.compute),
            f"misses {self.misses}, periods skipped {self.skips}, longest row of misses {self.longest}",
            *([f"guard: {acted}"] if acted else []),
            *([f"{'stopped' if self.cause == STOPPED else 'fault'}: {self.cause}"] if self.cause else []),
            *(told for told in (self.slow, self.too_deep) if told),
            *(f"soft real time: {line}" for line in self.missing),
        ]
        return "\n".join(lines)


def percentiles(bins: Any, values: Array) -> tuple[float, ...]:
    """Percentiles of all ticks by the histogram, and the largest value of it or of the rows."""
    total = int(bins.sum())
    if not total:
        return (0.0,) * (len(PERCENTILES) + 1)
    below = np.cumsum(bins)
    times = [float(np.searchsorted(below, p / 100.0 * total)) * 1e-6 for p in PERCENTILES]
    last = float(np.flatnonzero(bins)[-1]) * 1e-6
    return (*times, max(last, float(values.max(initial=0.0))))
