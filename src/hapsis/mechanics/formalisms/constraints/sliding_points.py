"""Friction at several struck points, some of which slide while others stick (see `blow`).

A first answer goes from no friction towards sticking everywhere until the first point reaches
|Λ_t| = μ Λ_n. That point slides: from then on Λ_t keeps its direction d and is μ Λ_n d. The others go on
towards sticking, in as many rounds as there are points. In each, with normal rates as they are and W = Uᵀ U,

    normal rows, struck               W δΛ = 0
    rows across, of points that stick W δΛ = -s_t
    rows across, of points that slide δΛ_t = μ d δΛ_n

Points that do not feel each other so get what each gets alone. An answer that adds energy, pulls or goes in
is not taken: then all points slide together, as the first answer has it.
"""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import abs, maximum, minimum, sqrt, where
from hapsis.mechanics.formalisms.constraints.lu import LU
from hapsis.mechanics.formalisms.constraints.reduction import total
from hapsis.mechanics.formalisms.constraints.struck_points import StruckPoints, Vector

FINITE = 1e300
ROUNDING = 1e-12  # of the sum of the sizes of impulses
STIFFER = 100.0  # times: W has half the digits of U


class SlidingPoints:
    """The rounds after the first answer, of these struck points with their coefficients of friction."""

    def __init__(self, points: StruckPoints, struck: Sequence[int], mu: Vector) -> None:
        self.points, self.tree, self.mu = points, points.tree, mu
        self.struck = [p for p in struck if len(points.feet[p]) > 1]
        self.rows = [row for p in struck for row in points.feet[p]]
        U = points.U
        self.W = {(i, k): total(self.tree, U[i], U[k]) for i in self.rows for k in self.rows if i <= k}
        for row, size in points.soft.items():
            if row in self.rows:
                self.W[row, row] = self.W[row, row] + STIFFER * size * size

    def answer(self, first: Vector, grips: dict[int, Any]) -> Vector:
        """The impulses of all rows, then z; `first` has reached these parts of sticking at each point."""
        tree = self.tree
        if len(self.struck) < 2:
            return first
        here, least = list(first), tree.one
        for grip in grips.values():
            least = minimum(least, grip)
        slides: dict[int, Any] = {p: (least < 1.0) * (grips[p] <= least) for p in self.struck}
        for _ in range(len(self.struck) - 1):
            change = self._change(here, slides)
            ways = {p: self._way(p, here, change, slides[p]) for p in self.struck}
            way = tree.one
            for each in ways.values():
                way = minimum(way, each)
            sound = self._finite(change)
            here = [where(sound, x + way * y, x) for x, y in zip(here, change, strict=True)]
            slides = {p: maximum(slides[p], (way < 1.0) * (ways[p] <= way)) for p in self.struck}
        return [where(least < 1.0, x, y) for x, y in zip(here, first, strict=True)]

    def _change(self, here: Vector, slides: dict[int, Any]) -> Vector:
        """δΛ of all rows, then δz: what is left to sticking where a point does not slide."""
        tree, points = self.tree, self.points
        W = {**self.W, **{(k, i): x for (i, k), x in self.W.items()}}
        follows = {
            row: (points.feet[p][0], slides[p], self._tied(p, row, here))
            for p in self.struck
            for row in points.feet[p][1:]
        }
        A: list[Vector] = []
        b: Vector = []
        for i in self.rows:
            line: dict[int, Any] = {k: tree.zero + W[i, k] for k in self.rows}
            for row, (normal, free, tied) in follows.items():
                line[normal] = line[normal] + free * tied * W[i, row]
                line[row] = where(free, tree.zero, line[row])
            rest = tree.zero
            if i in follows:
                free = follows[i][1]
                line = {k: where(free, tree.one if k == i else tree.zero, x) for k, x in line.items()}
                rest = where(free, tree.zero, -points.rate(i, here)[0])
            A.append([line[k] for k in self.rows])
            b.append(rest)
        factors, change = LU(tree, A), [tree.zero] * len(here)
        for _ in range(2):  # once more for what the first has left
            left = []
            for i, wanted in zip(self.rows, b, strict=True):
                moved = total(tree, points.U[i], change[len(points.names) :])
                left.append(wanted - (where(follows[i][1], tree.zero, moved) if i in follows else moved))
            more = self._with_sliding(dict(zip(self.rows, factors.solved(left), strict=True)), follows)
            change = [x + y for x, y in zip(change, more, strict=True)]
        return change

    def _with_sliding(self, found: dict[int, Any], follows: dict[int, Any]) -> Vector:
        """The impulses of all rows with those of points that slide, and U Λ."""
        tree, points = self.tree, self.points
        for row, (normal, free, tied) in follows.items():
            found[row] = where(free, tied * found[normal], found[row])
        known = [found.get(k, tree.zero) for k in range(len(points.names))]
        columns = zip(*(points.U[k] for k in self.rows), strict=True)
        own = [found[k] for k in self.rows]
        return [*known, *(total(tree, list(column), own) for column in columns)]

    def _tied(self, p: int, row: int, here: Vector) -> Any:
        """μ d of a point that slides, along one of its rows; against its slip where it has no friction."""
        tree, points, foot = self.tree, self.points, self.points.feet[p]
        size = points.across(foot, here)
        slip = {k: -points.rate(k, here)[0] for k in foot[1:]}
        speed = sqrt(total(tree, list(slip.values()), list(slip.values())))
        some, moves = size > self._slack(here), speed > 0.0
        against = where(moves, slip[row] / where(moves, speed, tree.one), tree.zero)
        return self.mu[p] * where(some, here[row] / where(some, size, tree.one), against)

    def _slack(self, here: Vector) -> Any:
        """What rounding may make of impulses."""
        return ROUNDING * sum((abs(here[k]) for k in self.rows), self.tree.zero)

    def _way(self, p: int, here: Vector, change: Vector, slides: Any) -> Any:
        """The largest part of a change up to 1 with |Λ_t| <= μ Λ_n, or Λ_n >= 0 where the point slides."""
        tree, foot, m2 = self.tree, self.points.feet[p], self.mu[p] * self.mu[p]
        n, dn = here[foot[0]], change[foot[0]]
        t, dt = [here[k] for k in foot[1:]], [change[k] for k in foot[1:]]
        pulls = n + dn < -self._slack(here)
        lifts = where(pulls, maximum(n, 0.0) / where(pulls, -dn, tree.one), tree.one)
        # (t + β dt)² = μ² (n + β dn)²: a β² + 2 b β + c = 0, c <= 0
        a = total(tree, dt, dt) - m2 * dn * dn
        b = total(tree, t, dt) - m2 * n * dn
        c = minimum(total(tree, t, t) - m2 * n * n, 0.0)
        root = sqrt(maximum(b * b - a * c, 0.0))
        leaves = (a + 2.0 * b + c > 0.0) + pulls > 0.0
        ahead = b + root > 0.0
        first = where(
            b > 0.0, -c / where(ahead, b + root, tree.one), (root - b) / where(a > 0.0, a, tree.one)
        )
        grip = where(leaves, maximum(minimum(first, 1.0), 0.0), tree.one)
        return where(slides, lifts, minimum(grip, lifts))

    def _finite(self, change: Vector) -> Any:
        sound = self.tree.one
        for x in change:
            sound = sound * (abs(x) < FINITE)
        return sound

    def adds_no_energy(self, answer: Vector) -> Any:
        """1 where the kinetic energy after an answer is at most that before, but for rounding."""
        points, count = self.points, len(self.points.names)
        z = answer[count:]
        change = total(self.tree, z, z)
        work = 2.0 * total(self.tree, [points.s0[k] for k in self.rows], [answer[k] for k in self.rows])
        return work + change <= points.lost + 1e-12 * change
