"""The benchmark of the loop: its cases, its arithmetic, its report; ticks that allocate nothing.

Nothing is timed here.
"""

import json

import numpy as np
import pytest

from hapsis.bench.realtime import realtime_benchmark, realtime_cases, realtime_compute, realtime_lateness
from hapsis.bench.realtime.realtime_cases import CASES, WAYS, looped
from hapsis.bench.realtime.realtime_grasps import GRASPS, held
from hapsis.compiler.native.module import module
from hapsis.touch.realtime import baseline_loops as bare
from hapsis.touch.realtime import native_loop
from hapsis.touch.realtime.baseline_loops import Block


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", CASES, ids=realtime_cases.NAMES)
def test_cases_move_and_are_sound(case, way):
    """The state stays finite, the guard sees no fault, and the loop feels something."""
    row = realtime_compute.computed(case, way, "euler", 1, 300)
    assert row["sound"] and 0.0 < row["p50_s"] <= row["p99_s"]
    assert ("asked_s" in row) == (case.asked is not None)
    loop = looped(case, way)
    loop.run(0.3)
    rows = loop.report()
    told = np.array([rows[name] for name in loop.step.outputs])
    assert np.isfinite(told).all() and (np.ptp(told, axis=1) > 1e-6).all()


@pytest.mark.parametrize("bearings", [False, True])
@pytest.mark.parametrize("grasp", GRASPS, ids=[grasp.name for grasp in GRASPS])
def test_grasps_move_and_are_sound(grasp, bearings):
    row = realtime_compute.grasped(grasp, bearings, 1, 300)
    assert row["sound"] and 0.0 < row["p50_s"] <= row["p99_s"]
    assert row["bearings"] == (list(grasp.bearings) if bearings else [])
    loop = held(grasp, bearings)
    loop.run(0.3)
    report = loop.report()
    assert report["share"].min() > 0.0 and report["gap"].max() < 1e-6
    for joint in row["bearings"]:
        assert np.ptp(report[f"{joint}.reaction.fz"]) > 1e-3


def test_the_inverse_way_is_the_weight_of_a_crank():
    """A hand that holds a crank still carries its weight: the model of a tick is no empty one."""
    loop = looped(CASES[0], "inverse")
    swing = loop.device
    swing.read.fixed["memory"][4:6] = 0.0  # no swing
    swing.read.fixed["memory"][6] = 0.3
    loop.run(0.2)
    assert loop.report()["crank drive.effort"][-1] == pytest.approx(-0.2 * 9.81 * 0.1 * np.cos(0.3), rel=1e-6)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", CASES[:2], ids=realtime_cases.NAMES[:2])
def test_a_hundred_thousand_ticks_allocate_nothing(case, way):
    found = realtime_compute.allocations(looped(case, way))
    assert found["steps"] == 100_000
    # threads of the test runner allocate some kB meanwhile; one tick in ten would be 160 kB
    assert (found["bytes"] or 0) < 50_000 and found["python_blocks"] < 100


def test_code_of_a_tick_calls_the_clock_only():
    """So it cannot allocate; neither can the kernels of device and guard, which call nothing."""
    assert set(module(native_loop.run.definition).imports) == {"clock_gettime", "clock_nanosleep"}
    loop = looped(CASES[1], "inverse")
    for kernel in (loop.guard.kernel, loop.device.read, loop.device.write):
        assert module(kernel.function.definition).imports == []


def test_an_allocation_is_seen(monkeypatch):
    """The measure itself: a loop that keeps memory is found out."""
    kept, real = [], native_loop.run

    class Greedy:
        definition = real.definition

        def __call__(self, loop):
            kept.append([bytes(100_000)] * 1)
            if loop.limit - loop.ticks > 1:
                kept.append([bytearray(50_000) for _ in range(50)])
            real(loop)

    monkeypatch.setattr(realtime_compute.native_loop, "run", Greedy())
    found = realtime_compute.allocations(looped(CASES[0], "inverse"), 1000)
    assert found["python_blocks"] > 0
    assert found["bytes"] is None or found["bytes"] >= 0.9 * 50 * 50_000  # others free some meanwhile


def test_blocks_of_the_whole_loop_count_each_tick_once():
    whole = realtime_lateness.Whole(1000.0)
    blocks = [whole.block(1000.0, 0.05), whole.disturbed(0.05), whole.block(1000.0, 0.03)]
    assert [len(block.late) for block in blocks] == [50, 50, 30]
    assert sum(block.skips for block in blocks) == whole.loop.memory.skips
    assert all(block.longest <= block.misses <= block.skips for block in blocks)


def test_medians_of_blocks():
    def made(late, **counted):
        return Block(np.array(late), counted.get("misses", 0), counted.get("skips", 0), 0)

    blocks = [made([10_000] * 100), made([20_000] * 100), made([10**9] * 100, misses=1, skips=3)]
    found = realtime_lateness.summary({"ours": blocks})["ours"]
    assert found["p99_s"] == pytest.approx(2e-5) and found["max_s"] == pytest.approx(1.0)
    assert (found["ticks"], found["misses"], found["skips"]) == (300, 1, 3)


def test_a_quick_run_is_a_report():
    found = json.loads(json.dumps(realtime_benchmark.run(["crank"], quick=True), allow_nan=False))
    assert len(found["compute"]) == 4 and {row["rate_1998"] for row in found["compute"]} == {1e4}
    for row in found["compute"]:
        assert row["times_1998"] == pytest.approx(1e-4 / row["p99_s"])
    shown = realtime_benchmark.report(found)
    assert "crank, inverse, rk4" in shown and "ratio of p99" in shown
    assert "clock_nanosleep only" in shown and "recording" in shown


def test_without_gcc_there_is_a_note(monkeypatch):
    monkeypatch.setattr(bare.shutil, "which", lambda name: None)
    found = realtime_benchmark.run([], quick=True)
    assert found["lateness"] == [] and "gcc" in found["notes"][0]
    assert found["disturbed"] and realtime_benchmark.report(found)
