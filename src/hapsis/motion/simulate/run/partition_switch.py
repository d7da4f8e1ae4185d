"""A run of a model with loops: rows are closed, and the partition changes where it gets weak."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.mechanics.formalisms.constraints.reduction import Partition
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import best_partition, pivot_sizes
from hapsis.motion.simulate.equations.closed_system import Looped
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.run.events import Event, Internal
from hapsis.motion.simulate.run.progress import Bar
from hapsis.motion.simulate.run.run import FAILED, Plan, Running
from hapsis.motion.solvers.run import integration as solver

Array = np.ndarray[Any, np.dtype[np.float64]]

WEAK = 0.1  # of a pivot where the partition was made: below it a better one is looked for
BETTER = 3.0  # times: a partition whose smallest pivot is not that much larger is no better
CLOSE = 0.05  # where none is better: from here a singular position is stepped over
NEARER = 0.25  # of the time to it, for steps on the way there
AGAIN = 0.02  # and from here, if the motion turns back after it
GAP = 0.4667  # of a step of order 8: the middle of the widest gap between its stages
INSTANT = 1e-6  # rad or m, for how fast a pivot changes
LOCKED = 0.05  # of a pivot: a run that ends there ends because of it
TORN = 1e-6  # m or rad; a row that is left further open, redundant ones too, contradicts others
FAR = 1e300


class Looping(Running):
    """Running, with two events of its own: pivots get small, and large again."""

    packed: Looped

    def __init__(
        self,
        kernels: Kernels,
        events: Sequence[Event],
        span: tuple[float, float],
        y: Array,
        plan: Plan,
        loops: Loops,
    ) -> None:
        self.loops = loops
        packed: Any = kernels.packed
        self.weak, self.strong = Internal("weak", rising=False), Internal("strong", rising=True)
        self.limits = np.array([WEAK, FAR])
        self.references: dict[Partition, Array] = {}
        self.watches: dict[Partition, Any] = {}
        self.turns: list[tuple[Partition, int]] = [(packed.part, 0)]  # and from which row on
        self.torn: tuple[float, str] | None = None  # when a row was found open, and what to tell
        own = [self.weak, self.strong] if packed.part.rows else []
        self._measure(packed, span[0], y)
        super().__init__(kernels, [*events, *own], span, y, plan)

    def _measure(self, packed: Looped, t: float, y: Array) -> None:
        """Pivots as they are here become the measure of those to come."""
        sizes = pivot_sizes(self.loops, packed.part, packed.layout.split(y)[0], t)
        self.reference = self.references.setdefault(packed.part, np.zeros(len(sizes)))
        self.reference[:] = 1.0 / np.maximum(np.abs(sizes), 1e-300)

    def _start(self, method: str, t: float, y: Array, samples: Array) -> None:
        self.events.sort(key=lambda event: isinstance(event, Internal))  # ours are written last
        super()._start(method, t, y, samples)

    def _watched(self) -> Any:
        if self.packed.part not in self.watches:
            more = {"reference": self.reference, "limits": self.limits}
            more = more if self.weak in self.events else {}
            made = self.kernels.handle(self.packed.watched(self.events), "g", **more)
            self.watches[self.packed.part] = made
        return self.watches[self.packed.part]

    def _state(self, t: Any, y: Array) -> Array:
        times = np.atleast_1d(np.asarray(t, float))
        if not len(times):
            return y
        u = np.tile(self.kernels.u, (len(times), 1))
        found = self.kernels.rows(self.packed.closing(), times, np.atleast_2d(y), u)["y"]
        return found.reshape(np.shape(y))

    def _keep(self, times: Array, new: Array) -> None:
        super()._keep(times, new)
        if self.torn is None and len(self.loops.names):
            q, v, _, _ = self.packed.layout.split(new)
            self.torn = self._opened(times, q, v)

    def _opened(self, times: Array, q: Array, v: Array) -> tuple[float, str] | None:
        """The first row of states that leaves something open, and what to tell of it."""
        gaps = self.loops.gaps(times, q, v)
        wide = ~(gaps.max(axis=1) <= TORN)
        if not wide.any():
            return None
        k = int(np.argmax(wide))
        name = self.loops.names[int(np.argmax(np.nan_to_num(gaps[k], nan=np.inf)))]
        moving = [each.drive for each in self.loops.driven.values() if not each.constant]
        drives = ", ".join(drive.label for drive in moving)[:200]
        others = f"{drives} and other rows" if drives else "other rows"
        return float(times[k]), (
            f't = {times[k]:.9g}: "{name.rpartition(".")[0][:60]}" is torn open by '
            f"{gaps[k].max():.3g}: {others} contradict it"
        )

    def _watch(self) -> bool:
        if not super()._watch():
            return False
        if self.torn is not None:
            self.status, self.message = "torn", self.torn[1]
        return self.torn is None

    def _piece(self, bar: Bar) -> bool:
        while not super()._piece(bar):
            fired = [self.events[e.index] for e in self.run.events if e.time == self.run.t]
            ends = [e for e in fired if e.stop and not isinstance(e, Internal)]
            if self.status != "event" or ends:
                return False
            self.status = self.message = ""
            if self.weak in fired:
                self._repartition()
                if self.status:
                    return False
            else:
                self.limits[:] = WEAK, FAR  # a singular position lies behind
                self.run.real[solver.layout.MAX_STEP] = np.inf
                self.run.restart()
        return True

    def _repartition(self) -> None:
        """Takes a better partition where there is one; else a singular position lies ahead."""
        t, y = self.run.t, self._state(self.run.t, self.run.y.copy())
        q = self.packed.layout.split(y)[0]
        part = best_partition(self.loops, q, t)
        now, then = (np.abs(pivot_sizes(self.loops, p, q, t)).min() for p in (self.packed.part, part))
        if len(part.rows) == len(self.packed.part.rows) and then > BETTER * now:
            self.packed.part = part
            self._measure(self.packed, t, y)
            self.limits[:] = WEAK, FAR
            self._resume(t, y)
            self.turns.append((part, sum(map(len, self.times))))
        elif self.limits[0] == WEAK:
            self.limits[:] = CLOSE, 2.0 * WEAK  # nearer, for all is still well
            ahead = self._ahead(t, y)
            if ahead is not None:  # but no step may look beyond
                self.run.real[solver.layout.MAX_STEP] = NEARER * ahead
            self.run.restart()
        else:
            self._straddle(t, y)

    def _straddle(self, t: float, y: Array) -> None:
        """One long step of high order over a singular position, none of whose stages is near it.

        There the rows fall short by one, and another branch of the mechanism begins; nearby all
        that follows from them is nought over nought. The motion itself is smooth, and a step that
        looks at it from both sides only keeps its branch.
        """
        ahead = self._ahead(t, y)
        self.limits[:] = AGAIN, 2.0 * WEAK
        if ahead is None:  # it turns back by itself
            self.run.restart()
            return
        step = min(ahead / GAP, self.piece - t)
        samples = self.plan.samples[self.plan.samples > t]
        inside = samples[samples <= t + step]
        over = solver.Run(
            "order8",
            self.kernels.handle(self.packed.motion(), "dy"),
            (t, t + step),
            y,
            step=step,
            samples=inside,
            quaternions=self.packed.quaternions,
        )
        if solver.advance(over, 2) != solver.DONE:
            self.status, self.message = "singular", ""
            return
        self._resume(over.t, over.y.copy(), (inside, over.sampled))

    def _ahead(self, t: float, y: Array) -> float | None:
        """The time until the smallest pivot is zero; None if it grows."""
        q, v, _, _ = self.packed.layout.split(y)
        moment = INSTANT / max(1e-3, float(np.abs(v).max(initial=0.0)))
        now, then = (
            pivot_sizes(self.loops, self.packed.part, self.loops.moved(q, d * v), t + d)
            for d in (0.0, moment)
        )
        worst = int(np.argmin(np.abs(now) * self.reference))
        rate = (then[worst] - now[worst]) / moment
        return float(-now[worst] / rate) if now[worst] * rate < 0.0 else None

    def _resume(self, t: float, y: Array, more: tuple[Array, Array] | None = None) -> None:
        """Goes on with a new solver from here; `more` rows have been found meanwhile."""
        self._take()
        self._count()
        if more is not None and len(more[0]):
            self._keep(more[0], self._state(more[0], more[1]))
        self.first = abs(float(self.run.real[solver.layout.H]))
        self._start(self.method, t, y, self.plan.samples[self.plan.samples > t])
        self.run.until(self.piece)

    def _explain(self) -> None:
        """A run that cannot go on because a loop cannot be closed says which."""
        if self.status not in FAILED:
            return
        part, q = self.packed.part, self.packed.layout.split(self.run.y)[0]
        if part.rows:
            sizes = np.abs(pivot_sizes(self.loops, part, q, self.run.t)) * self.reference
            worst = int(np.argmin(sizes))
            if sizes[worst] < LOCKED:
                loop = part.rows[worst].rpartition(".")[0]
                self.status = "singular"
                self.message = (
                    f't = {self.run.t:.9g}: loop "{loop[:60]}" can hardly be closed beyond this '
                    f"pose: {self._led()} cannot lead further"
                )
                return
        super()._explain()

    def _free(self, q: Array) -> Array:
        """Ways to move that keep all rows and drives, as columns over the speeds."""
        J = np.vstack([self.loops.jacobian(q, self.run.t), np.eye(len(self.loops.rest))[self.loops.held]])
        found = np.linalg.svd(J)
        rank = int((found[1] > 1e-9 * max(found[1].max(initial=0.0), 1e-300)).sum())
        return found[2][rank:].T

    def _led(self) -> str:
        """The coordinates that lead, drives first."""
        model = self.packed.model
        names = [f'drive "{name}"' for name in model.drives]
        tied = {*self.packed.part.dependent, *self.loops.held}
        names += [f'"{n}"' for k, n in enumerate(model.speeds) if k not in tied]
        return ", ".join(names)[:200] or "nothing"

    def evaluated(self, write: str, t: Array, y: Array, u: Array) -> dict[str, Array]:
        """The outputs of one of the Functions of `Looped` for all rows, each by its partition."""
        pieces: list[dict[str, Array]] = []
        starts = [start for _, start in self.turns]
        for (part, start), end in zip(self.turns, [*starts[1:], len(t)], strict=True):
            some = slice(start, max(min(end, len(t)), start))
            if some.stop == some.start:
                continue
            self.packed.part = part
            pieces.append(self.kernels.rows(getattr(self.packed, write)(), t[some], y[some], u[some]))
        self.packed.part = self.turns[-1][0]
        return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
