"""Random solids with poses, and their gaps by an independent route: support functions of many directions."""

from typing import Any, NamedTuple

import numpy as np

from hapsis.mechanics.algebra.convex_hull import convex_hull
from hapsis.motion.solvers.contact.geometry.hulls import set_hulls
from hapsis.motion.solvers.contact.geometry.manifold import manifold
from hapsis.motion.solvers.contact.geometry.solids import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HULL,
    POINT,
    SEGMENT,
    SPHERE,
    Solids,
    bounding_radius,
)

CONVEX = (POINT, SPHERE, SEGMENT, CAPSULE, BOX, CYLINDER, ELLIPSOID, HULL)
CUBE = 0.5 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
NO_SIZE = (0.0, 0.0, 0.0)


class Solid(NamedTuple):
    """A solid: its kind, its sizes, its rotation and centre, the corners of a hull."""

    kind: int
    size: Any
    R: Any = np.eye(3)
    p: Any = np.zeros(3)
    corners: Any = None


def rotation(axis: Any, angle: float) -> Any:
    """The rotation about an axis, by the formula of Rodrigues."""
    x, y, z = np.array(axis, float) / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def random_rotation(draw: Any) -> Any:
    """A rotation about any axis by any angle."""
    return rotation(draw.normal(size=3), draw.uniform(0, 2 * np.pi))


def random_solid(draw: Any, kind: int, scale: float) -> Solid:
    """A solid at the origin, turned at random; about as large as `scale`."""
    size = scale * draw.uniform(0.3, 1.5, 3)
    used = {POINT: 0, SPHERE: 1, SEGMENT: 1, CAPSULE: 2, CYLINDER: 2, HULL: 0}.get(kind, 3)
    size[used:] = 0.0
    corners = scale * draw.normal(size=(draw.integers(6, 16), 3)) if kind == HULL else None
    return Solid(kind, size, random_rotation(draw), np.zeros(3), corners)


def memory(*solids: Solid) -> Solids:
    """The memory for solids, filled."""
    filled = Solids(count=len(solids))
    for k, solid in enumerate(solids):
        filled.kinds[k], filled.sizes[3 * k : 3 * k + 3] = solid.kind, solid.size
        filled.poses[12 * k : 12 * k + 12] = [*np.ravel(solid.R), *solid.p]
        if solid.kind != HULL:
            filled.bounds[k] = bounding_radius(solid.kind, solid.size)
    hulls = {k: convex_hull(solid.corners) for k, solid in enumerate(solids) if solid.kind == HULL}
    if hulls:
        set_hulls(filled, hulls)
    return filled


def points_of(first: Solid, second: Solid, margin: float) -> Any:
    """The contact points of two solids, in rows."""
    points = np.zeros(56)
    count = manifold(memory(first, second), 0, 1, margin, points)
    return points.reshape(8, 7)[:count]


def reach(solid: Solid, n: Any) -> Any:
    """How far a solid reaches from its centre along unit vectors in rows."""
    local = np.abs(n @ solid.R)
    x, y, _ = solid.size
    match solid.kind:
        case 1:
            return np.full(len(n), x)
        case 2:
            return 0.5 * x * local[:, 2]
        case 3:
            return x + 0.5 * y * local[:, 2]
        case 4:
            return 0.5 * local @ solid.size
        case 5:
            return x * np.hypot(local[:, 0], local[:, 1]) + 0.5 * y * local[:, 2]
        case 8:
            return np.linalg.norm(local * solid.size, axis=1)
        case 9:
            return (n @ solid.R @ solid.corners.T).max(axis=1)
    return np.zeros(len(n))


def gaps(first: Solid, second: Solid, n: Any) -> Any:
    """The gaps of two solids along unit vectors in rows, from the second to the first."""
    return n @ (first.p - second.p) - reach(first, -n) - reach(second, n)


def directions(draw: Any, count: int) -> Any:
    """Unit vectors in rows, at random."""
    n = draw.normal(size=(count, 3))
    return n / np.linalg.norm(n, axis=1)[:, None]


def largest_gap(first: Solid, second: Solid, draw: Any) -> tuple[float, Any]:
    """The largest gap of two solids along any direction, and that direction: a lower bound, by random search.

    It is the distance of solids that are apart, and less the depth of those that overlap.
    """
    n = np.vstack([directions(draw, 1500), first.R.T, -first.R.T, second.R.T, -second.R.T])
    found = gaps(first, second, n)
    best, way = -np.inf, n[0]
    for k in np.argsort(-found)[:4]:
        here, value, width = n[k], found[k], 0.1
        for _ in range(30):
            around = here + width * draw.normal(size=(30, 3))
            around /= np.linalg.norm(around, axis=1)[:, None]
            tried = gaps(first, second, around)
            if tried.max() > value:
                here, value = around[tried.argmax()], tried.max()
            else:
                width *= 0.5
        if value > best:
            best, way = float(value), here
    return best, way


def random_pair(draw: Any, first: int, second: int, scale: float, gap: float) -> tuple[Solid, Solid]:
    """Two solids of these kinds with about that gap, along a direction that separates them well."""
    a, b = random_solid(draw, first, scale), random_solid(draw, second, scale)
    way = directions(draw, 1)
    a = a._replace(p=-0.98 * gaps(a, b, way)[0] * way[0])
    found, way = largest_gap(a, b, draw)
    return a._replace(p=a.p + (gap - found) * way), b
