"""The convex hull of points: its corners, and its faces as flat polygons."""

from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import ModelError

FLAT = 1e-9  # of the size: triangles that are this near to one plane are one face
THIN = 1e-9  # of the size: points that are nearer to one plane have no hull


class ConvexHull(NamedTuple):
    """A hull: corners in rows; faces as loops of corners, counterclockwise from outside; their normals."""

    corners: np.ndarray[Any, np.dtype[np.float64]]
    loops: tuple[tuple[int, ...], ...]
    normals: np.ndarray[Any, np.dtype[np.float64]]

    @property
    def triangles(self) -> list[tuple[int, int, int]]:
        """The faces cut into triangles, counterclockwise seen from outside."""
        return [(loop[0], loop[k], loop[k + 1]) for loop in self.loops for k in range(1, len(loop) - 1)]


def convex_hull(points: Any) -> ConvexHull:
    """The convex hull of points in rows; an error where they lie in a plane."""
    from scipy.spatial import ConvexHull as Quickhull  # takes its time to load

    rows = np.asarray(points, float).reshape(-1, 3)
    middle = rows.mean(axis=0)
    size = float(np.abs(rows - middle).max())
    scaled = (rows - middle) / size if size > 0.0 else rows - middle
    if len(rows) < 4 or size == 0.0 or np.linalg.svd(scaled, compute_uv=False)[2] < THIN:
        raise ModelError("the points of a hull lie in a plane", expected="points that span a volume")
    hull = Quickhull(scaled)
    kept = np.sort(hull.vertices)
    number = {int(old): new for new, old in enumerate(kept)}
    single = _triangles(scaled, hull)
    loops, normals, done = [], [], np.zeros(len(hull.equations), bool)
    for k, plane in enumerate(hull.equations):
        if not done[k]:
            same = _face(hull, k)
            done[same] = True
            corners = np.unique(hull.simplices[same])
            loop = single[k] if len(same) == 1 else _ordered(scaled, corners, plane[:3])
            loops.append(tuple(number[int(corner)] for corner in loop))
            normals.append(plane[:3] / np.linalg.norm(plane[:3]))
    return ConvexHull(rows[kept], tuple(loops), np.array(normals))


def _face(hull: Any, k: int) -> list[int]:
    """The triangles in one plane with triangle k: from neighbour to neighbour, since a hull is convex."""
    face, seen = [k], {k}
    for each in face:
        for other in hull.neighbors[each].tolist():
            if other not in seen and np.abs(hull.equations[other] - hull.equations[k]).max() < FLAT:
                seen.add(other)
                face.append(other)
    return face


def _triangles(points: Any, hull: Any) -> Any:
    """All triangles counterclockwise from outside, each from its least number on."""
    corners = np.sort(hull.simplices, axis=1)
    a, b, c = (points[corners[:, j]] for j in range(3))
    turned = (np.cross(b - a, c - a) * hull.equations[:, :3]).sum(axis=1) < 0.0
    corners[turned] = corners[turned][:, [0, 2, 1]]
    return corners


def _ordered(points: Any, corners: Any, normal: Any) -> Any:
    """The corners of a face counterclockwise around its normal, the one with the least number first."""
    middle = points[corners].mean(axis=0)
    u = points[corners[0]] - middle
    v = np.cross(normal, u)
    angle = np.arctan2((points[corners] - middle) @ v, (points[corners] - middle) @ u)
    angle[0] = 0.0
    return corners[np.argsort(angle % (2.0 * np.pi), kind="stable")]
