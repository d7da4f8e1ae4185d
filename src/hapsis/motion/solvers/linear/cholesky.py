"""Linear equations of a positive definite matrix, by its Cholesky factor A = L Lᵀ.

Native code of our own: the same bits on every machine, and no library has to be loaded for it.
"""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, at, native, sqrt

Numbers = np.ndarray[Any, np.dtype[np.float64]]


@native
def solve_definite(n: int, A: Array, b: Array) -> bool:
    """Whether A, stored by columns, is positive definite; b is then the x of A x = b, and A is used up."""
    for k in range(n):
        column = at(A, k * n)
        if not column[k] > 0.0:
            return False
        root = sqrt(column[k])
        column[k] = root
        for i in range(k + 1, n):
            column[i] /= root
        for j in range(k + 1, n):
            other = at(A, j * n)
            w = column[j]
            for i in range(j, n):
                other[i] -= w * column[i]
    for k in range(n):
        column = at(A, k * n)
        b[k] /= column[k]
        for i in range(k + 1, n):
            b[i] -= b[k] * column[i]
    for k in range(n - 1, -1, -1):
        column = at(A, k * n)
        for i in range(k + 1, n):
            b[k] -= column[i] * b[i]
        b[k] /= column[k]
    return True


def definite_solution(A: Numbers, b: Numbers) -> Numbers | None:
    """The x of A x = b; None where the symmetric A is not positive definite."""
    x = np.array(b, float)
    return x if solve_definite(len(x), np.array(A, float).ravel(), x) else None
