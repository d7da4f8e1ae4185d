"""Tetrahedra of any closed surface: a body-centred lattice whose outer points move to the surface."""

from typing import Any

import numpy as np

from hapsis.errors import ModelError
from hapsis.motion.particles.filling.closed_surface import nearest, winding
from hapsis.motion.particles.filling.filling import FACES, outer_faces
from hapsis.motion.particles.objects.moments import Moments, volumes

Array = np.ndarray[Any, Any]
FLAT = 0.1  # of its volume, which a tetrahedron keeps when its points move
ROUNDS = 3


def lattice(low: Array, high: Array, h: float) -> tuple[Array, Array]:
    """Points and tetrahedra of a body-centred lattice of cubes with edges h around the origin."""
    first, last = np.floor(low / h).astype(int) - 1, np.ceil(high / h).astype(int) + 1
    shape = last - first + 1
    axes = [np.arange(a, b + 1) * h for a, b in zip(first, last, strict=True)]
    corner = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    count = len(corner)
    index = np.arange(count).reshape(shape)
    tets: list[Array] = []
    for axis in range(3):
        i, j = (axis + 1) % 3, (axis + 2) % 3

        def part(*shifts: tuple[int, int], skip: int = axis) -> Array:
            cut = [slice(0, n - 1) for n in shape]
            cut[skip] = slice(1, shape[skip] - 1)
            for which, by in shifts:
                cut[which] = slice(cut[which].start + by, cut[which].stop + by)
            return index[tuple(cut)].ravel()

        # the face between two cubes, and their centres
        ring = [part(), part((i, 1)), part((i, 1), (j, 1)), part((j, 1))]
        below, above = count + part((axis, -1)), count + part()
        for k in range(4):
            tets.append(np.column_stack([below, above, ring[k], ring[(k + 1) % 4]]))
    points = np.concatenate([corner, corner + 0.5 * h])
    rows = np.concatenate(tets)
    inside_out = volumes(points, rows) < 0.0
    rows[inside_out] = rows[inside_out][:, [0, 1, 3, 2]]
    return points, rows


def lattice_filling(x: Array, t: Array, cells: int, moments: Moments, where: str) -> tuple[Array, Array]:
    """Points and tetrahedra, `cells` along the shortest axis; x is in principal axes, about the centre."""
    h = float(np.ptp(x, axis=0).min()) / cells
    if np.prod(np.ptp(x, axis=0) / h + 3.0) > 2e6:
        raise ModelError(
            f"{cells} cells across its thinnest side make millions", where=where, remedy="give fewer cells"
        )
    points, tets = lattice(x.min(axis=0), x.max(axis=0), h)
    middles = points[tets].mean(axis=1)
    near = ((middles > x.min(axis=0)) & (middles < x.max(axis=0))).all(axis=1)
    tets = tets[near]
    tets = tets[winding(points[tets].mean(axis=1), x, t) > 0.5]
    if not len(tets):
        raise ModelError("no cell is inside", where=where, remedy="give more cells")
    tets = _largest(tets, where)
    used = np.unique(tets)
    number = np.zeros(len(points), np.int64)
    number[used] = np.arange(len(used))
    points, tets = points[used], number[tets]
    _project(points, tets, x, t)
    filled = float(volumes(points, tets).sum())
    share = filled * 1.0 / _volume(x, t)
    if not 0.7 < share < 1.3:
        raise ModelError(
            f"{cells} cells across fill {100 * share:.0f} % of its volume",
            where=where,
            remedy="give more cells",
        )
    return points, tets


def _volume(x: Array, t: Array) -> float:
    return float(np.einsum("ni,ni->", x[t[:, 0]], np.cross(x[t[:, 1]], x[t[:, 2]]))) / 6.0


def _largest(tets: Array, where: str) -> Array:
    """The tetrahedra of the largest part that hangs together by faces."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    faces = np.sort(tets[:, FACES].reshape(-1, 3), axis=1)
    _, back = np.unique(faces, axis=0, return_inverse=True)
    m = len(tets)
    sides = coo_matrix((np.ones(4 * m), (np.repeat(np.arange(m), 4), back.ravel())))
    count, label = connected_components(sides @ sides.T, directed=False)
    sizes = np.bincount(label, minlength=count)
    if sizes.max() < 0.9 * m:
        raise ModelError(f"it falls into {count} parts", where=where, remedy="give more cells")
    return tets[label == np.argmax(sizes)]


def _project(points: Array, tets: Array, x: Array, t: Array) -> None:
    """Moves outer points onto the surface, as far as no tetrahedron gets flat."""
    star: list[list[int]] = [[] for _ in points]
    for k, row in enumerate(tets.tolist()):
        for p in row:
            star[p].append(k)
    outer = np.unique(outer_faces(tets))
    least = FLAT * volumes(points, tets)
    for _ in range(ROUNDS):
        goals = nearest(points[outer], x, t)
        for p, goal in zip(outer, goals, strict=True):
            start, part = points[p].copy(), 1.0
            around = np.array(star[p])
            while part > 0.05:
                points[p] = start + part * (goal - start)
                if (volumes(points, tets[around]) > least[around]).all():
                    break
                part *= 0.6
            else:
                points[p] = start
