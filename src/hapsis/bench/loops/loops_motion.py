"""The true motion of a mechanism with loops, and how far a run is from it.

The reference is SciPy's DOP853 at 1e-12 on our reduced equations. They are checked in the same run:
every rival says what it accelerates to, in two poses of the motion.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.bench.loops.loops_cases import Case
from hapsis.bench.loops.loops_table import table
from hapsis.bench.rivals import Driver
from hapsis.compiler.backends.compile import compile
from hapsis.mechanics.formalisms.constraints.constraint_rows import constraints
from hapsis.mechanics.formalisms.tree.energy import energy
from hapsis.motion.analysis.assembly.reduce import reduced_dynamics

TIGHTEST = 1e-12
SAMPLES = 50  # of every run


@dataclass(frozen=True)
class Path:
    """One run: processor seconds, steps, and samples of the state, the last one at the end."""

    seconds: float
    steps: int
    q: Any  # a row for each sample, in the model's order
    v: Any
    apart: float = 0.0  # how far joints of the tree are open, where bodies are free
    besides: float = 0.0  # seconds of the run that its steps do not take


def lost(seconds: float, steps: int, size: int) -> Path:
    """A run that did not come to the end."""
    nowhere = np.full((1, size), np.nan)
    return Path(seconds, steps, nowhere, nowhere)


Runs = dict[str, list[tuple[float, Callable[[], Path]]]]  # per method: steps and runs


class Motion:
    """The reference motion of a case."""

    def __init__(self, case: Case):
        self.case, self.model, self.start = case, case.model, case.start
        self.table = table(case.model)
        self.efforts = self.table.efforts[self.table.order]
        self.size = len(self.start.q)
        self.reduced: Any = compile(reduced_dynamics(case.model, at=self.start))
        self.rows: Any = compile(constraints(case.model))
        self.energies: Any = compile(energy(case.model))
        self.place = case.model.coordinates.index(case.coordinate)
        fine, coarse = (self._solved(x) for x in (TIGHTEST, 10 * TIGHTEST))
        self.q, self.v = fine[: self.size].T, fine[self.size :].T
        self.doubt = float(np.abs(fine - coarse)[self.place, -1])
        self.level = self._energy(self.start.q, self.start.v)

    def _solved(self, tolerance: float) -> Any:
        """The states at the start, half-way and at the end."""
        from scipy.integrate import solve_ivp

        n, zero, until = self.size, np.zeros(self.size), self.case.until

        def rates(_: float, y: Any) -> Any:
            motion = self.reduced(y[:n], y[n:], zero)
            return np.concatenate([motion.v, motion.a])

        start = np.concatenate([self.start.q, self.start.v])
        options: dict[str, Any] = {"rtol": tolerance, "atol": tolerance}
        times = (0.0, until / 2, until)
        return solve_ivp(rates, (0.0, until), start, "DOP853", t_eval=times, **options).y

    def probes(self) -> list[tuple[Any, Any]]:
        """Two closed states, q and v: the start and half-way."""
        zero, states = np.zeros(self.size), []
        for k in (0, 1):
            state = self.reduced(self.q[k], self.v[k], zero)
            states.append((np.array(state.q), np.array(state.v)))
        return states

    def accelerations(self) -> Any:
        """Ours at the two probes."""
        zero = np.zeros(self.size)
        return np.array([self.reduced(q, v, zero).a for q, v in self.probes()])

    def error(self, path: Path) -> float:
        """Of the case's coordinate at the end."""
        return abs(float(path.q[-1, self.place] - self.q[-1, self.place]))

    def gap(self, path: Path) -> float:
        """The largest error of a loop among the samples."""
        pairs = zip(path.q, path.v, strict=True)
        gaps = [np.abs(self.rows(q, v).h).max() for q, v in pairs]
        return float(np.max([path.apart, *gaps]))  # nan where one is

    def energy_error(self, path: Path) -> float:
        """The largest change of energy, less the work that was done, among the samples."""
        pairs = zip(path.q, path.v, strict=True)
        return float(np.max([abs(self._energy(q, v) - self.level) for q, v in pairs]))

    def _energy(self, q: Any, v: Any) -> float:
        return float(sum(self.energies(q, v)) - q @ self.efforts)


def driven(driver: Driver, what: str, steps: int, order: Any) -> Path:
    """A run of a rival's driver; `order` says where the model's coordinates are in its states."""
    took, numbers = driver.run(what)
    states = numbers.reshape(-1, 2 * len(order))  # q, then v
    return Path(took, steps, states[:, order], states[:, len(order) + order])


def parts(steps: int) -> list[int]:
    """How many steps there are between two samples."""
    every = max(1, steps // SAMPLES)
    counts = [every] * (steps // every)
    return [*counts, steps - sum(counts)] if steps % every else counts
