"""`hapsis bench simulate`: ours against MuJoCo (C), Exudyn (C++) and SciPy, in one run.

Chains and an arm move freely or under control (`simulate_cases.py`); every contender gets the same
file, start and law, and runs with many steps or tolerances. The error is the largest one of a
coordinate at the end, against DOP853 at 1e-13 on our equations; a method that does not tend to it,
in coordinates and energy, is reported and takes no part in ratios. Costs are processor seconds per
simulated second, interpolated where the error is 1e-3, 1e-6, 1e-9 (where the coarsest run is
better: its own cost). Contenders take turns; the minimum counts.

A pile of boxes (`simulate_pile.py`) is compared by its cost and by how it rests.
"""

import math
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hapsis.bench.rivals import Missing
from hapsis.bench.simulate import simulate_cases, simulate_pile
from hapsis.bench.simulate.simulate_reference import Motion, Scipy
from hapsis.bench.simulate.simulate_report import text, times_faster
from hapsis.bench.work_precision import LEVELS, Outcome, cost_at, limit, slope

Row = dict[str, Any]
ROUNDS = 4  # turns of every contender
LONGEST, REPEATED = 1.5, 0.4  # seconds of a run at most, and of one that has all turns, not two
QUICK = 1e-3  # the finest step or tolerance of a quick run
AGREEMENT, ENERGY = 1e-3, 1e-3  # errors in the limit of small steps: the same motion, or not


def run(names: Sequence[str] | None = None, quick: bool = False, pile: bool = True) -> Row:
    """All figures; `names` are cases of `simulate_cases.NAMES`, `quick` is one short round."""
    notes: list[str] = []
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for chosen in names if names is not None else simulate_cases.NAMES:
            case = simulate_cases.case(chosen, folder)
            if case is None:
                notes.append(f"{chosen} is left out: example-robot-data is not installed")
                continue
            rows.append(measured(case, folder, notes, quick))
        landed = landings(folder, notes, quick) if pile else []
    figures: Row = {"cases": rows, "pile": landed, "notes": list(dict.fromkeys(notes))}
    figures["times_faster"] = times_faster(figures)
    return figures


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
    return entered(makers, notes)


def piles(folder: Path, notes: list[str]) -> list[Any]:
    """Who lets the pile fall: `name`, `runs()` (per method and step) and `close()` each."""
    from hapsis.bench.simulate.simulate_exudyn_pile import ExudynPile
    from hapsis.bench.simulate.simulate_ours_pile import OursPile, ScipyPile
    from hapsis.bench.simulate.simulate_pile import MujocoPile

    return entered((OursPile, lambda: MujocoPile(folder), ExudynPile, ScipyPile), notes)


def entered(makers: Sequence[Callable[[], Any]], notes: list[str]) -> list[Any]:
    """Those of the contenders that can be made; a note for each of the others."""
    peers = []
    for make in makers:
        try:
            peers.append(make())
        except Missing as problem:
            notes.append(str(problem))
    return peers


def measured(case: simulate_cases.Case, folder: Path, notes: list[str], quick: bool) -> Row:
    """Every method of every contender on one case."""
    motion, rows = Motion(case), []
    peers = contenders(motion, folder, notes)
    try:
        for peer in peers:
            for method, settings in peer.curves().items():
                row: Row = {"contender": peer.name, "method": method}
                row["points"] = first_runs(settings, motion, quick)
                rows.append(row)
        again([p for row in rows for p in row["points"]], 0 if quick else ROUNDS - 1)
    finally:
        for peer in peers:
            peer.close()
    for row in rows:
        row["agrees"] = agrees(row, motion)
        summarise(row, case.until, motion.doubt)
        if not row["agrees"]:
            what = f"{row['contender']} {row['method']}, {case.name}"
            notes.append(f"{what}: not the same motion, or its steps do not tell")
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
        errors = motion.error(outcome), motion.energy_error(outcome)
        error, energy = (x if math.isfinite(x) else None for x in errors)
        point = {"setting": setting, "steps": outcome.steps, "seconds": outcome.seconds}
        points.append(point | {"error": error, "energy_error": energy, "go": go, "end": outcome})
        if outcome.seconds > LONGEST:
            break
    return points


def again(points: list[Row], rounds: int) -> None:
    """More turns for all runs, one more for long ones; the shortest time stays."""
    for turn in range(rounds):
        for point in points:
            if turn == 0 or point["seconds"] < REPEATED:
                point["seconds"] = min(point["seconds"], point["go"]().seconds)
    for point in points:
        del point["go"]


def agrees(row: Row, motion: Motion) -> bool:
    """Whether the method tends to the reference: at its finest, or by what its steps tell."""
    ends = [point.pop("end") for point in row["points"]]
    finest = ends[-1:]
    if len(ends) > 1 and ends[-1].steps > ends[-2].steps:
        finest.append(limit(*ends[-2:]))
    return any(motion.error(x) <= AGREEMENT and motion.energy_error(x) <= ENERGY for x in finest)


def summarise(row: Row, until: float, doubt: float) -> None:
    """Adds the cost per step, costs at equal errors, real-time factors and the slope of errors."""
    points = row["points"]
    curve = [(math.inf if p["error"] is None else p["error"], p["seconds"] / until) for p in points]
    steps = [(p["setting"], error) for p, (error, _) in zip(points, curve, strict=True)]
    costs = {f"{level:.0e}": cost_at(level, curve) for level in LEVELS}
    row["step_s"] = min(p["seconds"] / p["steps"] for p in points)
    row["cost"] = costs
    row["real_time"] = {k: None if x is None else 1 / x for k, x in costs.items()}
    row["slope"] = slope(steps, max(1e3 * doubt, 1e-11))


def landings(folder: Path, notes: list[str], quick: bool) -> list[Row]:
    """The pile by every contender: cost, and how it rests."""
    rows: list[Row] = []
    peers = piles(folder, notes)
    try:
        for peer in peers:
            for (method, step), go in peer.runs().items():
                landing = go()
                rest = simulate_pile.rest(landing)
                row: Row = {"contender": peer.name, "method": method, "setting": step}
                row |= {"steps": landing.steps, "seconds": landing.seconds, "go": go}
                row["rest"] = {k: x if math.isfinite(x) else None for k, x in rest.items()}
                rows.append(row | {"stands": simulate_pile.resting(rest)})
        again(rows, 0 if quick else ROUNDS - 1)
    finally:
        for peer in peers:
            peer.close()
    for row in rows:
        row["step_s"] = row["seconds"] / row["steps"]
        row["cost"] = row["seconds"] / simulate_pile.UNTIL
    return rows


def report(row: Row) -> str:
    """The figures as tables."""
    return text(row)
