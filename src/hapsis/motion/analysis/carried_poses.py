"""Poses told in the coordinates of another tree of the same mechanism."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.errors import SolveError
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.state import State
from hapsis.motion.analysis.assemble import assemble
from hapsis.motion.analysis.joint_ends import JointEnds, coordinates
from hapsis.motion.analysis.loops import Loops

SAME = 1e-12  # m or rad: a coordinate that assembling left alone


def carried(old: Model, new: Model) -> Model:
    """The new model with the poses of the old one: each assembled, then told in the new tree.

    What a pose says about coordinates that both have stays as it is written where it is closed
    already. A pose that cannot be assembled keeps just those.
    """
    ends = JointEnds(old)
    poses: dict[str, Mapping[str, Any]] = {}
    for name, pose in old.poses.items():
        kept = {n: x for n, x in pose.items() if n in new.coordinates or n in new.speeds}
        try:
            state = assemble(old.replace(poses={"start": pose}))
        except SolveError:
            poses[name] = kept
            continue
        told = places(ends, new, state)
        poses[name] = _written(old, told, kept)
        if any(n in old.speeds for n in pose):
            poses[name] = {**poses[name], **_speeds(Loops(new), told, state)}
    return new.replace(poses=poses)


def places(ends: JointEnds, new: Model, state: State) -> dict[str, float]:
    """The coordinates of the new tree in a closed pose of the old one."""
    known = dict(zip(state.coordinates, state.q, strict=True))
    joints = [joint for joint in new.moving if not all(n in known for n in joint.coordinates)]
    between = ends.between(joints, state.q)
    for joint in joints:
        values = coordinates(new, joint, *between[joint.name])
        known |= dict(zip(joint.coordinates, values, strict=True))
    return {n: float(known[n]) for n in new.coordinates}


def _written(old: Model, told: Mapping[str, float], kept: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers, or what stood there where it has the same value."""
    return {
        n: kept[n] if n in kept and abs(old.value(kept[n]) - x) <= SAME else x
        for n, x in told.items()
    }


def _speeds(loops: Loops, told: Mapping[str, float], state: State) -> dict[str, float]:
    """The speeds that both trees have, and those of the new joints that keep the loops closed."""
    names = loops.model.speeds
    q = np.array([told[n] for n in loops.model.coordinates])
    v = np.array([state[n] if n in state.speeds else 0.0 for n in names])
    new = [k for k, n in enumerate(names) if n not in state.speeds]
    if new:
        J = loops.jacobian(q)
        v[new] = -np.linalg.lstsq(J[:, new], J @ v + loops.drift(q), rcond=None)[0]
    return {n: float(x) for n, x in zip(names, v, strict=True)}
