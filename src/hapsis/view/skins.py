"""Surfaces whose corners move: triangles with the places of their vertices by time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hapsis.errors import Error
from hapsis.view.colours import BODIES, rgb
from hapsis.view.page_text import plain

MOST = 600_000  # numbers in a page: of more, fewer moments are kept, and lines are drawn between them
SHARP = 0.8  # cosine of the angle between two triangles whose edge stays an edge


@dataclass(frozen=True, eq=False)
class Skin:
    """A surface that deforms.

    points      (F, V, 3)   m, at the times of the scene
    triangles   (T, 3)      numbers of points, counter-clockwise seen from outside
    color       "#rrggbb" or three numbers from 0 to 1
    """

    name: str
    points: Any
    triangles: Any
    color: str | Sequence[float] | None = None


def checked_skin(skin: Any, times: int) -> Skin:
    """The skin with arrays of floats, or an error."""
    if not isinstance(skin, Skin):
        raise Error(f"{type(skin).__name__} is no skin", expected="a hapsis.view.Skin")
    where = f'skin "{plain(skin.name)}"'
    points = np.asarray(skin.points, float)
    if points.ndim != 3 or points.shape[0] != times or points.shape[2] != 3:
        raise Error(f"its points have the shape {points.shape}", where=where, expected=f"({times}, V, 3)")
    if not np.isfinite(points).all():
        raise Error("its points must be finite", where=where)
    triangles = np.asarray(skin.triangles, np.int64).reshape(-1, 3)
    if triangles.size and not (0 <= triangles.min() and triangles.max() < points.shape[1]):
        raise Error("a triangle has a corner that is not there", where=where)
    color = None if skin.color is None else rgb(skin.color, where)
    return replace(skin, points=points, triangles=triangles, color=color)


def skin_body(skin: Skin, first: int, number: int) -> dict[str, Any]:
    """The body that a page draws; its vertices are numbered from `first` on."""
    color = skin.color or rgb(BODIES[number % len(BODIES)], "skin")
    vertices, triangles = creased(skin.points[0], skin.triangles)
    shape = {"kind": "skin", "vertices": (vertices + first).tolist(), "triangles": triangles.ravel().tolist()}
    return {
        "name": plain(skin.name, 60),
        "color": color,
        "shapes": [shape | {"at": [0.0, 0.0, 0.0], "q": [1.0, 0.0, 0.0, 0.0]}],
    }


def creased(points: Any, triangles: Any) -> tuple[Any, Any]:
    """Vertices, as numbers of points, and triangles of these: a point has a vertex for each side of a sharp
    edge, so that light is smooth on surfaces and not around edges."""
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    around: dict[int, list[tuple[int, Any]]] = {}  # of a point: its vertices, each with a first normal
    vertices: list[int] = []
    out = np.empty_like(triangles)
    for f, triangle in enumerate(triangles.tolist()):
        for c, point in enumerate(triangle):
            known = around.setdefault(point, [])
            vertex = next((v for v, normal in known if normal @ normals[f] > SHARP), None)
            if vertex is None:
                vertex = len(vertices)
                vertices.append(point)
                known.append((vertex, normals[f]))
            out[f, c] = vertex
    return np.array(vertices, np.int64), out


def thinned(skins: Sequence[Skin], times: Any) -> tuple[int, Any]:
    """How many moments at even times are kept, and the places of all vertices in them."""
    points = np.concatenate([skin.points for skin in skins], axis=1)
    count = points.shape[1]
    frames = max(2, min(len(times), MOST // max(1, 3 * count)))
    moments = np.linspace(times[0], times[-1], frames)
    before = np.clip(np.searchsorted(times, moments, side="right") - 1, 0, max(0, len(times) - 2))
    after = np.minimum(before + 1, len(times) - 1)
    width = times[after] - times[before]
    part = np.where(width > 0, (moments - times[before]) / np.where(width > 0, width, 1.0), 0.0)
    part = np.clip(part, 0.0, 1.0)[:, None, None]
    return frames, (1.0 - part) * points[before] + part * points[after]
