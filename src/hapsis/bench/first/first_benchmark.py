"""`hapsis bench first`: whole processes from their start to the end of the first motion.

Wall time, the median of five; processor time beside it, which other work on the machine changes less.

    cold     the first process with a model; what `./run` prepares is there, the rest of the cache empty
    install  the same after a plain pip install: the cache is empty
    warm     a second process
    edited   a second process after a value was edited in the file, another one each time
    rivals   whole processes too: MuJoCo loads the robot and steps 0.1 s, Pinocchio loads it and
             evaluates the forward dynamics and its derivatives; CasADi traces the forward dynamics to
             C and gcc compiles it, without the start of Python

Modules of Python are compiled before, as installers do.
"""

import compileall
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hapsis
from hapsis.bench.first.first_cases import CASES, SHELL, Case, files
from hapsis.bench.first.first_report import line, text
from hapsis.bench.first.first_rivals import rivals
from hapsis.bench.watch import SILENT, Watch, each
from hapsis.errors import SolveError

Row = dict[str, Any]
TIMES = 5
PATIENCE = 600.0  # s that a process may take
COLUMNS = ("cold", "warm", "edited")


def run(names: Sequence[str] | None = None, quick: bool = False, watch: Watch = SILENT) -> Row:
    """All figures; `names` are cases of `first_cases.NAMES`.

    `quick` measures once, without rivals and without the column "install".
    """
    notes: list[str] = []
    chosen = [case for case in CASES if names is None or case.name in names]
    times = 1 if quick else TIMES
    watch.begin("compiling modules of Python")
    compileall.compile_dir(str(Path(hapsis.__file__).parent), quiet=2)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        watch.begin("hapsis prepare")
        prepared = _prepared(folder)
        rows = each(
            watch,
            chosen,
            lambda case: case.name,
            lambda case: measured(case, folder, prepared, times, notes, quick),
            line,
        )
    return {"cases": rows, "times": times, "notes": list(dict.fromkeys(notes))}


def _prepared(folder: Path) -> Path:
    """A cache as `./run` leaves it."""
    place = folder / "prepared"
    process([sys.executable, "-m", "hapsis", "prepare", "--quiet"], place)
    return place


def measured(case: Case, folder: Path, prepared: Path, times: int, notes: list[str], quick: bool) -> Row:
    """The times of one case."""
    row: Row = {"name": case.name, "asked_s": dict(zip(COLUMNS, case.most, strict=True))}
    paths = files(case, folder, times)
    if not paths:
        notes.append(f"{case.name} is left out: example-robot-data is not installed")
        return row
    original, *edited = (command(case, path) for path in paths)
    cache = folder / "cache"
    row["cold"] = [process(original, _copied(prepared, cache)) for _ in range(times)]
    row["warm"] = [process(original, cache) for _ in range(times)]
    row["edited"] = [process(each_edit, cache) for each_edit in edited]
    if not quick:
        row["install"] = [process(original, _copied(None, cache)) for _ in range(times)]
    for column in [column for column in (*COLUMNS, "install") if column in row]:
        walls, busy = zip(*row[column], strict=True)
        row[column] = {"wall_s": statistics.median(walls), "cpu_s": statistics.median(busy)}
    row["reached"] = all(row[c]["wall_s"] <= row["asked_s"][c] for c in COLUMNS)
    if case.robot and not quick:
        row["rivals"] = rivals(case.robot, folder, times, notes, process)
    return row


def command(case: Case, path: Path) -> list[str]:
    """The command line of a case for one file."""
    if case.program == SHELL:
        return [sys.executable, "-m", "hapsis", "simulate", str(path), "--until", "0.1"]
    return [sys.executable, "-c", case.program, str(path)]


def _copied(prepared: Path | None, cache: Path) -> Path:
    """A fresh cache: a copy of a prepared one, or an empty one."""
    shutil.rmtree(cache, ignore_errors=True)
    if prepared is not None:
        shutil.copytree(prepared, cache)
    return cache


def process(arguments: Sequence[str], cache: Path) -> tuple[float, float]:
    """Wall and processor seconds of a process with its own cache; an error with its last line if it fails."""
    environment = {**os.environ, "HAPSIS_CACHE": str(cache)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    root = str(Path(hapsis.__file__).parents[1])
    environment["PYTHONPATH"] = os.pathsep.join([root, environment.get("PYTHONPATH", "")]).strip(os.pathsep)
    busy, start = _processor_seconds(), time.perf_counter()
    done = subprocess.run(arguments, capture_output=True, text=True, env=environment, timeout=PATIENCE)
    wall = time.perf_counter() - start
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()[-1]
        raise SolveError(f"{' '.join(arguments)[:200]} fails: {last[:300]}")
    return wall, _processor_seconds() - busy


def _processor_seconds() -> float:
    """What processes of this one have taken that have ended."""
    spent = os.times()
    return spent.children_user + spent.children_system


def report(row: Row) -> str:
    """The figures as a table, with those to reach."""
    return text(row)
