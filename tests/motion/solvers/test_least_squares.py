"""Damped least squares: known minima, bounds, singular solutions, steps on a manifold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import lsq_linear

from hapsis import SolveError
from hapsis.motion.solvers.linear.least_squares import blocked, bounded_step, least_squares, within

SEEDS = st.integers(0, 2**32 - 1)


def rosenbrock(x):
    return np.array([10 * (x[1] - x[0] ** 2), 1 - x[0]])


def rosenbrock_slope(x):
    return np.array([[-20 * x[0], 10.0], [-1.0, 0.0]])


def test_a_curved_valley():
    found = least_squares(rosenbrock, rosenbrock_slope, np.array([-1.2, 1.0]), goal=1e-12)
    assert found.reached and found.iterations < 40
    assert np.allclose(found.x, 1, atol=1e-11)
    assert found.cost <= 1e-24 and not found.blocked.any()


@pytest.mark.parametrize(
    ("low", "high", "best", "stuck"),
    [
        ((-2, -2), (0.5, 2), (0.5, 0.25), (True, False)),
        ((-2, -2), (2, 0.25), (max(np.roots([400, 0, -98, -2])), 0.25), (False, True)),
        ((1.5, -2), (3, 3), (1.5, 2.25), (True, False)),
    ],
)
def test_bounds_hold_and_say_which_of_them_block(low, high, best, stuck):
    begin = np.clip([-1.2, 1.0], low, high)
    found = least_squares(
        rosenbrock, rosenbrock_slope, begin, room=within(low, high), goal=1e-12, iterations=300
    )
    assert not found.reached
    assert np.allclose(found.x, best, atol=1e-5)
    assert tuple(found.blocked) == stuck
    assert (low <= found.x).all() and (found.x <= high).all()


@given(SEEDS)
def test_a_linear_problem_is_solved_as_by_another_program(seed):
    rng = np.random.default_rng(seed)
    m, n = rng.integers(1, 8, 2)
    J, r = rng.normal(size=(m, n)), rng.normal(size=m)
    low, high = -rng.uniform(0, 1, n), rng.uniform(0, 1, n)
    low[rng.random(n) < 0.3] = 0.0
    d = bounded_step(J.T @ J, -J.T @ r, 1e-3, low, high)
    damped = np.vstack([J, np.sqrt(1e-3) * np.eye(n)])
    theirs = lsq_linear(damped, -np.concatenate([r, np.zeros(n)]), (low, high + 1e-300), tol=1e-14)
    assert (low <= d).all() and (d <= high).all()
    ours = np.sum((r + J @ d) ** 2) + 1e-3 * d @ d
    assert ours <= 2 * theirs.cost + 1e-9


def test_no_component_wants_to_leave_its_bound_or_to_go_on():
    """The conditions of a minimum within bounds, on 3000 problems: an active set may end elsewhere."""
    for seed in range(3000):
        rng = np.random.default_rng(seed)
        m, n = rng.integers(1, 8, 2)
        J, r = rng.normal(size=(m, n)), rng.normal(size=m)
        low, high = -rng.uniform(0, 1, n), rng.uniform(0, 1, n)
        low[rng.random(n) < 0.3] = 0.0
        d = bounded_step(J.T @ J, -J.T @ r, 1e-3, low, high)
        slope = J.T @ (r + J @ d) + 1e-3 * d
        left = np.where(d <= low, np.minimum(slope, 0), np.where(d >= high, np.maximum(slope, 0), slope))
        assert np.abs(left).max() <= 1e-9 * np.trace(J.T @ J), seed


@given(SEEDS)
def test_of_many_solutions_a_near_one(seed):
    rng = np.random.default_rng(seed)
    J, b, x = rng.normal(size=(3, 7)), rng.normal(size=3), rng.normal(size=7)
    found = least_squares(lambda x: J @ x - b, lambda x: J, x, goal=1e-13)
    assert found.reached
    nearest = x + np.linalg.pinv(J) @ (b - J @ x)
    assert np.allclose(found.x, nearest, atol=1e-6)


def test_a_double_root_is_reached_by_halving():
    found = least_squares(lambda x: x**2, lambda x: np.diag(2 * x), np.array([1.0]), goal=1e-12)
    assert found.reached and found.iterations < 45


def test_steps_on_a_circle():
    def along(point, d):
        c, s = np.cos(d[0]), np.sin(d[0])
        return np.array([c * point[0] - s * point[1], s * point[0] + c * point[1]])

    target = np.array([0.6, 0.8])
    found = least_squares(
        lambda x: x - target,
        lambda x: np.array([[-x[1]], [x[0]]]),
        np.array([1.0, 0.0]),
        retract=along,
        goal=1e-14,
    )
    assert found.reached and np.allclose(found.x, target, atol=1e-14)


def test_no_step_is_longer_than_the_longest():
    seen = [np.array([0.0, 0.0])]

    def residual(x):
        seen.append(x)
        return x - 5.0

    found = least_squares(residual, lambda x: np.eye(2), seen[0], longest=np.array([0.5, np.inf]), goal=1e-9)
    assert found.reached
    assert max(np.abs(np.diff(seen, axis=0))[:, 0]) <= 0.5 + 1e-12


def test_walls_of_nan_are_walked_round():
    found = least_squares(
        lambda x: np.array([np.log(x[0])]) if x[0] > 0 else np.array([np.nan]),
        lambda x: np.array([[1 / x[0]]]),
        np.array([9.0]),
        goal=1e-12,
    )
    assert found.reached and np.isclose(found.x[0], 1)


def test_a_bad_start_is_an_error():
    with pytest.raises(SolveError, match="not finite where"):
        least_squares(lambda x: x * np.nan, lambda x: np.eye(1), np.ones(1))
    with pytest.raises(SolveError, match="Jacobian is not finite"):
        least_squares(lambda x: x, lambda x: np.eye(1) * np.inf, np.ones(1))


def test_nothing_to_move_and_nothing_that_moves():
    found = least_squares(lambda x: np.ones(2), lambda x: np.zeros((2, 0)), np.zeros(0))
    assert not found.reached and found.blocked.shape == (0,)
    found = least_squares(lambda x: np.ones(2), lambda x: np.zeros((2, 3)), np.zeros(3))
    assert not found.reached and not found.blocked.any() and (found.x == 0).all()


def test_blocked_needs_a_slope():
    J, r = np.eye(2), np.array([1.0, 0.0])
    assert blocked(J, r, np.zeros(2), np.ones(2)).tolist() == [True, False]
    assert blocked(J, -r, np.zeros(2), np.ones(2)).tolist() == [False, False]
