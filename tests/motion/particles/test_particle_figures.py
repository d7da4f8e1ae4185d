"""Figures of [Joukhadar] on steps: adaptive steps against constant ones, and what follows from ε."""

import sys
from pathlib import Path

import numpy as np
import pytest

import hapsis as hs

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))
import particle_figures as figures


@pytest.mark.parametrize("scheme", figures.SCHEMES.values(), ids=figures.SCHEMES)
def test_adaptive_steps_err_less_than_constant_ones_of_their_mean_length(scheme):
    """Figure 21: λ = 100, μ = 5, ε = 0.01."""
    adaptive, constant, count = figures.errors(*scheme)
    assert adaptive < 0.8 * constant and 20 < count < 200


def test_the_error_of_the_position_falls_with_that_of_the_energy():
    """Figure 19."""
    means = []
    for error in (1e-3, 1e-5, 1e-7):
        scene = figures.pair(100.0, 5.0, error=error, alpha=0.5, beta=1 / 3)
        result = hs.simulate(scene, until=2.0, every=2e-3)
        means.append(np.abs(figures.stretch(result) - figures.exact(result.t, 100.0, 5.0)).mean())
    assert means[0] > 3 * means[1] > 9 * means[2]


def test_the_errors_that_follow_from_the_one_of_energy_are_reported():
    report = hs.simulate(figures.pair(100.0, 5.0, error=1e-4), until=1.0).report
    assert report["speed_error"] == pytest.approx(np.sqrt(2e-4))
    assert report["position_error"] == pytest.approx(report["speed_error"] / report["steps"])
