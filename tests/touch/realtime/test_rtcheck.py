"""`hapsis rtcheck`: what it counts, what it says, what it refuses. Nothing is timed here."""

import json
import math
import shutil
import xml.etree.ElementTree as Xml

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hapsis.commands import rtcheck as command
from hapsis.errors import DeviceError, Notice
from hapsis.touch.realtime import baseline_loops as bare
from hapsis.touch.realtime import host as machine
from hapsis.touch.realtime import priority, rtcheck
from hapsis.touch.realtime.baseline_loops import Block, InC, Ours, joined
from hapsis.touch.realtime.priority import Granted

REFUSED = Granted("no priority: ask somebody", "memory is not locked: ask somebody", "")
needs_gcc = pytest.mark.skipif(not shutil.which("gcc"), reason="there is no gcc here")


def block(late, skips=0, misses=0, longest=0):
    return Block(np.array(late, np.int64), misses, skips, longest)


nanoseconds = st.lists(st.integers(0, 10**8), min_size=1, max_size=50)


@given(st.lists(nanoseconds, min_size=1, max_size=4))
def test_percentiles_are_of_what_happened(parts):
    """Each is one of the latenesses, in order; the last is the largest of all blocks."""
    whole = joined([block(part) for part in parts])
    every = sorted(x for part in parts for x in part)
    found = [round(1e9 * x) for x in whole.percentiles]
    assert found == sorted(found) and found[-1] == every[-1] and set(found) <= set(every)
    assert sum(x <= found[0] for x in every) >= len(every) / 2
    assert sum(x <= found[1] for x in every) >= 0.99 * len(every)


