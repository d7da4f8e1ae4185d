"""Impacts: the speeds after a mechanism is caught by the constraints of its next phase.

An impact takes no time, so that coordinates stay and only impulses of the rows act. With M = ∂p/∂v, the
impulses Λ and the rates of rows s = J v + drift

    M (v⁺ - v⁻) = Jᵀ Λ        s⁺ = -e s⁻        (e = 0: the rows hold from now on)

They are solved through the partition of the phase after the impact: with J Z = 0 and any w that has the
rates wanted

    v⁺ = w + Z u        Zᵀ M Z u = Zᵀ M (v⁻ - w)        J_vᵀ Λ = (M (v⁺ - v⁻))_dependent

so that there is no system of multipliers, M may be singular off the motions Z, and masses may be as
different as a hip and a foot of 1e-10 of it.

v⁺ of e = 0 is the M-orthogonal projection p of v⁻; kinetic energy is lost. Restitution adds
r = w' + Z u', the motion of least energy whose rows have the rates -e s⁻. With one e for all rows r is
-e (v⁻ - p). With different ones r could have more energy than v⁻ - p, which was lost; it is then scaled
to just that energy, so that no impact adds energy. The factor is the output `share`.

Friction: the tangential rows of a foot stick while |Λ_t| <= μ Λ_n. Else v⁺ and Λ are the mean of the
sticking solution, with weight β, and of the one without the tangential rows, such that |Λ_t| = μ Λ_n. As
kinetic energy is convex, the mean of two solutions that add none adds none either. With several feet
β is the smallest of theirs, so that all slide together. The weight is the output `stick`.

Rows hold both ways; for a ground that pushes only see `blow`.
Reference: [Kane] for impulses; [Moreau] for the projection.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import minimum, sqrt, where
from hapsis.compiler.ir.graph.expr import Expr, symbol
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.formalisms.constraints.constrained_dynamics import least_multipliers
from hapsis.mechanics.formalisms.constraints.constraint_rows import linearized, rows_of
from hapsis.mechanics.formalisms.constraints.lu import LU
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.constraints.reduction import times, total
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.formalisms.dynamics.mass_matrix import in_body_frames
from hapsis.mechanics.formalisms.forces.drive_motion import driven_motions
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.optional_inputs import OptionalInputs
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.model import Model

Vector = list[Any]


class Foot(NamedTuple):
    """The rows of a contact that may slide: its normal row grows as it opens; μ limits the others."""

    normal: str
    tangential: tuple[str, ...]


def impact(
    model: Model, part: Partition, restitution: Sequence[str] = (), feet: Sequence[Foot] = ()
) -> Function:
    """(q, v) -> v, lam, share, stick: the speeds after the impact and the impulses of all rows.

    model        the phase after the impact, with the rows that hold from then on
    part         the partition of that phase at the pose of the impact
    restitution  rows with a coefficient of restitution; they become the input `e`, one for each, default 0
    feet         contacts with friction; they become the input `mu`, one for each, default 0

    Driven speeds become those of their drives. States of laws, inputs and the time are inputs as in
    other Functions where drives or rows need them. lam has the least norm where rows are redundant.
    """
    names = constraint_names(model)
    if not names and not model.drives:
        raise ModelError("the phase has no constraints, so that nothing catches the mechanism")
    for row in (*restitution, *(row for foot in feet for row in (foot.normal, *foot.tangential))):
        check_known(row, names, "there is no constraint row {}")
    loose = [row for foot in feet for row in (foot.normal, *foot.tangential) if row not in part.rows]
    if loose:
        raise ModelError(
            f'the row "{loose[0][:60]}" is redundant in this pose, so that its impulse is not known',
            expected="friction at rows that are independent of all others",
        )
    plain = tuple((foot.normal, *foot.tangential) for foot in feet)
    return _impact(model, part, tuple(restitution), plain)


@kept_verb
def _impact(
    model: Model, part: Partition, restitution: tuple[str, ...], feet: tuple[tuple[str, ...], ...]
) -> Function:
    return cheapest(model, lambda tree: _written(tree, part, restitution, feet))


class Caught(NamedTuple):
    """Speeds after an impact, and the impulses of the rows of the partition."""

    v: Vector
    lam: Vector


class Collision:
    """The equations of an impact at the pose of a tree, from the speeds v."""

    def __init__(self, tree: Tree, part: Partition, v: Vector, optional: OptionalInputs) -> None:
        self.tree, self.part, self.v = tree, part, v
        rows = rows_of(tree, lambda: optional.time)
        self.names, self.rows = rows.names, rows
        self.linear = linearized(tree, rows, part.rows, v)
        J = self.linear.J
        self.J_v = LU(tree, [[row[k] for k in part.dependent] for row in J])
        drives = driven_motions(optional).values()
        self.driven = {d.slot: v[d.slot] if d.velocity is None else d.velocity for d in drives}
        self.lead = [k for k in range(tree.n_v) if k not in part.dependent and k not in self.driven]
        self.M = in_body_frames(tree)
        self.Z = [self._motion({k: tree.one}) for k in self.lead]
        # s⁻ = J v⁻ + drift, of the rows of the partition
        pairs = zip(J, self.linear.drift, strict=True)
        self.s = [total(tree, row, v) if is_zero(d) else total(tree, row, v) + d for row, d in pairs]

    def caught(self, sliding: Sequence[str] = ()) -> Caught:
        """The speeds of least energy change with all rows at rest, except those that slide."""
        start = {k: self.v[k] for k in self.lead} | self.driven
        w = self._motion(start, [-x for x in self.linear.drift])
        v = self._nearest(w, self.v, self._motions(sliding))
        return Caught(v, self.impulses([x - y for x, y in zip(v, self.v, strict=True)]))

    def rebound(self, e: Mapping[str, Any], lost: Vector, sliding: Sequence[str]) -> tuple[Vector, Any]:
        """The motion that restitution adds to speeds after which v⁻ - v⁺ is lost, and its share."""
        tree = self.tree
        rates = [-e[n] * s if n in e else tree.zero for n, s in zip(self.part.rows, self.s, strict=True)]
        w = self._motion({}, rates)
        r = self._nearest(w, [tree.zero] * tree.n_v, self._motions(sliding))
        most, needed = (total(tree, x, times(tree, self.M, x)) for x in (lost, r))
        above = needed > most
        share = where(above, sqrt(where(above, most / where(above, needed, tree.one), tree.one)), tree.one)
        return [share * x for x in r], share

    def impulses(self, change: Vector) -> Vector:
        """The Λ of the partition's rows that change the speeds so."""
        p = times(self.tree, self.M, change)
        return self.J_v.transposed_solved([p[k] for k in self.part.dependent])

    def all_impulses(self, lam: Vector) -> Vector:
        """The Λ of least norm of all rows with the same Jᵀ Λ."""
        tree, at = self.tree, dict(zip(self.part.rows, lam, strict=True))
        if len(self.names) > len(at):
            pulls = [total(tree, [row[k] for row in self.linear.J], lam) for k in range(tree.n_v)]
            J = linearized(tree, self.rows, self.names, self.v).J
            at = dict(zip(self.names, least_multipliers(tree, J, self.names, pulls), strict=True))
        return [at.get(name, tree.zero) for name in self.names]

    def _motions(self, sliding: Sequence[str]) -> list[Vector]:
        """Z, and the motions in which one of the sliding rows has a unit rate."""
        unit = [[self.tree.one if n == row else self.tree.zero for n in self.part.rows] for row in sliding]
        return [*self.Z, *(self._motion({}, rates) for rates in unit)]

    def _motion(self, leading: Mapping[int, Any], rates: Sequence[Any] | None = None) -> Vector:
        """The speeds with these leading ones, the others zero, and J times them equal to the rates."""
        tree, w = self.tree, list[Any]([self.tree.zero] * self.tree.n_v)
        for k, x in leading.items():
            w[k] = x
        right = [total(tree, row, w) for row in self.linear.J]  # the dependent entries are still zero
        if rates is not None:
            right = [x if is_zero(rate) else x - rate for x, rate in zip(right, rates, strict=True)]
        for slot, x in zip(self.part.dependent, self.J_v.solved(right), strict=True):
            w[slot] = -x
        return w

    def _nearest(self, w: Vector, v: Vector, Z: Sequence[Vector]) -> Vector:
        """w + Z u, nearest to v in kinetic energy."""
        tree = self.tree
        if not Z:
            return w
        MZ = [times(tree, self.M, z) for z in Z]
        away = [x - y for x, y in zip(v, w, strict=True)]
        A = [[total(tree, z, m) for m in MZ] for z in Z]
        u = LU(tree, A).solved([total(tree, m, away) for m in MZ])  # Zᵀ M Z u = Zᵀ M (v - w)
        for x, z in zip(u, Z, strict=True):
            w = [y if is_zero(each) else y + x * each for y, each in zip(w, z, strict=True)]
        return w


