"""The benchmark runs, on small sizes, and its report holds every figure. Nothing is timed here."""

import json

import numpy as np
import pytest

import hapsis as hs
from hapsis.bench import stopwatch
from hapsis.bench.chain_program import chain
from hapsis.bench.compiler import compiler_benchmark, compiler_report
from hapsis.bench.watch import Silent


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(compiler_benchmark, "SIZES", (400,))
    monkeypatch.setattr(compiler_benchmark, "nodes", lambda: _nodes(500))
    monkeypatch.setattr(compiler_benchmark, "batch", lambda: _batch(64))
    monkeypatch.setattr(compiler_benchmark, "sines", lambda: _sines(1000))
    monkeypatch.setattr(compiler_benchmark, "seconds", lambda run, *a: stopwatch.seconds(run, 0.0, 1))
    monkeypatch.setattr(compiler_benchmark, "per_call", lambda run: stopwatch.per_call(run, 0.001))


_nodes, _batch, _sines = compiler_benchmark.nodes, compiler_benchmark.batch, compiler_benchmark.sines


def test_every_figure_is_there(small):
    row = json.loads(json.dumps(compiler_benchmark.run()))
    assert row["compile"][0]["operations"] > 100
    assert row["sines"]["sin_ulp"] < 2 and row["sines"]["cos_ulp"] < 2 and row["sines"]["inf_nan"]
    assert row["sines"]["sin_1e22"] == -0.8522008497671888
    text = compiler_report.report(row)
    for word in ("node", "compile", "reload", "out=", "allocating", "NumPy", "ulp"):
        assert word in text
    assert ("gcc" in text) == ("gcc" in row["batch"])


def test_lines_have_words_for_every_figure(small, monkeypatch):
    lines, watch = [], Silent()
    monkeypatch.setattr(watch, "done", lines.append)
    row = compiler_benchmark.run(watch=watch)
    keys = {
        key
        for part in (row["compile"][0], *(row[n] for n in ("nodes", "call", "batch", "sines")))
        for key in part
    }
    derived = {"ours_over_gcc", "ours_over_numpy", "inf_nan", "sin_1e22"}
    assert keys - derived <= set(compiler_report.WORDS)
    assert len(lines) == 5 and not any("_" in line for line in lines)


def test_the_chain_is_inverse_dynamics():
    """It is linear in the accelerations, by a symmetric positive matrix: a mass matrix."""
    function = chain(800)
    n = function.inputs[0].shape[0]
    tau = hs.compile(function)
    q = np.linspace(0.3, 1.1, n)
    at_rest = tau(q, np.zeros(n), np.zeros(n))
    mass = np.array([tau(q, np.zeros(n), row) - at_rest for row in np.eye(n)])
    assert np.allclose(mass, mass.T, atol=1e-12)
    assert (np.linalg.eigvalsh(mass) > 0).all()


def test_chains_have_about_the_length_asked_for():
    for size in (1_000, 10_000, 50_000):
        assert 0.6 * size < chain(size).cost().flops < 1.2 * size


def test_seconds_takes_the_shortest():
    times = iter([0.02, 0.001, 0.02])

    def run():
        import time

        time.sleep(next(times))

    assert 0.0005 < stopwatch.seconds(run, 0.0, 3) < 0.015
