"""The Cholesky factor of one dense block, four columns at a time: arrays are short, and loops cost.

A block of n by n is kept by columns. Its factor lies in its place: L below the diagonal, the same mirrored
above it, so that both substitutions go along columns, and 1 / L_kk on the diagonal.
"""

from hapsis.compiler.native import Array, at, native, sqrt

PANEL = 4


@native
def factor_dense(n: int, D: Array) -> bool:
    """Whether D, of which the lower triangle is read, is positive definite; D becomes its factor."""
    for k in range(0, n, PANEL):
        last = min(k + PANEL, n)
        for j in range(k, last):
            column = at(D, j * n)
            for m in range(k, j):
                other = at(D, m * n)
                w = other[j]
                for i in range(j, n):
                    column[i] -= w * other[i]
            if not column[j] > 0.0:
                return False
            over = 1.0 / sqrt(column[j])
            column[j] = over
            for i in range(j + 1, n):
                column[i] *= over
        if last < n:
            one, two, three, four = at(D, k * n), at(D, k * n + n), at(D, k * n + 2 * n), at(D, k * n + 3 * n)
            for j in range(last, n):
                target = at(D, j * n)
                a, b, c, d = one[j], two[j], three[j], four[j]
                for i in range(j, n):
                    target[i] -= a * one[i] + b * two[i] + c * three[i] + d * four[i]
    for j in range(n):
        column = at(D, j * n)
        for i in range(j + 1, n):
            D[i * n + j] = column[i]
    return True


@native
def substitute(n: int, D: Array, x: Array) -> None:
    """x := L⁻¹ x."""
    for k in range(0, n, PANEL):
        last = min(k + PANEL, n)
        for j in range(k, last):
            column = at(D, j * n)
            x[j] *= column[j]
            w = x[j]
            for i in range(j + 1, last):
                x[i] -= column[i] * w
        if last < n:
            one, two, three, four = at(D, k * n), at(D, k * n + n), at(D, k * n + 2 * n), at(D, k * n + 3 * n)
            a, b, c, d = x[k], x[k + 1], x[k + 2], x[k + 3]
            for i in range(last, n):
                x[i] -= a * one[i] + b * two[i] + c * three[i] + d * four[i]


@native
def substitute_back(n: int, D: Array, x: Array) -> None:
    """x := L⁻ᵀ x."""
    last = n
    while last > 0:
        k = max(last - PANEL, 0)
        for back in range(last - k):
            j = last - 1 - back
            column = at(D, j * n)
            x[j] *= column[j]
            w = x[j]
            for i in range(k, j):
                x[i] -= column[i] * w
        if k > 0:
            one, two, three, four = at(D, k * n), at(D, k * n + n), at(D, k * n + 2 * n), at(D, k * n + 3 * n)
            a, b, c, d = x[k], x[k + 1], x[k + 2], x[k + 3]
            for i in range(k):
                x[i] -= a * one[i] + b * two[i] + c * three[i] + d * four[i]
        last = k


@native
def add_product(n: int, A: Array, x: Array, y: Array) -> None:
    """y := y + A x, A by columns."""
    for k in range(0, n - PANEL + 1, PANEL):
        one, two, three, four = at(A, k * n), at(A, k * n + n), at(A, k * n + 2 * n), at(A, k * n + 3 * n)
        a, b, c, d = x[k], x[k + 1], x[k + 2], x[k + 3]
        for i in range(n):
            y[i] += a * one[i] + b * two[i] + c * three[i] + d * four[i]
    for k in range(n - n % PANEL, n):
        column = at(A, k * n)
        w = x[k]
        for i in range(n):
            y[i] += column[i] * w
