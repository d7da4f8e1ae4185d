"""Blows: the speeds after points of a mechanism hit a ground, which pushes and does not pull.

The rows of the phase after the blow hold (see `impact`); v₀ are the speeds that they alone would leave, and
Z the motions that they allow. The struck points have rows J of their own, one along the normal of the ground
and with friction some across it. Their impulses Λ and rates s decide everything:

    v⁺ = v₀ + Z L⁻ᵀ z        z = U Λ        U = L⁻¹ Zᵀ Jᵀ        s⁺ = s₀ + Uᵀ z        L Lᵀ = Zᵀ M Z

Uᵀ U is the matrix of the contacts; R of U = Q R takes its place, and z = Q R Λ, so that masses may be as
different as a hip and a foot of 1e-10 of it.

Where no point comes nearer none is struck. Else a point is struck, Λ_n >= 0, or it is left alone and does
not go in, s_n⁺ >= 0. All cases of struck points are tried; of those in which all this holds those with the
fewest points that rise, then those in which what slides has all its friction, then those with the most
others, and of these the one that takes the most energy. In each case

    base    all struck points at rest along the normal, without friction
    smooth  with restitution: s_n⁺ = -e s_n⁻ of points that came nearer, scaled where that would need more
            energy than base has lost
    stuck   both, and nothing slides
    answer  smooth + β (stuck - smooth), the largest β up to 1 with |Λ_t| <= μ Λ_n at every point; then the
            points that slide go on sliding and the others go on towards sticking (see `sliding_points`)

As kinetic energy is convex, a mean of two solutions that add none adds none either. Restitution and friction
may ask for what no case allows. Then the answer lies on the way from base to smooth to stuck of the case in
which base is possible, and there always is one: as far as no ground pulls, no point goes in, and friction
holds.
Reference: [Moreau].
"""

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, maximum, minimum, where
from hapsis.compiler.ir.graph.expr import symbol
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.constraints.impact import Foot
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.constraints.sliding_points import SlidingPoints
from hapsis.mechanics.formalisms.constraints.struck_points import ROUNDING, StruckPoints, Vector
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.optional_inputs import OptionalInputs
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model

MOST = 4  # points of which it is tried which are struck
FINITE = 1e300
ALIKE = 1e-9  # of an energy, a rate or a limit of friction: less makes no difference
LAST = 1e3


def blow(model: Model, part: Partition, feet: Sequence[Foot], friction: bool = False) -> Function:
    """(q, v, e, mu) -> v, lam: the speeds after the blow and the impulses of all rows.

    model     the phase after the blow, with rows of the struck points besides
    part      the partition of the phase alone, at poses like that of the blow
    feet      the rows of the points: its normal row grows as a point leaves the ground; rows across, none
              where the ground is smooth. Rows may say the same, in any pose

    `e` and with friction `mu` are coefficients of each point, default 0. Driven speeds become those of
    their drives. lam has the least norm where rows of the phase are redundant.
    """
    if len(feet) > MOST:
        raise ModelError(
            f"{len(feet)} points that nothing holds in one impact",
            expected=f"at most {MOST}",
            remedy="one event for each of them, or contacts",
        )
    return _blow(model, part, tuple((foot.normal, *foot.tangential) for foot in feet), friction)


@kept_verb
def _blow(model: Model, part: Partition, feet: tuple[tuple[str, ...], ...], friction: bool) -> Function:
    return cheapest(model, lambda tree: _written(tree, part, feet, friction))


def _written(tree: Tree, part: Partition, feet: tuple[tuple[str, ...], ...], friction: bool) -> Function:
    v, optional = tree.symbols("v"), OptionalInputs(tree)
    e, mu = ([symbol(f"{n}.{k}", graph=tree.graph) for k in range(len(feet))] for n in ("e", "mu"))
    struck = StruckPoints(tree, part, list(v), optional, feet)
    impulses = Cases(struck).answer(e, mu if friction else None)
    outputs = {"v": struck.after(impulses), "lam": struck.all_impulses(impulses)}
    coefficients = {"e": e, **({"mu": mu} if friction else {})}
    inputs: dict[str, Any] = {"q": tree.q, "v": v, **coefficients}
    f = optional.function("blow", inputs, outputs)
    zeros = {name: [0.0] * len(feet) for name in coefficients}
    return Function("blow", {**inputs, **optional.inputs()}, outputs, defaults={**f.defaults, **zeros})


