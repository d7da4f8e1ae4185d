"""The different ways in which loops can close with the same coordinates held.

Least squares from many starts, always the same ones. Two ends are the same assembly where every
body is in the same place; each angle is told within half a turn of where it started.
"""

import numpy as np

from hapsis.motion.analysis.assembly.loop_closers import CLOSED, Closer
from hapsis.motion.analysis.assembly.loop_numbers import Array

STARTS = 64  # places anywhere, after those around the start
SAME = 1e-6  # m, and of the axes: bodies that are nearer are in one place


def branches(closer: Closer, start: Array, wanted: Array, method: str) -> list[Array]:
    """All assemblies that are found, as they are found; first from where `wanted` says."""
    placed = closer.ends.placed
    first = np.where(np.isnan(wanted) | ~_movable(closer, len(start)), start, wanted)
    method = "least squares" if method == "auto" else method
    poses: list[Array] = []
    seen: list[Array] = []
    around = (q for tier in closer.around(first, few=True) for q in tier)
    for q in (first, start, *around, *closer.anywhere(start, STARTS)):
        end = closer.run(method, q)
        if not end.done:
            continue
        told = unwound(closer, end.q, first)
        where = np.concatenate([x.ravel() for x in placed(told)])
        if not any(np.abs(where - other).max() < SAME for other in seen):
            poses.append(told)
            seen.append(where)
    return poses


def unwound(closer: Closer, q: Array, start: Array) -> Array:
    """q with whole turns taken out of its free angles, and quaternions on the side of the start."""
    told = q.copy()
    turning = closer.turning
    told[turning] -= 2 * np.pi * np.round((q - start)[turning] / (2 * np.pi))
    for parts in closer.loops.quaternions:
        if told[parts] @ start[parts] < 0:
            told[parts] *= -1.0
    return told if closer.gap(told) <= CLOSED else q  # a gear counts its turns


def distance(closer: Closer, q: Array, wanted: Array, norm: float = 2) -> float:
    """How far q is from the values wanted, where there are any; angles by the shorter way."""
    apart = np.where(np.isnan(wanted), 0.0, q - wanted)
    turning = closer.turning
    apart[turning] -= 2 * np.pi * np.round(apart[turning] / (2 * np.pi))
    return float(np.linalg.norm(apart, norm))


def ranked(closer: Closer, poses: list[Array], wanted: Array, start: Array) -> list[Array]:
    """Nearest to the values wanted first; among those as near, nearest to the start."""

    def order(q: Array) -> tuple[float, float]:
        return round(distance(closer, q, wanted), 6), distance(closer, q, start)

    return sorted(poses, key=order)


def _movable(closer: Closer, size: int) -> np.ndarray:
    """Which coordinates may start elsewhere."""
    free = np.zeros(size, dtype=bool)
    free[closer.places[closer.places >= 0]] = True
    return free
