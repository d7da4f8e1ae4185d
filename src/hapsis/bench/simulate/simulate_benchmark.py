"""`hapsis bench simulate`: ours against MuJoCo (C), Exudyn (C++) and SciPy, in one run.

Chains and an arm move freely or under control (`simulate_cases.py`); every contender gets the same
file, start and law, and runs with many steps or tolerances. The error is the largest one of a
coordinate at the end, against DOP853 at 1e-13 on our equations; a method that does not tend to it,
in coordinates and energy, is reported and takes no part in ratios. Costs are processor seconds per
simulated second, interpolated where the error is 1e-3, 1e-6, 1e-9 (where the coarsest run is
better: its own cost). Contenders take turns; the minimum counts.

A pile of boxes (`simulate_pile.py`) is compared by its cost and by how it rests.
"""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hapsis.bench.contest import (
    LONGEST,
    ROUNDS,
    Row,
    again,
    all_entered,
    closing,
    costs,
    curve,
    finest,
    finite,
    readable,
)
from hapsis.bench.simulate import simulate_cases, simulate_pile
from hapsis.bench.simulate.simulate_reference import Motion, Scipy
from hapsis.bench.simulate.simulate_report import cheapest, text, times_faster
from hapsis.bench.watch import SILENT, Watch, each
from hapsis.bench.work_precision import Outcome, slope

QUICK = 1e-3  # the finest step or tolerance of a quick run
AGREEMENT, ENERGY = 1e-3, 1e-3  # errors in the limit of small steps: the same motion, or not


def run(
    names: Sequence[str] | None = None, quick: bool = False, watch: Watch = SILENT, pile: bool = True
) -> Row:
    """All figures; `names` are cases of `simulate_cases.NAMES`, `quick` is one short round."""
    notes: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        entries = readable(
            simulate_cases.NAMES if names is None else names, simulate_cases.case, folder, notes
        )
        rows = each(watch, entries, lambda x: x.name, lambda x: measured(x, folder, notes, quick), line)
        watch.begin("pile")
        landed = landings(folder, notes, quick) if pile else []
    figures: Row = {"cases": rows, "pile": landed, "notes": list(dict.fromkeys(notes))}
    figures["times_faster"] = times_faster(figures)
    return figures


def line(row: Row) -> str:
    """One motion in a line: the cost of a simulated second where the error is 1e-6."""
    best = cheapest(row, "1e-06")
    parts = (f"{name} {1e3 * cost:.3g} ms ({method})" for name, (cost, method) in best.items())
    return f"{row['name']:12}1e-6: " + (", ".join(parts) or "reached by nobody")


def contenders(motion: Motion, folder: Path, notes: list[str]) -> list[Any]:
    """Who takes part: `name`, `curves()` (per method: settings and runs) and `close()` each."""
    from hapsis.bench.simulate.simulate_exudyn import Exudyn
    from hapsis.bench.simulate.simulate_mujoco import Mujoco
    from hapsis.bench.simulate.simulate_ours import Ours

    makers = (
        lambda: Ours(motion.case),
        lambda: Mujoco(motion.case, folder),
        lambda: Exudyn(motion.case),
        lambda: Scipy(motion),
    )
    return all_entered(makers, notes)


def piles(folder: Path, notes: list[str]) -> list[Any]:
    """Who lets the pile fall: `name`, `runs()` (per method and step) and `close()` each."""
    from hapsis.bench.simulate.simulate_exudyn_pile import ExudynPile
    from hapsis.bench.simulate.simulate_ours_pile import OursPile, ScipyPile
    from hapsis.bench.simulate.simulate_pile import MujocoPile

    return all_entered((OursPile, lambda: MujocoPile(folder), ExudynPile, ScipyPile), notes)


def measured(case: simulate_cases.Case, folder: Path, notes: list[str], quick: bool) -> Row:
    """Every method of every contender on one case."""
    motion, rows = Motion(case), []
    with closing(contenders(motion, folder, notes)) as peers:
        for peer in peers:
            for method, settings in peer.curves().items():
                row: Row = {"contender": peer.name, "method": method}
                row["points"] = first_runs(settings, motion, quick)
                rows.append(row)
        again([p for row in rows for p in row["points"]], 0 if quick else ROUNDS - 1)
    for row in rows:
        row["agrees"] = agrees(row, motion)
        summarise(row, case.until, motion.doubt)
        if not row["agrees"]:
            what = f"{row['contender']} {row['method']}, {case.name}"
            notes.append(f"{what}: not the same motion, or not converged")
    return {
        "name": case.name,
        "speeds": case.robot.size,
        "until": case.until,
        "doubt": motion.doubt,
        "methods": rows,
    }


def first_runs(
    settings: Sequence[tuple[float, Callable[[], Outcome]]], motion: Motion, quick: bool
) -> list[Row]:
    """One run per setting, from coarse to fine, until one would take too long."""
    points: list[Row] = []
    for setting, go in settings:
        if quick and setting < QUICK:
            break
        if points and points[-1]["seconds"] * points[-1]["setting"] / setting > 4 * LONGEST:
            break
        outcome = go()
        errors = {"error": motion.error(outcome), "energy_error": motion.energy_error(outcome)}
        point: Row = {"setting": setting, "steps": outcome.steps, "seconds": outcome.seconds}
        points.append(point | finite(errors) | {"go": go, "end": outcome})
        if outcome.seconds > LONGEST:
            break
    return points


def agrees(row: Row, motion: Motion) -> bool:
    """Whether a method converges to the reference: at its finest setting, or by extrapolation."""
    ends = finest([point.pop("end") for point in row["points"]])
    return any(motion.error(x) <= AGREEMENT and motion.energy_error(x) <= ENERGY for x in ends)


def summarise(row: Row, until: float, doubt: float) -> None:
    """Adds the cost per step, costs at equal errors, real-time factors and the slope of errors."""
    points = row["points"]
    steps = [(p["setting"], error) for p, (error, _) in zip(points, curve(points, until), strict=True)]
    row["step_s"] = min(p["seconds"] / p["steps"] for p in points)
    row["cost"] = costs(points, until)
    row["real_time"] = {k: None if x is None else 1 / x for k, x in row["cost"].items()}
    row["slope"] = slope(steps, max(1e3 * doubt, 1e-11))


def landings(folder: Path, notes: list[str], quick: bool) -> list[Row]:
    """The pile by every contender: cost, and how it rests."""
    rows: list[Row] = []
    with closing(piles(folder, notes)) as peers:
        for peer in peers:
            for (method, step), go in peer.runs().items():
                landing = go()
                rest = simulate_pile.rest(landing)
                row: Row = {"contender": peer.name, "method": method, "setting": step}
                row |= {"steps": landing.steps, "seconds": landing.seconds, "go": go}
                row["rest"] = finite(rest)
                rows.append(row | {"stands": simulate_pile.resting(rest)})
        again(rows, 0 if quick else ROUNDS - 1)
    for row in rows:
        row["step_s"] = row["seconds"] / row["steps"]
        row["cost"] = row["seconds"] / simulate_pile.UNTIL
    return rows


def report(row: Row) -> str:
    """The figures as tables."""
    return text(row)
