"""The simplex method: Lagarias' rules, zeros to the last digits, honest failures."""

import numpy as np
import pytest
from scipy.optimize import minimize

from hapsis.motion.solvers.linear.simplex import descended, simplex


def rosenbrock(x):
    return np.array([10.0 * (x[1] - x[0] ** 2), 1.0 - x[0]])


@pytest.mark.parametrize("seed", range(12))
def test_zeros_of_random_systems(seed):
    draw = np.random.default_rng(seed)
    n = 1 + seed % 5
    A = np.eye(n) + 0.3 * draw.standard_normal((n + seed % 2, n))[:n]
    root = draw.standard_normal(n)

    def residual(x):
        return A @ (x - root) + 0.1 * np.sin(x - root) ** 2

    start = root + 0.5 * draw.standard_normal(n)
    found = simplex(residual, start, n, zero=start, goal=1e-12)
    assert found.reached and np.linalg.norm(found.residual) <= 1e-12
    assert np.array_equal(found.residual, residual(found.x))


def valley(x):
    r = rosenbrock(x)
    return float(r @ r + (x[2] - x[0] * x[1]) ** 2)


def waves(x):
    """Many hollows, so that all corners must move towards the best now and then."""
    return float(3.0 + np.sin(23 * x[0]) + np.cos(31 * x[1] * x[0]) + np.sin(17 * x[2] + 9 * x[1]))


@pytest.mark.parametrize("cost", [valley, waves])
@pytest.mark.parametrize("rounds", [1, 2, 3, 4, 5, 8, 13, 20, 30])
def test_rounds_are_those_of_lagarias(cost, rounds):
    """SciPy has the same rules: the same corners after any number of rounds, asked as often."""
    start = np.array([-1.2, 1.0, 0.5])
    edges = np.array([0.3, -0.2, 0.4])
    corners = np.vstack([start, start + np.diag(edges)])
    options = {"initial_simplex": corners, "maxiter": rounds + 1, "xatol": 0, "fatol": 0}
    theirs = minimize(cost, start, method="Nelder-Mead", options=options)
    asked = 1

    def counted(x):
        nonlocal asked
        asked += 1
        return cost(x)

    x, value = descended(counted, start, cost(start), edges, 0.0, rounds)
    assert x == pytest.approx(theirs.x, rel=1e-9) and value == pytest.approx(theirs.fun, rel=1e-9)
    assert asked == theirs.nfev


def test_waves_shrink_the_simplex():
    """The comparison above is one of all rules only if this one is used."""
    start, edges = np.array([-1.2, 1.0, 0.5]), np.array([0.3, -0.2, 0.4])
    asked: list[int] = []

    def counted(x):
        asked.append(1)
        return waves(x)

    before, most = 3, 0
    for rounds in range(1, 40):
        asked.clear()
        descended(counted, start, waves(start), edges, 0.0, rounds)
        most, before = max(most, len(asked) - before), len(asked)
    assert most == 5  # reflected, contracted, and three corners moved


def test_the_first_steps_are_a_twentieth():
    tried: list[list[float]] = []

    def residual(x):
        tried.append(list(x))
        return np.array([x[0] - 9.0, x[1] - 9.0])

    simplex(residual, np.array([2.0, 0.0]), 2, zero=np.array([2.0, 0.0]), evaluations=3)
    assert tried[0] == [2.0, 0.0] and tried[1] == pytest.approx([2.1, 0.0])
    assert tried[2] == pytest.approx([2.0, 0.00025])


def test_a_goal_that_is_met_is_met():
    found = simplex(lambda x: x, np.array([1e-3]), 1, goal=1e-3)
    assert found.reached and found.iterations == 1


def test_a_long_valley():
    found = simplex(rosenbrock, np.array([-1.2, 1.0]), 2, zero=np.array([-1.2, 1.0]), goal=1e-12)
    assert found.reached and found.x == pytest.approx([1, 1], abs=1e-11)


def test_what_is_zero_already_is_not_touched():
    start = np.array([1.0, 1.0])
    found = simplex(rosenbrock, start, 2, goal=1e-12)
    assert found.reached and found.iterations == 1 and np.array_equal(found.x, start)
    nothing = simplex(lambda x: np.ones(1), start, 0, goal=1e-12)
    assert not nothing.reached and nothing.residual == [1.0]


def test_no_zero_is_said():
    found = simplex(lambda x: np.array([x[0] ** 2 + 1.0, x[1]]), np.array([0.7, 0.3]), 2, goal=1e-9)
    assert not found.reached and found.residual == pytest.approx([1, 0], abs=1e-3)


def test_it_ends_when_told():
    asked = 0

    def residual(x):
        nonlocal asked
        asked += 1
        return rosenbrock(x)

    found = simplex(residual, np.array([-1.2, 1.0]), 2, goal=1e-12, evaluations=40)
    assert not found.reached and found.iterations <= 60 and asked == found.iterations + 1


def test_places_without_a_value_are_avoided():
    def residual(x):
        with np.errstate(invalid="ignore"):
            return np.array([np.sqrt(x[0]) - 0.1])

    found = simplex(residual, np.array([1.0]), 1, zero=np.array([1.0]), goal=1e-12)
    assert found.reached and found.x == pytest.approx([0.01], abs=1e-10)


def test_steps_may_be_on_a_manifold():
    found = simplex(
        lambda angle: np.array([np.cos(angle), np.sin(angle) - 1.0]),
        1.0,
        1,
        retract=lambda angle, d: (angle + float(d[0])) % (2 * np.pi),
        goal=1e-7,
    )
    assert found.reached and found.x == pytest.approx(np.pi / 2, abs=1e-6)
