"""Full pivoting with locked columns: rank, redundant rows, what is determined."""

import numpy as np
import pytest

from hapsis.motion.solvers.linear.full_pivot_lu import pivots


@pytest.mark.parametrize("seed", range(30))
def test_rank_and_partition(seed):
    draw = np.random.default_rng(seed)
    m, n = draw.integers(1, 9, 2)
    rank = int(draw.integers(0, min(m, n) + 1))
    A = draw.normal(size=(m, rank)) @ draw.normal(size=(rank, n)) if rank else np.zeros((m, n))
    found = pivots(A)
    assert found.rank == rank
    assert sorted(found.rows) == list(range(m)) and sorted(found.columns) == list(range(n))
    assert len(found.redundant) == m - rank and len(found.dependent) == rank
    if rank:
        kept = A[np.ix_(found.rows[:rank], found.dependent)]
        # regular, and the rows left are sums of those kept
        assert np.linalg.matrix_rank(kept) == rank
        assert np.linalg.cond(kept) < 1e6
        assert 0 < found.smallest <= 1


@pytest.mark.parametrize("seed", range(20))
def test_locked_columns_are_never_determined(seed):
    draw = np.random.default_rng(seed)
    A, locked = draw.normal(size=(3, 7)), draw.choice(7, 3, replace=False)
    found = pivots(A, locked)
    assert found.rank == 3 and not set(found.dependent) & set(locked.tolist())
    assert pivots(A, range(7)).rank == 0
    assert pivots(A[:, :2], [0]).rank == 1


def test_the_largest_entry_comes_first():
    found = pivots([[1.0, 0.0, 5.0], [0.0, 2.0, 0.0]])
    assert found.columns[0] == 2 and found.rows[0] == 0 and found.dependent == (2, 1)


def test_nothing_at_all():
    assert pivots(np.zeros((0, 4))).rank == 0 and pivots(np.zeros((0, 4))).redundant == ()
    assert pivots(np.zeros((2, 0))).redundant == (0, 1)
