"""Where the two ends of joints are, and the coordinates that a joint has there.

The inverse of a joint's motion: from the origin d and the axes R of its second end, seen from its
first, to its coordinates. Rows that are zero do not say all: an axis that points the other way, or
a frame turned by half a turn, makes them zero too, and is no assembly.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.mechanics.algebra.rotations import of_quaternion, of_rpy
from hapsis.mechanics.formalisms.tree.body_poses import placements
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.frames import Frame
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.model import Model

Array = np.ndarray[Any, np.dtype[np.float64]]
Pose = tuple[Array, Array]  # an origin and axes, as columns
WRONG = 0.5  # of the axes: those of ends that are turned over are farther apart


class JointEnds:
    """The ends of a model's joints in any pose; `parameters` other than the model's own."""

    def __init__(self, model: Model, parameters: Mapping[str, float] | None = None) -> None:
        given = dict(parameters or {})
        own = {n: x for n, x in given.items() if n in model.parameters}
        self.model = model.replace(parameters={**model.parameters, **own}) if own else model
        self.placed: Any = derived(model, ("native", placements), lambda: compile(placements(model)))
        known = {n: x for n, x in given.items() if n in self.placed.function.parameters}
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
        cuts = [joint for joint in self.model.cuts if type(joint).__name__ in TURNED]
        poses = self.between(cuts, q) if cuts else {}
        return [j.name for j in cuts if _apart(self.model, j, *poses[j.name])[1] > WRONG]


def can_close(joint: Joint) -> bool:
    """Whether a joint has rows to close a loop with."""
    return type(joint).__name__ in FITTED


def coordinates(model: Model, joint: Joint, d: Array, R: Array) -> list[float]:
    """The coordinates of a joint whose second end is at d with axes R."""
    return FITTED[type(joint).__name__](model, joint, d, R)


def misfit(model: Model, joint: Joint, d: Array, R: Array) -> float:
    """How far the second end is from where its own coordinates would put it."""
    return max(_apart(model, joint, d, R))


def _apart(model: Model, joint: Joint, d: Array, R: Array) -> tuple[float, float]:
    """The same for its origin and for its axes."""
    values = coordinates(model, joint, d, R)
    at, axes = np.zeros(3), np.eye(3)
    for step, x in zip(joint.steps, values, strict=False):
        axis: Any = np.array(step.axis)
        if step.kind in ("P", "H"):
            pitch = 1.0 if step.kind == "P" else model.value(step.pitch)
            at = at + axes @ axis * (pitch * x)
        if step.kind in ("R", "H"):
            axes = axes @ _turn(axis, x)
        elif step.kind == "ball":
            axes = axes @ np.array(of_quaternion(*values))
    return float(np.abs(at - d).max()), float(np.abs(axes - R).max())


def _angle(axis: Any, R: Array) -> float:
    """How far R turns about an axis, from -pi to pi."""
    sine = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return float(np.arctan2(np.dot(axis, sine), 0.5 * (np.trace(R) - 1.0)))


def _turn(axis: Any, angle: float) -> Array:
    """Rodrigues' rotation."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K


def _helical(model: Model, joint: Joint, d: Array, R: Array) -> list[float]:
    (step,) = joint.steps
    axis: Any = step.axis
    pitch, angle = model.value(step.pitch), _angle(axis, R)
    # how far it has moved tells the whole turns
    turns = round((np.dot(axis, d) / pitch - angle) / (2 * np.pi)) if pitch else 0
    return [angle + 2 * np.pi * turns]


def _universal(model: Model, joint: Joint, d: Array, R: Array) -> list[float]:
    first, second = (np.array(step.axis) for step in joint.steps)
    turned = R @ second
    was, now = (x - np.dot(first, x) * first for x in (second, turned))
    a = float(np.arctan2(np.dot(first, np.cross(was, now)), np.dot(was, now)))
    return [a, _angle(second, _turn(first, a).T @ R)]


def _planar(model: Model, joint: Joint, d: Array, R: Array) -> list[float]:
    moves = [float(np.dot(np.array(step.axis), d)) for step in joint.steps[:-1]]
    return [*moves, _angle(joint.steps[-1].axis, R)]


def _ball(model: Model, joint: Joint, d: Array, R: Array) -> list[float]:
    """The quaternion, by its largest part [RBDA]."""
    xx, yy, zz = np.diag(R)
    squares = np.array([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz])
    k = int(np.argmax(squares))
    a, b, c = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    s, t, u = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]
    rows = ((None, a, b, c), (a, None, s, t), (b, s, None, u), (c, t, u, None))
    largest = np.sqrt(squares[k])
    parts = [largest if x is None else x / largest for x in rows[k]]
    sign = 0.5 if parts[0] >= 0 else -0.5
    return [float(sign * x) for x in parts]


FITTED: dict[str, Any] = {
    "Weld": lambda model, joint, d, R: [],
    "Revolute": lambda model, joint, d, R: [_angle(joint.steps[0].axis, R)],
    "Prismatic": lambda model, joint, d, R: [float(np.dot(joint.steps[0].axis, d))],
    "Cylindrical": _planar,
    "Helical": _helical,
    "Universal": _universal,
    "Planar": _planar,
    "Ball": _ball,
}
TURNED = FITTED.keys() - {"Ball", "Universal"}  # those whose rows are zero turned over too


def _pose(frame: Frame, model: Model) -> Pose:
    values = [model.value(x) for x in (*frame.at, *frame.rpy)]
    return np.array(values[:3]), np.array(of_rpy(*values[3:]))
