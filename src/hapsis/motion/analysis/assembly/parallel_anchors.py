"""Anchors that rounding has moved get back axes that are parallel or at right angles, and lie in a plane.

A planar loop moves because its axes are exactly parallel. Anchors that were typed or read with some digits
miss that, and then no pose closes the loop to rounding, or only one does.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.drawing.placement import frame_pose, placement
from hapsis.mechanics.model.design.component import Component
from hapsis.mechanics.model.frames import Frame, angles, rotation
from hapsis.mechanics.model.joints.joint import AxisJoint, Joint
from hapsis.mechanics.model.joints.revolute import Revolute
from hapsis.mechanics.model.model import Model

Array = np.ndarray[Any, np.dtype[np.float64]]
ROUNDED = 1e-5  # sine: an angle of 1.5708 is a right one
ALIKE = 1e-3  # sine: what was meant to be parallel, perhaps
EXACT = 1e-14  # what misses less is left as it is
OFFSET = 1e-6  # m, along axes
POSES = 3  # in which an offset is compared


def parallel_anchors(parts: Mapping[str, Component], joints: Sequence[Joint]) -> dict[str, Component]:
    """The parts, with axes of joints that are almost parallel or at right angles in a part made so."""
    known: dict[str, list[Array]] = {name: [] for name in parts}
    changed = dict(parts)
    for _, part, anchor, local in sorted(_ends(parts, joints), key=lambda end: end[0]):
        if not anchor:
            known[part].append(local)
            continue
        frame = changed[part].anchors[anchor]
        R = np.array(rotation(frame.rpy))
        axis = R @ local
        right = _rounded_to(axis, known[part])
        if np.linalg.norm(np.cross(axis, right)) > EXACT:
            turned = angles((_onto(axis, right) @ R).tolist())
            changed[part] = changed[part].anchored({anchor: Frame(frame.at, turned)})
        else:
            right = axis
        known[part].append(right)
    return changed


def not_parallel(parts: Mapping[str, Component], joints: Sequence[Joint]) -> str:
    """Says which axes of a part are almost parallel, and by how much they are not; empty if none are."""
    seen: dict[str, list[tuple[str, Array]]] = {name: [] for name in parts}
    for _, part, anchor, local in _ends(parts, joints):
        axis = np.array(rotation(parts[part].anchors[anchor].rpy)) @ local if anchor else local
        for other, there in seen[part]:
            sine = float(np.linalg.norm(np.cross(axis, there)))
            if EXACT < sine < ALIKE:
                return f'the axes of "{part}.{other}" and "{part}.{anchor}" are {sine:.3g} rad from parallel'
        seen[part].append((anchor, axis))
    return ""


def in_one_plane(model: Model, parts: Mapping[str, Component]) -> dict[str, Component]:
    """The parts, with anchors of hinges that close planar loops moved along their axes, by `OFFSET` at most.

    Such an offset is the same in every pose. An error says where a larger one can never be closed.
    """
    rng, changed = np.random.default_rng(0), dict(parts)
    poses = [placement(model, rng.uniform(-1.0, 1.0, len(model.zero))) for _ in range(POSES * _plain(model))]
    for joint in model.cuts if poses else ():
        if not isinstance(joint, Revolute):
            continue
        ends = [model.frame(end) for end in (joint.first, joint.second)]
        found: list[float] = []
        for placed in poses:
            first, second = (placed[body] @ frame_pose(model, frame) for body, frame in ends)
            axis = first.R @ np.array(joint.direction)
            if np.linalg.norm(np.cross(axis, second.R @ np.array(joint.direction))) < 1e-12:
                found.append(float(axis @ (second.p - first.p)))
        size = max(float(np.linalg.norm(pose.p)) for placed in poses for pose in placed.values())
        if len(found) < POSES or np.ptp(found) > 1e-13 * max(size, 1e-3) or abs(found[0]) <= EXACT:
            continue
        if abs(found[0]) > OFFSET:
            raise ModelError(
                f'the anchors cannot meet: those of "{joint.name[:60]}" are {abs(found[0]):.6g} m apart '
                "along its axis in every pose",
                remedy="correct where the anchors are along their axes",
            )
        part, _, anchor = str(joint.second).partition(".")
        if part not in parts or anchor not in changed[part].anchors:
            continue
        frame = changed[part].anchors[anchor]
        along = np.array(rotation(frame.rpy)) @ np.array(joint.direction)
        x, y, z = (float(v) for v in np.array(frame.at) - found[0] * along)
        changed[part] = changed[part].anchored({anchor: Frame((x, y, z), frame.rpy)})
    return changed


def _plain(model: Model) -> bool:
    """Whether each coordinate has a speed of its own: any numbers are a pose then."""
    return len(model.speeds) == len(model.coordinates) and bool(model.cuts)


def _ends(parts: Mapping[str, Component], joints: Sequence[Joint]) -> list[tuple[int, str, str, Array]]:
    """(order, part, anchor or "", axis in it) of ends of joints with an axis; axes of parts are first."""
    ends: list[tuple[int, str, str, Array]] = []
    for joint in joints:
        if not isinstance(joint, AxisJoint):
            continue
        local = np.array(joint.direction)
        for end in (joint.first, joint.second):
            part, _, anchor = str(end).partition(".")
            if part in parts and (not anchor or anchor in parts[part].anchors):
                ends.append((bool(anchor), part, anchor, local))
    return ends


def _rounded_to(axis: Array, known: Sequence[Array]) -> Array:
    """The axis, made parallel or at right angles to those that it almost is so to."""
    for other in known:
        if np.linalg.norm(np.cross(axis, other)) < ROUNDED:
            return np.copysign(1.0, axis @ other) * other
    for other in known:
        if EXACT < abs(axis @ other) < ROUNDED:
            axis = axis - (axis @ other) * other
    return axis / np.linalg.norm(axis)


def _onto(axis: Array, other: Array) -> Array:
    """The least turn of an axis onto one that is near to it."""
    x, y, z = np.cross(axis, other)
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + K + K @ K / (1.0 + axis @ other)
