"""The verb `assemble`: coordinates that close all loops, near a start, some of them held.

Least squares on the coordinates that are not held, on the manifold of poses: it needs no partition
and takes redundant rows as they come (the way of seed 002). Where it ends in a wrong place it
starts again from places around the start, exact zeros first moved a little. The closed pose then
tells rank, mobility, redundant rows and the partition, by full pivoting.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from hapsis.errors import ModelError, SolveError
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.state import State
from hapsis.motion.analysis.loops import Array, Loops
from hapsis.motion.analysis.starts import start_of
from hapsis.motion.solvers.least_squares import least_squares
from hapsis.motion.solvers.pivoting import pivots

CLOSED = 1e-12  # m or rad, over all rows together
TRIES = (0.0, 1e-3, 1e-2, *([0.1] * 6), *([0.4] * 10), *([1.5] * 20))  # how far starts are moved


class Assembly(NamedTuple):
    """What is known of the loops in a closed pose.

    independent  coordinates that determine the others
    redundant    rows that say nothing new
    mobility     ways to move: coordinates less locks less the rank of what is left
    rank         rows that say something
    rows         all rows
    gap          the largest of them
    """

    independent: tuple[str, ...]
    redundant: tuple[str, ...]
    mobility: int
    rank: int
    rows: int
    gap: float

    def __str__(self) -> str:
        named = ", ".join(self.redundant) or "none"
        return (
            f"mobility {self.mobility}; {self.rows} rows of rank {self.rank}, redundant: {named}; "
            f"independent: {', '.join(self.independent) or 'none'}; closed to {self.gap:.1e}"
        )


def assemble(model: Model, given: Mapping[str, float] | None = None) -> State:
    """The coordinates and speeds that close all loops; `.report` says what was found.

    Held are the coordinates given, else the model's `independent`; driven ones always. The others
    start from the model's pose "start", else from zero.
    """
    if given is not None and not isinstance(given, Mapping):  # pyright: ignore
        raise ModelError("given must be {coordinate: value}")
    loops = Loops(model)
    q = start_of(model, dict(given or {}))
    for name, drive in loops.driven.items():
        q[model.coordinates.index(name)] = drive.position
    held = _held(loops, given)
    q = _closed(loops, q, held)
    report = _partitioned(loops, q, held, given is not None)
    return State(model.coordinates, model.speeds, q, _speeds(loops, q, given, report), report)


def _held(loops: Loops, given: Mapping[str, float] | None) -> list[int]:
    """The speeds of the coordinates that stay."""
    names = [n for n in (given or {}) if n in loops.model.coordinates]
    wanted = names if given else list(loops.model.independent)
    return sorted({loops.slots[n] for n in (*wanted, *loops.driven) if n in loops.slots})


def _closed(loops: Loops, start: Array, held: list[int]) -> Array:
    """Newton-like steps from the start, then from places around it."""
    free = np.array([k for k in range(len(loops.rest)) if k not in held], dtype=int)

    def moved(q: Array, d: Array) -> Array:
        step = np.zeros(len(loops.rest))
        step[free] = d
        return loops.moved(q, step)

    draw, best, least = np.random.default_rng(0), start, np.inf
    for size in TRIES:
        shift = size * draw.uniform(-1.0, 1.0, len(free)) if size else np.zeros(len(free))
        found = least_squares(
            loops.gap, lambda q: loops.jacobian(q)[:, free], moved(start, shift),
            retract=moved, goal=0.1 * CLOSED,
        )  # fmt: skip
        gap = float(np.linalg.norm(found.residual))
        if gap <= CLOSED:
            return found.x
        if gap < least:
            best, least = found.x, gap
    raise _open(loops, best)


def _open(loops: Loops, q: Array) -> SolveError:
    """The loop that stays open, by how much, and the nearest pose."""
    gap = loops.gap(q)
    worst = loops.names[int(np.argmax(np.abs(gap)))].rpartition(".")[0]
    mine = [abs(x) for x, n in zip(gap, loops.names, strict=True) if n.startswith(f"{worst}.")]
    pose = ", ".join(f"{n} {x:.4g}" for n, x in zip(loops.model.coordinates[:8], q, strict=False))
    return SolveError(
        f'the loops cannot be closed: "{worst[:60]}" stays open by {max(mine):.3g}',
        expected=f"coordinates that close it; nearest: {pose}",
        remedy="hold fewer coordinates, or start nearer",
    )


def _partitioned(loops: Loops, q: Array, held: list[int], chosen: bool) -> Assembly:
    """Rank, redundant rows and independent coordinates of a closed pose."""
    J, model = loops.jacobian(q), loops.model
    locks = [loops.slots[n] for n, d in loops.driven.items() if d.constant and n in loops.slots]
    driven = [loops.slots[n] for n in loops.driven if n in loops.slots]
    all_rows = pivots(J, locks)
    wanted = held if chosen or model.independent else driven
    split = pivots(J, wanted)
    if split.rank < all_rows.rank:
        split = pivots(J, driven)  # what was held cannot be independent
    names = {slot: name for name, slot in loops.slots.items()}
    free = [k for k in range(len(loops.rest)) if k not in split.dependent and k not in driven]
    return Assembly(
        tuple(names.get(k, model.speeds[k]) for k in sorted(free)),
        tuple(loops.names[k] for k in all_rows.redundant),
        len(loops.rest) - len(locks) - all_rows.rank,
        all_rows.rank,
        len(loops.names),
        float(np.abs(loops.gap(q)).max(initial=0.0)),
    )


def _speeds(loops: Loops, q: Array, given: Mapping[str, float] | None, report: Assembly) -> Array:
    """Speeds that keep the loops closed, with those that are given or driven."""
    model = loops.model
    v = np.zeros(len(loops.rest))
    for k, name in enumerate(model.speeds):
        v[k] = float((given or {}).get(name, 0.0))
    for name, drive in loops.driven.items():
        v[loops.slots[name]] = drive.velocity
    if not loops.names:
        return v
    index = {name: loops.slots.get(name, -1) for name in report.independent}
    fixed = {k for k in index.values() if k >= 0} | {loops.slots[n] for n in loops.driven}
    free = [k for k in range(len(v)) if k not in fixed]
    J = loops.jacobian(q)
    v[free] -= np.linalg.lstsq(J[:, free], J @ v + loops.drift(q), rcond=None)[0]
    return v
