"""Filling: a solid as particles, tetrahedra between them, edges and facets; before masses are matched."""

from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import ModelError
from hapsis.motion.particles.objects.moments import volumes

Array = np.ndarray[Any, Any]
EDGES = np.array([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
FACES = np.array([(1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)])  # of a tetrahedron, outwards


class Filling(NamedTuple):
    """What fills a solid.

    points   (n, 3), m
    masses   (n,) for a density of 1
    tets     (m, 4) what is elastic
    shares   (m,) of each tetrahedron, since those of two ways to cut a cell overlap
    pairs    (p, 2) neighbours
    facets   (f, 3) outwards
    hexes    (h, 8) corners of cells, where cells have six faces
    """

    points: Array
    masses: Array
    tets: Array
    shares: Array
    pairs: Array
    facets: Array
    hexes: Array


def positive(points: Array, tets: Array, where: str, remedy: str = "give more cells") -> Array:
    """The volumes of tetrahedra, all of which must be positive."""
    v = volumes(points, tets)
    size = float(np.ptp(points, axis=0).max())
    if not len(v) or not v.min() > 1e-14 * size**3:
        shown = f"{v.min():.3g} m³" if len(v) else "nothing inside"
        raise ModelError(f"a cell has the volume {shown}", where=where, remedy=remedy)
    return v


def unique_pairs(pairs: Array) -> Array:
    """Each pair once, the lower number first."""
    return np.unique(np.sort(pairs.reshape(-1, 2), axis=1), axis=0)


def with_centers(points: Array, tets: Array, density: Array) -> tuple[Array, Array, Array]:
    """Points and masses of tetrahedra with particles at their centres, and the four parts of each."""
    count, m = len(points), len(tets)
    total = volumes(points, tets) * density
    masses = np.zeros(count + m)
    np.add.at(masses, tets.ravel(), np.repeat(total / 20.0, 4))
    masses[count:] = 0.8 * total
    middle = count + np.arange(m)
    parts = np.concatenate([np.column_stack([middle, tets[:, face]]) for face in FACES])
    return np.concatenate([points, points[tets].mean(axis=1)]), masses, parts


def outer_faces(tets: Array) -> Array:
    """The triangles that belong to one tetrahedron only."""
    faces = tets[:, FACES].reshape(-1, 3)
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return faces[np.sort(first[count == 1])]


def filled_tetrahedra(points: Array, tets: Array, where: str) -> Filling:
    """Tetrahedra by the exact rule: five particles each."""
    positive(points, tets, where)
    places, masses, parts = with_centers(points, tets, np.ones(len(tets)))
    used = masses > 0.0
    number = np.cumsum(used) - 1
    parts = number[parts]
    facets = number[outer_faces(tets)]
    pairs = unique_pairs(parts[:, EDGES])
    none = np.zeros((0, 8), np.int64)
    return Filling(places[used], masses[used], parts, np.ones(len(parts)), pairs, facets, none)
