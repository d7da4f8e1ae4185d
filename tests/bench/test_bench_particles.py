"""The benchmark of particles: both loops compute the same, and the report has all figures."""

import numpy as np

from hapsis.bench import particles
from hapsis.bench.particles import particles_benchmark as benchmark


def test_a_quick_run_has_figures_of_both_loops(monkeypatch):
    monkeypatch.setattr(benchmark, "WORK", 1e4)
    monkeypatch.setattr(benchmark, "ROUNDS", 1)
    result = particles.run(quick=True)
    assert [case["particles"] for case in result["cases"]] == [125, 1000]
    assert np.isfinite(result["exponent"]) and all(case["rate"] > 0 for case in result["cases"])
    text = particles.report(result)
    assert "1000" in text and f"{result['exponent']:.3f}" in text


def test_without_a_c_compiler_the_report_says_so(monkeypatch):
    monkeypatch.setattr(benchmark, "WORK", 1e4)
    monkeypatch.setattr(benchmark, "ROUNDS", 1)
    monkeypatch.setattr(benchmark.shutil, "which", lambda name: None)
    assert "gcc is not here" in particles.report(particles.run(quick=True))


def test_a_lattice_connects_each_particle_with_all_its_neighbours():
    table, _ = benchmark.lattice(4).table("springs")
    assert len(table) == 3 * 48 + 6 * 36 + 4 * 27
