"""The partitions that a step needs: where the first one fails, another one leads.

A hand can pull a mechanism into any pose that it can reach, and a step is good where its independent
coordinates lead. So poses are visited that are joined to the start, on random walks along the motions that
the loops allow, and partitions are chosen until nearly every pose has one that is good there.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import best_partition

Array = np.ndarray[Any, np.dtype[np.float64]]

MOST = 4  # partitions of a step
TURNED = 40  # poses of what rolls or glides
NOTHING = 1e-9  # of the largest entry
WALKS, STEPS, STRIDE = 6, 25, 0.25  # the last in the units of speeds
GOOD = 0.1  # of the smallest singular value of J: a partition whose J_v has less is weak in that pose
RARE = 0.02  # of the poses: a partition that serves no more is not worth its size
CLOSED = 1e-9  # of the units of rows


def partitions(loops: Loops, q: Array, first: Partition) -> list[Partition]:
    """The first partition, and others for poses in which it is weak."""
    if not first.rows:
        return [first]
    return _serving(
        loops, first, [p for walk in range(WALKS) for p in _walk(loops, q, np.random.default_rng(walk))]
    )


def turned_partitions(loops: Loops, q: Array, first: Partition) -> list[Partition]:
    """The same for what rolls or glides, where it is and heads elsewhere, and leans as in the pose q.

    It goes there without effort: along speeds that change no row of positions.
    """
    if loops.positions == len(loops.names):
        return [first]
    draw = np.random.default_rng(1)
    untied = _untied(loops, q)
    away = [untied * draw.uniform(-np.pi, np.pi, len(loops.rest)) for _ in range(TURNED)]
    poses = [_closed(loops, loops.moved(q, each * loops.speed_units)) for each in away]
    return _serving(loops, first, [pose for pose in poses if pose is not None])


def _untied(loops: Loops, q: Array) -> Array:
    """1 for speeds along which no row of positions changes, wherever it is, else 0."""
    draw = np.random.default_rng(2)
    poses = [loops.moved(q, draw.uniform(-0.3, 0.3, len(loops.rest)) * loops.speed_units) for _ in range(3)]
    rows = np.abs([loops.relative_jacobian(pose)[: loops.positions] for pose in poses])
    tied = (rows > NOTHING * rows.max(initial=0.0)).any(axis=(0, 1))
    tied[loops.held] = True
    return np.where(tied, 0.0, 1.0)


def _serving(loops: Loops, first: Partition, poses: Sequence[Array]) -> list[Partition]:
    served = {first: 0}
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
