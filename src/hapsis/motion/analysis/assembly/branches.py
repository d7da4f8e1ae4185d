"""The different ways in which loops can close with the same coordinates held.

Least squares from many starts, always the same ones. Two results are the same assembly if every body
is in the same place. Each angle is given within half a turn of its start.
"""

import numpy as np

from hapsis.compiler.ir.functions.activity import advanced
from hapsis.mechanics.model.units import length_unit
from hapsis.motion.analysis.assembly.loop_closers import CLOSED, Closer
from hapsis.motion.analysis.assembly.loop_numbers import Array
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

STARTS = 64  # places anywhere, after those around the start
MOST = 128  # the same, where an assembly was found from one start only
SAME = 1e-6  # of the unit of length, and of the axes: bodies that are nearer are in one place


def branches(closer: Closer, start: Array, preferred: Array, method: str) -> list[Array]:
    """The assemblies, in the order found; the first start has the `preferred` values, NaN for none."""
    return [pose for pose, _ in counted_branches(closer, start, preferred, method, STARTS)]


def counted_branches(
    closer: Closer, start: Array, preferred: Array, method: str, most: int = MOST
) -> list[tuple[Array, int]]:
    """The same, each with the number of starts that led to it.

    most    starts anywhere; those after the first `STARTS` only while an assembly was found once
    """
    placed, unit = closer.ends.placed, length_unit(closer.loops.model)
    first = np.where(np.isnan(preferred) | ~_movable(closer, len(start)), start, preferred)
    method = "least squares" if method == "auto" else method
    poses: list[Array] = []
    seen: list[Array] = []
    counts: list[int] = []
    stiff: list[bool] = []  # whether it cannot move with what is held
    around = (q for tier in closer.around(first, few=True) for q in tier)
    near = [first, start, *around]
    for number, q in enumerate((*near, *closer.anywhere(start, most))):
        known_well = not any(s and c == 1 for s, c in zip(stiff, counts, strict=True))
        if number >= len(near) + STARTS and known_well:
            break
        advanced(number, len(near) + most)
        end = closer.run(method, q)
        if not end.done:
            continue
        pose = unwound(closer, end.q, first)
        origins, axes = placed(pose)
        bodies = np.concatenate([origins.ravel() / unit, axes.ravel()])
        same = [k for k, known in enumerate(seen) if np.abs(bodies - known).max() < SAME]
        if same:
            counts[same[0]] += 1
            continue
        poses.append(pose)
        seen.append(bodies)
        counts.append(1)
        J = closer.jacobian(end.q)
        stiff.append(pivots(J).rank == J.shape[1])
    return list(zip(poses, counts, strict=True))


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
