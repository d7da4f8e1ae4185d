"""Equations of positive definite matrices against NumPy's, over random sizes and conditions."""

import numpy as np
import pytest

from hapsis.motion.solvers.linear.cholesky import definite_solution


@pytest.mark.parametrize("seed", range(60))
def test_solution(seed):
    draw = np.random.default_rng(seed)
    n = int(draw.integers(1, 40))
    Q, _ = np.linalg.qr(draw.normal(size=(n, n)))
    sizes = 10.0 ** draw.uniform(-5, 5, n)
    A, b = Q * sizes @ Q.T, draw.normal(size=n)
    A = (A + A.T) / 2
    given = A.copy(), b.copy()
    x = definite_solution(A, b)
    assert x is not None
    assert np.array_equal(A, given[0]) and np.array_equal(b, given[1])
    # backward stable: the residual is small beside |A| |x|
    assert np.abs(A @ x - b).max() <= 1e-13 * n * np.abs(A).max() * np.abs(x).max() + 1e-15
    condition = sizes.max() / sizes.min()
    assert np.abs(x - np.linalg.solve(A, b)).max() <= 1e-14 * n * condition * np.abs(x).max()


@pytest.mark.parametrize("value", [0.0, -1.0, np.nan])
def test_what_is_not_definite_has_none(value):
    A = np.eye(4)
    A[2, 2] = value
    assert definite_solution(A, np.ones(4)) is None


def test_machine_code_and_python_agree():
    from hapsis.motion.solvers.linear.cholesky import solve_definite

    draw = np.random.default_rng(3)
    M = draw.normal(size=(6, 6))
    A, b = (M @ M.T + np.eye(6)).ravel(), draw.normal(size=6)
    one, two = [A.copy(), b.copy()], [A.copy(), b.copy()]
    assert solve_definite(6, *one) is True and solve_definite.python(6, *two) is True
    assert one[1].tobytes() == two[1].tobytes()
