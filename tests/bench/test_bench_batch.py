"""The benchmark of many runs: the contenders move the same mechanism; the table."""

import json

import numpy as np
import pytest

import hapsis as hs
from hapsis.bench import batch
from hapsis.bench.batch import batch_benchmark, batch_cases, batch_contenders, batch_report

SMALL = batch_cases.Case("small", "yx", np.random.default_rng(0).uniform(-1.0, 1.0, (12, 2)), 0.3)


def test_the_pendulum_in_numpy_is_the_one_of_the_model():
    model = batch_cases.case("pendulum", True).model()
    f = hs.compile(hs.forward_dynamics(model))
    for q in (-2.0, 0.1, 1.5):
        slope = batch_contenders.pendulum_slope(0.0, np.array([q, 0.3]))
        assert slope[0] == 0.3 and np.isclose(slope[1], f([q], [0.3], [0.0])[0], rtol=1e-12)


def test_figures_of_a_small_case():
    notes = []
    row = batch_benchmark.measured(SMALL, notes, True)
    assert json.loads(json.dumps(row, allow_nan=False)) == row and row["doubt"] < 1e-10
    names = {method["contender"] for method in row["methods"]}
    assert {"ours", "ours, loop", "scipy, ours compiled"} <= names
    for method in row["methods"]:
        errors = [point["error"] for point in method["points"]]
        if not method["contender"].startswith("mujoco"):
            assert errors == sorted(errors, reverse=True) and errors[-1] < 1e-9
    result = {"cases": [row], "notes": notes}
    result["times_faster"] = batch_report.times_faster(result)
    result["times_faster_cpu"] = batch_report.times_faster(result, "cpu_cost")
    text = batch.report(result)
    assert "small: 12 runs of 0.3 s" in text and "times faster" in text and "ours, loop" in text
    assert "µs per run at 1e-6" in batch_report.line(row)


def test_costs_are_the_lowest_of_an_error():
    points = [{"error": e, "seconds": s} for e, s in ((1e-2, 1.0), (1e-4, 9.0), (1e-8, 2.0))]
    assert batch_benchmark.costs(points, "seconds") == {"1e-03": 2.0, "1e-06": 2.0, "1e-09": None}
    levels = batch_report.LEVELS
    methods = [
        {"contender": c, "cost": dict.fromkeys(levels, x)} for c, x in (("ours", 1.0), ("b", 6.0), ("b", 4.0))
    ]
    case = {"name": "x", "methods": methods}
    assert batch_report.times_faster({"cases": [case]})["x"]["1e-03"] == {"b": 4.0}


@pytest.mark.peers
def test_mujoco_moves_the_same_chain():
    pytest.importorskip("mujoco")
    best = next(batch_contenders.ours(SMALL)).go(1e-12, 12)
    entry = next(batch_contenders.rollouts(SMALL))
    assert entry.method == "RK4" and np.abs(entry.go(1e-3, 12) - best).max() < 1e-8
    batch_contenders.CHUNK, before = 7, batch_contenders.CHUNK
    try:
        assert np.abs(entry.go(1e-3, 12) - best).max() < 1e-8  # in pieces
    finally:
        batch_contenders.CHUNK = before
