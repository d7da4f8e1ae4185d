"""Objects with closed surfaces for tests of contact: boxes, balls, wheels, pyramids, plates."""

from itertools import combinations
from typing import Any

import numpy as np

import hapsis as hs

P: Any = hs.particles


def closed(
    name: str, points: Any, facets: Any, *, mass: float = 1.0, stiffness: float = 1e4, damping: float = 1.0
) -> Any:
    """Corners of equal mass and the centre with half of it, each connected with all others."""
    points = np.asarray(points, dtype=float)
    points = np.concatenate([points, points.mean(axis=0, keepdims=True)])
    n = len(points) - 1
    masses = np.array([0.5 * mass / n] * n + [0.5 * mass])
    ends = np.array(list(combinations(range(n + 1), 2)))
    rest = np.linalg.norm(points[ends[:, 0]] - points[ends[:, 1]], axis=1)
    springs = P.Connectors.of(ends, rest, stiffness, damping)
    return P.ParticleObject(name, points, masses, springs, facets=outwards(points, np.array(facets)))


def outwards(points: Any, facets: Any) -> Any:
    """Facets of a star-shaped surface around the origin's side of its mean, all with outward normals."""
    corners = points[facets]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inside = (
        np.einsum("fc,fc->f", normals, corners.mean(axis=1) - points[np.unique(facets)].mean(axis=0)) < 0.0
    )
    facets = facets.copy()
    facets[inside] = facets[inside][:, [0, 2, 1]]
    return facets


def hull(name: str, points: Any, **options: Any) -> Any:
    """The convex hull of points, by trying all triangles."""
    points = np.asarray(points, dtype=float)
    facets = []
    for t in combinations(range(len(points)), 3):
        n = np.cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]])
        d = (points - points[t[0]]) @ n
        if (d <= 1e-12).all() or (d >= -1e-12).all():
            facets.append(t)
    return closed(name, points, facets, **options)


def icosphere(level: int) -> tuple[Any, Any]:
    """Points on the unit sphere, and facets: an icosahedron, each facet divided in four `level` times."""
    g = (1 + 5**0.5) / 2
    points = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g)]
    points += [(0, -1, -g), (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    facets = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2)]
    facets += [(10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5)]
    facets += [(2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    table = [np.array(p) / np.linalg.norm(p) for p in points]
    for _ in range(level):
        middle: dict[tuple[int, int], int] = {}

        def between(a: int, b: int, middle: Any = middle) -> int:
            key = (min(a, b), max(a, b))
            if key not in middle:
                p = table[a] + table[b]
                middle[key] = len(table)
                table.append(p / np.linalg.norm(p))
            return middle[key]

        finer = []
        for a, b, c in facets:
            d, e, f = between(a, b), between(b, c), between(c, a)
            finer += [(a, d, f), (b, e, d), (c, f, e), (d, e, f)]
        facets = finer
    return np.array(table), np.array(facets)


def ball(
    name: str,
    radius: float,
    *,
    level: int = 2,
    mass: float = 1.0,
    stiffness: float = 1e4,
    damping: float = 1.0,
) -> Any:
    """A ball with the inertia of a solid one: 3/5 of its mass on the surface, the rest in the centre."""
    points, facets = icosphere(level)
    n = len(points)
    points = np.concatenate([radius * points, [(0, 0, 0)]])
    # a shell of mass s has 2/3 s r²; a solid ball 2/5 m r²
    masses = np.array([0.6 * mass / n] * n + [0.4 * mass])
    edges = {tuple(sorted(pair)) for f in facets for pair in combinations(map(int, f), 2)}
    ends = [*edges, *((k, n) for k in range(n)), *((k, opposite(points, k)) for k in range(n))]
    ends = np.array(sorted({tuple(sorted(e)) for e in ends}))
    rest = np.linalg.norm(points[ends[:, 0]] - points[ends[:, 1]], axis=1)
    springs = P.Connectors.of(ends, rest, stiffness, damping)
    return P.ParticleObject(name, points, masses, springs, facets=outwards(points, facets))


def opposite(points: Any, k: int) -> int:
    """The particle on the other side of the centre."""
    return int(np.argmin(points[:-1] @ points[k]))


def box(name: str, *sides: float, mass: float = 1.0, stiffness: float = 1e4, damping: float = 1.0) -> Any:
    """A box with exact inertia."""
    return P.solid(name, hs.shapes.box(*sides), mass=mass, stiffness=stiffness, damping=damping)


def wheel(name: str, radius: float, width: float, count: int = 24, **options: Any) -> Any:
    """A prism whose axis is y."""
    a = 2 * np.pi * np.arange(count) / count
    half = np.array([0, width / 2, 0])
    ring = np.stack([radius * np.sin(a), 0 * a, -radius * np.cos(a)], axis=1)
    points = np.concatenate([ring - half, ring + half])
    k, m = np.arange(count), (np.arange(count) + 1) % count
    facets = [*zip(k, m, k + count, strict=True), *zip(m, m + count, k + count, strict=True)]
    facets += [(0, i, i + 1) for i in range(1, count - 1)]
    facets += [(count, count + i, count + i + 1) for i in range(1, count - 1)]
    return closed(name, points, facets, **options)


def pyramid(name: str, side: float, height: float, **options: Any) -> Any:
    """A pyramid on a square."""
    h = side / 2
    points = [(-h, -h, 0), (h, -h, 0), (h, h, 0), (-h, h, 0), (0, 0, height)]
    facets = [(0, 1, 2), (0, 2, 3), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]
    return closed(name, points, facets, **options)


def quiet(scene: Any, until: float, **options: Any) -> Any:
    """A run whose status is done."""
    result = hs.simulate(scene, until=until, **options)
    assert result.success, (result.status, result.message)
    return result
