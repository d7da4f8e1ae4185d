"""Cells with six faces as 39, 13 or 9 particles each.

39   a particle at the centre and at each face's, 24 tetrahedra by the exact rule: exact and symmetric
13   five tetrahedra by the exact rule: exact, not symmetric
9    corners and centre: the masses of the 24 tetrahedra go to their corners, those of face centres to the
     corners of the face; a ratio between corners and centre brings the inertia near the exact one, and small
     changes of all nine bring mass and centre to it, and the inertia to the nearest that they can have

Corners are numbered 4 x + 2 y + z with 0 or 1 for each.
"""

from itertools import combinations
from typing import Any

import numpy as np

from hapsis.errors import ModelError
from hapsis.motion.particles.filling.filling import EDGES, Filling, positive, unique_pairs, with_centers
from hapsis.motion.particles.objects.moments import volumes

Array = np.ndarray[Any, Any]
RULES = (9, 13, 39)
QUADS = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
# five tetrahedra; odd cells are the mirror image, so that neighbours share the diagonals of faces
FIVE = np.array([(0, 3, 5, 6), (1, 0, 3, 5), (2, 0, 6, 3), (4, 0, 5, 6), (7, 3, 6, 5)])
TRIANGLES = np.array([(q[k], q[(k + 1) % 4]) for q in QUADS for k in range(4)])  # edges of faces in turn


def filled_hexahedra(points: Array, hexes: Array, rule: int, odd: Array, where: str) -> Filling:
    """Particles of cells; `odd` says which of two mirror images the thirteen of a cell are."""
    if rule not in RULES:
        raise ModelError(f"cells have 9, 13 or 39 particles, not {rule!r:.20}", where=where)
    if rule == 13:
        return _thirteen(points, hexes, odd, where)
    if rule == 39:
        return _many(points, hexes, where)
    return _nine(points, hexes, where)


def _outer(hexes: Array) -> tuple[Array, Array]:
    """The faces of all cells in turn, (6 h, 4), and which of them belong to one cell only."""
    faces = hexes[:, QUADS].reshape(-1, 4)
    _, back, count = np.unique(np.sort(faces, axis=1), axis=0, return_inverse=True, return_counts=True)
    return faces, count[back.ravel()] == 1


def _thirteen(points: Array, hexes: Array, odd: Array, where: str) -> Filling:
    mirrored = 7 - FIVE
    cuts = np.where(odd[:, None, None], mirrored[:, [0, 2, 1, 3]], FIVE)
    tets = np.take_along_axis(hexes[:, None, :].repeat(5, axis=1), cuts, axis=2).reshape(-1, 4)
    positive(points, tets, where, "give 9 or 39 particles")
    places, masses, parts = with_centers(points, tets, np.ones(len(tets)))
    faces, outside = _outer(hexes)
    # the diagonal of a face is that of its even corners, in odd cells of its odd ones
    start = np.array([next(k for k in range(4) if bin(q[k]).count("1") % 2 == 0) for q in QUADS])
    start = (start[None, :] + odd[:, None]).ravel() % 4
    turned = faces[np.arange(len(faces))[:, None], (start[:, None] + np.arange(4)) % 4][outside]
    facets = np.concatenate([turned[:, [0, 1, 2]], turned[:, [0, 2, 3]]])
    pairs = unique_pairs(parts[:, EDGES])
    return Filling(places, masses, parts, np.ones(len(parts)), pairs, facets, hexes)


def cut_in_24(points: Array, hexes: Array) -> tuple[Array, Array, Array]:
    """Points with centres of faces and cells, the 24 tetrahedra of each cell, and the faces' centres.

    A tetrahedron has the centre of the cell, that of a face, and an edge of the face.
    """
    faces = hexes[:, QUADS].reshape(-1, 4)
    keys, first, back = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_inverse=True)
    middle = len(points) + back.reshape(-1, 6)
    places = np.concatenate([points, points[faces[first]].mean(axis=1), points[hexes].mean(axis=1)])
    apex = len(points) + len(keys) + np.arange(len(hexes))
    edges = hexes[:, TRIANGLES].reshape(-1, 24, 2)
    around = np.repeat(middle, 4, axis=1)
    tets = np.stack([np.repeat(apex[:, None], 24, 1), around, edges[:, :, 0], edges[:, :, 1]], axis=2)
    # the apex moves to the centre of mass, which does not depend on where it is
    v = volumes(places, tets.reshape(-1, 4)).reshape(-1, 24)
    if not (v.sum(axis=1) > 0.0).all():
        k = int(np.argmin(v.sum(axis=1)))
        raise ModelError(f"cell {k} has the volume {v[k].sum():.3g} m³", expected="a positive one")
    centers = places[tets].mean(axis=2)
    places[apex] = np.einsum("ht,htc->hc", v, centers) / v.sum(axis=1)[:, None]
    return places, tets, middle


