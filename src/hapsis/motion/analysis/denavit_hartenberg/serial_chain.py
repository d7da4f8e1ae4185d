"""A serial chain of a model: the axes of its joints as lines, and what each of its links weighs.

Everything is in the world, where all coordinates are zero. Bodies that are welded together are one link.
"""

from typing import NamedTuple

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.drawing.placement import Array, Pose, frame_pose, placement
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.structure.topology import TreeJoint


class Axis(NamedTuple):
    """The axis of a joint as a line; the coordinate moves the body behind it along or about `direction`."""

    joint: str
    prismatic: bool
    point: Array
    direction: Array
    body: str


class Weight(NamedTuple):
    """Mass, centre of mass, and inertia about it, in the world or in a frame."""

    mass: float
    com: Array
    I: Array

    def seen_from(self, frame: Pose) -> "Weight":
        """The same in a frame."""
        return Weight(self.mass, frame.R.T @ (self.com - frame.p), frame.R.T @ self.I @ frame.R)


class SerialChain(NamedTuple):
    """The joints from the body `on` to the end, and the poses of both."""

    on: str
    base: Pose
    axes: tuple[Axis, ...]
    weights: tuple[Weight, ...]
    end: Pose


def single(branch: TreeJoint) -> bool:
    """Whether the joint is revolute or prismatic."""
    return len(branch.joint.steps) == 1 and branch.joint.steps[0].kind in ("R", "P")


def chain_ends(model: Model) -> list[str]:
    """The bodies behind the last revolute or prismatic joint of each branch of the tree."""
    roots = link_roots(model)
    parents = {roots[branch.parent] for branch in model.tree if branch.joint.steps}
    return [branch.child for branch in model.tree if single(branch) and branch.child not in parents]


def link_roots(model: Model) -> dict[str, str]:
    """{body: the one nearest to the world of those that it is welded to}."""
    roots = {"world": "world"}
    for branch in model.tree:  # parents first
        roots[branch.child] = branch.child if branch.joint.steps else roots[branch.parent]
    return roots


def serial_chain(model: Model, end: str) -> SerialChain:
    """The chain that ends at a frame, from the world or the last joint that is not revolute or prismatic."""
    body, frame = model.frame(end)
    above = {branch.child: branch for branch in model.tree}
    branches: list[TreeJoint] = []
    on = body
    while on in above and (single(above[on]) or not above[on].joint.steps):
        if single(above[on]):
            branches.insert(0, above[on])
        on = above[on].parent
    if not branches:
        raise ModelError(
            f'no revolute or prismatic joint carries "{end[:60]}"',
            remedy="other joints have no Denavit-Hartenberg parameters",
        )
    poses, roots = placement(model, model.zero), link_roots(model)
    return SerialChain(
        on,
        poses[on],
        tuple(_axis(model, branch, poses) for branch in branches),
        tuple(_weight(model, branch.child, poses, roots) for branch in branches),
        poses[body] @ frame_pose(model, frame),
    )


def _axis(model: Model, branch: TreeJoint, poses: dict[str, Pose]) -> Axis:
    place = poses[branch.parent] @ frame_pose(model, branch.parent_frame)
    (step,) = branch.joint.steps
    direction = place.R @ np.array(step.axis) * (-1.0 if branch.reversed else 1.0)
    return Axis(branch.joint.name, step.kind == "P", place.p, direction, branch.child)


def _weight(model: Model, root: str, poses: dict[str, Pose], roots: dict[str, str]) -> Weight:
    """All that is welded to a body, in the world."""
    each = [_body_weight(model, name, poses[name]) for name, of in roots.items() if of == root]
    mass = sum(w.mass for w in each)
    com = sum((w.mass * w.com for w in each), np.zeros(3)) / mass if mass else each[0].com
    total = np.zeros((3, 3))
    for w in each:
        r = w.com - com
        total += w.I + w.mass * ((r @ r) * np.eye(3) - np.outer(r, r))  # Steiner
    return Weight(mass, com, total)


def _body_weight(model: Model, name: str, pose: Pose) -> Weight:
    body = model.bodies[name]
    xx, yy, zz, xy, xz, yz = (model.value(x) for x in body.inertia)
    I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    com = np.array([model.value(x) for x in body.com])
    return Weight(model.value(body.mass), pose.p + pose.R @ com, pose.R @ I @ pose.R.T)
