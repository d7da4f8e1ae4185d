"""The shapes that the player draws for each body, including bars and balls for bodies without shapes.

A body without shapes is drawn as a bar from its parent joint to each child joint, and a ball at its
centre of mass.
"""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

import hapsis.view as view
from hapsis.mechanics.algebra.ellipsoid_mesh import ellipsoid
from hapsis.mechanics.algebra.quaternions import matrix, quaternions
from hapsis.mechanics.algebra.rotations import z_onto
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.frames import Frame, composed, rotation
from hapsis.mechanics.model.shapes.heightfield import Heightfield
from hapsis.mechanics.model.shapes.hull import Hull
from hapsis.mechanics.model.shapes.materials import MATERIALS
from hapsis.mechanics.model.shapes.outline import Outline
from hapsis.mechanics.model.shapes.shapes import Box, Ellipsoid, Mesh, Plane, Shape
from hapsis.mechanics.model.shapes.triangle_mesh import TriangleMesh

if TYPE_CHECKING:
    from hapsis.mechanics.model.model import Model

BAR = 0.035  # radius of a bar over its length
BALL = 0.05  # radius of a ball over the size of its body


def drawn_bodies(model: "Model") -> "list[view.Drawn]":
    """Every body of the model, in its order."""
    points = _points(model)
    size = _size(points)
    bodies: list[view.Drawn] = []
    contact_shapes = _touched(model)
    for name, body in model.bodies.items():
        tables = [*_tables(model, body.shapes), *contact_shapes.get(name, ())]
        tables = tables or _bones(model, name, points[name], size)
        bodies.append(view.Drawn(name, tables, trail=[model.value(x) for x in body.com]))
    return bodies


def drawn_world(model: "Model") -> "view.Drawn":
    """The shapes of the world, and those that contacts give it."""
    return view.Drawn("world", [*_tables(model, model.world.shapes), *_touched(model).get("world", ())])


def shape_tables(model: "Model") -> dict[str, list[dict[str, Any]]]:
    """{body or world: its shapes and those that only its contacts define}, without meshes in files."""
    return derived(model, shape_tables, lambda: _shape_tables(model))


def _shape_tables(model: "Model") -> dict[str, list[dict[str, Any]]]:
    touched = _touched(model)
    owners = {"world": model.world, **model.bodies}
    return {name: [*_tables(model, owner.shapes), *touched.get(name, ())] for name, owner in owners.items()}


def _touched(model: "Model") -> dict[str, list[dict[str, Any]]]:
    """{body or world: shapes that only its contacts define}."""
    tables: dict[str, list[dict[str, Any]]] = {}
    drawn_already: list[Any] = []
    for contact in model.contacts.values():
        for surface in (contact.first, contact.second):
            shape = getattr(surface, "shape", None)
            if shape is None or surface in drawn_already:
                continue
            drawn_already.append(surface)
            body, frame = model.frame(surface.on)
            mine = tables.setdefault(body, [])
            for table in _tables(model, [shape]):
                mine.append(_moved(model, table, frame))
    return tables


def _tables(model: "Model", shapes: Iterable[Shape]) -> Any:
    for shape in shapes:
        if not isinstance(shape, Mesh):
            yield _table(model, shape)


def _table(model: "Model", shape: Shape) -> dict[str, Any]:
    frame = composed(shape.at, shape.turn) if isinstance(shape, Plane) else shape.at
    table: dict[str, Any] = {"type": shape.type_name, **_place(model, frame)}
    if shape.material is not None:
        table |= {"color": list(MATERIALS[shape.material].color), "metal": MATERIALS[shape.material].metal}
    if shape.color is not None:
        table["color"] = list(shape.color)
    if isinstance(shape, Box):
        table["size"] = [model.value(x) for x in shape.size]
    if isinstance(shape, Outline):
        table |= _ring(table, np.array(shape.ring)) | {"depth": model.value(shape.thickness)}
    if isinstance(shape, Heightfield):
        table |= shape.grid
    if isinstance(shape, TriangleMesh):
        table |= {"type": "mesh", "vertices": shape.vertices, "triangles": shape.triangles}
    if isinstance(shape, Hull):
        table |= {"type": "mesh", **shape.mesh}
    if isinstance(shape, Ellipsoid):
        table |= ellipsoid([model.value(x) for x in shape.semi_axes])
    for field in ("radius", "length"):
        if hasattr(shape, field):
            table[field] = model.value(getattr(shape, field))
    return table


def _ring(table: dict[str, Any], ring: np.ndarray[Any, Any]) -> dict[str, Any]:
    """The line of an outline about the middle of the box around it, and the place of that middle."""
    middle = 0.5 * (ring.min(axis=0) + ring.max(axis=0))
    at = np.array(table["at"]) + matrix(table["quaternion"])[:, :2] @ middle
    return {"at": at.tolist(), "ring": (ring - middle).tolist()}


def _place(model: "Model", frame: Frame) -> dict[str, Any]:
    at = [model.value(x) for x in frame.at]
    R = np.array(rotation([model.value(x) for x in frame.rpy]))
    return {"at": at, "quaternion": quaternions(R).tolist()}


def _moved(model: "Model", table: dict[str, Any], frame: Frame) -> dict[str, Any]:
    """The table of a shape, with its frame given relative to another."""
    outer = _place(model, frame)
    R = matrix(outer["quaternion"])
    at = R @ np.array(table["at"]) + np.array(outer["at"])
    quaternion = quaternions(R @ matrix(table["quaternion"]))
    return {**table, "at": at.tolist(), "quaternion": quaternion.tolist()}


def _points(model: "Model") -> dict[str, list[np.ndarray[Any, Any]]]:
    """{body: points}: its parent joint, its child joints (else its frames), its centre of mass."""
    points: dict[str, list[Any]] = {name: [] for name in model.bodies}
    for branch in model.tree:
        at = np.array([model.value(x) for x in branch.child_frame.at])
        points[branch.child].insert(0, at)
        if branch.parent in points:
            points[branch.parent].append(np.array([model.value(x) for x in branch.parent_frame.at]))
    for name, body in model.bodies.items():
        if len(points[name]) == 1:
            # a body without child joints extends to its frames
            frames = body.frames.values()
            points[name] += [np.array([model.value(x) for x in frame.at]) for frame in frames]
        points[name].append(np.array([model.value(x) for x in body.com]))
    return points


def _size(points: dict[str, list[np.ndarray[Any, Any]]]) -> float:
    lengths = [float(np.linalg.norm(p - each[0])) for each in points.values() for p in each]
    return max([x for x in lengths if math.isfinite(x)], default=0.0) or 0.1


def _bones(model: "Model", name: str, points: Any, size: float) -> list[dict[str, Any]]:
    root, *others, center = points
    ends = others if any(np.linalg.norm(p - root) > 1e-9 for p in others) else [center]
    tables: list[dict[str, Any]] = []
    for end in ends:
        length = float(np.linalg.norm(end - root))
        if length > 1e-9:
            tables.append(_bar(root, end, length))
    radius = BALL * max((float(np.linalg.norm(p - root)) for p in points), default=0.0)
    if model.value(model.bodies[name].mass) > 0.0:
        tables.append({"type": "sphere", "radius": radius or BALL * size, "at": center.tolist()})
    return tables


def _bar(root: Any, end: Any, length: float) -> dict[str, Any]:
    quaternion = quaternions(z_onto(tuple((end - root) / length))).tolist()
    at = (0.5 * (root + end)).tolist()
    return {"type": "capsule", "radius": BAR * length, "length": length, "at": at, "quaternion": quaternion}
