"""The corners and faces of convex hulls, put into the memory for solids."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.mechanics.algebra.convex_hull import ConvexHull
from hapsis.motion.solvers.contact.geometry.solids import HULL, MOST_CORNERS, Solids, bounding_radius


def set_hulls(solids: Solids, hulls: Mapping[int, ConvexHull]) -> None:
    """Makes solids hulls: {number of the solid: its hull, in the solid's frame}; all of them in one call."""
    corners: list[Any] = []
    normals: list[Any] = []
    loops: list[int] = []
    starts = [0]
    for k, hull in hulls.items():
        solids.kinds[k] = HULL
        solids.bounds[k] = bounding_radius(HULL, (), hull.corners)
        solids.corner_first[k], solids.corner_count[k] = len(corners), len(hull.corners)
        solids.face_first[k], solids.face_count[k] = len(normals), len(hull.loops)
        for loop in hull.loops:
            # of a face with very many corners some are enough: its deepest point is found without them
            some = np.linspace(0, len(loop), min(len(loop), MOST_CORNERS), endpoint=False).astype(int)
            loops.extend(loop[int(m)] for m in some)
            starts.append(len(loops))
        corners.extend(hull.corners)
        normals.extend(hull.normals)
    solids.corners = np.array(corners, float).ravel()
    solids.face_normals = np.array(normals, float).ravel()
    solids.face_loops = np.array(loops, np.int64)
    solids.face_starts = np.array(starts, np.int64)