def _many(points: Array, hexes: Array, where: str) -> Filling:
    places, tets, middle = cut_in_24(points, hexes)
    flat = tets.reshape(-1, 4)
    positive(places, flat, where, "use smaller cells")
    places, masses, parts = with_centers(places, flat, np.ones(len(flat)))
    faces, outside = _outer(hexes)
    rim, around = faces[outside], middle.ravel()[outside]
    facets = np.concatenate([np.column_stack([around, rim[:, k], rim[:, (k + 1) % 4]]) for k in range(4)])
    pairs = unique_pairs(parts[:, EDGES])
    return Filling(places, masses, parts, np.ones(len(parts)), pairs, facets, hexes)


def nine_masses(points: Array, hexes: Array) -> tuple[Array, Array, Array]:
    """Of each cell the masses of its corners and of its centre, and where that is; for a density of 1."""
    places, tets, _ = cut_in_24(points, hexes)
    v = volumes(places, tets.reshape(-1, 4)).reshape(-1, 24)
    total = v.sum(axis=1)
    center = places[tets[:, 0, 0]]
    corners = np.zeros((len(hexes), 8))
    for k, (a, b) in enumerate(TRIANGLES):
        corners[:, a] += 0.25 * v[:, k]
        corners[:, b] += 0.25 * v[:, k]
        for c in QUADS[k // 4]:
            corners[:, c] += 0.0625 * v[:, k]
    r = points[hexes] - center[:, None]
    have = np.einsum("hk,hki,hkj->hij", corners, r, r)
    spread = places[tets] - center[:, None, None]
    middle = spread.mean(axis=2)
    exact = np.einsum("ht,htpi,htpj->hij", v / 20.0, spread, spread)
    exact += np.einsum("ht,hti,htj->hij", 0.8 * v, middle, middle)
    # the ratio in the least squares of the inertia's elements
    eye = np.eye(3)
    have, exact = (np.trace(s, axis1=1, axis2=2)[:, None, None] * eye - s for s in (have, exact))
    ratio = np.einsum("hij,hij->h", have, exact) / np.einsum("hij,hij->h", have, have)
    corners *= ratio[:, None]
    masses = np.column_stack([corners, total - corners.sum(axis=1)])
    places = np.concatenate([r, np.zeros((len(r), 1, 3))], axis=1)
    masses = _nearest_masses(
        places, masses, total, 0.5 * np.trace(exact, axis1=1, axis2=2)[:, None, None] * eye - exact
    )
    return masses[:, :8], masses[:, 8], center


def _nearest_masses(r: Array, masses: Array, total: Array, second: Array) -> Array:
    """Masses of that total and centre with the nearest second moments; unchanged where one is negative."""
    size = np.sqrt(np.trace(second, axis1=1, axis2=2) / total)
    p = r / size[:, None, None]
    squares = [p[:, :, i] * p[:, :, j] for i in range(3) for j in range(i, 3)]
    basis = np.stack([np.ones(p.shape[:2]), *np.moveaxis(p, 2, 0), *squares], axis=1)
    wanted = np.zeros((len(r), 10))
    wanted[:, 0] = 1.0
    wanted[:, 4:] = np.stack([second[:, i, j] for i in range(3) for j in range(i, 3)], axis=1)
    wanted[:, 4:] /= (total * size**2)[:, None]
    share = masses / total[:, None]
    firm = np.array([1e6] * 4 + [1.0] * 6)
    for _ in range(2):
        left = wanted - np.einsum("hbk,hk->hb", basis, share)
        change = np.linalg.pinv(basis * share[:, None] * firm[:, None], rcond=1e-12)
        new = share * (1.0 + np.einsum("hkb,hb->hk", change, left * firm))
        share = np.where((new > 0.0).all(axis=1)[:, None], new, share)
    return share * total[:, None]


def _nine(points: Array, hexes: Array, where: str) -> Filling:
    corners, centers, middle = nine_masses(points, hexes)
    count, cells = len(points), len(hexes)
    masses = np.concatenate([np.zeros(count), centers])
    np.add.at(masses, hexes.ravel(), corners.ravel())
    places = np.concatenate([points, middle])
    nine = np.column_stack([hexes, count + np.arange(cells)])
    # each face is cut by both of its diagonals, and each half counts half
    halves = [(q[k], q[(k + 1) % 4], q[(k + 2) % 4]) for q in QUADS for k in range(4)]
    tets = np.concatenate([nine[:, [8, *half]] for half in halves])
    positive(places, tets, where, "use smaller cells")
    faces, outside = _outer(hexes)
    rim = faces[outside]
    facets = np.concatenate([rim[:, [0, 1, 2]], rim[:, [0, 2, 3]]])
    pairs = unique_pairs(nine[:, list(combinations(range(9), 2))])
    return Filling(places, masses, tets, np.full(len(tets), 0.5), pairs, facets, hexes)
