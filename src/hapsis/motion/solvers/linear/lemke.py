"""The linear complementarity problem: w = M z + q, w ≥ 0, z ≥ 0, wᵀ z = 0, by Lemke's method.

Pivots go from basis to basis; ties are broken by the lexicographic rule, so that no basis comes twice and
the method ends. The solution is computed anew from its basis, so that rounding of the pivots is not in it.
Reference: [Cottle], algorithm 4.4.5.
"""

from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
NOTHING = 1e-11  # of the largest entry of a column: a smaller one is no pivot
MOST = 50  # pivots for each variable


class Complementary(NamedTuple):
    """The end of the search: z and w, and whether they solve the problem.

    status   "solved", "ray" where the method cannot go on, or "pivots" where it goes on too long
    pivots   how many there were
    """

    z: Array
    w: Array
    status: str
    pivots: int


def complementary(M: Any, q: Any) -> Complementary:
    """z and w = M z + q, both not negative, one of each pair zero."""
    M, q = np.asarray(M, float), np.asarray(q, float)
    n = len(q)
    if n == 0 or q.min() >= 0.0:
        return Complementary(np.zeros(n), q.copy(), "solved", 0)
    # I w - M z - 1 z0 = q; the columns: w, z, z0, and the right side
    table = np.hstack([np.eye(n), -M, -np.ones((n, 1)), q[:, None]])
    basis = list(range(n))
    row = _first(table)
    entering = 2 * n
    for count in range(1, MOST * n + 1):
        leaving = basis[row]
        table[row] /= table[row, entering]
        others = np.arange(n) != row
        table[others] -= np.outer(table[others, entering], table[row])
        basis[row] = entering
        if leaving == 2 * n:
            return _solution(M, q, basis, count)
        entering = leaving + n if leaving < n else leaving - n
        chosen = _leaving(table, basis, entering)
        if chosen is None:
            return Complementary(np.zeros(n), q.copy(), "ray", count)
        row = chosen
    return Complementary(np.zeros(n), q.copy(), "pivots", MOST * n)


def _first(table: Array) -> int:
    """The row of the most negative right side; of equal ones the lexicographically smallest."""
    n = len(table)
    keys = np.hstack([table[:, -1:], table[:, :n]])
    return min(range(n), key=lambda k: tuple(keys[k]))


def _leaving(table: Array, basis: list[int], entering: int) -> int | None:
    """The row whose basic variable becomes zero first; z0 leaves where it can; None on a ray."""
    n = len(table)
    column = table[:, entering]
    able = np.flatnonzero(column > NOTHING * max(1.0, np.abs(column).max()))
    if not len(able):
        return None
    ratios = np.hstack([table[able, -1:], table[able, :n]]) / column[able, None]
    least = ratios[:, 0].min()
    ties = [k for k, x in enumerate(ratios[:, 0]) if x <= least + 1e-12 * max(1.0, abs(least))]
    for k in ties:
        if basis[able[k]] == 2 * n:
            return int(able[k])
    return int(able[min(ties, key=lambda k: tuple(ratios[k, 1:]))])


def _solution(M: Array, q: Array, basis: list[int], pivots: int) -> Complementary:
    """z and w of a basis, from one solution of its equations; what is negative by rounding is zero."""
    n = len(q)
    columns = np.hstack([np.eye(n), -M])[:, basis]
    x = np.linalg.solve(columns, q)
    x = np.maximum(x, 0.0)
    both = np.zeros(2 * n)
    both[basis] = x
    return Complementary(both[n:], both[:n], "solved", pivots)
