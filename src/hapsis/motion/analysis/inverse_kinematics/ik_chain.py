"""Chains for inverse kinematics: the joints from the world to a frame, and its pose, compiled once.

Steps of an arm are changes of its coordinates themselves; only the turn of a ball or free joint
takes three numbers, the axis times the angle in the axes of its second end. So limits are plain
bounds of steps, and a coordinate is held by leaving its column out.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.rotations import of_quaternion
from hapsis.mechanics.formalisms.tree.kinematics import jacobian, pose
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.frames import Frame
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.structure.topology import TreeJoint

Array = np.ndarray[Any, np.dtype[np.float64]]


class Column(NamedTuple):
    """One component of a step."""

    kind: str  # "R" "P" "H" of an axis, or "turn" of a quaternion
    joint: str
    q: int  # the place of the coordinate, or of qw
    v: int  # the place of its speed
    part: int = 0  # 0, 1, 2 of a turn


class IkChain(NamedTuple):
    """What moves a frame.

    columns  the components of a step, in the order of the speeds
    length   how far the frame can be from the arm's root at most, joints stretched; metres
    place    q -> p, R, J: the frame in the world, and how a step changes it, turning first
    """

    columns: tuple[Column, ...]
    length: float
    place: Callable[[Array], tuple[Array, Array, Array]]


def ik_chain(model: Model, frame: str) -> IkChain:
    """The arm that carries a frame."""
    for names, kind in (
        ([j.name for j in model.cuts], "closes a loop"),
        (list(model.constraints), "is a constraint"),
    ):
        if names:
            raise ModelError(
                f'"{names[0]}" {kind}, and reach is for models without those',
                remedy="leave it out of the model, or hold what it ties",
            )
    return derived(model, (IkChain, frame), lambda: _arm(model, frame))


def _arm(model: Model, frame: str) -> IkChain:
    body, on_body = model.frame(frame)
    path = _path(model, body)
    columns = _columns(model, {branch.joint.name for branch in path})
    place = compile(_function(model, frame, columns))
    if not columns:
        still = np.zeros((6, 0))
        return IkChain((), 1.0, lambda q: (*place(q), still))
    return IkChain(columns, _length(model, path, on_body), place)


def _path(model: Model, body: str) -> list[TreeJoint]:
    """The joints from a body down to the world."""
    carriers = {branch.child: branch for branch in model.tree}
    path: list[TreeJoint] = []
    while body != "world":
        path.append(carriers[body])
        body = path[-1].parent
    return path


def _columns(model: Model, names: set[str]) -> tuple[Column, ...]:
    columns: list[Column] = []
    q = v = 0
    for joint in model.moving:
        if joint.name in names:
            columns += _columns_of(joint, q, v)
        q, v = q + len(joint.coordinates), v + len(joint.speeds)
    return tuple(columns)


def _columns_of(joint: Joint, q: int, v: int) -> list[Column]:
    name, kinds = joint.name, [step.kind for step in joint.steps]
    if kinds == ["ball"]:
        return [Column("turn", name, q, v + k, k) for k in range(3)]
    if kinds == ["free"]:
        turns = [Column("turn", name, q + 3, v + k, k) for k in range(3)]
        return turns + [Column("P", name, q + k, v + 3 + k) for k in range(3)]
    return [Column(kind, name, q + k, v + k) for k, kind in enumerate(kinds)]


def _length(model: Model, path: list[TreeJoint], on_body: Frame) -> float:
    """A quarter of the offsets along the arm and of how far its slides go; 1 m without any."""
    frames = [on_body, *(f for b in path[:-1] for f in (b.parent_frame, b.child_frame))]
    frames.append(path[-1].child_frame)
    total = sum(math.hypot(*(model.value(x) for x in frame.at)) for frame in frames)
    limits = dict(zip(model.coordinates, model.limits.tolist(), strict=True))
    for branch in path:
        joint = branch.joint
        if len(joint.steps) != len(joint.coordinates):
            continue
        for name, step in zip(joint.coordinates, joint.steps, strict=True):
            far = max(map(abs, limits[name]))
            if step.kind == "P" and math.isfinite(far):
                total += far
    return total / 4 or 1.0  # shorter or longer ones have needed more tries


def _function(model: Model, frame: str, columns: tuple[Column, ...]) -> Function:
    """(q) -> p, R, J with a column of J for each component of a step."""
    facts = [fact for fact in model.facts if isinstance(fact, Body | Joint)]
    if len(facts) < len(model.facts):  # forces, drives, ... do not change where a frame is
        model = Model(facts, parameters=model.parameters, physical=model.physical)
    q = symbols("q", len(model.coordinates), kind="coordinate")
    p, R = pose(model, frame)(q=q)
    if not columns:
        return Function("place", {"q": q}, {"p": p, "R": R})
    J = np.array(jacobian(model, frame)(q=q), dtype=object)
    for column in columns:
        if column.kind == "turn" and column.part == 0 and "free" in _kinds(model, column.joint):
            # speeds of a free joint stand in its own axes, its coordinates in the parent's
            moving = slice(column.v + 3, column.v + 6)
            axes = np.array(of_quaternion(*q[column.q : column.q + 4]), dtype=object)
            J[:, moving] = J[:, moving] @ axes.T
    J = J[:, [column.v for column in columns]]
    return Function("place", {"q": q}, {"p": p, "R": R, "J": J})


def _kinds(model: Model, joint: str) -> list[str]:
    return [step.kind for step in model.joints[joint].steps]
