"""`hapsis prepare` compiles what all runs need; a run after it compiles no helper."""

import multiprocessing
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from hapsis.cli import main
from hapsis.commands import prepare
from hapsis.compiler.backends import cache
from hapsis.compiler.backends.llvm import background
from hapsis.motion.solvers.integrators.methods import METHODS

MODEL = Path(__file__).parents[2] / "examples" / "models" / "pendulum.yaml"
FEW = {"hapsis.motion.solvers.linear.cholesky:solve_definite": 882, prepare.FUNCTIONS: 9000}


def test_every_method_and_loop_is_prepared():
    names = list(prepare.helpers())
    assert len(names) == len(set(names))
    for method in METHODS.values():
        assert f"{method.advance.__module__}:{method.advance.__name__}" in names
    assert list(prepare.helpers().values()) == sorted(prepare.helpers().values(), reverse=True)
    assert {"hapsis.touch.realtime.native_loop:run", "hapsis.touch.realtime.guard:tick", *FEW} <= set(names)


def test_the_command(monkeypatch, tmp_path, capsys):
    background.settled()  # of other tests: it stores code where the cache is now
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path))
    monkeypatch.setattr(prepare, "helpers", lambda: FEW)
    assert main(["prepare"]) == 0
    shown = capsys.readouterr()
    assert re.fullmatch(r"2 native helpers are ready in \S+: 2 of them compiled in \S+ s\n", shown.out)
    assert shown.err.splitlines()[0] == "preparing helpers: 2 parts"
    stored = {name for *_, name in _entries()}
    assert stored
    monkeypatch.setattr(prepare, "ProcessPoolExecutor", None)  # from now on there is nothing to do
    assert main(["prepare", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["prepare"]) == 0
    shown = capsys.readouterr()
    assert shown.out.endswith("/objects: all of them were there already\n") and shown.err == ""
    assert {name for *_, name in _entries()} == stored


def test_without_a_cache_it_says_so(monkeypatch, capsys):
    monkeypatch.setenv("HAPSIS_CACHE", "")
    assert main(["prepare"]) == 2
    assert "nothing can be kept" in capsys.readouterr().err


@pytest.mark.slow
def test_a_run_after_it_compiles_no_helper(monkeypatch, tmp_path):
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path))
    names = [name for name in prepare.helpers() if "integrators" in name or name == prepare.FUNCTIONS]
    # in another process: this one may have compiled them before
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        list(pool.map(prepare.prepare, names))
    assert all(map(prepare.is_ready, names))
    program = """
import hapsis as hs, sys
from hapsis.compiler.native import build
def refused(definition): raise AssertionError(f"{definition.name} is compiled again")
build.module = refused
hs.simulate(hs.load(sys.argv[1]), 0.1)
"""
    done = subprocess.run([sys.executable, "-c", program, str(MODEL)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def _entries():
    folder = cache.folder()
    return [(path.name,) for path in folder.iterdir()]