def _written(
    tree: Tree, part: Partition, restitution: tuple[str, ...], feet: tuple[tuple[str, ...], ...]
) -> Function:
    v, optional = tree.symbols("v"), OptionalInputs(tree)
    collision = Collision(tree, part, list(v), optional)
    e = {row: symbol(f"e.{k}", graph=tree.graph) for k, row in enumerate(restitution)}
    mu = [symbol(f"mu.{k}", graph=tree.graph) for k in range(len(feet))]
    answer = _answer(collision, e, mu, feet)
    outputs = {"v": answer.v, "lam": collision.all_impulses(answer.lam)}
    outputs |= {"share": answer.share, "stick": answer.stick}
    coefficients = {n: x for n, x in {"e": list(e.values()), "mu": mu}.items() if x}
    inputs: dict[str, Any] = {"q": tree.q, "v": v, **coefficients}
    f = optional.function("impact", inputs, outputs)
    zeros = {name: [0.0] * len(x) for name, x in coefficients.items()}
    return Function("impact", {**inputs, **optional.inputs()}, outputs, defaults={**f.defaults, **zeros})


class Answer(NamedTuple):
    """What an impact does: speeds, impulses of the partition's rows, and the two factors."""

    v: Vector
    lam: Vector
    share: Any
    stick: Any


