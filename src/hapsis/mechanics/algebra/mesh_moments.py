"""Volume, centre and inertia of the solid inside a closed mesh of triangles.

Each triangle a, b, c is the base of a tetrahedron whose top is a common point o. With a, b, c from o:

    V = Σ det(a, b, c) / 6
    V r = Σ det(a, b, c) (a + b + c) / 24
    ∫ x xᵀ dV = Σ det(a, b, c) (s sᵀ + a aᵀ + b bᵀ + c cᵀ) / 120,    s = a + b + c

which is exact. Tetrahedra of triangles seen from inside are negative, so o may lie anywhere; it is in
the middle of the mesh, where rounding is least. A cavity is a closed surface that is inside out.
"""

from typing import Any

import numpy as np

from hapsis.errors import ModelError

THIN = 1e-12  # a volume over that of the box around it; less is none

Vec = tuple[float, float, float]


def mesh_moments(vertices: Any, triangles: Any) -> tuple[float, Vec, tuple[float, ...]]:
    """The volume, the centre of mass, and (xx, yy, zz, xy, xz, yz) about it for a mass of 1.

    An error where the mesh is not closed, is inside out, or has no volume. Surfaces that intersect are not
    found: what lies in two of them counts twice.
    """
    points, corners = np.unique(np.array(vertices, dtype=float), axis=0, return_inverse=True)
    rows = corners.reshape(-1)[np.array(triangles, dtype=int)]
    rows = rows[(rows[:, 0] != rows[:, 1]) & (rows[:, 1] != rows[:, 2]) & (rows[:, 2] != rows[:, 0])]
    if not len(rows):
        raise ModelError("the mesh has no volume: every triangle is a line")
    _check_once(points, rows)
    _check_closed(points, rows)
    low, high = points[rows.ravel()].min(axis=0), points[rows.ravel()].max(axis=0)
    middle, size = 0.5 * low + 0.5 * high, float((high - low).max())
    # lengths in units of the size of the mesh: their fifth powers neither vanish nor overflow
    scaled = (points - middle) / size
    _check_sides(scaled, rows, THIN * float(np.prod((high - low) / size)))
    volume, first, second = _integrals(scaled[rows])
    centre = first / volume
    spread = second / volume - np.outer(centre, centre)
    moments = (np.trace(spread) * np.eye(3) - spread) * size * size
    x, y, z = (float(c) for c in middle + size * centre)
    inertia = tuple(float(moments[i]) for i in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    return float(volume * size**3), (x, y, z), inertia


def _integrals(corners: Any) -> tuple[float, Any, Any]:
    """∫ dV, ∫ x dV and ∫ x xᵀ dV of tetrahedra with the origin, from an array (triangles, 3, xyz)."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    volumes = np.einsum("ni,ni->n", a, np.cross(b, c))  # det(a, b, c)
    s = a + b + c
    squares = sum(np.einsum("n,ni,nj->ij", volumes, x, x) for x in (s, a, b, c))
    return float(volumes.sum()) / 6.0, volumes @ s / 24.0, squares / 120.0


def _check_once(points: Any, rows: Any) -> None:
    """An error where a triangle is there twice: what it encloses would count twice."""
    first = rows.argmin(axis=1)[:, None]
    turned = np.take_along_axis(rows, (first + np.arange(3)) % 3, axis=1)
    different, counts = np.unique(turned, axis=0, return_counts=True)
    if (counts > 1).any():
        corner = points[different[counts > 1][0, 0]]
        place = ", ".join(f"{x:g}" for x in corner)
        raise ModelError(
            f"{int((counts - 1).sum())} triangles are there twice, the first at ({place})",
            remedy="give each triangle once",
        )


def _check_closed(points: Any, rows: Any) -> None:
    """An error unless each edge is passed as often in one direction as in the other."""
    balance: dict[tuple[int, int], int] = {}
    for row in rows.tolist():
        for i, j in zip(row, (*row[1:], row[0]), strict=True):
            key, step = ((i, j), 1) if i < j else ((j, i), -1)
            balance[key] = balance.get(key, 0) + step
    wrong = [(edge, count) for edge, count in balance.items() if count]
    if not wrong:
        return
    turned = [edge for edge, count in wrong if count % 2 == 0]
    edge = turned[0] if turned else wrong[0][0]
    ends = " to ".join("(" + ", ".join(f"{x:g}" for x in points[k]) + ")" for k in edge)
    if turned:
        raise ModelError(
            f"two triangles at the edge from {ends} face different sides",
            remedy="exchange two vertices of one of them",
        )
    edges = "1 edge belongs" if len(wrong) == 1 else f"{len(wrong)} edges belong"
    raise ModelError(
        f"the mesh is not closed: {edges} to one triangle only, the first from {ends}",
        remedy="close the hole",
    )


def _check_sides(points: Any, rows: Any, thin: float) -> None:
    """An error where a surface is inside out and no cavity of another, or where all have no volume."""
    surfaces = [points[part] for part in _surfaces(rows)]
    volumes = [_integrals(corners)[0] for corners in surfaces]
    boxes = [(corners.min(axis=(0, 1)), corners.max(axis=(0, 1))) for corners in surfaces]
    if not any(abs(volume) > thin for volume in volumes):
        raise ModelError("the mesh has no volume: it is flat")
    outer = [box for volume, box in zip(volumes, boxes, strict=True) if volume > thin]
    for volume, (low, high) in zip(volumes, boxes, strict=True):
        inside = any((low >= a).all() and (high <= b).all() for a, b in outer)
        if volume < -thin and not inside:
            raise ModelError(
                "the mesh is inside out: its triangles face inwards",
                remedy="exchange two vertices of every triangle",
            )
    if not sum(volumes) > thin:
        raise ModelError("the mesh has no volume: its cavities are as large as itself")


def _surfaces(rows: Any) -> list[Any]:
    """The triangles of each connected surface."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    count = int(rows.max()) + 1
    i, j = np.concatenate([rows[:, (0, 1)], rows[:, (1, 2)]]).T
    _, labels = connected_components(coo_matrix((np.ones(len(i)), (i, j)), (count, count)), directed=False)
    return [rows[labels[rows[:, 0]] == label] for label in np.unique(labels[rows[:, 0]])]
