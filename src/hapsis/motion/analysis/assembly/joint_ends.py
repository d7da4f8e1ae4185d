"""Where the two ends of joints are, and the coordinates that a joint has there.

The inverse of a joint's motion: from the origin d and the axes R of its second end, seen from its
first, to its coordinates. Constraint rows that are zero are not enough: they are also zero where an
axis points the other way or a frame is turned by half a turn, which is no assembly.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.mechanics.algebra.rotations import of_quaternion, of_rpy
from hapsis.mechanics.algebra.turns import turn_about
from hapsis.mechanics.formalisms.deferred_verbs import body_poses
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.frames import Frame
from hapsis.mechanics.model.joints.joint import Joint, LoopJoint
from hapsis.mechanics.model.model import Model

Array = np.ndarray[Any, np.dtype[np.float64]]
Pose = tuple[Array, Array]  # an origin and axes, as columns
WRONG = 0.5  # of the axes: those of ends that are turned over are farther apart


class JointEnds:
    """The ends of a model's joints in any pose; `parameters` other than the model's own."""

    def __init__(self, model: Model, parameters: Mapping[str, float] | None = None) -> None:
        values = dict(parameters or {})
        own = {n: x for n, x in values.items() if n in model.parameters}
        self.model = model.replace(parameters={**model.parameters, **own}) if own else model
        self.placed: Any = derived(model, ("native", body_poses), lambda: compile(body_poses(model)))
        known = {n: x for n, x in values.items() if n in self.placed.function.parameters}
        self._known: dict[str, Any] = {"p": known} if known else {}
        self.bodies = {name: k for k, name in enumerate(model.bodies)}
        self.ends = {
            joint.name: (self._fixed(joint.first), self._fixed(joint.second))
            for joint in model.joints.values()
        }

    def _fixed(self, end: Any) -> tuple[str, Pose]:
        body, frame = self.model.frame(end)
        return body, _pose(frame, self.model)

    def between(self, joints: Any, q: Array) -> dict[str, Pose]:
        """For each joint the second end's origin and axes, seen from the first."""
        p, R = self.placed(q, **self._known)

        def world(end: tuple[str, Pose]) -> Pose:
            body, (at, axes) = end
            if body == "world":
                return at, axes
            k = self.bodies[body]
            return p[k] + R[k] @ at, R[k] @ axes

        poses: dict[str, Pose] = {}
        for joint in joints:
            (p1, R1), (p2, R2) = (world(end) for end in self.ends[joint.name])
            poses[joint.name] = R1.T @ (p2 - p1), R1.T @ R2
        return poses

    def wrong(self, q: Array) -> list[str]:
        """The joints that close a loop and whose ends do not fit, although their rows are zero."""
        cuts = self.model.cuts
        poses = self.between(cuts, q) if cuts else {}
        return [j.name for j in cuts if misfit(self.model, j, *poses[j.name])[1] > WRONG]


def coordinates(model: Model, joint: Joint, d: Array, R: Array) -> list[float]:
    """The coordinates of a joint whose second end is at d with axes R."""
    if not isinstance(joint, LoopJoint):
        raise joint.cannot_close()
    return joint.fit(d, R, lambda field: model.value(getattr(joint, field)))


def misfit(model: Model, joint: Joint, d: Array, R: Array) -> tuple[float, float]:
    """How far origin and axes of the second end are from where its coordinates would put them."""
    values = coordinates(model, joint, d, R)
    at, axes = np.zeros(3), np.eye(3)
    for step, x in zip(joint.steps, values, strict=False):
        axis: Any = np.array(step.axis)
        if step.kind in ("P", "H"):
            pitch = 1.0 if step.kind == "P" else model.value(step.pitch)
            at = at + axes @ axis * (pitch * x)
        if step.kind in ("R", "H"):
            axes = axes @ turn_about(axis, x)
        elif step.kind == "ball":
            axes = axes @ np.array(of_quaternion(*values))
    return float(np.abs(at - d).max()), float(np.abs(axes - R).max())


def _pose(frame: Frame, model: Model) -> Pose:
    values = [model.value(x) for x in (*frame.at, *frame.rpy)]
    return np.array(values[:3]), np.array(of_rpy(*values[3:]))
