"""Speeds that keep the loops closed: given and driven ones as they are, the others computed."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.errors import SolveError
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.analysis.assembly.loop_report import Assembly
from hapsis.motion.analysis.start_values import names_combinations
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

TORN = 1e-9  # of the speeds: a larger rate of a row is a contradiction


def closed_speeds(loops: Loops, q: Array, given: Mapping[str, float], report: Assembly) -> Array:
    """All speeds at a closed pose.

    Given and driven speeds are exact. Independent speeds are those of the model's pose "start", or
    zero, as far as the constraints allow; the others follow from them.
    """
    v, rate, largest = _fitted_speeds(loops, q, given, report)
    if names_combinations(loops.model, given):
        from hapsis.motion.analysis.assembly.combined_speeds import fitted

        start = loops.model.pose("start") if "start" in loops.model.poses else {}
        return fitted(loops, q, given, start_speeds(loops.model, start, given))
    if np.abs(rate).max(initial=0.0) > largest:
        spare = [
            name
            for name in loops.model.speeds
            if name in given and _fits(loops, q, {n: x for n, x in given.items() if n != name}, report)
        ]
        raise _torn(loops, rate, given, spare)
    return v


def _fits(loops: Loops, q: Array, given: Mapping[str, float], report: Assembly) -> bool:
    _, rate, largest = _fitted_speeds(loops, q, given, report)
    return bool(np.abs(rate).max(initial=0.0) <= largest)


def _fitted_speeds(
    loops: Loops, q: Array, given: Mapping[str, float], report: Assembly
) -> tuple[Array, Array, float]:
    """The speeds, the rates of the rows with them, and the largest rate that is no contradiction."""
    model = loops.model
    start = model.pose("start") if "start" in model.poses else {}
    v = start_speeds(model, start, given)
    exact = {loops.slots[name] for name in loops.driven}
    for name, drive in loops.driven.items():
        if drive.velocity is not None:
            v[loops.slots[name]] = drive.velocity
    exact |= {k for k, name in enumerate(model.speeds) if name in given}
    if not loops.names:
        return v, np.zeros(0), 0.0
    J, drift = loops.relative_jacobian(q), loops.drift(q) / loops.row_units
    fixed = _kept(J, exact, slots_of(loops, report.independent))
    free = [k for k in range(len(v)) if k not in fixed]
    v /= loops.speed_units
    v[free] -= np.linalg.lstsq(J[:, free], J @ v + drift, rcond=None)[0]
    rate = J @ v + drift
    largest = TORN * max(1.0, float(np.abs(J).max() * np.abs(v).max()))
    return v * loops.speed_units, rate, largest


def start_speeds(model: Model, start: Mapping[str, float], given: Mapping[str, float]) -> Array:
    """The speeds of a start, over those of a pose."""
    return np.array([float(given.get(n, start.get(n, 0.0))) for n in model.speeds])


def slots_of(loops: Loops, names: Any) -> list[int]:
    """The places in v of coordinates, or of speeds."""
    speeds = {name: k for k, name in enumerate(loops.model.speeds)}
    return [loops.slots[name] if name in loops.slots else speeds[name] for name in names]


def _kept(J: Array, exact: set[int], wanted: list[int]) -> set[int]:
    """The places of speeds that are fixed: the exact ones, and as many wanted ones as the rows allow."""
    kept = set(exact)
    rank = pivots(J, kept).rank
    for k in wanted:
        if k not in kept and pivots(J, {*kept, k}).rank == rank:
            kept.add(k)
    return kept


def _torn(loops: Loops, rate: Array, given: Mapping[str, float], spare: list[str]) -> SolveError:
    """The error that names the loop that would open, its speed, and what prescribes the speeds."""
    worst = int(np.argmax(np.abs(rate)))
    loop, speed = loops.names[worst].rpartition(".")[0], abs(rate[worst]) * loops.row_units[worst]
    drives = [f'"{d.drive.name}"' for d in loops.driven.values() if not d.constant]
    speeds = [f'"{name}"' for name in loops.model.speeds if name in given]
    causes = [f"the drives {', '.join(drives)}"] if drives else []
    causes += [f"the speeds given for {', '.join(speeds)}"] if speeds else []
    cause = f"with {' and '.join(causes)} " if causes else ""
    return SolveError(
        f'{cause}the loops do not stay closed: "{loop[:60]}" would open at {speed:.3g} per second',
        expected="speeds that keep all loops closed",
        remedy="leave out " + " or ".join(f'"{name[:60]}"' for name in spare[:3])
        if spare
        else "give or drive fewer of them",
    )
