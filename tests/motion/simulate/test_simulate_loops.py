"""Mechanisms with loops in motion: published cases."""

import numpy as np
import pytest
from loop_models import rows_at
from scipy.integrate import solve_ivp
from shared_models import library

import hapsis as hs
from hapsis.motion.solvers.linear.full_pivot_lu import pivots


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_parallelograms_swing_through_singular_positions(n):
    """A02 of the IFToMM library: one degree of freedom, whose equation is known."""
    k = 9.81 * ((n + 1) / 2 + n) / ((n + 1) / 3 + n)
    exact = solve_ivp(
        lambda t, y: [y[1], -k * np.cos(y[0])],
        (0, 10),
        [np.pi / 2, -1.0],
        method="DOP853",
        rtol=1e-13,
        atol=1e-13,
    ).y[:, -1]
    model = library.n_four_bar(n)
    result = hs.simulate(model, until=10.0, every=0.05)
    assert result.success and result.constraint_error <= 1e-12 and result.energy_drift < 1e-6
    assert result["upright0"][-1] == pytest.approx(exact[0], abs=1e-6)
    assert result["upright0.v"][-1] == pytest.approx(exact[1], abs=1e-6)
    # it lies flat many times, and stays a parallelogram
    assert (np.diff(np.sign(np.sin(result["upright0"]))) != 0).sum() > 5
    for j in range(1, n + 1):
        assert np.abs(np.exp(1j * (result[f"upright{j}"] - result["upright0"])) - 1).max() < 1e-9
    angle, speed = result["upright0"][-1], result["upright0.v"][-1]
    found = [np.cos(angle), np.sin(angle), -np.sin(angle) * speed, np.cos(angle) * speed]
    if n == 2:
        case = [0.3284581115, 0.9445185382, 1.4230514702, -0.4948688455]
        assert found == pytest.approx(case, abs=1e-6)


def test_andrews_squeezer():
    """A03; Schiehlen, Multibody Systems Handbook; Hairer and Wanner II, chapter VII."""
    model = library.andrews()
    result = hs.simulate(model, until=0.03, tolerance=1e-11, every=0.001)
    case = [
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        1.048080741042263,
    ]
    assert result.last.q == pytest.approx(case, rel=1e-8)
    assert result.constraint_error <= 1e-12 and result.energy_drift < 1e-9


@pytest.mark.slow
def test_bricard():
    """A04: counting says that it cannot move; it does, and the idle row is not always the same."""
    model = library.bricard()
    report = hs.assemble(model).report
    assert (report.gruebler, report.mobility, len(report.redundant)) == (0, 1, 1)
    result = hs.simulate(model, until=10.0, every=0.05)
    assert result.success and result.constraint_error <= 1e-12
    assert np.abs(result["energy"] - result["energy"][0]).max() < 1e-6
    assert np.ptp(result["hinge1"]) > 1.0
    idle = set()
    for k in range(0, len(result.t), 5):
        found = pivots(rows_at(model, result, k)[0].J)
        assert found.rank == 4 and len(found.redundant) == 1
        idle |= set(found.redundant)
    assert len(idle) > 1


@pytest.mark.parametrize("method", ["auto", "stiff"])
def test_flyball_governor(method):
    """A05."""
    result = hs.simulate(library.governor(), until=1.0, method=method, every=0.1)
    assert result["slider"][-1] == pytest.approx(0.501420922, abs=1e-7)
    assert result["shaft.v"][-1] == pytest.approx(6.271125743, abs=1e-7)
