"""Lemke's method against all bases, one by one, and on problems that have no solution."""

import itertools

import numpy as np
import pytest
from samples import sample

from hapsis.motion.solvers.linear.lemke import complementary


def every_solution(M, q):
    """All complementary solutions with a regular basis, by trying every basis."""
    n = len(q)
    for chosen in itertools.product((False, True), repeat=n):
        z = np.zeros(n)
        k = np.flatnonzero(chosen)
        if len(k):
            try:
                z[k] = np.linalg.solve(M[np.ix_(k, k)], -q[k])
            except np.linalg.LinAlgError:
                continue
        if z.min() >= -1e-9 and (M @ z + q).min() >= -1e-9:
            yield z


@pytest.mark.parametrize("seed", range(sample(60, 600)))
def test_the_solution_of_a_positive_matrix_is_the_only_one(seed):
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 7))
    B = random.normal(size=(n, n))
    skew = random.normal(size=(n, n))
    M, q = B @ B.T + 0.1 * np.eye(n) + (skew - skew.T), random.normal(size=n)
    scale = 10.0 ** random.uniform(-3, 3)
    end = complementary(M, scale * q)
    assert end.status == "solved"
    assert end.z.min() >= 0 and end.w.min() >= 0 and np.abs(end.z * end.w).max() == 0
    assert np.abs(M @ end.z + scale * q - end.w).max() < 1e-10 * scale * max(1, np.abs(end.z / scale).max())
    (expected,) = every_solution(M, q)
    assert np.allclose(end.z, scale * expected, rtol=1e-8, atol=1e-9 * scale)


@pytest.mark.parametrize("seed", range(sample(30, 300)))
def test_semidefinite_matrices_with_ties_end(seed):
    random = np.random.default_rng(seed)
    n, rank = 6, int(random.integers(1, 5))
    B = random.integers(-2, 3, size=(n, rank)).astype(float)
    M = B @ B.T
    q = M @ random.integers(0, 3, size=n) * -1.0 + np.maximum(0, random.integers(-1, 2, size=n))
    end = complementary(M, q)
    assert end.status == "solved"  # there is one by construction of q
    assert np.abs(M @ end.z + q - end.w).max() < 1e-9 and np.abs(end.z * end.w).max() == 0


def test_what_has_no_solution_ends_on_a_ray():
    assert complementary([[-1.0]], [-1.0]).status == "ray"
    assert complementary([[0.0, 1.0], [-1.0, 0.0]], [-1.0, -1.0]).status == "ray"


def test_nothing_to_do():
    assert complementary(np.zeros((0, 0)), np.zeros(0)).status == "solved"
    end = complementary([[1.0]], [2.0])
    assert (end.z[0], end.w[0], end.pivots) == (0.0, 2.0, 0)
