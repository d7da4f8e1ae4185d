"""`hapsis bench dynamics`: ours against Pinocchio (C++), MuJoCo (C) and CasADi (C), in one run.

Every contender reads the same URDF file and computes the same 256 random states; results that
differ from Pinocchio's by more than 1e-9 are reported as wrong and not timed. Contenders take
turns, several rounds, so that a machine that slows down slows all of them; the minimum counts.

    ours       the bare compiled kernel, one state after the other
    batch      per state, the batch kernel on one core, states and results in its caches (512 kB),
               64-bit; f32: 32-bit
    far batch  per state, one call from Python for 4096 states (64 MB at most) on one core: as fast
               as memory takes results
    python     a call from Python with out=
"""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.bench import robots
from hapsis.bench.contest import Row, closing, entered, own_cache, readable
from hapsis.bench.dynamics.dynamics_ours import QUANTITIES, WAYS, Ours, generated, model_of, repeated
from hapsis.bench.dynamics.dynamics_report import ratio, targets, text
from hapsis.bench.rivals import Missing
from hapsis.bench.watch import SILENT, Watch, each, microseconds

Timer = Callable[[str, float], float]
TOLERANCE = 1e-9
ROUNDS, BUDGET = 6, 0.03  # turns of every contender, and seconds of each
LONG_CHAIN = 400  # joints, generated only


def run(names: Sequence[str] | None = None, quick: bool = False, watch: Watch = SILENT) -> Row:
    """All figures; `names` are those of `robots.NAMES`, `quick` is one short round."""
    notes: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        entries = readable(robots.NAMES if names is None else names, robots.robot, folder, notes)
        rows = each(watch, entries, lambda x: x.name, lambda x: measured(x, folder, notes, quick), line)
        extra = {} if quick else long_chain(folder, notes)
    figures: Row = {"models": rows, **extra, "notes": list(dict.fromkeys(notes))}
    figures["targets"] = targets(figures)
    return figures


def measured(robot: robots.Robot, folder: Path, notes: list[str], quick: bool) -> Row:
    """Every quantity of one robot by every contender."""
    states = robots.states(robot)
    rivals, ours = contenders(robot, states, folder, notes)
    row: Row = {"name": robot.name, "speeds": robot.size, "quantities": {}}
    with closing(rivals), own_cache(folder):
        if ours is not None:
            row["load_s"] = ours.load_s
        for quantity in QUANTITIES:
            row["quantities"][quantity] = compared(quantity, ours, rivals, notes, quick)
    return row


def contenders(
    robot: robots.Robot, states: robots.States, folder: Path, notes: list[str]
) -> tuple[list[Any], Ours | None]:
    """The rivals that are installed, Pinocchio first, and ours."""
    from hapsis.bench.dynamics.dynamics_casadi import Casadi
    from hapsis.bench.dynamics.dynamics_mujoco import Mujoco
    from hapsis.bench.dynamics.dynamics_pinocchio import Pinocchio

    rivals: list[Any] = []
    pinocchio = entered(lambda: Pinocchio(robot, states, folder, notes), notes)
    if pinocchio is not None:
        rivals += [pinocchio, entered(lambda: Casadi(robot, pinocchio, notes), notes)]
    rivals.append(entered(lambda: Mujoco(robot, states, folder, notes), notes))
    with own_cache(folder):
        ours = entered(lambda: Ours(robot, states, folder, notes), notes)
    return [peer for peer in rivals if peer is not None], ours


def compared(quantity: str, ours: Ours | None, rivals: list[Any], notes: list[str], quick: bool) -> Row:
    """Seconds of every contender that computes the quantity right, and our other figures."""
    able = [peer for peer in (ours, *rivals) if peer and quantity in peer.quantities()]
    first = rivals[0] if rivals and rivals[0].name == "pinocchio" else None
    reference = first.reference(quantity) if first else None
    row: Row = {"error": {}, "seconds": {}}
    timers: dict[str, Timer] = {}
    for peer in able:
        if reference is not None and peer.timed_as != "pinocchio_python":
            error = difference(peer.results(quantity), reference)
            row["error"][peer.name] = error
            if not error <= TOLERANCE:
                notes.append(f"{peer.name} is wrong by {error:.1e}: {quantity}, {peer.robot.name}")
                continue
        timers |= timers_of(peer)
    row["seconds"] = in_turns(timers, quantity, quick)
    if ours is not None and quantity in ours.compiled:
        row["ours"] = ours.compiled[quantity].facts
        row["lanes"] = ours.compiled[quantity].f.kernel.wide
    for peer in rivals:
        if peer.name == "casadi" and quantity in peer.flops:
            row["casadi_flops"] = peer.flops[quantity]
    return row


def timers_of(peer: Any) -> dict[str, Timer]:
    """The ways in which a contender is timed."""
    if peer.name != "ours":
        return {peer.timed_as: peer.seconds}

    def timer(way: str) -> Timer:
        return lambda quantity, budget: peer.seconds(quantity, budget, way)

    return {"ours" if way == "single" else f"ours_{way}": timer(way) for way in WAYS}


def in_turns(timers: dict[str, Timer], quantity: str, quick: bool) -> dict[str, float]:
    """The shortest time of each contender over all rounds."""
    best: dict[str, float] = {}
    for _ in range(1 if quick else ROUNDS):
        for name, timer in timers.items():
            took = timer(quantity, 0.002 if quick else BUDGET)
            best[name] = min(took, best.get(name, took))
    return best


def difference(results: Any, reference: Any) -> float:
    """The largest difference, on the scale of each state's largest entry."""
    count = len(reference)
    gap = np.abs(results - reference).reshape(count, -1).max(1)
    return float(np.max(gap / np.abs(reference).reshape(count, -1).max(1)))


def long_chain(folder: Path, notes: list[str]) -> Row:
    """Seconds to generate the forward dynamics of a long chain."""
    root = robots.chain(LONG_CHAIN, general=True)
    robot = robots.written("long chain", root, False, folder)
    try:
        model = model_of(robot)
        return {"long_chain_s": repeated(lambda: generated(model, "forward"))[1]}
    except Missing as problem:
        notes.append(f"ours: {problem}")
        return {}


def line(row: Row) -> str:
    """One robot in a line: what a call of ours takes, and how many times faster that is than Pinocchio."""
    parts: list[str] = []
    for quantity, figures in row["quantities"].items():
        times = ratio(figures, "pinocchio", "ours")
        beside = "" if times is None else f" (x {times:.2g})"
        parts.append(f"{quantity} {microseconds(figures['seconds'].get('ours'))}{beside}")
    return f"{row['name']:12}{', '.join(parts)}"


def report(row: Row) -> str:
    """The figures as tables, then what must be reached."""
    return text(row)
