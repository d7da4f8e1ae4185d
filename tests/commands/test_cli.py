import importlib.machinery
import json
import os
import subprocess
import sys
import types
import warnings
from pathlib import Path

import pytest

import hapsis
from hapsis import cli, doctor
from hapsis.compiler.backends.llvm import background
from hapsis.errors import ModelError, install_command, notice


@pytest.fixture
def hapsis_command(capfd):
    """Run the command line in this process: (status, standard output, standard error)."""

    def call(*arguments):
        kept = warnings.showwarning
        try:
            status = cli.main(list(arguments))
        finally:
            warnings.showwarning = kept
        return status, *capfd.readouterr()

    return call


@pytest.fixture
def benches(monkeypatch, tmp_path):
    """A package `hapsis.bench`: two benchmarks, one helper, one that cannot be imported."""
    package = types.ModuleType("hapsis.bench")
    package.__path__ = [str(tmp_path)]
    package.__spec__ = importlib.machinery.ModuleSpec("hapsis.bench", None, is_package=True)
    for name in ("trees", "loops", "broken"):
        (tmp_path / name).mkdir()
    (tmp_path / "trees/__init__.py").write_text(
        "import numpy as np\n"
        "from hapsis.errors import notice\n"
        "def run():\n"
        "    notice('only one repetition')\n"
        "    return {'speed': np.float64(2.0), 'all': np.arange(2)}\n"
        "def report(result):\n"
        "    return f\"speed {result['speed']}\"\n"
    )
    (tmp_path / "loops/__init__.py").write_text("def run():\n    return {'gap': float('nan')}\n")
    (tmp_path / "clock.py").write_text("")
    (tmp_path / "broken/__init__.py").write_text("raise RuntimeError('imported without need')\n")
    monkeypatch.setitem(sys.modules, "hapsis.bench", package)
    monkeypatch.setattr(hapsis, "bench", package, raising=False)
    yield package
    for name in ("trees", "loops"):
        sys.modules.pop(f"hapsis.bench.{name}", None)


def test_version(hapsis_command):
    assert hapsis_command("--version") == (0, f"hapsis {hapsis.__version__}\n", "")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_names_every_command(hapsis_command, arguments):
    status, out, err = hapsis_command(*arguments)
    assert (status, err) == (0, "")
    for command in ("demo", "doctor", "bench"):
        assert command in out


@pytest.mark.parametrize(
    "arguments", [["dmo"], ["demo", "--chek"], ["bench", "a", "b"], ["bench", "a\nb"], ["--json"]]
)
def test_misuse_is_one_line_and_status_2(hapsis_command, arguments):
    status, out, err = hapsis_command(*arguments)
    assert status == 2
    assert out == ""
    assert err.endswith("\n") and len(err.splitlines()) == 1


def test_an_error_is_its_own_line_unwrapped(hapsis_command, monkeypatch):
    long = 'joint "elbow" hangs from body "uper", which does not exist ' * 5

    def fail(check):
        raise ModelError(long, where="arm.yaml:14:9")

    monkeypatch.setattr("hapsis.demo.main", fail)
    assert hapsis_command("demo") == (2, "", f"arm.yaml:14:9: {long.strip()}\n")


def test_notices_go_to_standard_output(hapsis_command, monkeypatch):
    def tell(check):
        notice("the step was halved")
        return 0

    monkeypatch.setattr("hapsis.demo.main", tell)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert hapsis_command("demo") == (0, "note: the step was halved\n", "")


def test_interruption_is_one_line(hapsis_command, monkeypatch):
    def stop(check):
        raise KeyboardInterrupt

    monkeypatch.setattr("hapsis.demo.main", stop)
    assert hapsis_command("demo") == (130, "", "stopped by the user\n")


def test_bench_lists_without_importing(hapsis_command, benches):
    assert hapsis_command("bench") == (0, "broken\nloops\ntrees\n", "")
    assert hapsis_command("bench", "--json") == (0, '["broken", "loops", "trees"]\n', "")


def test_bench_unknown_name_lists_the_known_ones(hapsis_command, benches):
    line = 'there is no benchmark "tree" (did you mean "trees"?); expected one of broken, loops, trees'
    assert hapsis_command("bench", "tree") == (2, "", line + "\n")


@pytest.mark.parametrize("name", ["clock", "../trees", "trees.run", ""])
def test_bench_runs_only_listed_names(hapsis_command, benches, name):
    status, _, _ = hapsis_command("bench", name)
    assert status == (0 if name == "" else 2)