class Case(NamedTuple):
    """Four answers with some points struck (see the head of this file): impulses of all rows, then z."""

    base: Vector
    smooth: Vector
    stuck: Vector
    answer: Vector


class Cases:
    """All answers of a blow, by which points are struck."""

    def __init__(self, struck: StruckPoints) -> None:
        self.points, self.tree, self.feet = struck, struck.tree, struck.feet

    def answer(self, e: Vector, mu: Vector | None) -> Vector:
        """The impulses of all rows, then z."""
        points = range(len(self.feet))
        choices = [some for n in range(len(points), 0, -1) for some in combinations(points, n)]
        none: Vector = [self.tree.zero] * self.points.size
        cases = [self._case(some, e, mu) for some in choices]
        last = none
        if len(points) > 1:
            whole = [(some, case.base, [*case.base, *case.smooth, *case.stuck])
                     for some, case in zip(choices, cases, strict=True)]  # fmt: skip
            chosen, n = self._best(whole, None, [*none, *none, *none]), len(none)
            last = self._as_far_as_possible(chosen[:n], chosen[n : 2 * n], chosen[2 * n :], mu)
            last = _either(self._possible(none, None), none, last)
        answers = [(some, case.answer, case.answer) for some, case in zip(choices, cases, strict=True)]
        return _either(self.points.apart(), none, self._best(answers, mu, last))

    def _best(
        self, cases: Sequence[tuple[Sequence[int], Vector, Vector]], mu: Vector | None, last: Vector
    ) -> Vector:
        """Of what is possible that which strikes the fewest points that rise, then the most others.

        cases    points struck, the answer that is judged, and what is taken of it; `last` if none is possible

        With friction those come first in which what slides has all of it. Of equals the one that takes the
        most energy is taken, or their mean: no order of points counts.
        """
        tree = self.tree
        rises = [self.points.rises(foot[0]) for foot in self.feet]
        rank, least, count, best = tree.zero - LAST, tree.zero, tree.one, last
        for struck, judged, taken in cases:
            possible, mine = self._possible(judged, mu), tree.zero + float(len(struck))
            for p in struck:
                mine = mine - MOST * 2.0 * rises[p]
            if mu is not None:
                mine = mine - float(MOST) * (1.0 - self._complete(struck, judged, mu))
            added, change = self.points.energy(judged)
            slack = ALIKE * change
            same = possible * (abs(mine - rank) < 0.5)
            better = possible * maximum(mine > rank + 0.5, same * (added < least - slack))
            equal = same * (1.0 - better) * (abs(added - least) <= slack)
            count = where(better, tree.one, where(equal, count + 1.0, count))
            best = _either(better, taken, _either(equal, _mean(tree.one / count, taken, best), best))
            rank, least = where(better, mine, rank), where(better, added, least)
        return best

    def _complete(self, struck: Sequence[int], answer: Vector, mu: Vector) -> Any:
        """1 where every struck point sticks, or has all the friction that there may be."""
        complete: Any = self.tree.one
        for p in struck:
            foot, sticks = self.feet[p], self.tree.one
            for row in foot[1:]:
                rate, size = self.points.rate(row, answer)
                sticks = sticks * (abs(rate) <= ALIKE * size)
            limit = mu[p] * answer[foot[0]]
            full = self.points.across(foot, answer) >= (1.0 - ALIKE) * limit
            complete = complete * maximum(sticks, full)
        return complete

    def _case(self, struck: Sequence[int], e: Vector, mu: Vector | None) -> Case:
        """The answers with these points struck."""
        tree, zero = self.tree, self.tree.zero
        normals = [self.feet[p][0] for p in struck]
        across = [row for p in struck for row in self.feet[p][1:]] if mu is not None else []
        rates = {
            k: where(self.points.s[k] < 0.0, -e[p] * self.points.s[k], zero)
            for p, k in zip(struck, normals, strict=True)
        }
        base, smooth = self.points.with_restitution(normals, rates)
        if mu is None:
            return Case(base, smooth, smooth, smooth)
        stuck, beta = self.points.with_restitution([*normals, *across], rates)[1], tree.one
        grips = {p: self._grip(self.feet[p], mu[p], smooth, stuck) for p in struck}
        for grip in grips.values():
            beta = minimum(beta, grip)
        together = _mean(beta, stuck, smooth)
        if len(struck) == 1:
            return Case(base, smooth, stuck, together)
        sliding = SlidingPoints(self.points, struck, mu)
        answer = sliding.answer(together, grips)
        sound = self._possible(answer, mu) * sliding.adds_no_energy(answer)
        return Case(base, smooth, stuck, _either(sound, answer, together))

    def _grip(self, foot: Sequence[int], mu: Any, smooth: Vector, stuck: Vector) -> Any:
        """The largest β up to 1 with |Λ_t| <= μ Λ_n at a point; Λ_t of the smooth answer is zero."""
        tree, n, n_smooth = self.tree, stuck[foot[0]], smooth[foot[0]]
        t = self.points.across(foot, stuck)
        # β t = μ (n_smooth + β (n - n_smooth)); the left side is larger at β = 1
        slope = t - mu * (n - n_smooth)
        slides = (n_smooth > 0.0) * (slope > 0.0)
        beta = mu * n_smooth / where(slides, slope, tree.one)
        return where(t <= mu * n, tree.one, where(slides, beta, tree.zero))

    # what is possible ----------------------------------------------------------------------------

    def _possible(self, impulses: Vector, mu: Vector | None) -> Any:
        """1 where no ground pulls, no point goes in and friction holds what it holds, but for rounding."""
        tree = self.tree
        slack = ROUNDING * sum((abs(x) for x in impulses[: len(self.points.names)]), tree.zero)
        holds: list[Any] = []
        for p, foot in enumerate(self.feet):
            rate, size = self.points.rate(foot[0], impulses)
            holds += [rate >= -ROUNDING * size, impulses[foot[0]] >= -slack]
            if mu is not None and len(foot) > 1:
                holds.append(self.points.across(foot, impulses) <= mu[p] * impulses[foot[0]] + slack)
        return reduce(lambda x, y: x * y, holds)

    def _as_far_as_possible(self, base: Vector, smooth: Vector, stuck: Vector, mu: Vector | None) -> Vector:
        """From what is possible towards restitution, then towards friction."""
        smooth = _mean(self._way(base, smooth, None), smooth, base)
        if mu is None:
            return smooth
        sound = reduce(lambda x, y: x * y, [abs(x) < FINITE for x in stuck])
        stuck = _either(sound, stuck, smooth)
        return _mean(self._way(smooth, stuck, mu), stuck, smooth)

    def _way(self, here: Vector, there: Vector, mu: Vector | None) -> Any:
        """The largest weight up to 1 of `there` with which all is possible; `here` has no friction."""
        weight: Any = self.tree.one
        for p, foot in enumerate(self.feet):
            n, m = here[foot[0]], there[foot[0]]
            pairs = [(n, m), (self.points.rate(foot[0], here)[0], self.points.rate(foot[0], there)[0])]
            if mu is not None and len(foot) > 1:
                pairs.append((mu[p] * n, mu[p] * m - self.points.across(foot, there)))
            for first, last in pairs:
                first, ends = maximum(first, 0.0), last < 0.0
                weight = where(ends, minimum(weight, first / where(ends, first - last, 1.0)), weight)
        return weight


def _either(condition: Any, x: Vector, y: Vector) -> Vector:
    return [where(condition, a, b) for a, b in zip(x, y, strict=True)]


def _mean(weight: Any, x: Vector, y: Vector) -> Vector:
    return [b + weight * (a - b) for a, b in zip(x, y, strict=True)]
