"""The benchmark of dynamics: its robots, its arithmetic, its report. Nothing is timed here.

What needs the rivals is marked `peers`: there they must agree with each other.
"""

import json
import shutil
import xml.etree.ElementTree as Xml

import numpy as np
import pytest

from hapsis.bench import rivals, robots, stopwatch
from hapsis.bench.dynamics import dynamics_benchmark, dynamics_ours, dynamics_report


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.mark.parametrize("name", robots.CHAINS)
def test_chains_are_files_of_revolute_joints(name, folder):
    robot = robots.robot(name, folder)
    assert robot is not None and not robot.free
    assert robot.size == len(robot.joints) == robots.CHAINS[name][1]
    root = Xml.parse(robot.path).getroot()
    for entry in root.iter("inertia"):
        xx, yy, zz, xy, xz, yz = (float(entry.get("i" + k, "nan")) for k in "xx yy zz xy xz yz".split())
        moments = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        assert 0 < moments[0] and moments[2] <= moments[0] + moments[1]


def test_chains_are_the_same_every_time(folder):
    first, second = (Xml.tostring(robots.chain(5, general=True)) for _ in range(2))
    assert first == second != Xml.tostring(robots.chain(5, general=False))


def test_cleaning_locks_fingers_and_drops_shapes():
    root = Xml.fromstring(
        '<robot name="r"><link name="a"><visual/><inertial/></link><link name="b"/><gazebo/>'
        '<joint name="finger1" type="prismatic"><parent link="a"/><child link="b"/><axis/>'
        '<mimic joint="x"/></joint><joint name="elbow" type="continuous"><dynamics/></joint>'
        "</robot>"
    )
    finger, elbow = robots.cleaned(root, ("finger",)).findall("joint")
    assert [x.tag for x in finger] == ["parent", "child"] and finger.get("type") == "fixed"
    assert [x.tag for x in elbow] == ["limit"] and elbow.get("type") == "revolute"
    assert {x.tag for x in root} == {"link", "joint"}
    assert [x.tag for link in root.findall("link") for x in link] == ["inertial"]


def test_states_are_distinct_and_the_same_every_time(folder):
    robot = robots.robot("aligned 7", folder)
    assert robot is not None
    one, two = robots.states(robot), robots.states(robot)
    assert one.q.shape == (256, 7) and len(np.unique(one.q, axis=0)) == 256
    assert np.array_equal(one.q, two.q) and np.array_equal(one.pose, two.pose)
    assert np.allclose(np.linalg.norm(one.pose[:, 3:], axis=1), 1)


def test_pieces_cover_all_states(monkeypatch):
    """A slow function is cut into pieces, a fast one is repeated; the time per call is the same."""
    now = [0.0]
    monkeypatch.setattr(stopwatch.time, "perf_counter", lambda: now[0])
    for cost in (1e-7, 1e-3):
        seen = set()

        def run(first, number, passes, cost=cost, seen=seen):
            seen.update(range(first, first + number))
            now[0] += cost * number * passes + 5e-7

        assert stopwatch.per_state(run, 100, 0.0) == pytest.approx(cost, rel=1e-2)
        assert seen == set(range(100))


def test_difference_is_on_the_scale_of_each_state():
    reference = np.array([[1.0, 2.0], [100.0, 0.0]])
    found = np.array([[1.0, 2.2], [101.0, 0.0]])
    assert dynamics_benchmark.difference(found, reference) == pytest.approx(0.1)
    assert not dynamics_benchmark.difference(reference * np.nan, reference) <= dynamics_benchmark.TOLERANCE


def test_contenders_take_turns():
    order = []

    def timer(name, times):
        return lambda quantity, budget: order.append(name) or next(times)

    timers = {"a": timer("a", iter([3.0, 1.0] * 9)), "b": timer("b", iter([2.0, 5.0] * 9))}
    assert dynamics_benchmark.in_turns(timers, "inverse", quick=False) == {"a": 1.0, "b": 2.0}
    assert order == ["a", "b"] * dynamics_benchmark.ROUNDS


def figures(**seconds):
    facts = {"mul": 300, "add": 280, "flops": 1100, "generation_s": 0.01, "compile_s": 0.02}
    facts |= {"batch_compile_s": 0.03, "again_s": 0.002, "reload_s": 0.001}
    return {"seconds": seconds, "ours": facts, "lanes": 8, "error": {}, "casadi_flops": 1007}


@pytest.fixture
def found():
    panda = {q: figures(ours=1e-7, ours_batch=2e-8, pinocchio=9e-7) for q in dynamics_ours.QUANTITIES}
    panda["mass"] = figures(ours=1e-7, pinocchio=4e-7, casadi=3e-7)
    row = {"models": [{"name": "panda", "speeds": 7, "quantities": panda}], "notes": ["no mujoco"]}
    return row | {"targets": dynamics_report.targets(row)}


