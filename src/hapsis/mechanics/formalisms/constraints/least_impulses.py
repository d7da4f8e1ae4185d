"""Impulses of rows of which some may say the same: the least ones, with the order of rows of no account.

Columns U stand for rows; impulses x do z = U x. A column that lies in those before it, but for `ALIKE` of the
size of its point, is left out of the factors U = Q R, and in the pose of the moment: no row is left out where
a Function is written. Of all x that do the same the one with the least sum of size · x² is taken.
"""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import maximum, sqrt, where
from hapsis.mechanics.formalisms.constraints.reduction import total
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero

Vector = list[Any]
ALIKE = 1e-10  # of the size of a point: what is left of a column that others replace


class LeastImpulses:
    """Q R of the columns, so that Uᵀ U = Rᵀ R: half the digits are lost that a product would lose.

    sizes    for each column the square of the size of its point
    """

    def __init__(self, tree: Tree, columns: Sequence[Vector], sizes: Vector) -> None:
        self.tree, self.columns, self.sizes = tree, columns, sizes
        left = [list(column) for column in columns]
        self.R, self.Q, self.inverse, self.alike = list[Vector](), list[Vector](), list[Any](), list[Any]()
        for k, column in enumerate(left):
            square = total(tree, column, column)
            nothing = is_zero(square)
            alike = tree.one if nothing else where(square > ALIKE**2 * sizes[k], tree.zero, tree.one)
            size = tree.one if nothing else sqrt(where(alike, tree.one, square))
            self.inverse.append(tree.zero if nothing else where(alike, tree.zero, tree.one / size))
            q = [x if is_zero(x) else x * self.inverse[k] for x in column]
            row: Vector = [tree.zero] * k + [size]
            for other in left[k + 1 :]:
                row.append(total(tree, q, other))
                other[:] = [x if is_zero(y) else x - row[-1] * y for x, y in zip(other, q, strict=True)]
            self.R.append(row)
            self.Q.append(q)
            self.alike.append(alike)
        self.unlike = tree.one  # 1 where no column is left out
        for alike in self.alike:
            self.unlike = self.unlike * (tree.one - alike)
        self._idle = self._motionless()

    def rates(self, b: Vector) -> tuple[Vector, Vector]:
        """y and z = Q y with Uᵀ z = b, once more for what is left of b - Uᵀ z."""
        y = self._down(b)
        if len(b) > 1:
            z = self.product(y)
            rest = [x - total(self.tree, column, z) for x, column in zip(b, self.columns, strict=True)]
            y = [x + more for x, more in zip(y, self._down(rest), strict=True)]
        return y, self.product(y)

    def nearest(self, z: Vector) -> tuple[Vector, Vector]:
        """y and the Q y that is nearest to z, once more for what is left of it."""
        y = self._along(z)
        near = self.product(y)
        rest = self._along([a - b for a, b in zip(z, near, strict=True)])
        y = [x + more for x, more in zip(y, rest, strict=True)]
        return y, self.product(y)

    def impulses(self, y: Vector) -> Vector:
        """The least x with R x = y."""
        x, n = list(y), len(y)
        for k in reversed(range(n)):
            for j in range(k + 1, n):
                x[k] = x[k] - self.R[k][j] * x[j]
            x[k] = x[k] * self.inverse[k]
        for idle in self._idle:
            weighted = [size * a for size, a in zip(self.sizes, idle, strict=True)]
            part = total(self.tree, weighted, x)
            x = [a if is_zero(b) else a - part * b for a, b in zip(x, idle, strict=True)]
        return x

    def done(self, x: Vector, z: Vector) -> Vector:
        """z, or U x where rows are left out, so that impulses and speeds agree to rounding there too."""
        own = [total(self.tree, list(row), x) for row in zip(*self.columns, strict=True)]
        return [where(self.unlike, a, b) for a, b in zip(z, own, strict=True)]

    def product(self, y: Vector) -> Vector:
        """Q y."""
        return [total(self.tree, y, list(row)) for row in zip(*self.Q, strict=True)]

    def _down(self, b: Vector) -> Vector:
        """y with Rᵀ y = b."""
        y = list(b)
        for k in range(len(y)):
            for j in range(k):
                y[k] = y[k] - self.R[j][k] * y[j]
            y[k] = y[k] * self.inverse[k]
        return y

    def _along(self, z: Vector) -> Vector:
        """Qᵀ z."""
        return [total(self.tree, q, z) for q in self.Q]

    def _motionless(self) -> list[Vector]:
        """Impulses that do nothing: of each column that is left out, zero where none is.

        They are at right angles, and of unit size, with the weights of `sizes`.
        """
        tree, found = self.tree, list[Vector]()
        for k, alike in enumerate(self.alike):
            if k == 0:
                continue
            x: Vector = [-self.R[j][k] for j in range(k)]
            for i in reversed(range(k)):
                for j in range(i + 1, k):
                    x[i] = x[i] - self.R[i][j] * x[j]
                x[i] = x[i] * self.inverse[i]
            x = [alike * a for a in x] + [alike] + [tree.zero] * (len(self.columns) - k - 1)
            for other in found:
                weighted = [size * a for size, a in zip(self.sizes, other, strict=True)]
                part = total(tree, weighted, x)
                x = [a if is_zero(b) else a - part * b for a, b in zip(x, other, strict=True)]
            square = total(tree, [size * a for size, a in zip(self.sizes, x, strict=True)], x)
            unit = alike / sqrt(maximum(where(alike, square, tree.one), 1e-300))
            found.append([a if is_zero(a) else unit * a for a in x])
        return found
