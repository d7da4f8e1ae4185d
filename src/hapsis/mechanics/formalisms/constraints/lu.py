"""LU factors of a matrix of expressions, with the pivots in the order given.

There is no pivot search: the caller has ordered rows and columns so that the pivots are good near some
pose. Structural zeros cost nothing.
"""

from collections.abc import Sequence
from typing import Any

from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero

Matrix = list[list[Any]]


class LU:
    """L U of a square matrix of expressions."""

    def __init__(self, tree: Tree, A: Sequence[Sequence[Any]]) -> None:
        self.tree = tree
        U: Matrix = [list(row) for row in A]
        n = len(U)
        self.L: dict[tuple[int, int], Any] = {}
        self.inverse: list[Any] = []
        for k in range(n):
            self.inverse.append(tree.one / U[k][k])
            for i in range(k + 1, n):
                if is_zero(U[i][k]):
                    continue
                factor = U[i][k] * self.inverse[k]
                self.L[i, k] = factor
                for j in range(k + 1, n):
                    if not is_zero(U[k][j]):
                        U[i][j] = U[i][j] - factor * U[k][j]
        self.U = U

    def solved(self, b: Sequence[Any]) -> list[Any]:
        """x with A x = b."""
        x, n = list(b), len(self.U)
        for (i, k), factor in self.L.items():
            if not is_zero(x[k]):
                x[i] = x[i] - factor * x[k]
        for k in range(n - 1, -1, -1):
            for j in range(k + 1, n):
                if not is_zero(self.U[k][j]) and not is_zero(x[j]):
                    x[k] = x[k] - self.U[k][j] * x[j]
            x[k] = x[k] * self.inverse[k]
        return x

    def transposed_solved(self, b: Sequence[Any]) -> list[Any]:
        """x with Aᵀ x = b."""
        x, n = list(b), len(self.U)
        for k in range(n):
            for j in range(k):
                if not is_zero(self.U[j][k]) and not is_zero(x[j]):
                    x[k] = x[k] - self.U[j][k] * x[j]
            x[k] = x[k] * self.inverse[k]
        for (i, k), factor in reversed(self.L.items()):
            if not is_zero(x[i]):
                x[k] = x[k] - factor * x[i]
        return x
