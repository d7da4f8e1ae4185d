"""The benchmark of particles: both loops compute the same, and the report has all figures."""

from itertools import pairwise

import numpy as np
import pytest

from hapsis.bench import particles, rivals
from hapsis.bench.particles import particles_benchmark as benchmark
from hapsis.bench.particles import spring_contenders, spring_contest


def test_a_quick_run_has_figures_of_both_loops(monkeypatch):
    monkeypatch.setattr(benchmark, "WORK", 1e4)
    monkeypatch.setattr(benchmark, "ROUNDS", 1)
    result = particles.run(quick=True)
    assert [case["particles"] for case in result["cases"]] == [125, 1000]
    assert np.isfinite(result["exponent"]) and all(case["rate"] > 0 for case in result["cases"])
    text = particles.report(result)
    assert "1000" in text and f"{result['exponent']:.3f}" in text
    hand, tick = result["hand"], result["tick"]
    assert hand["particles"] == 170 and hand["slipped"] < 1e-6 and hand["steps"] > 10
    assert (tick["particles"], tick["springs"], tick["steps"]) == (512, 6220, 2.0)
    assert 0.0 < tick["p50"] <= tick["p99"] and f"{1e6 * tick['p99']:.0f} microseconds" in text


def test_without_a_c_compiler_the_report_says_so(monkeypatch):
    monkeypatch.setattr(benchmark, "WORK", 1e4)
    monkeypatch.setattr(benchmark, "ROUNDS", 1)
    monkeypatch.setattr(benchmark.shutil, "which", lambda name: None)
    assert "gcc is not here" in particles.report(particles.run(quick=True))


def test_a_lattice_connects_each_particle_with_all_its_neighbours():
    table, _ = benchmark.lattice(4).table("springs")
    assert len(table) == 3 * 48 + 6 * 36 + 4 * 27


def test_the_contest_takes_the_longest_step_that_is_good_enough(monkeypatch):
    def no_rival(name):
        raise rivals.Missing(f"{name} is not installed")

    monkeypatch.setattr(spring_contenders, "rival", no_rival)
    monkeypatch.setattr(spring_contest, "ROUNDS", 1)
    result = spring_contest.contest(2)
    assert list(result["costs"]) == ["Hapsis, symplectic", "Hapsis, order8"]
    for costs in result["costs"].values():
        assert all(c["error"] <= target for c, target in zip(costs, result["targets"], strict=True))
        assert all(a["step"] >= b["step"] for a, b in pairwise(costs))
    text = spring_contest.contest_report(result)
    assert "mujoco is not installed" in text and "8 particles, 28 springs" in text


@pytest.mark.peers
@pytest.mark.parametrize(("make", "name"), [("mujoco", "RK4"), ("warp", "float64")])
def test_rivals_move_the_same_lattice(make, name):
    if make == "warp":
        pytest.importorskip("warp")
    lattice = spring_contest.vibrating(2)
    rival = getattr(spring_contenders, make)(name)(lattice, 2.5e-4)
    ours = spring_contenders.ours("order8")(lattice, 1e-2)
    # Warp's steps are of first order
    np.testing.assert_allclose(rival.x, ours.x, atol=1e-8 if make == "mujoco" else 2e-3)
    np.testing.assert_allclose(rival.v, ours.v, atol=1e-7 if make == "mujoco" else 2e-2)
