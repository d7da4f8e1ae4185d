"""The benchmark of walkers: its figures agree with their cycles, its report. Nothing is timed here."""

import json

import pytest

from hapsis.bench import hybrid


@pytest.fixture(scope="module")
def result(request):
    patch = pytest.MonkeyPatch()
    request.addfinalizer(patch.undo)
    patch.setattr("hapsis.bench.hybrid.hybrid_benchmark.STARTS", 9 * 50)
    return hybrid.run(["rimless_wheel"], quick=True)


def test_all_ways_walk_the_same_way(result):
    [row] = result["walkers"]
    assert row["walker"] == "rimless_wheel" and row["ours"]["error"] < 1e-7
    assert row["ours"]["steps_per_stride"] > 1
    assert row["scipy"]["error"] < 1e-6
    rival = row["mujoco"]
    assert "missing" in rival or rival["error"] < 0.05
    assert result["long"]["strides"] >= 900
    assert 0 < result["starts"]["walking"] < result["starts"]["starts"]


def test_report_and_json(result):
    text = hybrid.report(json.loads(json.dumps(result)))
    assert "rimless_wheel" in text and "strides in" in text and "starts in one call" in text
    assert hybrid.names() == ["rimless_wheel", "simplest_walker", "compass_gait"]
