"""Whether one of two surfaces that do not cut each other lies within the other one."""

from typing import Any

import numpy as np

from hapsis.motion.solvers.contact.mesh_distance import Triangles
from hapsis.motion.solvers.contact.windings import windings

Array = np.ndarray[Any, np.dtype[np.float64]]


class Surface:
    """The triangles of a body, the box around them, and a point of each of its parts that hang together."""

    def __init__(self, triangles: Triangles) -> None:
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components

        self.corners = np.array(triangles.corners).reshape(-1, 3, 3)
        points, number = np.unique(self.corners.reshape(-1, 3), axis=0, return_inverse=True)
        self.low, self.high = points.min(axis=0), points.max(axis=0)
        sides = number.reshape(-1, 3)[:, [0, 1, 1, 2]].reshape(-1, 2)
        graph = coo_matrix((np.ones(len(sides)), sides.T), shape=(len(points), len(points)))
        _, label = connected_components(graph, directed=False)
        self.parts = points[np.unique(label, return_index=True)[1]]

    def around(self, points: Array) -> Array | None:
        """The first of the points that is inside, if there is one."""
        near = points[((points > self.low) & (points < self.high)).all(axis=1)]
        inside = near[np.abs(windings(near, self.corners)) > 0.5] if len(near) else near
        return inside[0] if len(inside) else None


def enclosed(a: Surface, b: Surface, R: Array, p: Array) -> Array | None:
    """A point of one surface that is inside the other, in the axes of a; R and p are those of b there."""
    point = a.around(b.parts @ R.T + p)
    if point is not None:
        return point
    point = b.around((a.parts - p) @ R)
    return None if point is None else R @ point + p
