"""`hapsis bench loops`: ours against MuJoCo (C), Exudyn (C++) and Pinocchio (C++), in one run.

Five mechanisms (`loops_cases.py`), described to each rival by the same tables. The accelerations of
each in two poses, with loops held exactly, must agree with our equations. Then every method runs with
many steps or tolerances. Per run: processor time of a step, the widest gap of a loop, the change of
energy that no force explains, and the error of one coordinate at the end, against DOP853 at 1e-12
on our reduced equations.

We are compared per step where all take the same one, by Runge-Kutta's classic method, and by the
cost of an equal error, each with its best method (where the coarsest run is better: its own cost).
Contenders take turns; the minimum counts.
"""

import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.bench.contest import LONGEST, ROUNDS, Row, again, all_entered, closing, costs, finest, finite
from hapsis.bench.loops.loops_cases import Case, cases
from hapsis.bench.loops.loops_motion import Motion
from hapsis.bench.loops.loops_motion import Path as Moved
from hapsis.bench.loops.loops_ours import ADAPTIVE, USUAL
from hapsis.bench.loops.loops_report import OURS, goal, text, times_faster
from hapsis.bench.loops.loops_report import best as lowest
from hapsis.bench.watch import SILENT, Watch, each, microseconds
from hapsis.bench.work_precision import Outcome
from hapsis.errors import Notice

Settings = list[tuple[float, Callable[[], Moved]]]
AGREEMENT = 1e-3  # error in the limit of small steps: the same motion, or not
SAME = (1e-8, 1e-6)  # of accelerations at the start and half-way, relative to the largest; where
# it moves Exudyn differentiates by differences


def run(names: Sequence[str] | None = None, quick: bool = False, watch: Watch = SILENT) -> Row:
    """All figures; `names` are cases, `quick`: two rounds, with two settings of each method."""
    notes: list[str] = []
    known = cases()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", Notice)  # coarse runs lose energy: it is in the figures
        selected = names if names is not None else known
        rows = each(
            watch, selected, str, lambda name: measured(known[name], Path(folder), notes, quick), line
        )
    figures: Row = {"cases": rows, "notes": list(dict.fromkeys(notes))}
    figures["times_faster"], figures["goal"] = times_faster(figures), goal(figures)
    return figures


def contenders(motion: Motion, folder: Path, notes: list[str]) -> list[Any]:
    """Who takes part: `name`, `accelerations(probes)`, `runs(notes)` and `close()` each."""
    from hapsis.bench.loops.loops_exudyn import Exudyn
    from hapsis.bench.loops.loops_mujoco import Mujoco
    from hapsis.bench.loops.loops_ours import Ours
    from hapsis.bench.loops.loops_pinocchio import Pinocchio

    rivals = [lambda make=make: make(motion, folder) for make in (Mujoco, Exudyn, Pinocchio)]
    return [Ours(motion), *all_entered(rivals, notes)]


def measured(case: Case, folder: Path, notes: list[str], quick: bool) -> Row:
    """Every method of every contender on one case."""
    motion, rows = Motion(case), []
    with closing(contenders(motion, folder, notes)) as peers:
        for peer in peers:
            off = deviation(motion, peer)
            if not all(x <= most for x, most in zip(off, SAME, strict=True)):
                notes.append(f"{peer.name}, {case.name}: accelerations are off by {max(off):.0e}")
            rows += methods(peer, motion, max(off), notes, quick)
        again([point for row in rows for point in row["points"]], 1 if quick else ROUNDS - 1)
    for row in rows:
        summarise(row, motion)
        if not row["agrees"]:
            what = f"{row['contender']} {row['method']}, {case.name}"
            notes.append(f"{what}: not the same motion, or not converged")
    return {
        "name": case.name,
        "coordinates": motion.size,
        "rows": len(motion.rows(motion.start.q, motion.start.v).h),
        "coordinate": case.coordinate,
        "until": case.until,
        "step": case.step,
        "doubt": motion.doubt,
        "nearest": nearest(rows),
        "methods": rows,
    }


def nearest(rows: list[Row]) -> float | None:
    """How near any rival comes to the reference: it has equations of its own."""
    errors = [p["error"] for row in rows if row["contender"] != OURS for p in row["points"]]
    return min((x for x in errors if x is not None), default=None)


def deviation(motion: Motion, peer: Any) -> list[float]:
    """How far a contender's accelerations are from ours in two poses, relative to the largest."""
    ours, theirs = motion.accelerations(), peer.accelerations(motion.probes())
    return (np.abs(theirs - ours).max(axis=1) / np.abs(ours).max(axis=1)).tolist()


def methods(peer: Any, motion: Motion, off: float, notes: list[str], quick: bool) -> list[Row]:
    """A row for each method of a contender."""
    rows: list[Row] = []
    for method, settings in peer.runs(notes).items():
        shown = USUAL if method == ADAPTIVE else motion.case.step
        row: Row = {"contender": peer.name, "method": method, "shown": shown, "deviation": off}
        row["points"] = first_runs(chosen(settings, shown, quick), motion)
        rows.append(row)
    return rows


def chosen(settings: Settings, shown: float, quick: bool) -> Settings:
    """All settings; for a quick run the one that is shown, and the next."""
    at = [setting for setting, _ in settings].index(shown)
    return settings[at : at + 2] if quick else settings


def first_runs(settings: Settings, motion: Motion) -> list[Row]:
    """One run per setting, from coarse to fine, until one takes too long."""
    points: list[Row] = []
    for setting, go in settings:
        path = go()
        figures = {
            "error": motion.error(path),
            "gap": motion.gap(path),
            "energy_error": motion.energy_error(path),
        }
        point: Row = {"setting": setting, "steps": path.steps, "seconds": path.seconds}
        point["besides"] = path.besides
        points.append(point | finite(figures) | {"go": go, "end": path})
        if path.seconds > LONGEST:
            break
    return points


def summarise(row: Row, motion: Motion) -> None:
    """Adds whether it is the same motion, the figures of the step for all, costs of errors."""
    points, until = row["points"], motion.case.until
    row["agrees"] = agrees([point.pop("end") for point in points], motion)
    shown = next(point for point in points if point["setting"] == row["shown"])
    row["at"] = {name: shown[name] for name in ("steps", "error", "gap", "energy_error")}
    row["step_s"], row["besides_s"] = shown["seconds"] / shown["steps"], shown["besides"]
    row["cost"] = costs(points, until)


def agrees(paths: list[Moved], motion: Motion) -> bool:
    """Whether a method converges to the reference: at its finest setting, or by extrapolation."""
    ends = [Outcome(p.seconds, p.steps, p.q[-1], p.v[-1]) for p in paths]
    k = motion.place
    return any(abs(float(x.q[k] - motion.q[-1, k])) <= AGREEMENT for x in finest(ends))


def line(row: Row) -> str:
    """One mechanism in a line: a step of each contender's fastest method."""
    best = lowest(row, lambda method: method["step_s"])
    return f"{row['name']:16}a step: " + ", ".join(f"{n} {microseconds(x)}" for n, x in best.items())


def report(row: Row) -> str:
    """The figures as tables."""
    return text(row)
