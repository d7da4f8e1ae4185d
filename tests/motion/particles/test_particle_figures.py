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


def test_the_sign_of_the_energy_error_follows_alpha():
    """Figures 15 and 18: constant steps by (3) and (4), without damping."""
    error = {alpha: np.diff(figures.energy_error(alpha)[0]) for alpha in (0.0, 0.5, 1.0)}
    assert (error[0.0] > 0).all() and error[0.0].sum() > 12.5
    assert (error[1.0] < 0).mean() > 0.9 and error[1.0].sum() < -6.0
    assert 0.4 < (error[0.5] > 0).mean() < 0.6 and abs(error[0.5].sum()) < 0.006 * 12.5
    falls, grows = (np.abs(figures.stretch(figures.energy_error(a)[1])) for a in (1.0, 0.0))
    assert falls[-100:].max() < 0.35 and grows[-100:].max() > 0.8


def test_a_stiff_collision_costs_what_a_soft_one_costs():
    """Figure 22: the duration falls by a factor of a thousand, the evaluations of forces stay."""
    rows = [figures.collision(stiffness) for stiffness in np.logspace(2, 8, 13)]
    assert rows[0][0] == pytest.approx(1000 * rows[-1][0])
    counts = [count for _, _, count in rows]
    assert min(counts) >= 50 and max(counts) <= 90


def test_the_mean_step_of_an_interval_changes_less_than_steps():
    """Figure 23."""
    result = figures.falling_ball(1e5)

    def span(values):
        return values.max() / values.min()

    short, long = (span(figures.interval_means(result, i)) for i in (0.05, 0.5))
    assert span(result["step"][1:]) > 5 * short > 5 * long


@pytest.mark.parametrize(("stiffness", "saved"), [(1e3, 21), (1e5, 125), (1e7, 1020), (1e9, 13000)])
def test_what_an_adaptive_step_costs_and_saves(stiffness, saved):
    numbers = figures.gain(stiffness)
    assert 1.3 < numbers["evaluations per step"] < 1.4
    assert 4 < numbers["greatest/mean"] < 7.5
    assert numbers["gain"] == pytest.approx(saved, rel=0.05)


def test_a_pyramid_on_a_table_takes_300_to_600_steps_a_second():
    """Figure 33: λ = 2000."""
    result = figures.pyramid_on_table()
    rate = 1.0 / result["step"][1:]
    assert result.success and result["pyramid.z"].max() < 0.31
    low, high = np.percentile(rate, (1, 97))
    assert 300 < low and high < 600, (low, high, rate.max())
    assert result.report["steps"] < 2 * 600
