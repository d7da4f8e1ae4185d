"""Where every body of a model is at given coordinates, and the axes of joints there, in numbers."""

from typing import Any, NamedTuple

import numpy as np

from hapsis.mechanics.algebra.quaternions import matrix
from hapsis.mechanics.algebra.turns import turn_about
from hapsis.mechanics.model.frames import Frame, rotation
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.model import Model

Array = np.ndarray[Any, np.dtype[np.float64]]


class Pose(NamedTuple):
    """A place and axes (columns), in the world or in a body."""

    p: Array
    R: Array

    def __matmul__(self, other: "Pose") -> "Pose":
        return Pose(self.p + self.R @ other.p, self.R @ other.R)

    @property
    def inverse(self) -> "Pose":
        """The pose that undoes it."""
        return Pose(-self.R.T @ self.p, self.R.T)


ORIGIN = Pose(np.zeros(3), np.eye(3))


def frame_pose(model: Model, frame: Frame) -> Pose:
    """A frame as numbers."""
    at = np.array([model.value(x) for x in frame.at])
    return Pose(at, np.array(rotation([model.value(x) for x in frame.rpy])))


def start_values(model: Model) -> Array:
    """The coordinates of the pose `start`, zeros where it says nothing."""
    q = np.array(model.zero)
    if "start" in model.poses:
        index = {name: k for k, name in enumerate(model.coordinates)}
        for name, value in model.pose("start").items():
            if name in index:
                q[index[name]] = value
    return q


def placement(model: Model, q: Any) -> dict[str, Pose]:
    """{body: its pose in the world}, the world itself included."""
    values = dict(zip(model.coordinates, np.asarray(q, float), strict=True))
    poses = {"world": ORIGIN}
    for branch in model.tree:
        motion = motions(model, branch.joint, values)[-1]
        motion = motion.inverse if branch.reversed else motion
        first, second = (frame_pose(model, f) for f in (branch.parent_frame, branch.child_frame))
        poses[branch.child] = poses[branch.parent] @ first @ motion @ second.inverse
    return poses


def motions(model: Model, joint: Joint, values: dict[str, float]) -> list[Pose]:
    """The pose in the first end after no step of a joint, after one, ... after all."""
    numbers = iter([values.get(name, zero) for name, zero in zip(joint.coordinates, joint.zero, strict=True)])
    poses = [ORIGIN]
    for step in joint.steps:
        p, R = np.zeros(3), np.eye(3)
        axis = None if step.axis is None else np.array(step.axis)
        if step.kind in ("R", "H"):
            angle = next(numbers)
            R = turn_about(axis, angle)
            p = model.value(step.pitch) * angle * axis if step.kind == "H" and axis is not None else p
        elif step.kind == "P" and axis is not None:
            p = next(numbers) * axis
        elif step.kind in ("ball", "free"):
            p = np.array([next(numbers) for _ in range(3)]) if step.kind == "free" else p
            R = matrix([next(numbers) for _ in range(4)])
        poses.append(poses[-1] @ Pose(p, R))
    return poses
