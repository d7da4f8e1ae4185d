"""Struck points: impulses of their rows, and the rates and speeds that follow (see `blow`)."""

from collections.abc import Mapping, Sequence
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import abs, sqrt, where
from hapsis.mechanics.formalisms.constraints.constrained_dynamics import least_multipliers
from hapsis.mechanics.formalisms.constraints.constraint_rows import linearized
from hapsis.mechanics.formalisms.constraints.impact import Collision
from hapsis.mechanics.formalisms.constraints.lu import LU
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.constraints.reduction import times, total
from hapsis.mechanics.formalisms.tree.optional_inputs import OptionalInputs
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero

Vector = list[Any]
SOFT = 1e-6  # of the row of the normal


class _Triangle:
    """R of U = Q R, so that Uᵀ U = Rᵀ R: half the digits are lost that a product with itself would lose.

    Rows across may say the same at several points, as those along the line between two points of one body.
    Columns behind U, `soft`, of next to no size make of all ways to share a load that of the least norm.
    """

    def __init__(self, tree: Tree, columns: Sequence[Vector], soft: Sequence[Any] = ()) -> None:
        self.size = len(columns[0]) if columns else 0
        if any(not is_zero(x) for x in soft):
            zero = tree.zero
            columns = [
                [*column, *(x if k == i else zero for k, x in enumerate(soft))]
                for i, column in enumerate(columns)
            ]
        self.tree, self.columns, left = tree, columns, [list(column) for column in columns]
        self.R, self.Q, self.inverse = list[Vector](), list[Vector](), list[Any]()
        for k, column in enumerate(left):
            size = sqrt(total(tree, column, column))
            self.inverse.append(tree.one / size)
            q = [x * self.inverse[k] for x in column]
            row: Vector = [tree.zero] * k + [size]
            for other in left[k + 1 :]:
                row.append(total(tree, q, other))
                other[:] = [x if is_zero(y) else x - row[-1] * y for x, y in zip(other, q, strict=True)]
            self.R.append(row)
            self.Q.append(q)

    def solved(self, b: Vector) -> tuple[Vector, Vector]:
        """x with Uᵀ U x = b, and z = U x, once more for what is left of b - Uᵀ z."""
        y, n = self._down(b), len(b)
        z = self._product(y)
        if n > 1:
            rest = [x - total(self.tree, column, z) for x, column in zip(b, self.columns, strict=True)]
            z = [x + more for x, more in zip(z, self._product(self._down(rest)), strict=True)]
        for k in reversed(range(n)):
            for j in range(k + 1, n):
                y[k] = y[k] - self.R[k][j] * y[j]
            y[k] = y[k] * self.inverse[k]
        return y, z[: self.size]

    def _down(self, b: Vector) -> Vector:
        """y with Rᵀ y = b."""
        y = list(b)
        for k in range(len(y)):
            for j in range(k):
                y[k] = y[k] - self.R[j][k] * y[j]
            y[k] = y[k] * self.inverse[k]
        return y

    def _product(self, y: Vector) -> Vector:
        """Q y."""
        return [total(self.tree, y, row) for row in zip(*self.Q, strict=True)]


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
        self.size = len(self.names) + len(held.Z)
        self.soft = self._soft() if len(feet) > 1 else {}

    def _soft(self) -> dict[int, Any]:
        """For rows across what keeps them apart, of the size of the normal row of their point."""
        sizes = {foot[0]: sqrt(total(self.tree, self.U[foot[0]], self.U[foot[0]])) for foot in self.feet}
        return {row: SOFT * sizes[foot[0]] for foot in self.feet for row in foot[1:]}

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

    def with_restitution(self, rows: list[int], rates: Mapping[int, Any]) -> tuple[Vector, Vector]:
        """The impulses with these rows at rest, and those with these rates, as far as energy allows."""
        tree = self.tree
        W = _Triangle(tree, [self.U[k] for k in rows], [self.soft.get(k, tree.zero) for k in rows])
        rest, stopped = W.solved([-self.s0[k] for k in rows])
        target = [rates.get(k, tree.zero) for k in rows]
        more, thrown = W.solved(target)
        lost = self.lost + total(tree, stopped, stopped)
        needed = total(tree, thrown, thrown)
        above = needed > lost
        share = where(above, sqrt(where(above, lost / where(above, needed, tree.one), tree.one)), tree.one)
        return self._of_rows(rows, rest, stopped), self._of_rows(
            rows,
            *(
                [x + share * y for x, y in zip(*both, strict=True)]
                for both in ((rest, more), (stopped, thrown))
            ),
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
