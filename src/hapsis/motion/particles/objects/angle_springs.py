"""Angle connectors of cells: TS through particles on a line, JS at the corners of cells [Joukhadar]."""

from typing import Any

import numpy as np

from hapsis.motion.particles.objects.connectors import Connectors

Array = np.ndarray[Any, Any]
ALONG = ((0, 1), (2, 3), (4, 5), (6, 7)), ((0, 2), (1, 3), (4, 6), (5, 7)), ((0, 4), (1, 5), (2, 6), (3, 7))
STRAIGHT = 1e-6  # rad from π


def torsion_springs(
    points: Array, hexes: Array, centers: Array, stiffness: float, damping: float
) -> Connectors:
    """A TS through each three successive particles on a line: along rows of cells, and through centres."""
    triples: list[tuple[int, int, int]] = []
    for pairs in ALONG:
        following: dict[int, set[int]] = {}
        for a, b in pairs:
            for low, high in hexes[:, [a, b]].tolist():
                following.setdefault(low, set()).add(high)
        triples += [
            (a, b, c) for a, others in following.items() for b in others for c in following.get(b, ())
        ]
    for cell, center in zip(hexes.tolist(), centers.tolist(), strict=False):
        triples += [(cell[k], center, cell[7 - k]) for k in range(4)]
    rows = np.array(sorted(set(triples)), dtype=np.int64).reshape(-1, 3)
    angles = angles_at(points, rows)
    straight = np.pi - angles < STRAIGHT
    return Connectors.of(rows[straight], np.pi, stiffness, damping, width=3)


def joint_springs(points: Array, hexes: Array, stiffness: float, damping: float) -> Connectors:
    """A JS between each three successive corners of faces; the third edge tells the positive side."""
    rows: set[tuple[int, int, int, int]] = set()
    for corner in range(8):
        x, y, z = corner ^ 4, corner ^ 2, corner ^ 1
        for a, b, side in ((x, y, z), (y, z, x), (z, x, y)):
            rows |= {tuple(row) for row in hexes[:, [a, corner, b, side]].tolist()}
    # a corner between two faces of neighbours is one
    single = {(frozenset((a, b)), c): (a, c, b, side) for a, c, b, side in sorted(rows)}
    ends = np.array(list(single.values()), dtype=np.int64).reshape(-1, 4)
    return Connectors.of(ends, signed_angles(points, ends), stiffness, damping, width=4)


def angles_at(points: Array, rows: Array) -> Array:
    """The angle at the second particle of each row, from 0 to π."""
    i, j = points[rows[:, 0]] - points[rows[:, 1]], points[rows[:, 2]] - points[rows[:, 1]]
    return np.arctan2(np.linalg.norm(np.cross(i, j), axis=1), np.einsum("ni,ni->n", i, j))


def signed_angles(points: Array, rows: Array) -> Array:
    """The angle from the first arm to the second about the way to the fourth particle."""
    i, j = points[rows[:, 0]] - points[rows[:, 1]], points[rows[:, 2]] - points[rows[:, 1]]
    side = np.einsum("ni,ni->n", np.cross(i, j), points[rows[:, 3]] - points[rows[:, 1]])
    return np.where(side < 0.0, -1.0, 1.0) * angles_at(points, rows)
