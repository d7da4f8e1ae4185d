"""Eigenvectors are eigenvectors, also where rounding stands in place of zeros."""

import numpy as np
import pytest
from samples import sample

from hapsis.motion.solvers.linear.eigenpairs import eigenpairs, residual


@pytest.mark.parametrize("seed", range(sample(100, 5000)))
def test_with_rounding_in_place_of_zeros(seed):
    """Small motions with rigid-body modes, and entries of 1e-31 to 1e-17 where zeros should be."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(2, 8))
    B = draw.normal(size=(n, n))
    M = B @ B.T + np.eye(n)
    K = np.diag(draw.choice([0.0, 1.0, 1e2, 1e4], n))
    C = draw.choice([0.0, 0.01]) * K
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    coupled = draw.random(A.shape) < 0.5
    A = np.where(coupled | (np.abs(A) == 0.0) | (np.abs(A) > 1e-3), A, 0.0)
    A += (A == 0.0) * draw.normal(size=A.shape) * 10.0 ** draw.uniform(-31.0, -17.0, A.shape)
    values, vectors = eigenpairs(A)
    for value, vector in zip(values, vectors.T, strict=True):
        if abs(value) > 1e-2:
            assert residual(A, value, vector) <= 1e-6


def test_of_double_values_both_directions_are_found():
    A = np.zeros((4, 4))
    A[:2, 2:], A[2:, :2] = np.eye(2), -9.0 * np.eye(2)
    A[A == 0.0] = 1e-25
    values, vectors = eigenpairs(A)
    assert np.abs(np.abs(values) - 3.0).max() <= 1e-9
    assert np.linalg.matrix_rank(vectors, tol=1e-6) == 4
