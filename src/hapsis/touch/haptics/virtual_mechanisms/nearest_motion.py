"""The motion of a mechanism that is nearest to that of a hand, and the smallest wrench that a hand needs.

Both are one system of equations. With J the Jacobian of the grasped frame, C that of the loops and W the
weights of the six directions,

    min (V - J x)ᵀ W (V - J x)  with  C x = g       is    Jᵀ W J x + Cᵀ μ = Jᵀ W V,   C x = g
    min wᵀ W⁻¹ w  with  Jᵀ w + Cᵀ λ = τ             is    Jᵀ W J y + Cᵀ λ = τ,        C y = 0,   w = W J y

The matrix is factored once, as K = Jᵀ W J + s Cᵀ C with a large s, so that redundant rows of loops need no
choice. What s falsifies is removed in rounds (the method of multipliers): each makes the error smaller by
1/(s σ²), with σ the singular values of C. The multipliers are those of least norm where rows are redundant.
A pivot is never less than a small number: near singular poses, where it would be, speeds and wrenches go
to zero instead of to infinity.
"""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import maximum, minimum
from hapsis.mechanics.formalisms.constraints.ldlt import fill_order
from hapsis.mechanics.formalisms.tree.tree import is_zero

CLOSING = 1e5  # s: how much more an open loop counts than a distance from the hand
SMALLEST = 1e-4  # pivot, in squares of the lengths of the speeds
ROUNDS = 3  # with loops; without them the first is exact
Rows = Sequence[Sequence[Any]]


