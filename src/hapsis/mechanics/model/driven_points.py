"""Drives of points: which coordinate moves the point along the axis, and whether it can.

The joint between the frame and the point must be one, a hinge or a slide. With its coordinate q the point
moves along the axis n of the frame, from where it is at q = 0, by

    hinge   x = A (cos q - 1) + B sin q        A = n · r⊥,    B = n · (u × r)
    slide   x = B q                            B = n · u

u is the axis of the joint and r the vector from it to the point.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis.mechanics.model.checks.problems import Problems
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.frames import Frame, rotation
from hapsis.mechanics.model.structure.topology import TreeJoint
from hapsis.mechanics.model.values.axes import axis_vector

if TYPE_CHECKING:
    from hapsis.mechanics.model.model import Model

Array = np.ndarray[Any, np.dtype[np.float64]]
ACROSS = 1e-9  # of its distance: a point that moves less along the axis does not move along it


def driven_coordinate(model: "Model", drive: Drive) -> str:
    """The coordinate that a drive moves."""
    if drive.joint is not None:
        return drive.joint
    (branch,) = [branch for branch in between(model, drive) if branch.joint.coordinates]
    return branch.joint.coordinates[0]


def driven_coordinates(model: "Model") -> dict[str, str]:
    """{drive: the coordinate that it moves}."""
    return {name: driven_coordinate(model, drive) for name, drive in model.drives.items()}


def between(model: "Model", drive: Drive) -> list[TreeJoint]:
    """The joints between the point of a drive and its frame, those that weld among them."""
    over = {branch.child: branch for branch in model.tree}
    there, here = (list(_inwards(over, model.frame(end)[0])) for end in (drive.point, drive.frame))
    while there and here and there[-1] is here[-1]:
        del there[-1], here[-1]
    return [*there, *here]


def _inwards(over: dict[str, TreeJoint], body: str) -> Iterator[TreeJoint]:
    """The joints from a body to the world."""
    while body in over:
        yield over[body]
        body = over[body].parent


def check_point(model: "Model", drive: Drive, problems: Problems) -> bool:
    """Whether one joint moves the point of a drive along its axis; adds a problem where it does not."""
    moving = [branch.joint for branch in between(model, drive) if branch.joint.coordinates]
    names = [name for joint in moving for name in joint.coordinates]
    why = ""
    if not names:
        why = "which does not move against its frame"
    elif len(names) > 1:
        shown = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
        why = f"which {len(names)} coordinates move: {shown}; let it touch a slide, and drive that"
    elif moving[0].steps[0].kind not in ("R", "P"):
        why = f"which {moving[0].label} moves; expected a hinge or a slide"
    elif drive.name in model.joints and drive.name != moving[0].name:
        problems.add(f'a joint and a drive are both called "{drive.name[:60]}"; rename one', drive.where)
        return False
    else:
        slope, reach = _slope(model, drive)
        if not abs(slope) > ACROSS * reach:
            why = f'which "{names[0][:60]}" does not move along that axis where it is zero'
    if why:
        problems.add(f'{drive.label} drives the point "{str(drive.point)[:60]}", {why}', drive.where)
    return not why


def _slope(model: "Model", drive: Drive) -> tuple[float, float]:
    """B, and what it would be along the best axis, with all coordinates at zero."""
    branch = next(branch for branch in between(model, drive) if branch.joint.coordinates)
    joint = branch.joint
    R, _ = _pose(model, *model.frame(drive.frame))
    _, point = _pose(model, *model.frame(drive.point))
    S, at = _pose(model, *model.frame(joint.first))
    n = R @ np.array(axis_vector(drive.along))
    u = S @ np.array(joint.steps[0].axis)
    if joint.steps[0].kind == "P":
        return float(n @ u), 1.0
    moved = np.cross(u, point - at)
    return float(n @ moved), max(float(np.linalg.norm(moved)), 1e-12)


def _pose(model: "Model", body: str, frame: Frame) -> tuple[Array, Array]:
    """The axes and the origin of a frame of a body, in the world, with all coordinates at zero."""
    over = {branch.child: branch for branch in model.tree}
    R, p = _numbers(model, frame)
    for branch in _inwards(over, body):
        near, far = (_numbers(model, each) for each in (branch.parent_frame, branch.child_frame))
        R, p = far[0].T @ R, far[0].T @ (p - far[1])
        R, p = near[0] @ R, near[1] + near[0] @ p
    return R, p


def _numbers(model: "Model", frame: Frame) -> tuple[Array, Array]:
    rpy, at = ([model.value(x) for x in part] for part in (frame.rpy, frame.at))
    return np.array(rotation(rpy)), np.array(at)
