"""Stiff problems: solved by the Rosenbrock method, reported by the explicit ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from motion_problems import finished, jacobian, kernel, pendulum, run_of
from scipy.integrate import solve_ivp

import hapsis as hs
from hapsis.motion.solvers.integrators.rosenbrock import GAMMA
from hapsis.motion.solvers.linear.partial_pivot_lu import factored, solve_factored
from hapsis.motion.solvers.run.integration import advance
from hapsis.motion.solvers.run.run_memory import DONE, PAUSED, STIFF


def van_der_pol(t, y):
    # the third number is the parameter mu
    return [y[1], y[2] * y[2] * ((1.0 - y[0] * y[0]) * y[1] - y[0]), 0.0 * y[2]]


def robertson(t, y):
    fast, slow, last = 1e4 * y[1] * y[2], 0.04 * y[0], 3e7 * y[1] * y[1]
    return [-slow + fast, slow - fast - last, last]


def follower(t, y):
    # y' = -1e6 (y - cos t) - sin t: the solution is cos t, and its equation depends on time
    return [-1e6 * (y[0] - hs.cos(t)) - hs.sin(t)]


def decay(t, y):
    return [-1000.0 * (y[0] - hs.cos(t))]


def growth(t, y):
    return [y[1] * y[0], 0.0 * y[1]]


def by_radau(formulas, span, y, **tolerances):
    """The state at the end, by another implementation of another method."""
    n = len(y)
    f, df = kernel(n, formulas), jacobian(n, formulas)
    out, J, ft = np.zeros(n), np.zeros(n * n), np.zeros(n)

    def rate(t, x):
        f(np.array([t]), np.array(x), out)
        return out.copy()

    def matrix(t, x):
        df(np.array([t]), np.array(x), J, ft)
        return J.reshape(n, n).copy()

    return solve_ivp(rate, span, y, "Radau", jac=matrix, **tolerances).y[:, -1]


@pytest.mark.parametrize("mu", [1e3, 1e4, 1e5, 1e6])
def test_van_der_pol(mu):
    # through one of its jumps, after 0.807 mu; time is counted in mu
    span, y, times = (0.0, 1.2), [2.0, 0.0, mu], np.linspace(0.0, 1.2, 50)
    options = {"atol": [1e-9, 1e-9, np.inf], "samples": times}
    run = run_of("stiff", 3, van_der_pol, span, y, rtol=1e-8, **options)
    assert finished(run) == DONE
    reference = by_radau(van_der_pol, span, y, rtol=1e-6, atol=1e-8)
    assert np.allclose(run.y, reference, rtol=1e-4, atol=1e-9)
    assert run.steps < 2000
    assert run.jacobians <= run.steps + 1
    # the same with another tolerance, everywhere
    other = run_of("stiff", 3, van_der_pol, span, y, rtol=1e-10, **options)
    assert finished(other) == DONE
    assert np.abs(run.sampled[:, 0] - other.sampled[:, 0]).max() < 1e-6


def test_van_der_pol_as_others_have_it():
    # reference: the IVP test set, problem VDPOL, epsilon 1e-6
    run = run_of("stiff", 3, van_der_pol, (0.0, 2.0), [2.0, 0.0, 1e3], rtol=1e-10, atol=1e-10)
    assert finished(run) == DONE
    assert run.y[0] == pytest.approx(1.706167732170469, rel=1e-8)
    assert run.y[1] == pytest.approx(-0.8928097010248125, rel=1e-8)


def test_robertson():
    span, y = (0.0, 1e5), [1.0, 0.0, 0.0]
    times = np.geomspace(1e-3, 1e5, 20)
    atol = [1e-10, 1e-14, 1e-10]
    run = run_of("stiff", 3, robertson, span, y, rtol=1e-8, atol=atol, samples=times)
    assert finished(run) == DONE
    assert np.allclose(run.y, by_radau(robertson, span, y, rtol=1e-10, atol=1e-14), rtol=1e-6)
    assert np.allclose(run.sampled.sum(axis=1), 1.0, rtol=0, atol=1e-9)
    assert run.steps < 400


def test_a_fast_follower_of_time():
    times = np.linspace(0.0, 10.0, 101)
    run = run_of("stiff", 1, follower, (0.0, 10.0), [1.0], rtol=1e-7, atol=1e-7, samples=times)
    assert finished(run) == DONE
    assert np.abs(run.sampled[:, 0] - np.cos(times)).max() < 1e-6
    assert run.steps < 200


@pytest.mark.parametrize("method", ["order5", "order8"])
def test_explicit_methods_say_that_a_problem_is_stiff(method):
    run = run_of(method, 1, decay, (0.0, 50.0), [0.0], rtol=1e-4, atol=1e-4)
    assert finished(run) == STIFF
    assert run.steps < 1000
    assert "stiff" in run.trouble()
    # one may go on
    run.watch_stiffness = False
    assert finished(run) == DONE
    assert run.y[0] == pytest.approx(np.cos(50.0), abs=2e-3)


@pytest.mark.parametrize("method", ["order5", "order8"])
@pytest.mark.parametrize("rtol", [1e-4, 1e-9])
def test_a_pendulum_is_not_stiff(method, rtol):
    run = run_of(method, 2, pendulum, (0.0, 5000.0), [1.0, 0.0], rtol=rtol, atol=rtol)
    assert finished(run) == DONE


def test_a_singular_matrix_shortens_the_step():
    # the first diagonal element, 1/(γ h) - rate, is zero for this first step
    rate = 1.0 / (GAMMA * 0.5)
    run = run_of("stiff", 2, growth, (0.0, 1.0), [1.0, rate], first=0.5, rtol=1e-8, atol=1e-8)
    assert advance(run, 1) == PAUSED
    assert (run.steps, run.rejected) == (0, 1)
    assert finished(run) == DONE
    assert run.y[0] == pytest.approx(np.exp(rate), rel=1e-6)


@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_linear_equations(n, seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, n)) * 10.0 ** rng.uniform(-3, 3, size=(n, 1))
    A[rng.random((n, n)) < 0.3] = 0.0
    x = rng.normal(size=n)
    b, flat, pivots = A @ x, A.T.ravel().copy(), np.zeros(n, np.int64)
    if not np.linalg.cond(A) < 1e9:
        return
    assert factored(n, flat, pivots)
    solve_factored(n, flat, pivots, b)
    assert np.allclose(b, x, rtol=1e-5, atol=1e-5)
    # backward stability: the residual is rounding
    assert np.abs(A @ b - A @ x).max() <= 1e-12 * (np.abs(A) @ np.abs(x)).max()


def test_a_singular_matrix_is_refused():
    A, pivots = np.array([1.0, 2.0, 2.0, 4.0]), np.zeros(2, np.int64)
    assert not factored(2, A, pivots)
    assert not factored(1, np.array([np.nan]), pivots)
