"""The rows of a run: shown to all checks, kept where they were asked for."""

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system_history import Rows
from hapsis.motion.simulate.run.run_parts import RowCheck, RunParts

Array = np.ndarray[Any, np.dtype[np.float64]]
LEAST_CHECKS = 200  # moments of a run that checks see
FAR = 1e-6  # of the largest speed: closed speeds that differ by more are those of a singular pose


def moments_between(samples: Array, span: tuple[float, float]) -> Array:
    """The times besides those of rows at which checks look, where rows are few."""
    if len(samples) >= LEAST_CHECKS:
        return np.empty(0)
    return np.setdiff1d(np.linspace(*span, LEAST_CHECKS)[1:-1], samples)


@final
class RunRows:
    """Rows of times, states and held inputs.

    samples    the times at which the integrator writes vectors: those of rows, and where they are
               few some between them, which only checks see
    kept       the rows that were asked for, in the order in which they came
    """

    def __init__(
        self,
        kernels: Kernels,
        parts: RunParts,
        checks: Sequence[RowCheck],
        samples: Array,
        span: tuple[float, float],
    ) -> None:
        self.kernels, self.parts, self.checks = kernels, parts, checks
        self._between = moments_between(samples, span)
        self.samples = np.sort(np.concatenate([samples, self._between])) if len(self._between) else samples
        self.kept: list[Rows] = []
        self._waiting: list[float] = []  # times of rows that show what is true after the next stop
        self._moved: dict[float, float] = {}  # times of such rows, and when they were asked for

    def __len__(self) -> int:
        return sum(len(rows.t) for rows in self.kept)

    def add(self, times: Array, vectors: Array, until: float) -> None:
        """More rows; those from `until` on wait."""
        wait = times >= until
        self._waiting += times[wait].tolist()
        if not wait.all():
            self._add(times[~wait], vectors[~wait])

    def add_singular(self, times: Array, vectors: Array, until: float) -> None:
        """More rows of a step over a singular position: at the very position speeds cannot be closed."""
        closed = self.parts.form.states(times, vectors)
        size = self.kernels.system.layout.size
        v, w = (self.kernels.system.layout.split(x[:, :size])[1] for x in (vectors, closed))
        with np.errstate(invalid="ignore"):
            far = ~(np.abs(w - v).max(axis=1) <= FAR * np.abs(v).max())
        closed[far] = vectors[far][:, :size]
        before = times < until
        self._waiting += times[~before].tolist()
        self._add(times[before], vectors[before], closed[before])

    def add_waiting(self, t: float, vector: Array) -> None:
        """The rows that have waited, at the time t if that is later, with the state there."""
        asked, self._waiting = np.array(self._waiting), list[float]()
        if len(asked):
            times = np.maximum(asked, t)
            late = times > asked
            self._moved |= dict(zip(times[late].tolist(), asked[late].tolist(), strict=True))
            self._add(times, np.tile(vector, (len(times), 1)))

    def _add(self, times: Array, vectors: Array, states: Array | None = None) -> None:
        """More rows, which all checks see; their states if they are known."""
        y = self.parts.form.states(times, vectors) if states is None else states
        rows = Rows(times, y, np.tile(self.kernels.u, (len(times), 1)))
        for check in self.checks:
            check.look(rows)
        if len(self._between):
            asked = ~np.isin(self.asked_times(times), self._between)
            rows, vectors = rows.part(asked), vectors[asked]
        self.kept.append(rows)
        if self.parts.record is not None:
            self.parts.record.keep(vectors)

    def asked_times(self, t: Array) -> Array:
        """Times of rows as they were asked for: at a kink of a function of time they are a little later."""
        return np.array([self._moved.get(x, x) for x in t.tolist()]) if self._moved else t
