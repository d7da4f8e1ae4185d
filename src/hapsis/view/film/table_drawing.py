"""Bodies given as tables of shapes, as the drawing that a page shows: see web/src/scene/data.ts."""

from typing import Any

import numpy as np

from hapsis.view.colours import BODIES, STILL, rgb
from hapsis.view.film.mesh_tables import MeshTables, field_triangles
from hapsis.view.page_text import plain
from hapsis.view.scene import Scene

UPRIGHT = 0.99  # of the cosine between a plane's normal and up, when the plane is the floor
PLANE = 4.0  # sizes of the scene that a plane is wide, where it is not the floor


def table_drawing(scene: Scene) -> dict[str, Any]:
    """The drawing of a checked scene, its bodies in their order."""
    up = np.asarray(scene.up, float)
    right = np.eye(3)[0] if abs(up[0]) < 0.9 else np.eye(3)[1]
    side = np.cross(right, up)
    size, meshes = _size(scene), MeshTables()
    still = np.ptp(scene.poses, axis=0).max(axis=1, initial=0.0) == 0.0
    floor, height = _floor(scene, still, up)
    return {
        "up": up.tolist(),
        "side": (side / np.linalg.norm(side)).tolist(),
        "planar": False,
        "size": size,
        "floor": height,
        "world": {"name": "world", "color": rgb(STILL, "world"), "shapes": []},
        "bodies": [
            {
                "name": plain(body.name, 60),
                "color": body.color or rgb(STILL if still[k] else BODIES[k % len(BODIES)], "body"),
                "shapes": [x for s in body.shapes for x in _shapes(s, meshes, size, s is floor)],
            }
            for k, body in enumerate(scene.bodies)
        ],
        "connections": [],
        "meshes": meshes.tables,
        "notices": [],
    }


def _shapes(shape: Any, meshes: MeshTables, size: float, floor: bool) -> list[dict[str, Any]]:
    kind = shape["type"]
    entry = {"kind": kind, "at": shape["at"].tolist(), "q": shape["quaternion"].tolist()}
    if shape["color"] is not None:
        entry["color"] = shape["color"]
    if shape["metal"]:
        entry["of"] = "metal"
    if kind == "box":
        return [entry | {"size": shape["size"].tolist()}]
    if kind == "outline":
        return [entry | {"ring": shape["ring"].tolist(), "depth": shape["depth"]}]
    if kind == "line":
        return [entry | {"points": shape["points"].tolist()}] if len(shape["points"]) > 1 else []
    if kind == "segment":
        half = 0.5 * shape["length"]
        return [entry | {"kind": "line", "points": [[0.0, 0.0, -half], [0.0, 0.0, half]]}]
    if kind == "plane":
        return [] if floor else [entry | {"kind": "box", "size": [PLANE * size, PLANE * size, 0.002 * size]}]
    if kind == "mesh":
        return _mesh(entry, meshes, shape["vertices"], shape["triangles"])
    if kind == "heightfield":
        return _mesh(entry, meshes, *field_triangles(shape))
    return [entry | {name: shape[name] for name in ("radius", "length") if name in shape}]


def _mesh(entry: dict[str, Any], meshes: MeshTables, vertices: Any, triangles: Any) -> list[dict[str, Any]]:
    # corners at one place become one vertex, so that light can run over edges
    merged, inverse = np.unique(vertices.astype("<f4"), axis=0, return_inverse=True)
    corners = inverse.reshape(-1)[triangles]
    proper = corners[(corners != np.roll(corners, 1, axis=1)).all(axis=1)] if len(corners) else corners
    return [entry | {"kind": "mesh", "mesh": meshes.index(merged, proper)}] if len(proper) else []


def _floor(scene: Scene, still: np.ndarray, up: np.ndarray) -> tuple[Any, float | None]:
    """A plane across `up` that stays where it is, and its height; None where there is none."""
    for k, body in enumerate(scene.bodies):
        for shape in body.shapes:
            if shape["type"] != "plane" or not still[k]:
                continue
            pose = scene.poses[0, k]
            normal = _turned(pose[3:], _turned(shape["quaternion"], np.array([0.0, 0.0, 1.0])))
            if np.dot(normal, up) > UPRIGHT:
                return shape, float(np.dot(pose[:3] + _turned(pose[3:], shape["at"]), up))
    return None, None


def _size(scene: Scene) -> float:
    """The size of what is drawn at the start."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for pose, body in zip(scene.poses[0], scene.bodies, strict=True):
        for shape in body.shapes:
            at, reach = pose[:3] + _turned(pose[3:], shape["at"]), _reach(shape)
            if reach >= 0:
                low, high = np.minimum(low, at - reach), np.maximum(high, at + reach)
    span = float(np.linalg.norm(high - low)) if np.all(low <= high) else 1.0
    return span if 0 < span < np.inf else 1.0


def _reach(shape: Any) -> float:
    """How far a shape reaches from its place; negative for a plane, which has no end."""
    places = next((shape[name] for name in ("points", "vertices") if name in shape), None)
    if shape["type"] == "heightfield":
        places = field_triangles(shape)[0]
    if places is not None:
        return float(np.max(np.linalg.norm(places, axis=1), initial=0.0))
    if shape["type"] == "box":
        return float(np.linalg.norm(shape["size"])) / 2
    if shape["type"] == "outline":
        return float(np.hypot(np.max(np.linalg.norm(shape["ring"], axis=1)), shape["depth"] / 2))
    if shape["type"] == "plane":
        return -1.0
    return float(np.hypot(shape.get("radius", 0.0), shape.get("length", 0.0) / 2))


def _turned(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """A vector turned by a unit quaternion w x y z."""
    across = 2.0 * np.cross(q[1:], v)
    return v + q[0] * across + np.cross(q[1:], across)
