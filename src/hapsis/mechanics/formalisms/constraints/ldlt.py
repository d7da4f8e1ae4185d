"""Factors of a symmetric matrix of expressions: A = L D Lᵀ.

The matrix must be positive definite, so that pivots may be taken in any order; a minimum-degree order
keeps the fill-in small. Structural zeros cost nothing. A pivot that is only rounding counts as zero, so
that the solution of a singular system is not finite instead of being wrong.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import where
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero

Entries = Mapping[tuple[int, int], Any]  # by (row, column); one triangle suffices
ROUNDING = 1e-15  # of the entry that a pivot comes from


class LDLT:
    """L and D of a positive definite matrix of expressions."""

    def __init__(self, tree: Tree, A: Entries, size: int) -> None:
        left = {_pair(i, j): x for (i, j), x in A.items() if not is_zero(x)}
        self.order = fill_order(left, size)
        self.L: dict[int, list[tuple[int, Any]]] = {}  # by pivot: rows below it
        self.inverse: dict[int, Any] = {}
        waiting = dict.fromkeys(self.order)
        for k in self.order:
            del waiting[k]
            pivot, entry = left.get((k, k), tree.zero), A.get((k, k), tree.zero)
            if pivot is not entry:
                pivot = where(pivot > ROUNDING * entry, pivot, tree.zero)
            self.inverse[k] = tree.one / pivot
            near = [i for i in waiting if _pair(i, k) in left]
            self.L[k] = [(i, left[_pair(i, k)] * self.inverse[k]) for i in near]
            for place, (i, factor) in enumerate(self.L[k]):
                for j in near[place:]:
                    change = factor * left[_pair(j, k)]
                    at = _pair(i, j)
                    left[at] = left[at] - change if at in left else -change

    def solved(self, b: Sequence[Any]) -> list[Any]:
        """x with A x = b."""
        x = list(b)
        for k in self.order:
            if not is_zero(x[k]):
                for i, factor in self.L[k]:
                    x[i] = x[i] - factor * x[k]
        for k in reversed(self.order):
            x[k] = x[k] * self.inverse[k]
            for i, factor in self.L[k]:
                x[k] = x[k] - factor * x[i]
        return x


def fill_order(entries: Entries, size: int) -> list[int]:
    """An order of pivots with little fill-in: always one with the fewest neighbours (minimum degree)."""
    near: dict[int, set[int]] = {k: set() for k in range(size)}
    for i, j in entries:
        if i != j:
            near[i].add(j)
            near[j].add(i)
    order: list[int] = []
    while near:
        k = min(near, key=lambda each: (len(near[each]), -each))
        order.append(k)
        mine = near.pop(k)
        for i in mine:
            near[i] |= mine
            near[i] -= {i, k}
    return order


def _pair(i: int, j: int) -> tuple[int, int]:
    return (i, j) if i <= j else (j, i)