def test_bench_reports_and_measures(hapsis_command, benches):
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert hapsis_command("bench", "trees")[1] == "note: only one repetition\nspeed 2.0\n"
    status, out, err = hapsis_command("bench", "trees", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == {"speed": 2.0, "all": [0, 1], "notices": ["only one repetition"]}


CASES = """QUICK = ("b",)
def names():
    return ("a", "b", "c")
def run(names=None, quick=False, watch=None):
    chosen = ("a", "b", "c") if names is None else names
    if watch is not None:
        watch.expect(len(chosen))
        for name in chosen:
            watch.begin(name)
            watch.done(f"row {name}")
    return {"names": list(chosen), "quick": quick}
def report(result):
    return f"all {result['names']} {result['quick']}"
"""


@pytest.mark.parametrize(
    ("options", "chosen"),
    [((), "abc"), (("--only", "c, a"), "ca"), (("--quick",), "b"), (("--quick", "--only", "a"), "a")],
)
def test_bench_shows_rows_of_the_chosen_cases(hapsis_command, benches, options, chosen):
    Path(benches.__path__[0], "trees/__init__.py").write_text(CASES)
    status, out, err = hapsis_command("bench", "trees", *options)
    rows = "".join(f"row {name}\n" for name in chosen)
    assert (status, out) == (0, f"{rows}all {list(chosen)} {'--quick' in options}\n")
    assert err.startswith(f"bench trees: {len(chosen)} parts\n")
    status, out, err = hapsis_command("bench", "trees", *options, "--json")
    assert json.loads(out) == {"names": list(chosen), "quick": "--quick" in options} and err == ""


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_bench_shows_a_bar_on_a_terminal(hapsis_command, benches, monkeypatch, form):
    """Also beside JSON, which is alone on standard output; the bar names the part at work, not the last."""
    Path(benches.__path__[0], "trees/__init__.py").write_text(
        CASES.replace("watch.done", "SHOWN(); watch.done")
    )
    bars = []

    class Drawn:
        def __init__(self, *columns, **options):
            bars.append(self)
            self.fields, self.console = {}, self

        def add_task(self, title, **fields):
            self.fields = {"title": title, **fields}

        def update(self, task, **fields):
            self.fields |= fields

        def start(self): ...
        def stop(self): ...
        def print(self, text, **options):
            print(text)

    shown = []
    monkeypatch.setattr("rich.progress.Progress", Drawn)
    monkeypatch.setattr("builtins.SHOWN", lambda: shown.append(bars[0].fields["part"]), raising=False)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    status, out, err = hapsis_command("bench", "trees", *form)
    assert (status, err) == (0, "") and shown == ["a", "b", "c"]
    assert bars[0].fields["count"] == "3 of 3"
    if form:
        assert json.loads(out) == {"names": ["a", "b", "c"], "quick": False}


def test_bench_only_takes_known_cases(hapsis_command, benches):
    assert "has no cases to choose from" in hapsis_command("bench", "trees", "--only", "a")[2]
    sys.modules.pop("hapsis.bench.trees")
    Path(benches.__path__[0], "trees/__init__.py").write_text(CASES + "\n")
    status, out, err = hapsis_command("bench", "trees", "--only", "a,d")
    assert (status, out) == (2, "") and err == 'there is no case "d"; expected a, b, c\n'


def test_bench_refuses_numbers_json_cannot_hold(hapsis_command, benches):
    status, out, err = hapsis_command("bench", "loops", "--json")
    assert (status, out) == (2, "")
    assert err.startswith("the result of hapsis.bench.loops is not JSON")


def test_doctor_finds_the_core(hapsis_command):
    status, out, err = hapsis_command("doctor")
    assert (status, err) == (0, "")
    for part in ("python", "processor", "numpy", "scipy", "llvmlite", "pyyaml", "typer", "cache"):
        assert part in out


def test_doctor_names_what_is_missing(hapsis_command, monkeypatch):
    monkeypatch.setattr(doctor, "CORE", {"numpy": "numpy", "absent-part": "absent_part"})
    status, out, _ = hapsis_command("doctor")
    assert status == 1
    assert f"missing   absent-part   {install_command('absent-part')}" in out
    assert out.endswith("missing: absent-part\n")


def test_doctor_warns_of_a_shared_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path))
    assert doctor._cache() == (doctor.OK, "cache", f"{tmp_path / 'objects'}, not made yet")
    (tmp_path / "objects").mkdir(mode=0o777)
    (tmp_path / "objects").chmod(0o777)
    state, part, text = doctor._cache()
    assert (state, part) == (doctor.OPTIONAL, "cache")
    assert "open to others" in text and "chmod 700" in text


def test_a_look_at_the_cache(hapsis_command, monkeypatch, tmp_path):
    background.settled()  # of other tests: it stores code where the cache is now
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path))
    for command in (("cache",), ("cache", "clear"), ("doctor",)):
        assert hapsis_command(*command)[0] == 0
        assert not list(tmp_path.iterdir())  # nothing is made by looking
    assert hapsis_command("cache")[1] == f"{tmp_path / 'objects'}: 0 entries, 0.0 MB\n"
    monkeypatch.setenv("HAPSIS_CACHE", "")
    line = "HAPSIS_CACHE is empty, which turns the cache off; unset it, or set it to a folder"
    assert hapsis_command("cache") == (0, f"nothing is kept: {line}\n", "")
    assert hapsis_command("prepare") == (2, "", f"nothing can be kept: {line}\n")


def test_module_and_command_agree():
    asked = subprocess.run(
        [sys.executable, "-m", "hapsis", "bench", "no such"], capture_output=True, text=True
    )
    assert asked.returncode == 2
    assert asked.stdout == ""
    assert asked.stderr.startswith('there is no benchmark "no such"')
    assert len(asked.stderr.splitlines()) == 1


def test_a_missing_package_is_one_line(tmp_path):
    """`python -m hapsis` without typer: the doctor still speaks, the rest says one line."""
    hide = (
        "import sys, runpy; sys.modules['typer'] = None; sys.argv = ['hapsis', *sys.argv[1:]];"
        "runpy.run_module('hapsis', run_name='__main__')"
    )

    def call(job):
        return subprocess.run([sys.executable, "-c", hide, job], capture_output=True, text=True)

    asked = call("demo")
    assert asked.returncode == 2
    assert asked.stderr == 'hapsis: the package "typer" is missing; run hapsis doctor\n'
    asked = call("doctor")
    assert asked.returncode == 1
    assert "missing   typer" in asked.stdout


def test_shells_complete_commands():
    words = {"_HAPSIS_COMPLETE": "complete_bash", "COMP_WORDS": "hapsis sh", "COMP_CWORD": "1"}
    code = "import sys; sys.argv = ['hapsis']; from hapsis.__main__ import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **words}, capture_output=True, text=True, check=False
    )
    assert sorted(ran.stdout.split()) == ["share", "show"]
