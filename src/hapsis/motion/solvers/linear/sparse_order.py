"""The order in which a sparse square matrix is eliminated with few new entries.

Of all pivots that are large enough the next one is that which fills least: with r other entries in its row
and c in its column that is r c at most (Markowitz's count).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
LARGE = 0.25  # of the largest entry left in its row and in its column


def sparse_order(A: Array, pattern: Any, first: int) -> list[tuple[int, int]]:
    """The pivots (row, column) in order; the first rows and columns are eliminated before the others.

    pattern    whether an entry can differ from zero: it may where it happens to be zero in A
    first      so many rows have their pivots in as many of the first columns
    """
    U, full = np.array(A, dtype=float), np.array(pattern, dtype=bool)
    order: list[tuple[int, int]] = []
    for start, end in ((0, first), (first, len(U))):
        rows, columns = list(range(start, end)), list(range(start, end))
        while rows:
            i, j = _next(U, full, rows, columns)
            order.append((i, j))
            rows.remove(i)
            columns.remove(j)
            below = [*rows, *range(end, len(U))]
            beside = [*columns, *range(end, len(U))]
            _eliminate(U, full, (i, j), below, beside)
    return order


def operations(pattern: Any, order: Sequence[tuple[int, int]]) -> int:
    """How many products and divisions the elimination in this order takes, and one solution after it."""
    rows, columns = (np.array(part, dtype=int) for part in zip(*order, strict=True))
    full, count = np.array(pattern, dtype=bool)[np.ix_(rows, columns)], 0
    for k in range(len(full)):
        below, beside = full[k + 1 :, k].copy(), full[k, k + 1 :].copy()
        full[k + 1 :, k + 1 :] |= np.outer(below, beside)
        down, across = int(below.sum()), int(beside.sum())
        count += down + down * across + down + across + 1
    return count


def _next(U: Array, full: Any, rows: list[int], columns: list[int]) -> tuple[int, int]:
    """The pivot that fills least, of those that are large enough; of equal ones the largest."""
    sizes, here = np.abs(U[np.ix_(rows, columns)]), full[np.ix_(rows, columns)]
    most = np.minimum(sizes.max(axis=1)[:, None], sizes.max(axis=0)[None, :])
    fill = np.outer(here.sum(axis=1) - 1, here.sum(axis=0) - 1).astype(float)
    fill[~((sizes >= LARGE * most) & (sizes > 0.0))] = np.inf
    least = fill == fill.min()
    i, j = np.unravel_index(int(np.argmax(np.where(least, sizes, -1.0))), sizes.shape)
    return rows[int(i)], columns[int(j)]


def _eliminate(U: Array, full: Any, pivot: tuple[int, int], below: list[int], beside: list[int]) -> None:
    i, j = pivot
    if below and beside:
        with np.errstate(all="ignore"):
            U[np.ix_(below, beside)] -= np.outer(U[below, j] / U[i, j], U[i, beside])
        full[np.ix_(below, beside)] |= np.outer(full[below, j], full[i, beside])
