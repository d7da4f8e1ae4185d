"""Articulated-body inertia: a symmetric 6 x 6 matrix in three blocks.

    n = A ω̇ + B a        A, C symmetric, B any
    f = Bᵀ ω̇ + C a

A rigid body has A = tr(Σ) 1 - Σ, B = h~, C = m 1. Reference: [Featherstone] section 7.1.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from hapsis.mechanics.algebra.inertia import Inertia
from hapsis.mechanics.algebra.rotations import Rotation, Rows, Tensor, rows_up, tensor_up
from hapsis.mechanics.algebra.vectors import Vector, add, cross

# index of entry (a, b) of a symmetric tensor
_AT = ((0, 3, 4), (3, 1, 5), (4, 5, 2))
_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


class Articulated(NamedTuple):
    """The blocks about the origin of a frame, in its axes."""

    A: Tensor
    B: Rows
    C: Tensor

    def entry(self, a: int, b: int) -> Any:
        """Entry (a, b) of the 6 x 6 matrix, angular part first."""
        if a < 3 and b < 3:
            return self.A[_AT[a][b]]
        if a > 2 and b > 2:
            return self.C[_AT[a - 3][b - 3]]
        return self.B[a][b - 3] if a < 3 else self.B[b][a - 3]

    def times(self, axis: Sequence[tuple[int, Any]]) -> list[Any]:
        """The product with the motion vector of an axis, given as (index, coefficient) pairs: six numbers."""
        (k, coefficient), *others = axis
        column = [coefficient * self.entry(a, k) for a in range(6)]
        for k, coefficient in others:
            column = [c + coefficient * self.entry(a, k) for a, c in enumerate(column)]
        return column

    def plus(self, other: "Articulated") -> "Articulated":
        """The sum of both."""
        A = tuple(x + y for x, y in zip(self.A, other.A, strict=True))
        C = tuple(x + y for x, y in zip(self.C, other.C, strict=True))
        B = tuple(add(x, y) for x, y in zip(self.B, other.B, strict=True))
        return Articulated(A, B, C)

    def without(self, U: Sequence[Any], k: Sequence[Any], gone: int | None, zero: Any) -> Any:
        """The matrix less U kᵀ; row and column `gone` are known to become zero."""

        def entry(a: int, b: int) -> Any:
            return zero if gone in (a, b) else self.entry(a, b) - k[b] * U[a]

        A = tuple(entry(a, b) for a, b in _PAIRS)
        C = tuple(entry(a + 3, b + 3) for a, b in _PAIRS)
        B = tuple(tuple(entry(a, b + 3) for b in range(3)) for a in range(3))
        return Articulated(A, B, C)

    def up(self, rotation: Rotation, p: Vector) -> "Articulated":
        """The same about the parent's origin and in its axes; p and rotation place our frame in it."""
        A, C = tensor_up(rotation, self.A), tensor_up(rotation, self.C)
        turned = rows_up(rotation, self.B)
        # B + p~ C, column by column
        xx, yy, zz, xy, xz, yz = C
        columns = [cross(p, column) for column in ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))]
        B = tuple(
            (row[0] + columns[0][a], row[1] + columns[1][a], row[2] + columns[2][a])
            for a, row in enumerate(turned)
        )
        # A - B p~ + p~ B'ᵀ
        one = [cross(p, row) for row in turned]
        two = [cross(p, row) for row in B]
        A = tuple(A[i] + (one[a][b] + two[b][a]) for i, (a, b) in enumerate(_PAIRS))
        return Articulated(A, B, C)


def articulated(I: Inertia, zero: Any) -> Articulated:
    """The blocks of a single rigid body."""
    body = I.rigid()
    x, y, z = body.h
    return Articulated(
        body.I, ((zero, -z, y), (z, zero, -x), (-y, x, zero)), (body.m, body.m, body.m, zero, zero, zero)
    )
