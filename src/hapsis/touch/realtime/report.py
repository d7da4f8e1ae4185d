"""How a loop went: rate held, lateness, misses, faults, and the curve that was felt."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis import view
from hapsis.errors import ModelError, near
from hapsis.touch.realtime import native_loop as ticking

if TYPE_CHECKING:
    from hapsis.touch.realtime.loop import Loop

REAL_TIME = 0.99
PERCENTILES = (50.0, 99.0, 99.9, 99.99)
Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, eq=False)
class Report:
    """Times in seconds.

    rate        asked for; `held` is what was reached, over the time of the loop; `factor` is how
                fast the model's time passed: below 1 what a hand felt was slow motion
    lateness    percentiles 50, 99, 99.9, 99.99 and the largest, of waking after the deadline
    compute     the same of reading, stepping, guarding and writing
    misses      commands written after their period; `skips` periods without one; `longest` run
    faults      what the guard noticed, by name
    missing     what the system did not grant
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

    @staticmethod
    def of(loop: "Loop") -> "Report":
        """What a loop has counted."""
        counts = loop.counts
        ticks = int(counts[ticking.TICKS])
        spent = int(counts[ticking.SPENT])
        rows, _ = loop.telemetry.reader(0).take()
        return Report(
            rate=loop.rate,
            held=ticks / (spent * 1e-9) if spent else 0.0,
            ticks=ticks,
            lateness=percentiles(loop.late, rows[:, ticking.LATE]),
            compute=percentiles(loop.work, rows[:, ticking.COMPUTE]),
            misses=int(counts[ticking.MISSES]),
            skips=int(counts[ticking.SKIPS]),
            longest=int(counts[ticking.LONGEST]),
            faults=loop.guard.report(),
            cause=loop.guard.cause,
            missing=() if loop.granted is None else loop.granted.missing,
            late_bins=loop.late.copy(),
            rows=rows,
            columns=loop.columns,
        )

    @property
    def factor(self) -> float:
        """Model's time over real time."""
        return self.held / self.rate

    @property
    def slow(self) -> str:
        """Empty, or a line on a loop that lost more than 1 % of its periods."""
        if not self.ticks or not self.skips or self.factor > REAL_TIME:
            return ""
        return (
            f"slow motion: the model ran at {self.factor:.3g} of real time; p99 of compute is "
            f"{1e6 * self.compute[1]:.3g} of {1e6 / self.rate:.3g} microseconds"
        )

    def __getitem__(self, name: str) -> Array:
        """A column of the telemetry that is kept."""
        if name not in self.columns:
            raise ModelError(f'the loop does not tell "{str(name)[:60]}"{near(str(name), self.columns)}')
        return self.rows[:, self.columns.index(name)]

    @property
    def work_of_parameters(self) -> float:
        """J that live parameters have given by changing, over the rows that are kept; the step
        must tell "energy" and "energy.before"."""
        return float((self["energy.before"][1:] - self["energy"][:-1]).sum())

    def plot(self, x: str, y: str) -> "view.Plot":
        """One column over another, as the force over the position."""
        return view.curves(self[x], {y: self[y]}, xlabel=x)

    def histogram(self) -> "view.Plot":
        """How often the loop woke how late."""
        used = np.flatnonzero(self.late_bins)
        last = int(used[-1]) + 2 if len(used) else 2
        late = np.arange(last) + 0.5
        return view.curves(
            late,
            {"ticks": np.maximum(self.late_bins[:last], 0.5)},
            xlabel="lateness, microseconds",
            logarithmic="y",
        )

    def __str__(self) -> str:
        def told(name: str, values: tuple[float, ...]) -> str:
            names = ("p50", "p99", "p99.9", "p99.99", "max")
            shown = ", ".join(f"{n} {1e6 * x:.3g}" for n, x in zip(names, values, strict=True))
            return f"{name} {shown} microseconds"

        lines = [
            f"{self.ticks} ticks at {self.held:.6g} per second (asked: {self.rate:g})",
            told("lateness", self.lateness),
            told("compute", self.compute),
            f"misses {self.misses}, periods skipped {self.skips}, longest run {self.longest}",
            f"guard: {', '.join(f'{n} {k}' for n, k in self.faults.items() if k)}",
            *([f"fault: {self.cause}"] if self.cause else []),
            *([self.slow] if self.slow else []),
            *(f"soft real time: {line}" for line in self.missing),
        ]
        return "\n".join(lines)


def percentiles(bins: Any, values: Array) -> tuple[float, ...]:
    """Percentiles by the histogram, of all ticks; the largest of the rows that are kept, or of the
    histogram if that is larger."""
    total = int(bins.sum())
    if not total:
        return (0.0,) * (len(PERCENTILES) + 1)
    below = np.cumsum(bins)
    found = [float(np.searchsorted(below, p / 100.0 * total)) * 1e-6 for p in PERCENTILES]
    last = float(np.flatnonzero(bins)[-1]) * 1e-6
    return (*found, max(last, float(values.max(initial=0.0))))
