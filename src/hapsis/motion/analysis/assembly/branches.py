"""The different ways in which loops can close with the same coordinates held.

Least squares from many starts, always the same ones. Two results are the same assembly if every body
is in the same place. Each angle is given within half a turn of its start.
"""

import numpy as np

from hapsis.mechanics.model.units import length_unit
from hapsis.motion.analysis.assembly.loop_closers import CLOSED, Closer
from hapsis.motion.analysis.assembly.loop_numbers import Array

STARTS = 64  # places anywhere, after those around the start
SAME = 1e-6  # of the unit of length, and of the axes: bodies that are nearer are in one place


def branches(closer: Closer, start: Array, preferred: Array, method: str) -> list[Array]:
    """The assemblies, in the order found; the first start has the `preferred` values, NaN for none."""
    placed, unit = closer.ends.placed, length_unit(closer.loops.model)
    first = np.where(np.isnan(preferred) | ~_movable(closer, len(start)), start, preferred)
    method = "least squares" if method == "auto" else method
    poses: list[Array] = []
    seen: list[Array] = []
    around = (q for tier in closer.around(first, few=True) for q in tier)
    for q in (first, start, *around, *closer.anywhere(start, STARTS)):
        end = closer.run(method, q)
        if not end.done:
            continue
        pose = unwound(closer, end.q, first)
        origins, axes = placed(pose)
        bodies = np.concatenate([origins.ravel() / unit, axes.ravel()])
        if not any(np.abs(bodies - known).max() < SAME for known in seen):
            poses.append(pose)
            seen.append(bodies)
    return poses


def unwound(closer: Closer, q: Array, start: Array) -> Array:
    """q without whole turns of its free angles, and with quaternions of the sign nearest to the start."""
    pose = q.copy()
    turning = closer.turning
    pose[turning] -= 2 * np.pi * np.round((q - start)[turning] / (2 * np.pi))
    for parts in closer.loops.quaternions:
        if pose[parts] @ start[parts] < 0:
            pose[parts] *= -1.0
    return pose if closer.gap(pose) <= CLOSED else q  # a gear counts its turns


def distance(closer: Closer, q: Array, target: Array, norm: float = 2) -> float:
    """The distance of q from the target in their units; NaN means no target, angles go the shorter way."""
    apart = np.where(np.isnan(target), 0.0, (q - target) / closer.loops.units)
    turning = closer.turning
    apart[turning] -= 2 * np.pi * np.round(apart[turning] / (2 * np.pi))
    return float(np.linalg.norm(apart, norm))


def ranked(closer: Closer, poses: list[Array], target: Array, start: Array) -> list[Array]:
    """The poses, nearest to the target first; among equally near ones, nearest to the start."""

    def order(q: Array) -> tuple[float, float]:
        return round(distance(closer, q, target), 6), distance(closer, q, start)

    return sorted(poses, key=order)


def _movable(closer: Closer, size: int) -> np.ndarray:
    """Which coordinates may start elsewhere."""
    free = np.zeros(size, dtype=bool)
    free[closer.places[closer.places >= 0]] = True
    return free