class NearestMotion:
    """The factored equations at one pose.

    J, C      rows of expressions, of the grasped directions and of the loops
    weights   W, one number for each row of J
    scales    for each speed the length in m by which it moves things: 1 of a slide
    zero      the expression 0
    damping   makes steps shorter: the square of each, in its length, counts so much besides
    """

    def __init__(
        self,
        J: Rows,
        C: Rows,
        weights: Sequence[float],
        scales: Sequence[float],
        zero: Any,
        damping: Any = 0.0,
    ) -> None:
        self._factor = damping
        self.damping = [damping * scale**2 for scale in scales]
        self.J, self.C, self.weights, self.scales, self.zero = J, C, weights, scales, zero
        self.n = n = len(scales)
        K: dict[tuple[int, int], Any] = {}
        for i in range(n):
            for k in range(i, n):
                K[i, k] = self._entry(i, k)
        self.factors = _Factors(K, [SMALLEST * scale**2 for scale in scales])

    def with_rows(self, rows: Rows) -> "NearestMotion":
        """The same with more rows that are to be closed."""
        C = [*self.C, *rows]
        return NearestMotion(self.J, C, self.weights, self.scales, self.zero, self._factor)

    def _entry(self, i: int, k: int) -> Any:
        """K of two speeds."""
        total = self.zero
        for row, weight in zip(self.J, self.weights, strict=True):
            total = total + weight * (row[i] * row[k])
        for row in self.C:
            total = total + CLOSING * (row[i] * row[k])
        return total + self.damping[i] if i == k else total

    def regularity(self) -> Any:
        """The smallest pivot over the square of the length of its speed: 0 in a singular pose."""
        sizes = [pivot / self.scales[k] ** 2 for k, pivot in self.factors.pivots.items()]
        least = sizes[0]
        for size in sizes[1:]:
            least = minimum(least, size)
        return least

    def rates(self, motion: Sequence[Any], closing: Sequence[Any], push: float = 0.0) -> list[Any]:
        """x: the speeds nearest to a motion of the hand, with C x = closing.

        push   in lengths: moves all speeds besides, each by another part of it
        """
        return self.rates_held(motion, closing, push)[0]

    def rates_held(
        self, motion: Sequence[Any], closing: Sequence[Any], push: float = 0.0
    ) -> tuple[list[Any], list[Any]]:
        """The same, and the multipliers of the rows C: positive where one keeps its sum from growing."""
        weighted = [w * m for w, m in zip(self.weights, motion, strict=True)]
        right = _transposed_times(self.J, weighted, self.n, self.zero)
        if push:
            right = [
                r + push * s**2 / (k + 1) for k, (r, s) in enumerate(zip(right, self.scales, strict=True))
            ]
        return self._solved(right, closing)

    def wrenches(self, tau: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """The smallest wrench w with Jᵀ w + Cᵀ λ = tau, and the multipliers λ of the rows of the loops."""
        y, multipliers = self._solved(tau, [self.zero] * len(self.C))
        Jy = _times(self.J, y, self.zero)
        return [w * x for w, x in zip(self.weights, Jy, strict=True)], multipliers

    def _solved(self, right: Sequence[Any], closing: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """x and μ with Jᵀ W J x + Cᵀ μ = right and C x = closing."""
        x, mu = [self.zero] * self.n, [self.zero] * len(self.C)
        # s (C x - closing), which each round adds to the multipliers
        open_by = [-CLOSING * g for g in closing]
        for _ in range(ROUNDS if self.C else 1):
            pull = [w * u for w, u in zip(self.weights, _times(self.J, x, self.zero), strict=True)]
            held = _transposed_times(self.J, pull, self.n, self.zero)
            push = [m + o for m, o in zip(mu, open_by, strict=True)]
            closed = _transposed_times(self.C, push, self.n, self.zero)
            short = [d * u for d, u in zip(self.damping, x, strict=True)]
            rest = [r - h - c - d for r, h, c, d in zip(right, held, closed, short, strict=True)]
            x = [a + b for a, b in zip(x, self.factors.solved(rest), strict=True)]
            gaps = zip(_times(self.C, x, self.zero), closing, strict=True)
            open_by = [CLOSING * (c - g) for c, g in gaps]
            mu = [m + o for m, o in zip(mu, open_by, strict=True)]
        return x, mu


class _Factors:
    """L and D of K = L D Lᵀ, positive semidefinite; no pivot is divided by that is less than its floor."""

    def __init__(self, K: dict[tuple[int, int], Any], floors: Sequence[float]) -> None:
        left = {at: x for at, x in K.items() if not is_zero(x)}
        self.order = fill_order(left, len(floors))
        self.pivots: dict[int, Any] = {}
        self.inverse: dict[int, Any] = {}
        self.L: dict[int, list[tuple[int, Any]]] = {}
        waiting = dict.fromkeys(self.order)
        for k in self.order:
            del waiting[k]
            self.pivots[k] = left.get((k, k), K[k, k])
            self.inverse[k] = 1.0 / maximum(self.pivots[k], floors[k])
            near = [i for i in waiting if _pair(i, k) in left]
            self.L[k] = [(i, left[_pair(i, k)] * self.inverse[k]) for i in near]
            for place, (i, factor) in enumerate(self.L[k]):
                for j in near[place:]:
                    change, at = factor * left[_pair(j, k)], _pair(i, j)
                    left[at] = left[at] - change if at in left else -change

    def solved(self, b: Sequence[Any]) -> list[Any]:
        """x with K x = b."""
        x = list(b)
        for k in self.order:
            for i, factor in self.L[k]:
                x[i] = x[i] - factor * x[k]
        for k in reversed(self.order):
            x[k] = x[k] * self.inverse[k]
            for i, factor in self.L[k]:
                x[k] = x[k] - factor * x[i]
        return x


def _pair(i: int, j: int) -> tuple[int, int]:
    return (i, j) if i <= j else (j, i)


def _times(A: Rows, x: Sequence[Any], zero: Any) -> list[Any]:
    products = []
    for row in A:
        total = zero
        for a, b in zip(row, x, strict=True):
            total = total + a * b
        products.append(total)
    return products


def _transposed_times(A: Rows, y: Sequence[Any], n: int, zero: Any) -> list[Any]:
    total = [zero] * n
    for row, b in zip(A, y, strict=True):
        total = [t + a * b for t, a in zip(total, row, strict=True)]
    return total
