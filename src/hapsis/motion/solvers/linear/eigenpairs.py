"""Eigenvalues and vectors of a matrix, each vector checked, and searched for again where it is none.

LAPACK balances a matrix first, by powers of two that make rows and columns alike. Where an entry
that should be zero is 1e-20 it takes that for a size, and what it calls a vector then may be
anything, while the values are right. So each vector is looked at,

    |A x - λ x| / |λ| |x|

and where that is not small the vector is the direction that A - λ maps to nothing, by singular
values, rows and columns made alike by their largest entries alone.
"""

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
LEFT = 1e-9  # of |λ| |x|: what is left over of a vector that needs no second look
ALIKE = 1e-7  # of |λ|: values that are nearer have a common space


def eigenpairs(A: Array) -> tuple[Any, Any]:
    """The values, and a vector for each as a column, of length one."""
    pairs: Any = np.linalg.eig(A)
    values, vectors = pairs[0].astype(complex), pairs[1].astype(complex)
    left = np.array([residual(A, x, v) for x, v in zip(values, vectors.T, strict=True)])
    again = {k for k in np.flatnonzero(~(left <= LEFT)) if abs(values[k]) > 0.0}
    while again:
        k = again.pop()
        alike = [j for j in range(len(values)) if abs(values[j] - values[k]) <= ALIKE * abs(values[k])]
        again -= set(alike)
        new = _mapped_to_nothing(A - values[k] * np.eye(len(A)), len(alike))
        worst = max(residual(A, values[j], x) for j, x in zip(alike, new.T, strict=True))
        if not worst >= left[alike].max():
            vectors[:, alike] = new
    return values, vectors


def residual(A: Array, value: complex, vector: Any) -> float:
    """|A x - λ x| over |λ| |x|; of slow values over |λ|² |x|, since there rates are small."""
    size = abs(value) * min(1.0, abs(value)) * np.abs(vector).max(initial=0.0)
    left = np.abs(A @ vector - value * vector).max(initial=0.0)
    return float(left / size) if size > 0.0 else np.inf


def _mapped_to_nothing(B: Any, count: int) -> Any:
    """So many directions that B maps to almost nothing, as columns of length one."""
    rows = np.abs(B).max(axis=1, keepdims=True)
    B = B / np.where(rows > 0.0, rows, 1.0)
    columns = np.abs(B).max(axis=0)
    columns = np.where(columns > 0.0, columns, 1.0)
    directions = np.linalg.svd(B / columns)[2][-count:].conj().T / columns[:, None]
    return directions / np.linalg.norm(directions, axis=0)
