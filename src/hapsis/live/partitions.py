"""The partitions that a page needs: where the first one fails, another one leads.

A hand can pull a mechanism into any pose that it can reach, and a step is good where its independent
coordinates lead. So poses are visited that are joined to the start, on random walks along the motions that
the loops allow, and partitions are chosen until nearly every pose has one that is good there.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import best_partition

Array = np.ndarray[Any, np.dtype[np.float64]]

MOST = 4  # partitions in a page
WALKS, STEPS, STRIDE = 6, 25, 0.25  # the last in the units of speeds
GOOD = 0.1  # of the smallest singular value of J: a partition whose J_v has less is weak in that pose
RARE = 0.02  # of the poses: a partition that serves no more is not worth its size
CLOSED = 1e-9  # of the units of rows


def partitions(loops: Loops, q: Array, first: Partition) -> list[Partition]:
    """The first partition, and others for poses in which it is weak."""
    served = {first: 0}
    if not first.rows:
        return [first]
    poses = [pose for walk in range(WALKS) for pose in _walk(loops, q, np.random.default_rng(walk))]
    for pose in poses:
        good = next((part for part in served if _leads(loops, part, pose)), None)
        if good is None:
            good = best_partition(loops, pose)
            if len(good.rows) != len(first.rows) or not _leads(loops, good, pose):
                continue  # a singular pose
        served[good] = served.get(good, 0) + 1
    others = sorted((part for part in served if part != first), key=lambda part: -served[part])
    return [first, *(part for part in others[: MOST - 1] if served[part] > RARE * len(poses))]


def _leads(loops: Loops, part: Partition, q: Array) -> bool:
    """Whether the independent coordinates lead in a pose, about as well as any others could."""
    J = loops.relative_jacobian(q)
    rows = [loops.names.index(name) for name in part.rows]
    J_v = J[rows][:, list(part.dependent)]
    J[:, loops.held] = 0.0
    best = np.linalg.svd(J, compute_uv=False)[len(part.rows) - 1]
    return bool(np.linalg.svd(J_v, compute_uv=False)[-1] > GOOD * best)


def _walk(loops: Loops, q: Array, random: np.random.Generator) -> Iterator[Array]:
    """Closed poses on a way that turns little, and turns back where it cannot go on."""
    direction = random.normal(size=len(loops.rest))
    for _ in range(STEPS):
        direction = _allowed(loops, q, direction)
        size = float(np.linalg.norm(direction))
        if size < 1e-6:  # a dead end, or nothing can move
            direction = random.normal(size=len(loops.rest))
            continue
        direction /= size
        new = _closed(loops, loops.moved(q, STRIDE * direction * loops.speed_units))
        if new is None:
            direction = -direction + 0.3 * random.normal(size=len(loops.rest))
            continue
        q = new
        yield q


def _allowed(loops: Loops, q: Array, direction: Array) -> Array:
    """The part of a direction along which loops stay closed and drives stay where they are."""
    J = loops.relative_jacobian(q)
    J[:, loops.held] = 0.0
    direction = direction.copy()
    direction[loops.held] = 0.0
    return np.asarray(direction - np.linalg.lstsq(J, J @ direction, rcond=1e-6)[0], np.float64)


def _closed(loops: Loops, q: Array) -> Array | None:
    """The nearest closed pose by the method of Gauss and Newton; None if there is none near."""
    for _ in range(8):
        gap = loops.relative_gap(q)
        if not np.isfinite(gap).all():
            return None
        if np.abs(gap).max(initial=0.0) < CLOSED:
            return q
        J = loops.relative_jacobian(q)
        J[:, loops.held] = 0.0
        change = np.asarray(np.linalg.lstsq(J, gap, rcond=1e-6)[0], np.float64)
        q = loops.moved(q, -change * loops.speed_units)
    return None
