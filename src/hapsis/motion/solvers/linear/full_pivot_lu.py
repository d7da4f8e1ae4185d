"""LU factors with full pivoting and locked columns: which rows are independent, and what they determine.

The largest entry left is the next pivot, whatever its row and column, so that the columns come in
the order in which they are best determined. Columns that are locked may not be chosen: they stay
independent. Where the largest entry left is next to nothing all rows left are redundant.
Reference: [Samin], section on coordinate partitioning.
"""

from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
NOTHING = 1e-9  # of the largest entry: a smaller pivot is rounding


class Pivots(NamedTuple):
    """What full pivoting finds in a matrix.

    rank       how many rows are independent, over the columns that are not locked
    rows       the rows in the order of their pivots, redundant ones last
    columns    the columns likewise: first those that the others determine, then those left
    smallest   the smallest pivot over the largest
    """

    rank: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    smallest: float

    @property
    def dependent(self) -> tuple[int, ...]:
        """The columns that are determined."""
        return self.columns[: self.rank]

    @property
    def redundant(self) -> tuple[int, ...]:
        """The rows that say nothing new."""
        return tuple(sorted(self.rows[self.rank :]))


def pivots(matrix: Any, locked: Any = (), tolerance: float = NOTHING, first: int | None = None) -> Pivots:
    """Full pivoting over all columns but the locked ones.

    first    so many rows come before all others, as far as they say something
    """
    A = np.array(matrix, dtype=float)
    m, n = A.shape
    before = np.arange(m) < (m if first is None else first)
    rows, columns = list(range(m)), [k for k in range(n) if k not in set(locked)]
    free = len(columns)
    columns += sorted(set(locked))
    A = A[:, columns]
    sizes: list[float] = []
    for k in range(min(m, free)):
        left = np.abs(A[k:, k:free])
        least = tolerance * (sizes[0] if sizes else 1.0)
        preferred = left * before[rows[k:], None]
        if preferred.max() > least:
            left = preferred
        i, j = np.unravel_index(int(np.argmax(left)), left.shape)
        size = float(left[i, j])
        if not size > least or size == 0.0:
            break
        A[[k, k + i]], rows[k], rows[k + i] = A[[k + i, k]], rows[k + i], rows[k]
        A[:, [k, k + j]] = A[:, [k + j, k]]
        columns[k], columns[k + j] = columns[k + j], columns[k]
        A[k + 1 :] -= np.outer(A[k + 1 :, k] / A[k, k], A[k])
        sizes.append(size)
    rank = len(sizes)
    smallest = min(sizes) / sizes[0] if sizes else 1.0
    return Pivots(rank, tuple(rows), tuple(columns), smallest)
