"""Struck points: impulses of their rows, and the rates and speeds that follow (see `blow`)."""

from collections.abc import Mapping, Sequence
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import abs, maximum, sqrt, where
from hapsis.mechanics.formalisms.constraints.constrained_dynamics import least_multipliers
from hapsis.mechanics.formalisms.constraints.constraint_rows import linearized
from hapsis.mechanics.formalisms.constraints.impact import Collision
from hapsis.mechanics.formalisms.constraints.lu import LU
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.constraints.reduction import times, total
from hapsis.mechanics.formalisms.tree.optional_inputs import OptionalInputs
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero

Vector = list[Any]


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
        self.G = self._answers_of_speeds()
        self.W = [list(row) for row in zip(*map(self._rates, self.G), strict=True)]

    def _rates(self, v: Vector) -> Vector:
        return [total(self.tree, row, v) for row in self.J]

    def _answers_of_speeds(self) -> list[Vector]:
        """The columns of G."""
        tree, Z, M = self.tree, self.held.Z, self.held.M
        MZ = [times(tree, M, z) for z in Z]
        A = LU(tree, [[total(tree, z, m) for m in MZ] for z in Z])
        columns: list[Vector] = []
        for row in self.J:
            u = A.solved([total(tree, row, z) for z in Z])
            g: Vector = [tree.zero] * tree.n_v
            for x, z in zip(u, Z, strict=True):
                g = [y if is_zero(each) or is_zero(x) else y + x * each for y, each in zip(g, z, strict=True)]
            columns.append(g)
        return columns

    def with_restitution(self, rows: list[int], rates: Mapping[int, Any]) -> tuple[Vector, Vector]:
        """The impulses with these rows at rest, and those with these rates, as far as energy allows."""
        tree = self.tree
        W = LU(tree, [[self.W[i][j] for j in rows] for i in rows])
        rest = W.solved([-self.s0[k] for k in rows])
        target = [rates.get(k, tree.zero) for k in rows]
        more = W.solved(target)
        kept = [x - y for x, y in zip(self.v, self.v0, strict=True)]  # what the held rows have taken
        lost = total(tree, kept, times(tree, self.held.M, kept)) - total(
            tree, rest, [self.s0[k] for k in rows]
        )
        needed = total(tree, more, target)
        above = needed > lost
        part = maximum(lost, 0.0) / where(above, needed, tree.one)
        share = where(above, sqrt(where(above, part, tree.one)), tree.one)
        bounced = [x + share * y for x, y in zip(rest, more, strict=True)]
        return self._of_rows(rows, rest), self._of_rows(rows, bounced)

    def _of_rows(self, rows: Sequence[int], values: Vector) -> Vector:
        known = dict(zip(rows, values, strict=True))
        return [known.get(k, self.tree.zero) for k in range(len(self.names))]

    def rate(self, row: int, impulses: Vector) -> tuple[Any, Any]:
        """The rate of a row after these impulses, and the sum of the sizes that it is made of."""
        parts = [self.s0[row], *(w * x for w, x in zip(self.W[row], impulses, strict=True) if not is_zero(x))]
        return sum(parts[1:], parts[0]), sum((abs(x) for x in parts[1:]), abs(parts[0]))

    def across(self, foot: Sequence[int], impulses: Vector) -> Any:
        """The size of the impulse across at a point."""
        return sqrt(sum((impulses[k] * impulses[k] for k in foot[1:]), self.tree.zero))

    # results -------------------------------------------------------------------------------------

    def after(self, impulses: Vector) -> Vector:
        """The speeds v₀ + G Λ."""
        v = list(self.v0)
        for x, g in zip(impulses, self.G, strict=True):
            v = [y if is_zero(each) else y + x * each for y, each in zip(v, g, strict=True)]
        return v

    def all_impulses(self, impulses: Vector) -> Vector:
        """Those of all rows of the model: of the points, and of the phase with the least norm."""
        tree, held = self.tree, self.held
        at = dict(zip(self.names, impulses, strict=True))
        owners = {_owner(row) for row in self.names}
        names = [name for name in held.names if _owner(name) not in owners]
        if names:
            p = times(tree, held.M, [x - y for x, y in zip(self.after(impulses), self.v, strict=True)])
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
