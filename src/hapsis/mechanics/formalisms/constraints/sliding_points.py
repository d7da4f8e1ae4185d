"""Friction at several struck points, some of which slide while others stick (see `blow`).

A first answer goes from no friction towards sticking everywhere until the first point reaches
|Λ_t| = μ Λ_n. That point slides: from then on Λ_t keeps its direction d and is μ Λ_n d. The others go on
towards sticking, in as many rounds as there are points. In each, with normal rates as they are and W = Uᵀ U,

    normal rows, struck               W δΛ = 0
    rows across, of points that stick W δΛ = -s_t
    rows across, of points that slide δΛ_t = μ d δΛ_n

Rows may say the same, as those along the line between two points of a body: points that stick share what
they need, and what is too much for one of them the others take (see `least_impulses`).

Points that do not feel each other so get what each gets alone. An answer that adds energy, pulls or goes in
is not taken: then all points slide together, as the first answer has it.
"""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import abs, maximum, minimum, sqrt, where
from hapsis.mechanics.formalisms.constraints.lu import LU
from hapsis.mechanics.formalisms.constraints.reduction import total
from hapsis.mechanics.formalisms.constraints.struck_points import ROUNDING, StruckPoints, Vector

FINITE = 1e300


class SlidingPoints:
    """The rounds after the first answer, of these struck points with their coefficients of friction."""

    def __init__(self, points: StruckPoints, struck: Sequence[int], mu: Vector) -> None:
        self.points, self.tree, self.mu = points, points.tree, mu
        self.struck = [p for p in struck if len(points.feet[p]) > 1]
        self.rows = [row for p in struck for row in points.feet[p]]

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
        """δΛ of all rows, then δz: what is left to sticking where a point does not slide.

        With y of the rows that stick, F_p = U_t μ d of a point that slides, and y_p nearest to F_p, the
        normal impulses g of points that slide solve g = Λ_n(y - Σ g y_p).
        """
        tree, points, U = self.tree, self.points, self.points.U
        owner = {row: p for p in self.struck for row in points.feet[p][1:]}
        tied = {row: slides[p] * self._tied(p, row, here) for row, p in owner.items()}
        W = points.factors(self.rows, {row: slides[p] for row, p in owner.items()})
        b = [
            where(slides[owner[k]], tree.zero, -points.rate(k, here)[0]) if k in owner else tree.zero
            for k in self.rows
        ]
        y, z = W.rates(b)
        pulls: dict[int, Vector] = {}
        for p in self.struck:
            across = points.feet[p][1:]
            pulls[p] = [
                total(tree, [U[k][j] for k in across], [tied[k] for k in across]) for j in range(len(z))
            ]
        near = {p: W.nearest(F) for p, F in pulls.items()}
        at = {p: self.rows.index(points.feet[p][0]) for p in self.struck}
        normal = {p: W.impulses(y_p) for p, (y_p, _) in near.items()}
        first = W.impulses(y)
        A = [
            [normal[k][at[p]] + (tree.one if k == p else tree.zero) for k in self.struck] for p in self.struck
        ]
        g = dict(zip(self.struck, LU(tree, A).solved([first[at[p]] for p in self.struck]), strict=True))
        for p in self.struck:
            first = [x - g[p] * more for x, more in zip(first, normal[p], strict=True)]
            z = [x - g[p] * more for x, more in zip(z, near[p][1], strict=True)]
        z = W.done(first, z)
        for p in self.struck:
            z = [x + g[p] * more for x, more in zip(z, pulls[p], strict=True)]
        found = dict(zip(self.rows, first, strict=True))
        for row, p in owner.items():
            found[row] = where(slides[p], tied[row] * g[p], found[row])
        return [*(found.get(k, tree.zero) for k in range(len(points.names))), *z]

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
        added, change = self.points.energy(answer)
        return added <= self.points.lost + 1e-12 * change
