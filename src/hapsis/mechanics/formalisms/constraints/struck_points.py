"""Struck points: impulses of their rows, and the rates and speeds that follow (see `blow`)."""

from collections.abc import Mapping, Sequence
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import abs, sqrt, where
from hapsis.mechanics.formalisms.constraints.constrained_dynamics import least_multipliers
from hapsis.mechanics.formalisms.constraints.constraint_rows import linearized
from hapsis.mechanics.formalisms.constraints.impact import Collision
from hapsis.mechanics.formalisms.constraints.least_impulses import LeastImpulses
from hapsis.mechanics.formalisms.constraints.lu import LU
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.constraints.reduction import times, total
from hapsis.mechanics.formalisms.tree.optional_inputs import OptionalInputs
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero

Vector = list[Any]
ROUNDING = 1e-12  # of the sum of sizes that a rate or an impulse is made of


class StruckPoints:
    """The equations of a blow, in impulses and rates of the rows of its points."""

    def __init__(
        self, tree: Tree, part: Partition, v: Vector, optional: OptionalInputs, feet: Sequence[Sequence[str]]
    ) -> None:
        self.tree, self.v = tree, v
        self.names = [row for foot in feet for row in foot]
        self.feet = [[self.names.index(row) for row in foot] for foot in feet]
        self.held = held = Collision(tree, part, v, optional)
        self.v0 = held.caught().v if part.rows or held.driven else v
        linear = linearized(tree, held.rows, self.names, v)
        self.J = linear.J
        self.s, self.s0 = (
            [y if is_zero(d) else y + d for y, d in zip(self._rates(x), linear.drift, strict=True)]
            for x in (v, self.v0)
        )
        kept = [x - y for x, y in zip(self.v, self.v0, strict=True)]
        self.lost = total(tree, kept, times(tree, held.M, kept))  # twice the energy that the held rows take
        self.U = self._shares_of_energy()
        self.sizes = self._sizes()
        self.size = len(self.names) + len(held.Z)

    def _rates(self, v: Vector) -> Vector:
        return [total(self.tree, row, v) for row in self.J]

    def _shares_of_energy(self) -> list[Vector]:
        """The columns of D^-1/2 L⁻¹ Zᵀ Jᵀ, with L D Lᵀ = Zᵀ M Z; their products are W."""
        tree, Z, M = self.tree, self.held.Z, self.held.M
        MZ = [times(tree, M, z) for z in Z]
        self.mass = LU(tree, [[total(tree, z, m) for m in MZ] for z in Z])
        self.roots = [sqrt(x) for x in self.mass.inverse]
        columns: list[Vector] = []
        for row in self.J:
            x = [total(tree, row, z) for z in Z]
            for (i, k), factor in self.mass.L.items():
                if not is_zero(x[k]):
                    x[i] = x[i] - factor * x[k]
            columns.append([y if is_zero(y) else r * y for y, r in zip(x, self.roots, strict=True)])
        return columns

    def _sizes(self) -> Vector:
        """By row the sum of the squares of the columns of its point."""
        squares = [total(self.tree, column, column) for column in self.U]
        sizes: Vector = [self.tree.zero] * len(squares)
        for foot in self.feet:
            for k in foot:
                sizes[k] = sum((squares[i] for i in foot), self.tree.zero)
        return sizes

    def factors(self, rows: Sequence[int], slides: Mapping[int, Any] | None = None) -> LeastImpulses:
        """The factors of the columns of these rows, without those that slide, which have a 1."""
        slides, tree = slides or {}, self.tree
        columns = [
            [x if is_zero(x) else where(slides[k], tree.zero, x) for x in self.U[k]]
            if k in slides
            else self.U[k]
            for k in rows
        ]
        return LeastImpulses(tree, columns, [self.sizes[k] for k in rows])

    def with_restitution(self, rows: list[int], rates: Mapping[int, Any]) -> tuple[Vector, Vector]:
        """The impulses with these rows at rest, and those with these rates, as far as energy allows."""
        tree = self.tree
        W = self.factors(rows)
        rest, stopped = W.rates([-self.s0[k] for k in rows])
        more, thrown = W.rates([rates.get(k, tree.zero) for k in rows])
        lost = self.lost + total(tree, stopped, stopped)
        needed = total(tree, thrown, thrown)
        above = needed > lost
        share = where(above, sqrt(where(above, lost / where(above, needed, tree.one), tree.one)), tree.one)
        both = [
            (rest, stopped),
            tuple(
                [x + share * y for x, y in zip(*each, strict=True)]
                for each in ((rest, more), (stopped, thrown))
            ),
        ]
        at_rest, answer = ((W.impulses(y), z) for y, z in both)
        return self._of_rows(rows, at_rest[0], W.done(*at_rest)), self._of_rows(
            rows, answer[0], W.done(*answer)
        )

    def _of_rows(self, rows: Sequence[int], values: Vector, change: Vector) -> Vector:
        """The impulses of all rows, and behind them U Λ."""
        known = dict(zip(rows, values, strict=True))
        return [*(known.get(k, self.tree.zero) for k in range(len(self.names))), *change]

    def rate(self, row: int, answer: Vector) -> tuple[Any, Any]:
        """The rate of a row after an answer, and the sum of the sizes that it is made of."""
        pairs = zip(self.U[row], answer[len(self.names) :], strict=True)
        parts = [self.s0[row], *(u * x for u, x in pairs if not is_zero(u) and not is_zero(x))]
        return sum(parts[1:], parts[0]), sum((abs(x) for x in parts[1:]), abs(parts[0]))

    def rises(self, row: int) -> Any:
        """1 where a point parts before the blow, and still does when the rows of the phase hold."""
        parts = [x * y for x, y in zip(self.J[row], self.v, strict=True) if not is_zero(x) and not is_zero(y)]
        least = ROUNDING * sum((abs(x) for x in parts), self.tree.zero)
        return (self.s[row] > least) * (self.s0[row] > least)

    def apart(self) -> Any:
        """1 where no point comes nearer, before and when the rows of the phase hold."""
        apart = self.tree.one
        for row, *_ in self.feet:
            apart = apart * (self.s[row] >= 0.0) * (self.s0[row] >= 0.0)
        return apart

    def energy(self, answer: Vector) -> tuple[Any, Any]:
        """Twice the energy that an answer adds to what the held rows leave, and twice that of its change."""
        impulses, z = answer[: len(self.names)], answer[len(self.names) :]
        change = total(self.tree, z, z)
        return 2.0 * total(self.tree, self.s0, impulses) + change, change

    def across(self, foot: Sequence[int], impulses: Vector) -> Any:
        """The size of the impulse across at a point."""
        return sqrt(sum((impulses[k] * impulses[k] for k in foot[1:]), self.tree.zero))

    # results -------------------------------------------------------------------------------------

    def after(self, answer: Vector) -> Vector:
        """The speeds v₀ + Z L⁻ᵀ D^-1/2 U Λ."""
        v, x = list(self.v0), [r * y for r, y in zip(self.roots, answer[len(self.names) :], strict=True)]
        for (i, k), factor in reversed(self.mass.L.items()):
            x[k] = x[k] - factor * x[i]
        for u, z in zip(x, self.held.Z, strict=True):
            v = [y if is_zero(each) else y + u * each for y, each in zip(v, z, strict=True)]
        return v

    def all_impulses(self, answer: Vector) -> Vector:
        """Those of all rows of the model: of the points, and of the phase with the least norm."""
        tree, held, impulses = self.tree, self.held, answer[: len(self.names)]
        at = dict(zip(self.names, impulses, strict=True))
        owners = {_owner(row) for row in self.names}
        names = [name for name in held.names if _owner(name) not in owners]
        if names:
            p = times(tree, held.M, [x - y for x, y in zip(self.after(answer), self.v, strict=True)])
            for x, row in zip(impulses, self.J, strict=True):
                p = [y if is_zero(each) else y - x * each for y, each in zip(p, row, strict=True)]
            lam = held.J_v.transposed_solved([p[k] for k in held.part.dependent])
            if len(names) > len(lam):
                pulls = [total(tree, [row[k] for row in held.linear.J], lam) for k in range(tree.n_v)]
                J = linearized(tree, held.rows, names, self.v).J
                at |= dict(zip(names, least_multipliers(tree, J, names, pulls), strict=True))
            else:
                at |= dict(zip(held.part.rows, lam, strict=True))
        return [at.get(name, tree.zero) for name in held.names]


def _owner(row: str) -> str:
    """The name of the constraint that has a row."""
    return row.rpartition(".")[0]
