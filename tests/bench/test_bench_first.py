"""The benchmark of first motions: its files, its processes, its table. Nothing is timed here."""

import json
import subprocess
import sys

import pytest

import hapsis as hs
from hapsis.bench import first
from hapsis.bench.first import first_benchmark, first_cases
from hapsis.errors import SolveError

OURS = [case for case in first_cases.CASES if not case.robot]


@pytest.mark.parametrize("case", OURS, ids=[case.name for case in OURS])
def test_files_differ_in_one_value_only(case, tmp_path):
    original, *edited = first_cases.files(case, tmp_path, 2)
    lines = original.read_text().splitlines()
    for path in edited:
        changed = [(a, b) for a, b in zip(lines, path.read_text().splitlines(), strict=True) if a != b]
        assert len(changed) == 1 and "mass" in changed[0][0]
    model, other = hs.load(original), hs.load(edited[0])
    assert model.coordinates == other.coordinates
    masses = [sum(m.value(b.mass) for b in m.bodies.values()) for m in (model, other)]
    assert masses[0] < masses[1] < 1.02 * masses[0]


class Processes:
    """In place of processes: what was asked, and whether the cache was prepared, empty or used."""

    def __init__(self):
        self.calls = []

    def __call__(self, arguments, cache):
        state = sorted(p.name for p in cache.iterdir()) if cache.exists() else []
        self.calls.append((arguments, state))
        cache.mkdir(exist_ok=True)
        (cache / ("prepared" if "prepare" in arguments else "used")).touch()
        return 0.1 * len(self.calls), 0.05


def test_order_caches_and_table(monkeypatch):
    processes = Processes()
    monkeypatch.setattr(first_benchmark, "process", processes)
    monkeypatch.setattr(first_benchmark.compileall, "compile_dir", lambda *a, **k: None)
    row = first_benchmark.run(["pendulum", "suspension"])
    assert json.loads(json.dumps(row, allow_nan=False)) == row
    states = [state for _, state in processes.calls]
    one = [["prepared"]] * 5 + [["prepared", "used"]] * 10 + [[]] * 5  # cold, warm and edited, install
    assert states == [[], *one, *one]
    shell, python = processes.calls[1][0], processes.calls[21][0]
    assert shell[1:4] == ["-m", "hapsis", "simulate"] and python[1] == "-c"
    pendulum = row["cases"][0]
    assert pendulum["cold"]["wall_s"] == pytest.approx(0.4)  # the median of the second to the sixth call
    assert pendulum["reached"] is False and pendulum["asked_s"] == {"cold": 1.0, "warm": 0.35, "edited": 0.35}
    text = first_benchmark.report(row)
    for word in ("pendulum", "suspension", "cold:", "warm:", "edited:", "asked:", "install:", "medians of 5"):
        assert word in text


class Told:
    """A watch that remembers what it was told."""

    def __init__(self):
        self.begun, self.lines, self.parts = [], [], None

    def expect(self, parts):
        self.parts = parts

    def begin(self, part):
        self.begun.append(part)

    def done(self, text):
        self.lines.append(text)


def test_a_quick_run_measures_few_and_says_what_it_is_doing(monkeypatch):
    processes, watch = Processes(), Told()
    monkeypatch.setattr(first_benchmark, "process", processes)
    monkeypatch.setattr(first_benchmark.compileall, "compile_dir", lambda *a, **k: None)
    row = first_benchmark.run(first.QUICK, quick=True, watch=watch)
    assert len(processes.calls) == 1 + 3 * len(first.QUICK)
    assert watch.begun == ["compiling modules of Python", "hapsis prepare", *first.QUICK]
    assert watch.parts == len(first.QUICK) == len(watch.lines)
    assert not any("install" in line for line in watch.lines)
    assert "measured once" in first_benchmark.report(row)


def test_a_process_that_fails_is_named(tmp_path):
    with pytest.raises(SolveError, match="no such thing"):
        first_benchmark.process([sys.executable, "-c", "raise SystemExit('no such thing')"], tmp_path)


def test_a_process_has_its_own_cache(tmp_path):
    program = "import os; assert os.environ['HAPSIS_CACHE'] == os.sys.argv[1]; import hapsis"
    wall, busy = first_benchmark.process([sys.executable, "-c", program, str(tmp_path)], tmp_path)
    assert wall > 0 and busy >= 0


@pytest.mark.peers
def test_programs_of_robots_and_rivals_run(tmp_path):
    """Each program that the benchmark starts with the robots, once."""
    from hapsis.bench.first import first_rivals

    for case in (case for case in first_cases.CASES if case.robot):
        path = first_cases.files(case, tmp_path, 0)[0]
        subprocess.run(first_benchmark.command(case, path), check=True, timeout=600)
        notes = []
        seconds = first_rivals.rivals(case.robot, tmp_path, 1, notes, first_benchmark.process)
        assert {"mujoco", "pinocchio", "casadi trace", "casadi gcc"} <= set(seconds), notes