def _answer(collision: Collision, e: Mapping[str, Expr], mu: Vector, feet: Sequence[Sequence[str]]) -> Answer:
    """The answer with friction."""
    caught, share = _solution(collision, e, ())
    stick: Any = collision.tree.one
    if feet:
        sliding = [row for foot in feet for row in foot[1:]]
        free, other = _solution(collision, e, sliding)
        for limit, foot in zip(mu, feet, strict=True):
            stick = minimum(stick, _weight(collision, tuple(foot), limit, caught.lam, free.lam))
        share = minimum(share, other)
        caught = Caught(_mean(stick, caught.v, free.v), _mean(stick, caught.lam, free.lam))
    return Answer(caught.v, caught.lam, share, stick)


def _solution(collision: Collision, e: Mapping[str, Expr], sliding: Sequence[str]) -> tuple[Caught, Any]:
    """The speeds after the impact with the impulses, and the share of restitution."""
    caught, tree = collision.caught(sliding), collision.tree
    if not e:
        return caught, tree.one
    lost = [x - y for x, y in zip(collision.v, caught.v, strict=True)]
    r, share = collision.rebound(e, lost, sliding)
    v = [x + y for x, y in zip(caught.v, r, strict=True)]
    return Caught(v, [x + y for x, y in zip(caught.lam, collision.impulses(r), strict=True)]), share


def _weight(collision: Collision, foot: tuple[str, ...], mu: Any, stuck: Vector, free: Vector) -> Any:
    """β, the largest up to 1 with |Λ_t| <= μ Λ_n of the mean; Λ_t of the free solution is zero."""
    tree, at = collision.tree, [collision.part.rows.index(row) for row in foot]
    n, n_free = stuck[at[0]], free[at[0]]
    t = sqrt(sum((stuck[k] * stuck[k] for k in at[1:]), tree.zero))
    holds = t <= mu * n
    # β t = μ (n_free + β (n - n_free)); the left side is larger at β = 1
    slope = t - mu * (n - n_free)
    slides = (n_free > 0.0) * (slope > 0.0)
    beta = mu * n_free / where(slides, slope, tree.one)
    return where(holds, tree.one, where(slides, beta, tree.zero))


def _mean(weight: Any, x: Vector, y: Vector) -> Vector:
    return [b + weight * (a - b) for a, b in zip(x, y, strict=True)]
