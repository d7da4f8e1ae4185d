"""Three ways to close loops from a start, and starts around it.

    newton          steps J_v d = -h on rows and columns chosen by full pivoting; they are chosen
                    again where a step hardly reduces |h|
    least squares   needs no partition and accepts redundant rows
    simplex         needs no derivatives

All three move only the coordinates that are not held. Reference: [Paul], sections 3.2.3 and 5.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from hapsis.errors import check_known
from hapsis.motion.analysis.assembly.joint_ends import JointEnds
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.solvers.linear.full_pivot_lu import Pivots, pivots
from hapsis.motion.solvers.linear.least_squares import least_squares

METHODS = ("auto", "newton", "least squares", "simplex")
CLOSED = 1e-12  # of their units, over all rows together
GOAL = 0.1 * CLOSED  # what is aimed at
WEAK = 1e-7  # a pivot over the largest: below it a row is redundant where the loops are closed
STEPS = 50  # of Newton, at most
# Newton is close where its first step is short, and each is at most this part of the one before
SHORT, CONTRACTING = 0.3, 0.5
# how far starts are moved; in the first two only what is zero
TIERS = ((1e-3,), (1e-2,), (0.1,) * 6, (0.4,) * 10, (1.5,) * 20)
FEW = 3  # tiers for the methods that are slow or wild


class Closed(NamedTuple):
    """Where a method ended: the pose, |h| there, after how many steps.

    turned    a joint that is not closed although its rows are zero: its second end is turned over
    """

    q: Array
    gap: float
    steps: int
    turned: str = ""

    @property
    def done(self) -> bool:
        """Whether all loops are closed."""
        return self.gap <= CLOSED and not self.turned


class Closer:
    """The loops of a model with the speeds of those coordinates that may move.

    pins    {place in q: value} of coordinates of free and ball joints that are held one by one: no speed
            belongs to one of them alone, so each is a row, like those of the loops
    """

    def __init__(
        self,
        loops: Loops,
        held: list[int],
        like: "Closer | None" = None,
        pins: Mapping[int, float] | None = None,
    ) -> None:
        self.loops = loops
        self.pinned = np.array(list(pins or ()), dtype=int)
        self.pins = np.array(list((pins or {}).values()))
        self.count = loops.positions if like is None else like.count
        self.ends = JointEnds(loops.model, loops.parameters) if like is None else like.ends
        self.free = np.array([k for k in range(len(loops.rest)) if k not in held], dtype=int)
        kinds = _kinds(loops)
        self.lengths = kinds[self.free] == "P"
        own = {slot: name for name, slot in loops.slots.items()}
        places = {name: k for k, name in enumerate(loops.model.coordinates)}
        # for each free speed the place of its coordinate in q, or -1
        self.places = np.array([places[own[k]] if k in own else -1 for k in self.free], dtype=int)
        # those that are the same after a whole turn
        turns = kinds[self.free] == "R"
        self.turning = self.places[turns]

    def holding(self, held: list[int]) -> "Closer":
        """The same loops, with other coordinates held."""
        return Closer(self.loops, held, self)

    def rows(self, q: Array) -> Array:
        """h of the position constraints, and how far what is pinned is from its value, in their units."""
        rows = self.loops.relative_gap(q)[: self.count]
        if not len(self.pinned):
            return rows
        return np.concatenate([rows, (q[self.pinned] - self.pins) / self.loops.units[self.pinned]])

    def gap(self, q: Array) -> float:
        """|h|."""
        return float(np.linalg.norm(self.rows(q)))

    def moved(self, q: Array, d: Array) -> Array:
        """q with its free coordinates moved, each by so many of its units."""
        step = np.zeros(len(self.loops.rest))
        step[self.free] = d * self.loops.speed_units[self.free]
        return self.loops.moved(q, step)

    def jacobian(self, q: Array) -> Array:
        """J of the position constraints, with a column for each free speed, all in their units."""
        J = self.loops.relative_jacobian(q)[: self.count, self.free]
        if not len(self.pinned):
            return J
        steps = np.diag(self.loops.speed_units)[self.free]  # a row for each free speed
        rates = self.loops.rates(np.tile(q, (len(steps), 1)), steps)
        return np.vstack([J, (rates / self.loops.units)[:, self.pinned].T])

    def values(self, q: Array) -> Array:
        """The free coordinates in their units; 0 for speeds that have none of their own."""
        return np.where(self.places < 0, 0.0, (q / self.loops.units)[self.places])

    def run(self, method: str, q: Array) -> Closed:
        """One of the methods from q; what is closed already comes back as it is."""
        closed = self._run(method, q)
        if closed.done and (wrong := self.ends.wrong(closed.q)):
            return closed._replace(turned=wrong[0])
        return closed

    def _run(self, method: str, q: Array) -> Closed:
        if (gap := self.gap(q)) <= CLOSED:
            return Closed(q, gap, 1)
        if not np.isfinite(gap):  # rows without a value here, as those of a disc that lies flat
            return Closed(q, np.inf, 1)
        if method == "newton":
            return self.newton(q)
        if method == "simplex":
            from hapsis.motion.solvers.linear.simplex import simplex

            felt = self.felt(q)

            def moved(q: Array, d: Array) -> Array:
                step = np.zeros(len(self.free))
                step[felt] = d
                return self.moved(q, step)

            solution = simplex(self.rows, q, len(felt), retract=moved, zero=self.values(q)[felt], goal=CLOSED)
        else:
            if method == "auto" and (quick := self.newton(q, careful=True)).done:
                return quick
            solution = least_squares(self.rows, self.jacobian, q, retract=self.moved, goal=GOAL)
        return Closed(solution.x, float(np.linalg.norm(solution.residual)), solution.iterations)

    def newton(self, q: Array, *, careful: bool = False) -> Closed:
        """Where Newton's method ends; if `careful`, it stops at a step that is long or shrinks slowly."""
        last, steps, lowest = SHORT / CONTRACTING if careful else np.inf, 0, np.inf
        part: Pivots | None = None
        while True:
            h = self.rows(q)
            gap = float(np.linalg.norm(h))
            if gap <= GOAL or steps == STEPS or not np.isfinite(gap):
                return Closed(q, gap if np.isfinite(gap) else np.inf, steps)
            J = self.jacobian(q)
            if part is None or gap > CONTRACTING * lowest:
                part = pivots(J, tolerance=WEAK)
            d = _newton_step(J, h, part)
            size = float(np.abs(d).max(initial=0.0))
            if size == 0.0 or (careful and (gap <= CLOSED or size > CONTRACTING * last)):
                return Closed(q, gap, steps)
            q, last, steps, lowest = self.moved(q, d), size, steps + 1, gap

    def felt(self, q: Array) -> np.ndarray:
        """Which of the free speeds change any row, here or elsewhere."""
        J = np.vstack([self.jacobian(x) for x in (q, *self.anywhere(q, 2))])
        return np.flatnonzero(np.abs(J).max(axis=0, initial=0.0) > 0.0)

    def around(self, q: Array, few: bool = False) -> Iterator[list[Array]]:
        """Lists of starts around q, each list farther away than the one before; always the same starts."""
        draw = np.random.default_rng(0)
        scale = np.where(self.lengths, self.reach(q), 1.0)
        zeros = self.values(q) == 0.0
        for number, sizes in enumerate(TIERS[: FEW if few else None]):
            # first what is exactly zero, as [Paul] section 5.6, step 3
            chosen = zeros if number < 2 and zeros.any() else np.ones(len(zeros), dtype=bool)
            starts: list[Array] = []
            for size in sizes:
                shift = size * scale * draw.uniform(-1.0, 1.0, len(self.free))
                starts.append(self.moved(q, np.where(chosen, shift, 0.0)))
            yield starts

    def anywhere(self, q: Array, count: int) -> Iterator[Array]:
        """Starts with any angle, and with lengths as far as the mechanism reaches."""
        draw = np.random.default_rng(1)
        scale = np.where(self.lengths, self.reach(q), np.pi)
        for _ in range(count):
            yield self.moved(q, scale * draw.uniform(-1.0, 1.0, len(self.free)))

    def reach(self, q: Array) -> float:
        """The approximate size of the mechanism: the largest gap in a few poses with random angles."""
        if not self.lengths.any():
            return 1.0
        draw, largest = np.random.default_rng(2), 0.0
        for _ in range(8):
            turn = np.where(self.lengths, 0.0, draw.uniform(-np.pi, np.pi, len(self.free)))
            largest = max(largest, float(np.abs(self.rows(self.moved(q, turn))).max(initial=0.0)))
        return largest or 1.0


def _newton_step(J: Array, h: Array, part: Pivots) -> Array:
    """The step of the dependent coordinates, from the independent rows."""
    d = np.zeros(J.shape[1])
    rows, columns = list(part.rows[: part.rank]), list(part.dependent)
    try:
        d[columns] = -np.linalg.solve(J[np.ix_(rows, columns)], h[rows])
    except np.linalg.LinAlgError:
        pass  # no step: the others' turn
    return d


def checked_method(method: str) -> str:
    """The name of a method; an error if there is no such method."""
    check_known(method, METHODS, "method {} is not known", expected=", ".join(METHODS))
    return method


def _kinds(loops: Loops) -> np.ndarray:
    """What each speed does: R turns, P moves, H does both."""
    several = {"ball": ["ball"] * 3, "free": ["ball"] * 3 + ["P"] * 3}
    kinds: list[str] = []
    for joint in loops.model.moving:
        for step in joint.steps:
            kinds += several.get(step.kind, [step.kind])
    return np.array(kinds, dtype=object)
