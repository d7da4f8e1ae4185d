"""The shapes of every body as triangles in the axes of the body."""

import math
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull

from hapsis.mechanics.drawing.placement import frame_pose
from hapsis.mechanics.formats.mesh_paths import mesh_file
from hapsis.mechanics.formats.meshes.read_mesh import read_mesh
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.shapes.hull import Hull
from hapsis.mechanics.model.shapes.shapes import Box, Capsule, Cylinder, Ellipsoid, Mesh, Sphere
from hapsis.mechanics.model.shapes.triangle_mesh import TriangleMesh
from hapsis.motion.solvers.contact.mesh_distance import Triangles

Array = np.ndarray[Any, np.dtype[np.float64]]
KNOWN = (Box, Capsule, Cylinder, Ellipsoid, Hull, Mesh, Sphere, TriangleMesh)
SIDES = 48  # of the prism that stands for a cylinder, around it; of a sphere around its equator
CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


def body_triangles(model: Model) -> tuple[dict[str, Triangles], tuple[str, ...]]:
    """{body: triangles} of all bodies, the world as "world"; and the shapes that are left out.

    Boxes, hulls and meshes are exact; what is round is the polyhedron in it.
    """
    meshes: dict[str, Triangles] = {}
    left_out: dict[str, None] = {}
    for name, shapes in {
        "world": model.world.shapes,
        **{n: b.shapes for n, b in model.bodies.items()},
    }.items():
        parts = [part for shape in shapes if len(part := _corners(model, shape))]
        left_out |= {f"{name} ({shape.type_name})": None for shape in shapes if not isinstance(shape, KNOWN)}
        if parts:
            corners = np.concatenate(parts)
            boxes = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
            meshes[name] = Triangles(count=len(corners), corners=corners.ravel(), boxes=boxes.ravel())
    return meshes, tuple(left_out)


def _corners(model: Model, shape: Any) -> Array:
    """(triangles, 3 corners, 3) of a shape on its body."""
    place = frame_pose(model, shape.at)
    match shape:
        case TriangleMesh():
            local = np.array(shape.vertices)[np.array(shape.triangles)]
        case Mesh():
            local = _of_file(model, shape)
        case Box():
            local = _hull(CORNERS * [model.value(x) for x in shape.size])
        case Hull():
            local = _hull(np.array([[model.value(x) for x in point] for point in shape.points]))
        case Cylinder():
            local = _hull(_rings(model.value(shape.radius), [-0.5, 0.5], model.value(shape.length)))
        case Sphere():
            local = _hull(_ball(model.value(shape.radius)))
        case Ellipsoid():
            local = _hull(_ball(1.0) * [model.value(x) for x in shape.semi_axes])
        case Capsule():
            ball, up = _ball(model.value(shape.radius)), np.array([0.0, 0.0, 0.5 * model.value(shape.length)])
            local = _hull(np.concatenate([ball - up, ball + up]))
        case _:
            return np.zeros((0, 3, 3))
    return local @ place.R.T + place.p


def _of_file(model: Model, shape: Mesh) -> Array:
    folder = Path((shape.where or "").rsplit(":", 2)[0]).parent
    file = mesh_file(shape.path, folder, shape.where)
    pieces = [] if file is None else read_mesh(file)
    scale = np.array([model.value(x) for x in shape.scale])
    return np.concatenate([np.zeros((0, 3, 3)), *(p.vertices[p.triangles] * scale for p in pieces)])


def _hull(points: Array) -> Array:
    """The triangles around points, which look outwards."""
    corners = points[ConvexHull(points).simplices]
    a, b, c = (corners[:, k] for k in range(3))
    inwards = np.einsum("ni,ni->n", np.cross(b - a, c - a), a - points.mean(axis=0)) < 0.0
    corners[inwards] = corners[inwards, ::-1]
    return corners


def _rings(radius: float, heights: list[float], length: float) -> Array:
    turn = 2 * math.pi * np.arange(SIDES) / SIDES
    ring = radius * np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    return np.concatenate([ring + np.array([0, 0, h * length]) for h in heights])


def _ball(radius: float) -> Array:
    up = np.pi * (np.arange(SIDES // 2 + 1) / (SIDES // 2) - 0.5)
    poles = np.array([[0, 0, -radius], [0, 0, radius]])
    rings = [_rings(radius * math.cos(a), [radius * math.sin(a)], 1.0) for a in up[1:-1]]
    return np.concatenate([poles, *rings])
