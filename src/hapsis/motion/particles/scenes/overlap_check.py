"""Objects that lie within each other deeper than contacts reach: at the start or the end of a run."""

from itertools import permutations
from typing import Any

import numpy as np

from hapsis.motion.solvers.contact.windings import windings

Array = np.ndarray[Any, Any]
PART = 0.25  # of the limit: what is less deep may be an edge
MOST = 4e6  # points times facets of two objects: more are not compared


def depths(points: Array, corners: Array) -> Array:
    """The distance of points from facets: from their planes, or where they are beside, from their corners."""
    a, b, c = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normals = np.cross(b, c)
    sizes = np.einsum("fc,fc->f", normals, normals)
    whole = sizes > 0.0
    a, b, c, normals, sizes = a[whole], b[whole], c[whole], normals[whole], sizes[whole]
    way = points[:, None] - a
    u = np.einsum("pfc,fc->pf", np.cross(way, c), normals) / sizes
    v = np.einsum("pfc,fc->pf", np.cross(b, way), normals) / sizes
    high = np.abs(np.einsum("pfc,fc->pf", way, normals)) / np.sqrt(sizes)
    beside = (u < 0.0) | (v < 0.0) | (u + v > 1.0)
    near = np.linalg.norm(points[:, None, None] - corners[whole], axis=3).min(axis=2)
    return np.where(beside, near, high).min(axis=1)


def deep_pair(scene: Any, points: Array, limits: dict[str, float], seen: float) -> tuple[str, str] | None:
    """Two objects of which one has a particle much deeper within the other than contacts, `seen`, are."""
    parts = {
        name: points[scene.first[name] : scene.first[name] + len(each)]
        for name, each in scene.objects.items()
        if len(each.facets)
    }
    boxes = {name: (part.min(axis=0), part.max(axis=0)) for name, part in parts.items()}
    general = any(touch.between is None for touch in scene.touches.values())
    named = {frozenset(touch.between) for touch in scene.touches.values() if touch.between}
    for a, b in permutations(parts, 2):
        if not (general or frozenset((a, b)) in named):
            continue
        (low, high), (least, most) = boxes[a], boxes[b]
        if (low > most).any() or (least > high).any():
            continue
        inner = parts[a][((parts[a] > least) & (parts[a] < most)).all(axis=1)]
        corners = parts[b][scene.objects[b].facets]
        if not len(inner) or len(inner) * len(corners) > MOST:
            continue
        inner = inner[windings(inner, corners) > 0.5]
        if len(inner) and depths(inner, corners).max() > max(PART * min(limits[a], limits[b]), 1.5 * seen):
            return a, b
    return None
