"""`hapsis bench batch`: what a run costs among many, at equal error of the last coordinates.

Time per run, the shortest of some rounds: wall time, and processor time of all threads, which other work on
the machine changes less. The error is the largest of all coordinates of all runs at the end, against ours at
the tightest tolerance; how far that differs from SciPy's is told as `doubt`.
"""

import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.bench.batch.batch_cases import NAMES, Case, case
from hapsis.bench.batch.batch_contenders import FEW, Entry, contenders
from hapsis.bench.batch.batch_report import line, times_faster
from hapsis.bench.contest import Row
from hapsis.bench.watch import SILENT, Watch, each
from hapsis.bench.work_precision import LEVELS, cost_at
from hapsis.errors import Notice

ROUNDS = 3
LONGEST = 8.0  # s; a setting that takes longer is the last of its method
TIGHT = 1e-13
QUICK_SETTINGS = slice(None, None, 2)


def run(names: Sequence[str] | None = None, quick: bool = False, watch: Watch = SILENT) -> Row:
    """All figures; `names` are mechanisms, `quick` measures a tenth of the runs once."""
    notes: list[str] = []
    cases = [case(name, quick) for name in NAMES if names is None or name in names]
    rows = each(watch, cases, lambda x: x.name, lambda x: measured(x, notes, quick), line)
    result: Row = {"cases": rows, "notes": list(dict.fromkeys(notes))}
    by_cpu = times_faster(result, "cpu_cost")
    return result | {"times_faster": times_faster(result), "times_faster_cpu": by_cpu}


def measured(mechanism: Case, notes: list[str], quick: bool) -> Row:
    """One mechanism by all contenders."""
    entries = list(contenders(mechanism, notes))
    best = entries[0].go(TIGHT, len(mechanism.starts))
    check = next(e for e in entries if e.method == "DOP853")
    few = min(FEW, len(best))
    doubt = float(np.abs(check.go(TIGHT, few) - best[mechanism.chosen(few)]).max())
    row: Row = {"name": mechanism.name, "runs": len(mechanism.starts), "until": mechanism.until}
    row |= {"doubt": doubt, "methods": []}
    for entry in entries:
        points = curve(entry, best[mechanism.chosen(entry.count)], 1 if quick else ROUNDS, quick)
        row["methods"].append(
            {"contender": entry.contender, "method": entry.method, "runs": entry.count}
            | {"points": points, "cost": costs(points, "seconds"), "cpu_cost": costs(points, "cpu_seconds")}
        )
    return row


def costs(points: list[Row], clock: str) -> dict[str, float | None]:
    """The lowest cost of a run for each level of error; a finer setting may be faster than a coarse one."""
    table: dict[str, float | None] = {}
    for level in LEVELS:
        between = cost_at(level, [(p["error"], p[clock]) for p in points])
        enough = [p[clock] for p in points if p["error"] <= level]
        table[f"{level:.0e}"] = None if between is None else min([between, *enough])
    return table


def curve(entry: Entry, best: Any, rounds: int, quick: bool) -> list[Row]:
    """Error and seconds per run for each setting, from coarse to fine."""
    points: list[Row] = []
    entry.go(entry.settings[0], min(2, entry.count))  # compiles
    for setting in entry.settings[QUICK_SETTINGS if quick else slice(None)]:
        took, busy, ends = np.inf, np.inf, best
        for _ in range(rounds):
            clock, began = time.process_time(), time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", Notice)  # coarse settings are meant to be so
                ends = entry.go(setting, entry.count)
            took, busy = min(took, time.perf_counter() - began), min(busy, time.process_time() - clock)
        error = float(np.abs(ends - best).max())
        point = {"setting": setting, "error": error, "seconds": took / entry.count}
        points.append(point | {"cpu_seconds": busy / entry.count})
        if took > LONGEST:
            break
    return points
