"""The implicit midpoint rule keeps what it promises; the semi-implicit Euler method, its part."""

import numpy as np
import pytest
from motion_problems import finished, oscillator, run_of

import hapsis as hs
from hapsis.motion.solvers.run.run_memory import DONE, NOT_CONVERGED, NOT_FINITE


def free_pendulum(t, y):
    return [y[1], -hs.sin(y[0])]


def kepler(t, y):
    r2 = y[0] * y[0] + y[1] * y[1]
    w = 1.0 / (r2 * hs.sqrt(r2))
    return [y[2], y[3], -y[0] * w, -y[1] * w]


def spring(t, y):
    return [y[1], -1e8 * y[0]]


def broken(t, y):
    return [y[1], hs.sqrt(0.5 - t)]


def energy(y):
    return 0.5 * y[..., 1] ** 2 - np.cos(y[..., 0])


def test_forwards_and_back():
    start = np.array([2.0, 0.3])
    there = run_of("symplectic", 2, free_pendulum, (0.0, 1000.0), start, step=0.1)
    assert finished(there) == DONE
    assert there.steps == 10_000
    back = run_of("symplectic", 2, free_pendulum, (1000.0, 0.0), there.y, step=0.1)
    assert finished(back) == DONE
    assert back.t == 0.0
    assert np.abs(back.y - start).max() < 1e-8
    assert np.abs(there.y - start).max() > 0.1


def test_energy_stays_within_bounds():
    times = np.linspace(0.0, 20_000.0, 20_001)
    errors = []
    for h in (0.1, 0.05):
        run = run_of("symplectic", 2, free_pendulum, (0.0, 2e4), [2.0, 0.0], step=h, samples=times)
        assert finished(run) == DONE
        error = np.abs(energy(run.sampled) - energy(run.sampled[0]))
        # no drift: the worst of the second half is that of the first
        assert error[10_000:].max() < 1.05 * error[:10_000].max()
        errors.append(error.max())
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)
    assert errors[0] < 2e-3


def test_quadratic_invariants_are_kept_to_rounding():
    run = run_of("symplectic", 4, kepler, (0.0, 500.0), [1.0, 0.0, 0.0, 1.1], step=0.05)
    assert finished(run) == DONE
    x, y, u, v = run.y
    assert x * v - y * u == pytest.approx(1.1, abs=1e-13)


def test_the_flow_keeps_areas():
    # det of the derivative of a hundred steps, by central differences
    d, ends = 1e-5, []
    for change in ([d, 0], [-d, 0], [0, d], [0, -d]):
        run = run_of("symplectic", 2, free_pendulum, (0.0, 10.0), np.add([1.0, 0.5], change), step=0.1)
        assert finished(run) == DONE
        ends.append(run.y)
    a, b = (ends[0] - ends[1]) / (2 * d), (ends[2] - ends[3]) / (2 * d)
    assert a[0] * b[1] - a[1] * b[0] == pytest.approx(1.0, abs=1e-8)


def test_a_step_that_is_too_long_does_not_converge():
    run = run_of("symplectic", 2, spring, (0.0, 1.0), [1.0, 0.0], step=1e-3)
    assert finished(run) == NOT_CONVERGED
    assert run.steps == 0
    assert "converge" in run.trouble()
    # but one that resolves the oscillation does, though coordinates and momenta are far apart
    run = run_of("symplectic", 2, spring, (0.0, 0.1), [1.0, 0.0], step=1e-5)
    assert finished(run) == DONE
    assert 1e8 * run.y[0] ** 2 + run.y[1] ** 2 == pytest.approx(1e8, rel=1e-11)


def test_what_is_not_finite_is_said():
    run = run_of("symplectic", 2, broken, (0.0, 1.0), [0.0, 0.0], step=0.01)
    assert finished(run) == NOT_FINITE
    assert run.t == pytest.approx(0.5, abs=0.011)


def test_iterations_are_few():
    run = run_of("symplectic", 2, oscillator, (0.0, 100.0), [1.0, 0.0], step=0.01)
    assert finished(run) == DONE
    assert run.evaluations < 6 * run.steps


def test_energy_of_the_semi_implicit_method():
    times = np.linspace(0.0, 2000.0, 20_001)
    run = run_of("euler", 2, free_pendulum, (0.0, 2000.0), [1.0, 0.0], step=0.01, samples=times)
    assert finished(run) == DONE
    error = np.abs(energy(run.sampled) - energy(run.sampled[0]))
    assert error.max() < 5e-3
    assert error[10_000:].max() < 1.05 * error[:10_000].max()
