"""The partition of a run with loops, changed where it gets weak; singular positions stepped over."""

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import best_partition, pivot_sizes, pivot_units
from hapsis.motion.simulate.equations.closed_system import ClosedSystem
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.run.events import Event
from hapsis.motion.simulate.run.integrator import Integrator, Watch
from hapsis.motion.simulate.run.run import Run
from hapsis.motion.simulate.run.run_parts import user_watch
from hapsis.motion.simulate.run.singular_positions import ROUGH, Motion, step_length, step_over
from hapsis.motion.solvers.integrators.gauss import CLOSE

Array = np.ndarray[Any, np.dtype[np.float64]]

WEAK = 0.1  # of a pivot where the partition was made: below it a better one is looked for
BETTER = 3.0  # times: a partition whose smallest pivot is not that much larger is no better
NEAREST = 0.03  # where none is better: from here a singular position is stepped over in any case,
EXACT = 1e-10  # and from farther away where the error of the step is not more than this
NEARER = 0.25  # of the time to the singular position, for steps on the way there
HALF = (
    0.5  # of its smallest pivot now: a partition that has more of it where another becomes singular is better
)
INSTANT = 1e-6  # of the units of coordinates, for how fast a pivot changes
LOCKED = 0.05  # of a pivot: a run that stops at a smaller one stops because of it
FAR = 1e300


