"""Every method has the order it claims, at the ends of steps and between them."""

import numpy as np
import pytest
from motion_problems import finished, oscillator, run_of, turning
from scipy.integrate import DOP853, RK45

from hapsis.motion.solvers.integrators.explicit_tables import table
from hapsis.motion.solvers.run.run_memory import DONE

SPAN = 6.0
LINEAR = {
    "rk4": (4, [100, 150, 200, 300, 400]),
    "order5": (5, [150, 180, 220, 270, 320]),
    "order8": (8, [16, 20, 24, 28, 32]),
    "euler": (1, [1000, 1500, 2000, 3000, 4000]),
    "stiff": (6, [10, 12, 15, 18, 22]),
    "symplectic": (2, [100, 150, 200, 300, 400]),
}
IN_TIME = {
    "rk4": (4, [400, 500, 600, 700, 800]),
    "order5": (5, [150, 180, 220, 270, 320]),
    "order8": (8, [16, 20, 24, 28, 32]),
    "stiff": (5, [150, 200, 250, 300, 350]),
    "symplectic": (2, [100, 150, 200, 300, 400]),
}
# the power of the step that the error of one step goes with, anywhere inside
INSIDE = {
    "rk4": (4, 0.005, 0.05),
    "order5": (5, 0.02, 0.1),
    "order8": (8, 0.15, 0.5),
    "euler": (2, 0.001, 0.02),
    "stiff": (5, 0.02, 0.08),
    "symplectic": (3, 0.002, 0.05),
}


def circle(angle):
    return np.array([np.cos(angle), -np.sin(angle)])


def slope(sizes, errors):
    return np.polyfit(np.log(sizes), np.log(errors), 1)[0]


def end_error(method, formulas, steps, exact):
    run = run_of(method, 2, formulas, (0.0, SPAN), circle(0.0), step=SPAN / steps)
    assert finished(run) == DONE
    assert (run.steps, run.t) == (steps, SPAN)
    return np.linalg.norm(run.y - circle(exact))


@pytest.mark.parametrize("method", LINEAR)
def test_the_order_on_an_oscillator(method):
    order, steps = LINEAR[method]
    errors = [end_error(method, oscillator, k, SPAN) for k in steps]
    assert slope(steps, errors) == pytest.approx(-order, abs=0.1)


@pytest.mark.parametrize("method", IN_TIME)
def test_the_order_where_time_matters(method):
    order, steps = IN_TIME[method]
    errors = [end_error(method, turning, k, np.sin(SPAN)) for k in steps]
    # order 8 does better here, by nearly one
    assert -order - (0.95 if method == "order8" else 0.1) <= slope(steps, errors) <= -order + 0.1


@pytest.mark.parametrize("method", INSIDE)
def test_the_order_of_the_dense_output(method):
    power, least, most = INSIDE[method]
    sizes = np.geomspace(least, most, 5)
    errors = []
    for h in sizes:
        inside = h * np.array([0.2, 0.45, 0.7, 0.9])
        run = run_of(method, 2, oscillator, (0.0, h), circle(0.4), step=h, samples=inside)
        assert finished(run) == DONE
        errors.append(np.abs(run.sampled - circle(inside + 0.4).T).max())
    assert slope(sizes, errors) == pytest.approx(power, abs=0.1)


@pytest.mark.parametrize("method", ["order5", "order8", "stiff"])
@pytest.mark.parametrize("rtol", [1e-4, 1e-7, 1e-10])
def test_the_error_follows_the_tolerance(method, rtol):
    times = np.linspace(0.0, 20.0, 333)
    run = run_of(method, 2, oscillator, (0.0, 20.0), circle(0.0), rtol=rtol, atol=rtol, samples=times)
    assert finished(run) == DONE
    error = np.abs(run.sampled - circle(times).T).max()
    assert 0.02 * rtol < error < 50 * rtol


@pytest.mark.parametrize(("name", "other"), [("order5", RK45), ("order8", DOP853)])
def test_the_tables_are_those_of_others(name, other):
    ours = table(name).rows
    s = other.n_stages
    estimates = [other.E] if name == "order5" else [other.E5, other.E3]
    more = [other.P[:, 3]] if name == "order5" else [*other.A_EXTRA, *other.D]
    rows = [*other.A[1:], other.B, *estimates, *more]
    starts = ours.starts
    assert len(starts) == len(rows) + 1
    for k, row in enumerate(rows):
        entries = slice(starts[k], starts[k + 1])
        mine = np.zeros(max(len(row), 16))
        mine[ours.places[entries]] = ours.weights[entries]
        assert (mine[: len(row)] == row).all()
        assert not mine[len(row) :].any()
        assert (ours.weights[entries] != 0.0).all()
    assert (ours.nodes[:s] == other.C).all()
