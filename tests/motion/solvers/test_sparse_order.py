"""Orders of elimination that fill little: complete, accurate, and cheap on chains of loops."""

import numpy as np
import pytest

import hapsis as hs
from hapsis import library
from hapsis.motion.solvers.linear.sparse_order import operations, sparse_order


def matrix(seed):
    """A random sparse regular matrix, its pattern, and how many rows come first."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(1, 25))
    first = int(draw.integers(0, n + 1))
    A = draw.normal(size=(n, n)) * (draw.random((n, n)) < draw.choice((0.1, 0.3, 1.0)))
    A[:first, first:] *= draw.random() < 0.5
    A[:first, :first] += np.eye(first)[draw.permutation(first)] * 3.0
    A[first:, first:] += np.eye(n - first)[draw.permutation(n - first)] * 3.0
    return A, A != 0.0, first


@pytest.mark.parametrize("seed", range(100))
def test_it_eliminates_all(seed):
    A, pattern, first = matrix(seed)
    if np.linalg.cond(A) > 1e6 or (first and np.linalg.cond(A[:first, :first]) > 1e6):
        A += np.diag(np.full(len(A), 9.0))
        pattern = A != 0.0
    order = sparse_order(A, pattern, first)
    rows, columns = zip(*order, strict=True)
    assert sorted(rows) == sorted(columns) == list(range(len(A)))
    assert sorted(rows[:first]) == sorted(columns[:first]) == list(range(first))
    U = A[np.ix_(rows, columns)].copy()
    for k in range(len(U) - 1):
        U[k + 1 :] -= np.outer(U[k + 1 :, k] / U[k, k], U[k])
    sign, size = np.linalg.slogdet(A)
    assert sign and np.log(np.abs(np.diag(U))).sum() == pytest.approx(size, abs=1e-6)


def test_no_fill_in_an_arrow():
    """A full row and column are eliminated last."""
    n = 12
    A = np.eye(n) * 4.0
    A[0], A[:, 0] = 1.0, 1.0
    A[0, 0] = 4.0
    order = sparse_order(A, A != 0.0, n)
    assert order[-1] == (0, 0) or order[-2][0] == 0 or order[-2][1] == 0
    natural = [(k, k) for k in range(n)]
    assert operations(A != 0.0, order) < 0.3 * operations(A != 0.0, natural)


def test_the_cost_of_a_chain_of_loops_is_linear():
    costs = [hs.reduced_dynamics(library.n_four_bar(n)).cost().flops for n in (5, 10, 20)]
    assert costs[2] - costs[1] < 2.2 * (costs[1] - costs[0])
