"""Shapes of a drawing as convex pieces, whose outlines on paper follow from their corners.

The outline of a piece in a direction u of the paper is its farthest point: max over corners p of p·u, and
its radius farther, as a ball about each corner has it.
"""

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
CORNERS = 32  # of a circle
MESH = 400  # corners of a mesh


class Piece(NamedTuple):
    """A convex part of a shape, in the axes of its body."""

    corners: Array  # (n, 3)
    radius: float
    substance: str
    color: Sequence[float] | None
    line: bool = False  # through the corners, not around them
    face: bool = False  # flat, with the corners in the order of its outline, which need not be convex


def pieces(shape: Mapping[str, Any], meshes: Sequence[Mapping[str, Any]]) -> list[Piece]:
    """The pieces of a shape; those that lie inside others are left out."""
    own, color = str(shape.get("of", "body")), shape.get("color")
    R, at = _matrix(shape["q"]), np.asarray(shape["at"], float)
    build = BUILDERS.get(shape["kind"], _round)
    items = _mesh(meshes[shape["mesh"]]) if shape["kind"] == "mesh" else build(shape)
    return [
        Piece(
            np.asarray(p, float) @ R.T + at,
            radius,
            own if of in ("own", "face") else of,
            color,
            of == "line",
            of == "face",
        )
        for p, radius, of in items
    ]


Item = tuple[Any, float, str]


def circle(radius: float, length: float, at: Any = (0.0, 0.0)) -> Array:
    """The corners of a cylinder along z."""
    turn = 2.0 * np.pi * np.arange(CORNERS) / CORNERS
    ring = np.stack([at[0] + radius * np.cos(turn), at[1] + radius * np.sin(turn)], 1)
    return np.concatenate([np.column_stack([ring, np.full(CORNERS, z)]) for z in (-length / 2, length / 2)])


def block(size: Any, at: Any = (0.0, 0.0, 0.0)) -> Array:
    """The corners of a box."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return np.asarray(at) + 0.5 * signs * np.asarray(size, float)


def _box(s: Any) -> list[Item]:
    return [(block(s["size"]), 0.0, "own")]


def _sphere(s: Any) -> list[Item]:
    return [(np.zeros((1, 3)), s["radius"], "own")]


def _capsule(s: Any) -> list[Item]:
    return [([[0, 0, -s["length"] / 2], [0, 0, s["length"] / 2]], s["radius"], "own")]


def _round(s: Any) -> list[Item]:
    return [(circle(s["radius"], s.get("length", s.get("width", 0.0))), 0.0, "own")]


def _metal(s: Any) -> list[Item]:
    return [(circle(s["radius"], s.get("length", s.get("width", 0.0))), 0.0, "metal")]


def _ball(s: Any) -> list[Item]:
    return [(np.zeros((1, 3)), 1.25 * s["radius"], "own"), (np.zeros((1, 3)), s["radius"], "metal")]


def _plate(s: Any) -> list[Item]:
    return [(np.concatenate([circle(s["radius"], s["depth"], p) for p in s["points"]]), 0.0, "own")]


def _outline(s: Any) -> list[Item]:
    """The two faces of a sheet and the strips between them; the front face comes last."""
    back, front = (np.column_stack([s["ring"], np.full(len(s["ring"]), z * s["depth"])]) for z in (-0.5, 0.5))
    strips = np.stack([back, np.roll(back, -1, axis=0), np.roll(front, -1, axis=0), front], axis=1)
    return [(back, 0.0, "face"), *((strip, 0.0, "own") for strip in strips), (front, 0.0, "face")]


def _tube(s: Any) -> list[Item]:
    points = np.asarray(s["points"], float)
    return [(points[k : k + 2], s["radius"], "own") for k in range(max(1, len(points) - 1))]


def _line(s: Any) -> list[Item]:
    return [(s["points"], 0.0, "line")]


def _wheel(s: Any) -> list[Item]:
    """A disc with a spoke, so that turning is seen."""
    radius, width = s["radius"], s.get("width", 0.0)
    spoke = block((0.66 * radius, 0.14 * radius, 0.34 * width), (0.33 * radius, 0.0, 0.0))
    if not s.get("tyre"):
        return [(circle(radius, width), 0.0, "own"), (spoke, 0.0, "metal")]
    return [
        (circle(radius, width), 0.0, "rubber"),
        (circle(0.68 * radius, width), 0.0, "metal"),
        (spoke, 0.0, "own"),
    ]


def _rail(s: Any) -> list[Item]:
    bar = 0.018 * s["length"]
    items: list[Item] = []
    for side in (-1, 1)[: int(s["sides"])]:
        y = side * (s["gap"] / 2 + bar / 2)
        items.append((block((s["length"], bar, s["depth"]), (0.0, y, 0.0)), 0.0, "ground"))
        items += _hatching(s["length"], 2.4 * bar, y + side * bar / 2, side)
    return items


def _support(s: Any) -> list[Item]:
    size, depth = s["size"], s["depth"]
    feet = ((0.0, 0.0), (-0.9 * size, -1.75 * size), (0.9 * size, -1.75 * size))
    bearing = np.concatenate([circle(0.62 * size, depth, p) for p in feet])
    foot = block((5 * size, 0.3 * size, 1.15 * depth), (0.0, -2.45 * size, 0.0))
    return [
        (bearing, 0.0, "ground"),
        (foot, 0.0, "ground"),
        *_hatching(5 * size, 0.9 * size, -2.6 * size, -1),
    ]


def _hatching(length: float, size: float, y: float, side: int) -> list[Item]:
    count = max(4, round(length / (0.75 * size)))
    middles = ((np.arange(count) + 0.5) / count - 0.5) * length
    half = 0.44 * size
    return [
        ([[x - half, y, 0.0], [x + half, y + side * 2 * half, 0.0]], 0.0, "line") for x in middles.tolist()
    ]


def _mesh(table: Mapping[str, Any]) -> list[Item]:
    from scipy.spatial import ConvexHull, QhullError

    steps = np.frombuffer(base64.b64decode(table["vertices"]), "<u2").reshape(-1, 3)
    corners = np.frombuffer(base64.b64decode(table["triangles"]), "<u4" if table["wide"] else "<u2")
    used = steps[np.unique(corners)]  # vertices without a triangle are not seen
    places = np.asarray(table["low"]) + np.asarray(table["span"]) * used / 65535.0
    try:
        places = places[ConvexHull(places).vertices]
    except QhullError:
        pass  # flat: all of its vertices
    return [(places[:: max(1, len(places) // MESH)], 0.0, "own")] if len(places) else []


BUILDERS: dict[str, Callable[[Any], list[Item]]] = {
    "box": _box,
    "sphere": _sphere,
    "capsule": _capsule,
    "plate": _plate,
    "outline": _outline,
    "tube": _tube,
    "line": _line,
    "pin": _metal,
    "ball": _ball,
    "cross": _metal,
    "thread": _metal,
    "spiral": _metal,
    "motor": _metal,
    "gear": _wheel,
    "wheel": _wheel,
    "pulley": _wheel,
    "rail": _rail,
    "support": _support,
}


def _matrix(q: Any) -> Array:
    w, x, y, z = np.asarray(q, float) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
