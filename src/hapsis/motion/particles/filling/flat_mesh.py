"""Polygons as faces: a grid where they have four edges, else rings around the centre [Joukhadar]."""

from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import described

Array = np.ndarray[Any, Any]


class FlatMesh(NamedTuple):
    """Points of a polygon; faces with four and with three corners; lines of points in a row."""

    points: Array
    quads: Array
    triangles: Array
    lines: list[list[int]]

    @property
    def halves(self) -> Array:
        """All faces as triangles."""
        return np.concatenate([self.quads[:, [0, 1, 2]], self.quads[:, [0, 2, 3]], self.triangles])


def corners_of(corners: Any, where: str) -> Array:
    """Corners of a plane polygon, (n, 3); those given with two numbers are in the plane z = 0."""
    rows = float_array(corners)
    if rows is None or rows.ndim != 2 or rows.shape[1] not in (2, 3) or len(rows) < 3:
        shown = described(corners) if rows is None else f"numbers of the shape {rows.shape}"
        raise ModelError(f"{where}: corners are {shown}", expected="three or more rows (x, y) or (x, y, z)")
    if not np.isfinite(rows).all():
        raise ModelError(f"{where}: every corner must be finite")
    repeated = np.flatnonzero((rows == np.roll(rows, -1, axis=0)).all(axis=1))
    if len(repeated):
        k = int(repeated[-1])
        raise ModelError(
            f"{where}: corners {k} and {(k + 1) % len(rows)} are in one place",
            remedy="leave one out: the last corner is connected with the first",
        )
    x = np.column_stack([rows, np.zeros(len(rows))]) if rows.shape[1] == 2 else rows
    center, normal = plane_of(x, where)
    size = float(np.ptp(x, axis=0).max())
    if np.abs((x - center) @ normal).max() > 1e-9 * size:
        raise ModelError(f"{where}: its corners are not in one plane")
    parts = np.cross(x - center, np.roll(x, -1, axis=0) - center) @ normal
    if not parts.min() > 1e-9 * size**2:
        raise ModelError(
            f"{where}: an edge cannot be seen from its centre of mass", expected="a convex polygon, or nearly"
        )
    before, after = x - np.roll(x, 1, axis=0), np.roll(x, -1, axis=0) - x
    turns = np.linalg.norm(np.cross(before, after), axis=1)
    straight = turns < 1e-9 * np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    if straight.any():
        k = int(np.argmax(straight))
        raise ModelError(f"{where}: corner {k} is on the line of its neighbours", remedy="leave it out")
    return x


def plane_of(x: Array, where: str) -> tuple[Array, Array]:
    """The centre of mass of a polygon and its normal."""
    a, b = x - x[0], np.roll(x, -1, axis=0) - x[0]
    double = np.cross(a, b).sum(axis=0)
    area = float(np.linalg.norm(double))
    if not area > 1e-12 * float(np.ptp(x, axis=0).max()) ** 2:
        raise ModelError(f"{where}: its corners enclose no area")
    normal = double / area
    parts = np.cross(a, b) @ normal
    return x[0] + parts @ (a + b) / 3.0 / parts.sum(), normal


def flat_mesh(corners: Array, cells: int, where: str) -> FlatMesh:
    """Edges in `cells` parts each."""
    n, s = cells, np.arange(cells + 1) / cells
    if len(corners) == 4:
        u, v = np.meshgrid(s, s, indexing="ij")
        a, b, c, d = corners
        u, v = u.ravel()[:, None], v.ravel()[:, None]
        points = (1 - u) * (1 - v) * a + u * (1 - v) * b + u * v * c + (1 - u) * v * d
        at = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
        quads = np.stack([at[:-1, :-1], at[1:, :-1], at[1:, 1:], at[:-1, 1:]], axis=-1).reshape(-1, 4)
        return FlatMesh(points, quads, np.zeros((0, 3), np.int64), [*at.tolist(), *at.T.tolist()])
    center, _ = plane_of(corners, where)
    rim = np.concatenate(
        [p + s[:-1, None] * (q - p) for p, q in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    )
    m = len(rim)
    points = np.concatenate([center[None], *(center + (rim - center) * k / n for k in range(1, n + 1))])
    ring = 1 + np.arange(n * m).reshape(n, m)
    after = np.roll(ring, -1, axis=1)
    quads = np.stack([ring[:-1], ring[1:], after[1:], after[:-1]], axis=-1).reshape(-1, 4)
    triangles = np.column_stack([np.zeros(m, np.int64), ring[0], after[0]])
    lines = [[0, *ring[:, k].tolist()] for k in range(m)]
    for row in ring.tolist():
        closed = [*row, row[0]]
        lines += [closed[k * n : k * n + n + 1] for k in range(len(corners))]
    return FlatMesh(points, quads, triangles, lines)
