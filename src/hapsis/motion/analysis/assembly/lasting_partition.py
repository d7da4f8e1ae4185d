"""Partitions for motions that keep one: good at the pose where they are chosen, and at others.

Full pivoting takes the largest pivots of a pose. That of a foot on the ground may be an angle of the leg,
which leads nowhere any more a little later; the place of the body is as good at every pose. Where a run
changes its partition on the way, a step and a program keep theirs.
"""

import random

import numpy as np

from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.model.signals.column_units import column_units
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.analysis.assembly.reduce import best_partition, in_sparse_order, pivot_sizes
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

POSES = 8  # others that are looked at
FAR = 2.0  # rad, or units of length: how far they are
LEAST = 0.02  # of the smallest pivot of the best partition of the pose: less is not good there
FIRST = 1e6  # times: columns that shall come first
BETTER = 0.1  # a partition whose part is not that much larger is not taken


def lasting_partition(loops: Loops, q: Array, t: float | None = None) -> Partition:
    """The partition whose pivots keep the largest part of what they are at a pose at all others.

    Besides the best one of the pose those are tried that make one joint after the other, or its
    translations, dependent first.
    """
    best = best_partition(loops, q, t, preferred=loops.model.independent)
    if loops.model.independent or not best.rows:
        return best
    poses = [pose for pose in _others(loops, q) if np.isfinite(loops.relative_jacobian(pose, t)).all()]
    enough = LEAST * np.abs(pivot_sizes(loops, best, q, t)).min()
    chosen, most = best, _part(loops, best, q, poses, t)
    J = loops.relative_jacobian(q, t)
    for columns in _leaders(loops):
        weighted = J.copy()
        weighted[:, columns] *= FIRST
        factors = pivots(weighted, loops.held, first=loops.positions)
        if factors.rank < len(best.rows):
            continue
        other = in_sparse_order(loops, J, factors)
        if other.dependent == best.dependent or np.abs(pivot_sizes(loops, other, q, t)).min() < enough:
            continue
        part = _part(loops, other, q, poses, t)
        if part > most + BETTER:
            chosen, most = other, part
    return chosen


def _others(loops: Loops, q: Array) -> list[Array]:
    """Poses some way off, which need not be closed."""
    draw, poses = random.Random(5), list[Array]()
    for _ in range(POSES):
        pose = q + FAR * loops.units * np.array([draw.uniform(-1.0, 1.0) for _ in loops.units])
        for places in loops.quaternions:
            pose[places] /= np.linalg.norm(pose[places])
        poses.append(pose)
    return poses


def _leaders(loops: Loops) -> list[list[int]]:
    """The places in v of the speeds of each joint, and of its translations alone."""
    places = {name: k for k, name in enumerate(loops.model.speeds)}
    units = column_units(loops.model, tuple(places))
    leaders: list[list[int]] = []
    for joint in loops.model.moving:
        straight = [places[name] for name in joint.speeds if units[name] == "m/s"]
        leaders += [straight, [places[name] for name in joint.speeds]]
    return [each for each in leaders if each]


def _part(loops: Loops, partition: Partition, q: Array, poses: list[Array], t: float | None) -> float:
    """What is left of any pivot at other poses; below zero where one changes its sign."""
    here = pivot_sizes(loops, partition, q, t)
    return min((float((pivot_sizes(loops, partition, pose, t) / here).min()) for pose in poses), default=1.0)