def test_targets_say_what_is_reached(found):
    targets = {t["what"]: t for t in found["targets"]}
    assert targets["panda, inverse dynamics: x Pinocchio"]["ok"] is True
    assert targets["panda, inverse dynamics: x CasADi C"]["ok"] is None
    assert targets["panda, mass matrix: x Pinocchio"]["ok"] is False
    assert targets["panda, mass matrix: x CasADi C"]["reached"] == pytest.approx(3.0)
    assert targets["panda, inverse dynamics, batch: x Pinocchio"]["reached"] == pytest.approx(45)
    assert targets["compile, us per operation"]["ok"] is True
    assert targets["400 joints, generation of forward dynamics, s"]["reached"] is None


def test_half_the_batch_target_without_avx512(found):
    for quantity in found["models"][0]["quantities"].values():
        quantity["lanes"] = 4
    targets = {t["what"]: t for t in dynamics_report.targets(found)}
    assert targets["panda, forward dynamics, batch: x Pinocchio"]["wanted"] == 20


def test_report_holds_every_table(found):
    lines = dynamics_benchmark.report(json.loads(json.dumps(found))).splitlines()
    assert set(dynamics_report.TITLES.values()) <= set(lines)
    assert "must reach" in lines and lines[-1] == "note: no mujoco"
    head = lines[lines.index("mass matrix") + 1]
    assert "casadi C" in head and "mujoco" not in head
    assert any("3.0" in line and "yes" in line for line in lines)


def test_a_missing_rival_is_a_note(folder, monkeypatch):
    monkeypatch.setattr(rivals.importlib, "import_module", _no_module)
    monkeypatch.setattr(dynamics_ours, "LARGEST", 0)  # no derivatives
    row = dynamics_benchmark.run(["aligned 7"], quick=True)
    for name in ("pinocchio", "mujoco"):
        assert sum(name in note for note in row["notes"]) == 1
    assert not {"pinocchio", "mujoco", "casadi"} & set(row["models"][0]["quantities"]["inverse"]["seconds"])
    assert dynamics_benchmark.report(row)


def _no_module(name):
    raise ImportError(name)


@pytest.mark.skipif(not shutil.which("gcc"), reason="no C compiler")
def test_what_is_compiled_is_kept(folder):
    made = []

    def source():
        made.append(1)
        return b"int answer(void) { return 42; }"

    flags = ["gcc", "-shared", "-fPIC"]
    paths = {rivals.built("x", flags, source, [b"1"], 60.0) for _ in range(2)}
    assert len(paths) == 1 and made == [1]
    assert rivals.built("x", flags, source, [b"2"], 60.0) not in paths
    for _ in range(2):
        with pytest.raises(rivals.Missing, match="does not compile"):
            rivals.built("y", flags, lambda: b"int answer(", [b"3"], 60.0)


def test_only_the_cache_of_this_run_is_emptied(folder, monkeypatch):
    place = folder / "cache" / "objects"
    place.mkdir(parents=True, mode=0o700)
    (place / "kept").touch()
    dynamics_ours.emptied(folder / "elsewhere")
    monkeypatch.setenv("HAPSIS_CACHE", "")
    dynamics_ours.emptied(folder)
    assert (place / "kept").exists()
    monkeypatch.setenv("HAPSIS_CACHE", str(folder / "cache"))
    dynamics_ours.emptied(folder)
    assert not (place / "kept").exists()


@pytest.mark.peers
@pytest.mark.parametrize("name", ["panda", "ur5", "solo12", "aligned 7", "general 7"])
def test_rivals_agree(name, folder, monkeypatch):
    """Without the C++ driver, whose compilation takes minutes."""
    from hapsis.bench.dynamics import dynamics_pinocchio

    monkeypatch.setattr(dynamics_pinocchio, "driver", _no_driver)
    row = dynamics_benchmark.run([name], quick=True)
    errors = [e for q in row["models"][0]["quantities"].values() for e in q["error"].values()]
    assert len(errors) >= 6 and max(errors) <= dynamics_benchmark.TOLERANCE
    assert not any("wrong" in note for note in row["notes"])


@pytest.mark.peers
def test_the_trace_has_the_operations_of_pinocchios(folder):
    """The counts known for Pinocchio traced to CasADi, on the seven-joint arm."""
    from hapsis.bench.dynamics import casadi_trace, casadi_trace_forward
    from hapsis.bench.dynamics.dynamics_casadi import flops
    from hapsis.bench.dynamics.dynamics_pinocchio import loaded

    robot = robots.robot("panda", folder)
    assert robot is not None
    model, ca = loaded(robot), casadi_trace.ca
    q, v, a = (ca.SX.sym(name, 7) for name in "qva")
    for trace, count in ((casadi_trace.inverse, 1007), (casadi_trace_forward.forward, 1956)):
        assert flops(ca.Function("f", [q, v, a], [trace(model, q, v, a)])) == count


def _no_driver():
    raise rivals.Missing("not compiled in tests")
