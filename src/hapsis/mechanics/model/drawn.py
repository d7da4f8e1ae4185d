"""What bodies look like in the player: their shapes, or where there are none, their bones.

A body without shapes is drawn from what is known of it: a bar from the joint it hangs from to each
joint that hangs from it, and a ball at its centre of mass.
"""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis import view
from hapsis.mechanics.algebra.quaternions import matrix, quaternions
from hapsis.mechanics.algebra.rotations import z_onto
from hapsis.mechanics.model.frames import Frame, rotation
from hapsis.mechanics.model.shapes import Box, Mesh, Shape

if TYPE_CHECKING:
    from hapsis.mechanics.model.model import Model

BAR = 0.035  # radius of a bar over its length
BALL = 0.05  # radius of a ball over the size of its body


def drawn(model: "Model") -> list[view.Drawn]:
    """Every body of the model, in its order."""
    points = _points(model)
    size = _size(points)
    made: list[view.Drawn] = []
    for name, body in model.bodies.items():
        tables = list(_tables(model, body.shapes)) or _bones(model, name, points[name], size)
        made.append(view.Drawn(name, tables, trail=[model.value(x) for x in body.com]))
    return made


def drawn_world(model: "Model") -> view.Drawn:
    """The shapes of the world, and the planes that are touched."""
    tables = list(_tables(model, model.world.shapes))
    for contact in model.contacts.values():
        for surface in (contact.first, contact.second):
            shape = getattr(surface, "shape", None)
            if shape is not None and model.frame(surface.on)[0] == "world":
                frame = model.frame(surface.on)[1]
                tables += [_moved(model, table, frame) for table in _tables(model, [shape])]
    return view.Drawn("world", tables)


def _tables(model: "Model", shapes: Iterable[Shape]) -> Any:
    for shape in shapes:
        if not isinstance(shape, Mesh):
            yield _table(model, shape)


def _table(model: "Model", shape: Shape) -> dict[str, Any]:
    table: dict[str, Any] = {"type": type(shape).__name__.lower(), **_place(model, shape.at)}
    if isinstance(shape, Box):
        table["size"] = [model.value(x) for x in shape.size]
    for field in ("radius", "length"):
        if hasattr(shape, field):
            table[field] = model.value(getattr(shape, field))
    return table


def _place(model: "Model", frame: Frame) -> dict[str, Any]:
    at = [model.value(x) for x in frame.at]
    R = np.array(rotation([model.value(x) for x in frame.rpy]))
    return {"at": at, "quaternion": quaternions(R).tolist()}


def _moved(model: "Model", table: dict[str, Any], frame: Frame) -> dict[str, Any]:
    """A table of a shape, its frame taken along to another."""
    outer = _place(model, frame)
    R = matrix(outer["quaternion"])
    at = R @ np.array(table["at"]) + np.array(outer["at"])
    quaternion = quaternions(R @ matrix(table["quaternion"]))
    return {**table, "at": at.tolist(), "quaternion": quaternion.tolist()}


def _points(model: "Model") -> dict[str, list[np.ndarray[Any, Any]]]:
    """For each body the joint it hangs from, first, then those that hang from it."""
    found: dict[str, list[Any]] = {name: [] for name in model.bodies}
    for branch in model.tree:
        at = np.array([model.value(x) for x in branch.child_frame.at])
        found[branch.child].insert(0, at)
        if branch.parent in found:
            found[branch.parent].append(np.array([model.value(x) for x in branch.parent_frame.at]))
    for name, body in model.bodies.items():
        found[name].append(np.array([model.value(x) for x in body.com]))
    return found


def _size(points: dict[str, list[np.ndarray[Any, Any]]]) -> float:
    lengths = [float(np.linalg.norm(p - each[0])) for each in points.values() for p in each]
    return max([x for x in lengths if math.isfinite(x)], default=0.0) or 0.1


def _bones(model: "Model", name: str, points: Any, size: float) -> list[dict[str, Any]]:
    root, *others, center = points
    ends = others if any(np.linalg.norm(p - root) > 1e-9 for p in others) else [center]
    made: list[dict[str, Any]] = []
    for end in ends:
        length = float(np.linalg.norm(end - root))
        if length > 1e-9:
            made.append(_bar(root, end, length))
    radius = BALL * max((float(np.linalg.norm(p - root)) for p in points), default=0.0)
    if model.value(model.bodies[name].mass) > 0.0:
        made.append({"type": "sphere", "radius": radius or BALL * size, "at": center.tolist()})
    return made


def _bar(root: Any, end: Any, length: float) -> dict[str, Any]:
    quaternion = quaternions(z_onto(tuple((end - root) / length))).tolist()
    at = (0.5 * (root + end)).tolist()
    return {
        "type": "capsule", "radius": BAR * length, "length": length, "at": at,
        "quaternion": quaternion,
    }  # fmt: skip
