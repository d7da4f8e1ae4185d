"""Linear equations inside native loops: LU with partial pivoting, column by column."""

from hapsis.compiler.native import Array, Ints, at, isfinite, native


@native
def factored(n: int, A: Array, pivots: Ints) -> bool:
    """Whether A, stored by columns, is regular; its factors are then in its place.

    The diagonal holds the reciprocals of the pivots, so that solving divides nowhere.
    """
    for k in range(n):
        column = at(A, k * n)
        p = k
        for i in range(k + 1, n):
            if abs(column[i]) > abs(column[p]):
                p = i
        pivots[k] = p
        pivot = column[p]
        if pivot == 0.0 or not isfinite(pivot):
            return False
        column[p] = column[k]
        reciprocal = 1.0 / pivot
        column[k] = reciprocal
        for i in range(k + 1, n):
            column[i] *= reciprocal
        # the same exchange and elimination in the columns to the right
        for j in range(k + 1, n):
            other = at(A, j * n)
            w = other[p]
            other[p] = other[k]
            other[k] = w
            if w != 0.0:
                for i in range(k + 1, n):
                    other[i] -= w * column[i]
    return True


@native
def solve_factored(n: int, A: Array, pivots: Ints, b: Array) -> None:
    """b becomes the x of A x = b."""
    for k in range(n):
        p = pivots[k]
        w = b[p]
        b[p] = b[k]
        b[k] = w
        if w != 0.0:
            column = at(A, k * n)
            for i in range(k + 1, n):
                b[i] -= w * column[i]
    for k in range(n - 1, -1, -1):
        column = at(A, k * n)
        w = b[k] * column[k]
        b[k] = w
        if w != 0.0:
            for i in range(k):
                b[i] -= w * column[i]
