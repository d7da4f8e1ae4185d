"""`hapsis bench batch`: what a run costs among many, at equal error of the last coordinates.

Wall time per run, the shortest of some rounds. The error is the largest of all coordinates of all runs at the
end, against ours at the tightest tolerance; how far that differs from SciPy's is told as `doubt`.
"""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.bench.batch.batch_cases import NAMES, Case, case
from hapsis.bench.batch.batch_contenders import FEW, Entry, contenders
from hapsis.bench.batch.batch_report import line, times_faster
from hapsis.bench.contest import Row
from hapsis.bench.watch import SILENT, Watch, each
from hapsis.bench.work_precision import LEVELS, cost_at

ROUNDS = 3
LONGEST = 4.0  # s; a setting that takes longer is the last of its method
TIGHT = 1e-13
QUICK_SETTINGS = slice(None, None, 2)


def run(names: Sequence[str] | None = None, quick: bool = False, watch: Watch = SILENT) -> Row:
    """All figures; `names` are mechanisms, `quick` measures a tenth of the runs once."""
    notes: list[str] = []
    cases = [case(name, quick) for name in NAMES if names is None or name in names]
    rows = each(watch, cases, lambda x: x.name, lambda x: measured(x, notes, quick), line)
    result: Row = {"cases": rows, "notes": list(dict.fromkeys(notes))}
    return result | {"times_faster": times_faster(result)}


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
            | {"points": points, "cost": {f"{level:.0e}": lowest(level, points) for level in LEVELS}}
        )
    return row


def lowest(level: float, points: list[Row]) -> float | None:
    """The lowest cost of an error at most so large; a finer setting may be faster than a coarse one."""
    between = cost_at(level, [(p["error"], p["seconds"]) for p in points])
    return None if between is None else min([between, *(p["seconds"] for p in points if p["error"] <= level)])


def curve(entry: Entry, best: Any, rounds: int, quick: bool) -> list[Row]:
    """Error and seconds per run for each setting, from coarse to fine."""
    points: list[Row] = []
    entry.go(entry.settings[0], min(2, entry.count))  # compiles
    for setting in entry.settings[QUICK_SETTINGS if quick else slice(None)]:
        took, ends = np.inf, best
        for _ in range(rounds):
            began = time.perf_counter()
            ends = entry.go(setting, entry.count)
            took = min(took, time.perf_counter() - began)
        error = float(np.abs(ends - best).max())
        points.append({"setting": setting, "error": error, "seconds": took / entry.count})
        if took > LONGEST:
            break
    return points
