"""Flows that come to rest: down valleys, away from saddles, onto floors."""

import numpy as np
import pytest

from hapsis.motion.solvers.linear.pseudo_transient import settled


def flow(force, slope, start, **options):
    options = {"goal": 1e-10, "iterations": 200, **options}
    return settled(force, slope, np.array(start, float), **options)


@pytest.mark.parametrize("seed", range(6))
def test_linear_flows_end_where_they_vanish(seed):
    draw = np.random.default_rng(seed)
    n = int(draw.integers(1, 8))
    A = draw.normal(size=(n, n)) * 10.0 ** draw.uniform(-2, 4, (n, 1))
    K, b = A @ A.T + np.eye(n), draw.normal(size=n)
    end = flow(lambda x: b - K @ x, lambda x: -K, draw.normal(size=n), goal=1e-9)
    assert end.reached and np.allclose(K @ end.x, b, atol=1e-8)


def test_a_stiff_bent_valley_is_followed_to_its_end():
    """Rosenbrock's, a hundred times as steep: its bottom is y = x²."""
    k = 1e4

    def force(x):
        return np.array([2 * (1 - x[0]) + 4 * k * x[0] * (x[1] - x[0] ** 2), -2 * k * (x[1] - x[0] ** 2)])

    def slope(x):
        return np.array([[-2 + 4 * k * (x[1] - 3 * x[0] ** 2), 4 * k * x[0]], [4 * k * x[0], -2 * k]])

    end = flow(force, slope, [-1.2, 1.0])
    assert end.reached and np.allclose(end.x, 1.0)


def test_a_saddle_is_left_on_the_side_where_it_starts():
    """The potential (x² - 1)² + y²: two wells, and a saddle between them that Newton likes."""
    for start in (0.1, 1e-6, -0.3):
        end = flow(
            lambda x: np.array([-4 * x[0] * (x[0] ** 2 - 1), -2 * x[1]]),
            lambda x: np.diag([-12 * x[0] ** 2 + 4, -2.0]),
            [start, 0.7],
        )
        assert end.reached and end.x[0] == pytest.approx(np.sign(start)) and abs(end.x[1]) < 1e-9


def test_what_falls_meets_a_hard_floor():
    end = flow(
        lambda x: np.where(x < 0, -1e7 * x, 0.0) - 9.81,
        lambda x: np.where(x < 0, -1e7, 0.0)[:, None],
        [3.0],
        longest=0.5,
    )
    assert end.reached and end.x[0] == pytest.approx(-9.81e-7)


def test_what_is_never_held_goes_on_and_what_breaks_off_stops():
    end = flow(lambda x: np.array([1.0]), lambda x: np.zeros((1, 1)), [0.0], longest=0.5)
    assert not end.reached and end.x[0] > 10.0
    end = flow(lambda x: np.where(x < 1, 1.0, np.nan), lambda x: np.zeros((1, 1)), [0.0])
    assert not end.reached and end.x[0] <= 1.0