@final
class PartitionSwitch:
    """Two events of the run's own: the smallest pivot gets below a limit, and above another one.

    Pivots are measured by their sizes where the partition was taken: `measure` has the inverses of
    these in the units of rows and speeds, `reference` the same for native code, which has none.

    growing    the run starts near a singular position, where some pivots are small; all are
               measured by the largest
    """

    first = 0

    def __init__(
        self, kernels: Kernels, system: ClosedSystem, loops: Loops, t: float, y: Array, growing: bool = False
    ) -> None:
        self.kernels, self.system, self.loops = kernels, system, loops
        self.limits = np.array([WEAK, FAR])
        self._references: dict[Partition, Array] = {}
        self._watches: dict[Partition, Watch | None] = {}
        self._measure(t, y, growing)

    def _measure(self, t: float, y: Array, growing: bool = False) -> None:
        """Makes the current pivots the reference."""
        partition = self.system.partition
        sizes = pivot_sizes(self.loops, partition, self.system.layout.split(y)[0], t)
        sizes = np.maximum(np.abs(sizes), 1e-300)
        self.measure = 1.0 / (np.full(len(sizes), sizes.max(initial=1e-300)) if growing else sizes)
        self.reference = self._references.setdefault(partition, np.zeros(len(sizes)))
        self.reference[:] = self.measure / pivot_units(self.loops, partition)

    def watch(self, events: Sequence[Event]) -> Watch | None:
        """The values that pass zero at these events, then those of the smallest pivot."""
        partition = self.system.partition
        if partition not in self._watches:
            watch = self._pivot_watch(events) if partition.rows else user_watch(self.kernels, events)
            self._watches[partition] = watch
        return self._watches[partition]

    def _pivot_watch(self, events: Sequence[Event]) -> Watch:
        function = self.system.watched_with_pivots(events)
        g = self.kernels.handle(function, "g", reference=self.reference, limits=self.limits)
        directions = [*(event.direction for event in events), -1, 1]
        return Watch(g, directions, [*(event.stop for event in events), True, True])

    def held(self, t: float, y: Array) -> None:
        """Pivots do not depend on it."""

    def started(self, integrator: Integrator) -> None:
        """Nothing depends on it."""

    def respond(self, run: Run) -> str:
        """Where pivots are weak, takes another partition or passes a singular position."""
        if len(run.events) in run.fired:  # the first value after those of the events
            return self._repartition(run)
        self.limits[:] = WEAK, FAR  # a singular position lies behind
        run.integrator.limit_step()
        run.integrator.restart()
        return ""

    def _repartition(self, run: Run) -> str:
        """Takes a better partition where there is one; else a singular position lies ahead."""
        t, y = run.integrator.t, run.state()
        q, old = self.system.layout.split(y)[0], self.system.partition
        new = best_partition(self.loops, q, t)
        now, then = (np.abs(pivot_sizes(self.loops, each, q, t)).min() for each in (old, new))
        enough = BETTER if self.limits[0] > NEAREST or not self._stays_good(new, t, y) else 1.0
        if len(new.rows) == len(old.rows) and then > enough * now:
            self.system = self.system.by(new)
            self.kernels.use(self.system)
            self._measure(t, y)
            self.limits[:] = WEAK, FAR
            run.resume(t, run.vector(t, y))
            run.history.add(self.system, run.row_count)
        else:
            return self._step_over(run, t, y)
        return ""

    def _stays_good(self, part: Partition, t: float, y: Array) -> bool:
        """Whether another partition does not get weak where the current one becomes singular."""
        ahead = self._time_to_singular(t, y)
        if ahead is None:
            return False
        q, v, _, _ = self.system.layout.split(y)
        now, then = (
            np.abs(pivot_sizes(self.loops, part, self.loops.moved(q, d * v), t + d)).min()
            for d in (0.0, ahead)
        )
        return bool(then > HALF * now)

    def _step_over(self, run: Run, t: float, y: Array) -> str:
        """One long step of high order over a singular position, none of whose stages is near it.

        Where such a step is not exact enough, it begins nearer to the position.
        """
        ahead, level = self._time_to_singular(t, y), self.limits[0]
        if ahead is None:  # it turns back by itself
            self.limits[:] = 0.5 * level, 2.0 * WEAK
            run.integrator.restart()
            return ""
        step = step_length(ahead, run.piece - t)
        over = step_over(self.kernels, t, y, step, CLOSE if level > NEAREST else ROUGH)
        scale = self.system.units + np.abs(y)
        exact = over is not None and over.error(scale) <= max(EXACT, run.options.tolerance)
        if not exact and level > NEAREST:
            self.limits[:] = 0.5 * level, 2.0 * WEAK
            run.integrator.limit_step(NEARER * ahead)  # no step may look beyond
            run.integrator.restart()
            return ""
        if over is None:
            return "singular"
        self.limits[:] = 0.5 * level, 2.0 * WEAK  # for a motion that turns back
        samples = run.samples[run.samples > t]
        inside = samples[samples <= t + step]
        path, times = Motion(self.kernels).path(over), np.append(inside, t + step)
        account = run.parts.account
        vectors = path(times) if account is None else account.along(run.integrator.y, t, path, times)
        run.resume(t + step, vectors[-1], (inside, vectors[:-1]))
        return ""

    def _time_to_singular(self, t: float, y: Array) -> float | None:
        """The time until the smallest pivot is zero; None if it grows."""
        q, v, _, _ = self.system.layout.split(y)
        moment = INSTANT / max(1e-3, float(np.abs(v / self.loops.speed_units).max(initial=0.0)))
        now, then = (
            pivot_sizes(self.loops, self.system.partition, self.loops.moved(q, d * v), t + d)
            for d in (0.0, moment)
        )
        worst = int(np.argmin(np.abs(now) * self.measure))
        rate = (then[worst] - now[worst]) / moment
        return float(-now[worst] / rate) if now[worst] * rate < 0.0 else None

    # failures ------------------------------------------------------------------------------------

    def explain(self, run: Run) -> str:
        """Which loop can hardly be closed; else what can move without moving any mass."""
        from hapsis.motion.simulate.run.massless_directions import massless_directions

        t, partition = run.integrator.t, self.system.partition
        q = self.system.layout.split(run.integrator.y)[0]
        if partition.rows:
            sizes = np.abs(pivot_sizes(self.loops, partition, q, t)) * self.measure
            worst = int(np.argmin(sizes))
            if sizes[worst] < LOCKED:
                loop = partition.rows[worst].rpartition(".")[0]
                return (
                    f'loop "{loop[:60]}" can hardly be closed beyond this '
                    f"pose: {self._leading()} cannot lead further"
                )
        q = self.system.layout.split(run.state())[0]
        return massless_directions(self.kernels, q, self._free(q, t))

    def _free(self, q: Array, t: float) -> Array:
        """Ways to move that keep all rows and drives, as columns over the speeds."""
        J = np.vstack([self.loops.relative_jacobian(q, t), np.eye(len(self.loops.rest))[self.loops.held]])
        _, s, V = np.linalg.svd(J)
        rank = int((s > 1e-9 * max(s.max(initial=0.0), 1e-300)).sum())
        return V[rank:].T * self.loops.speed_units[:, None]

    def _leading(self) -> str:
        """The coordinates that lead, drives first."""
        model = self.system.model
        names = [f'drive "{name}"' for name in model.drives]
        tied = {*self.system.partition.dependent, *self.loops.held}
        names += [f'"{n}"' for k, n in enumerate(model.speeds) if k not in tied]
        return ", ".join(names)[:200] or "nothing"