@given(nanoseconds)
def test_bars_and_bins_count_every_tick(late):
    found = block(late)
    counts = command.counted(found)
    assert sum(counts) == len(late)
    for x in late:
        k = max(k for k, edge in enumerate(command.EDGES) if x // 1000 >= edge)
        assert counts[k] > 0
    numbers = rtcheck.Check(1000.0, {"ours": [found]}, True).numbers()["loops"]["ours"]
    assert sum(numbers["histogram"]["ticks"]) == numbers["ticks"] == len(late)
    assert max(numbers["histogram"]["microseconds"]) == max(late) // 1000


@given(st.integers(1, 10**7), st.integers(1, 10**7))
def test_bars_grow_with_their_count(a, b):
    a, b = sorted((a, b))
    lengths = [command.bar(x, b, "#", 20).count("#") for x in (a, b)]
    assert 1 <= lengths[0] <= lengths[1] <= 20
    assert command.bar(0, b, "#", 20) == ""


@pytest.mark.parametrize(
    ("skips", "hard", "state"),
    [(0, True, "held"), (0, False, "soft"), (4, True, "soft"), (10, True, "not held")],
)
def test_the_verdict(skips, hard, state):
    """No period lost and priority: held; up to half a percent: softly; more: not."""
    ours = block([1000] * 990, skips, misses=min(skips, 1))
    check = rtcheck.Check(1000.0, {"ours": [ours]}, hard)
    assert check.state == state and f"{skips} of {990 + skips} periods" in check.verdict
    assert check.ratio is None


def test_the_ratio_is_that_of_the_medians_of_blocks():
    """One disturbed block does not decide."""
    ours = [block([20_000] * 100), block([30_000] * 100), block([10**9] * 100)]
    c = [block([10_000] * 100), block([15_000] * 100), block([15_000] * 100)]
    check = rtcheck.Check(1000.0, {"ours": ours, "c": c}, True)
    assert check.ratio == pytest.approx(2.0)


def test_our_bare_loop_ticks():
    found = Ours().block(2000.0, 0.05)
    assert len(found.late) == 100 and (found.late >= 0).all()
    assert found.misses <= found.skips and found.longest <= found.misses


@needs_gcc
def test_the_loop_in_c_ticks_and_goes():
    loop = InC()
    try:
        for rate, seconds in ((2000.0, 0.05), (1000.0, 0.03)):
            found = loop.block(rate, seconds)
            periods = round(rate * seconds)
            assert (found.late >= 0).all() and found.misses <= found.skips
            # behind the last tick some periods may be skipped that were not asked for
            assert len(found.late) <= periods <= len(found.late) + found.skips
    finally:
        loop.close()
    assert loop.process.returncode == 0


def test_without_gcc_a_notice_says_so(monkeypatch):
    monkeypatch.setattr(bare.shutil, "which", lambda name: None)
    with pytest.raises(DeviceError, match="gcc"):
        InC()
    with pytest.warns(Notice, match="no gcc"):
        found = rtcheck.rtcheck([1000.0], 0.02)
    assert list(found.checks[0].blocks) == ["ours"] and found.checks[0].ratio is None


@needs_gcc
def test_a_source_that_does_not_compile_is_one_line(monkeypatch, tmp_path):
    wrong = tmp_path / "wrong.c"
    wrong.write_text("int main(void) { return nothing; }\n")
    monkeypatch.setattr(bare, "SOURCE", wrong)
    with pytest.raises(DeviceError, match="does not compile") as problem:
        InC()
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize(
    ("rates", "seconds"),
    [
        ([], 1.0),
        ([0.5], 5.0),
        ([2e5], 1.0),
        ([1000.0], 0.0),
        ([1000.0], 1e9),
        ([10.0], 0.02),
        ([math.nan], 1.0),
        ([1000.0], math.inf),
    ],
)
def test_what_cannot_be_measured(rates, seconds):
    from hapsis.errors import Error

    with pytest.raises(Error) as problem:
        rtcheck.rtcheck(rates, seconds)
    assert "\n" not in str(problem.value)


# the command ----------------------------------------------------------------------------------


def test_json(command_among_models):
    status, out, err = command_among_models("rtcheck", "--rate", 500, "--seconds", 0.04, "--json")
    found = json.loads(out)
    assert status in (0, 1) and not err and found["good"] == (status == 0)
    assert found["seconds"] == 0.04 and isinstance(found["machine"]["kernel"], str)
    assert found["granted"].keys() == {"priority", "memory", "core"}
    (row,) = found["rates"]
    assert row["rate"] == 500 and row["state"] in ("held", "soft", "not held")
    for loop in row["loops"].values():
        assert list(loop["lateness_s"]) == ["p50", "p99", "p99.9", "p99.99", "max"]
        assert loop["ticks"] > 0 and {"misses", "skips", "longest"} <= loop.keys()
        assert len(loop["block_p99_s"]) == 1


def test_text_and_picture(command_among_models, tmp_path):
    status, out, err = command_among_models(
        "rtcheck", "--rate", 1000, "--rate", 2000, "--seconds", 0.04, "--save", "late.svg"
    )
    assert status in (0, 1) and not err
    assert out.count("verdict: ") == 2 and "1000 per second" in out and "2000 per second" in out
    assert "p99.99" in out and "longest run" in out and "wrote late.svg" in out
    assert Xml.parse(tmp_path / "late.svg").getroot().tag.endswith("svg")


def test_soft_mode_says_what_is_missing(command_among_models, monkeypatch):
    """Refused priority is told with its remedy, and nothing is called held."""
    monkeypatch.setattr(priority, "ask", lambda core=None: REFUSED)
    status, out, err = command_among_models("rtcheck", "--rate", 500, "--seconds", 0.04)
    assert status in (0, 1) and not err
    assert f"better: {REFUSED.priority}\n" in out and f"better: {REFUSED.memory}\n" in out
    assert "500 per second is held:" not in out and "granted          core" in out
    _, out, _ = command_among_models("rtcheck", "--rate", 500, "--seconds", 0.04, "--json")
    found = json.loads(out)
    assert found["granted"] == {"priority": False, "memory": False, "core": True}
    assert REFUSED.priority in found["missing"] and found["rates"][0]["state"] != "held"


def test_a_core_that_is_not_ours(command_among_models):
    status, out, err = command_among_models("rtcheck", "--rate", 500, "--seconds", 0.02, "--core", 4000)
    assert status in (0, 1) and not err and "better: core 4000 is not ours" in out


@pytest.mark.parametrize(
    "options", [("--save", "late.pdf"), ("--seconds", "-1"), ("--rate", "0"), ("--rate", "fast")]
)
def test_what_makes_no_sense_is_one_line(command_among_models, options):
    status, out, err = command_among_models("rtcheck", *options)
    assert status == 2 and not out and err.count("\n") == 1


# the machine ----------------------------------------------------------------------------------


def tree(root, **files):
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return {fact.name: fact for fact in machine.facts(root)}


def test_a_machine_as_a_loop_likes_it(tmp_path):
    found = tree(
        tmp_path,
        sys__kernel__realtime="1\n",
        proc__sys__kernel__sched_rt_runtime_us="-1\n",
        sys__devices__system__cpu__cpu0__cpufreq__scaling_governor="performance\n",
        dev__cpu_dma_latency="",
        proc__cpuinfo="flags : fpu tsc\n",
    )
    assert found.keys() == {"kernel", "governor", "throttling", "deep sleep"}
    assert not any(fact.remedy for fact in found.values())
    assert found["kernel"].line == "kernel: PREEMPT_RT"


def test_a_machine_that_could_be_better(tmp_path, monkeypatch):
    monkeypatch.setattr(machine.platform, "system", lambda: "Linux")
    found = tree(
        tmp_path,
        proc__sys__kernel__version="#1 SMP PREEMPT_DYNAMIC 2026\n",
        proc__sys__kernel__sched_rt_runtime_us="500000\n",
        proc__sys__kernel__sched_rt_period_us="1000000\n",
        sys__devices__system__cpu__cpu0__cpufreq__scaling_governor="powersave\n",
        sys__devices__system__cpu__cpu1__cpufreq__scaling_governor="performance\n",
        proc__cpuinfo="processor : 0\nflags : fpu hypervisor\n",
    )
    assert found.keys() == {"kernel", "governor", "throttling", "virtual machine"}
    assert all(fact.remedy and "\n" not in fact.line for fact in found.values())
    assert "PREEMPT_DYNAMIC" in found["kernel"].value and "500 of" in found["throttling"].value
    assert found["governor"].value == "performance, powersave"


def test_a_machine_that_tells_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(machine.platform, "system", lambda: "Other")
    (fact,) = machine.facts(tmp_path)
    assert fact.value == "Other" and "Linux" in fact.remedy
    found = tree(tmp_path, proc__sys__kernel__sched_rt_runtime_us="no number")
    assert found.keys() == {"kernel"}


def test_a_closed_file_of_latencies(tmp_path):
    (tmp_path / "dev/cpu_dma_latency").mkdir(parents=True)  # which nobody can open as a file
    found = {fact.name: fact for fact in machine.facts(tmp_path)}
    assert "closed" in found["deep sleep"].value and found["deep sleep"].remedy
