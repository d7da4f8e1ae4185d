"""Solids on planes: the gaps of their corners.

A cap is as stiff as three points, as in exact integration, k r² / 2 of each against tilting. Tilted, it
stands on its deepest point, which has the stiffness of a point then: shares go over to it with the angle.
"""

from hapsis.compiler.native import at, native, sqrt
from hapsis.motion.solvers.contact.geometry.candidates import add
from hapsis.motion.solvers.contact.geometry.clipping import CAP
from hapsis.motion.solvers.contact.geometry.features import axis_of, feature, rounding
from hapsis.motion.solvers.contact.geometry.solids import BOX, HULL, ROOM, Solids
from hapsis.motion.solvers.contact.geometry.vectors import dot, put, to_world

TILTED = 0.1  # rad: from there on a rim stands on one point
LEAST = 0.02  # of a cap: what its other points keep, so that one that falls flat in a step is felt


@native
def corner_count(solids: Solids, k: int) -> int:
    """How many corners a box or a hull has."""
    return 8 if solids.kinds[k] == BOX else solids.corner_count[k]


@native
def corner_of(solids: Solids, k: int, m: int) -> None:
    """Corner m of a box or a hull, about the second solid's p, to `solids.place`."""
    pose, out, local = at(solids.poses, 12 * k), solids.place, solids.local
    if solids.kinds[k] == BOX:
        size = at(solids.sizes, 3 * k)
        for c in range(3):
            local[c] = 0.5 * size[c] if (m >> c) & 1 else -0.5 * size[c]
        to_world(pose, local, out)
    else:
        to_world(pose, at(solids.corners, 3 * (solids.corner_first[k] + m)), out)
    put(out, out[0] + solids.shift[0], out[1] + solids.shift[1], out[2] + solids.shift[2])


@native
def on_plane(solids: Solids, a: int, b: int, margin: float) -> None:
    """Adds the points where solid a touches the plane b: corners of a box or a hull, or of its feature."""
    n, x, size = solids.normal, solids.place, rounding(solids, a)
    axis_of(solids, b, 2, n)
    if solids.kinds[a] == BOX or solids.kinds[a] == HULL:
        for m in range(corner_count(solids, a)):
            corner_of(solids, a, m)
            add_above(solids, dot(n, x), 0.0, margin)
        return
    put(solids.axis, -n[0], -n[1], -n[2])
    count = feature(solids, a, solids.shift, solids.axis, solids.polygon_a, solids.face_a)
    flat, deepest = 0.0, 0
    if count > 2:
        # a rim
        cos = dot(n, solids.face_a)
        flat = max(1.0 - sqrt(max(1.0 - cos * cos, 0.0)) / TILTED, LEAST)
        deepest = deepest_corner(solids, count)
    for m in range(min(count, ROOM)):
        corner = at(solids.polygon_a, 3 * m)
        put(x, corner[0], corner[1], corner[2])
        if count > 2:
            # eight fixed corners, and where they miss it the deepest, which has what the tilt gives it
            solids.share = 0.0 if count > 8 and m == deepest else flat * CAP / 8.0
            solids.share += 1.0 - flat if m == deepest else 0.0
        add_above(solids, dot(n, x), size, margin)
    solids.share = 0.0


@native
def deepest_corner(solids: Solids, count: int) -> int:
    """Which corner of polygon_a is least along the normal."""
    best, least = 0, 1.0e300
    for m in range(count):
        height = dot(solids.normal, at(solids.polygon_a, 3 * m))
        if height < least:
            best, least = m, height
    return best


@native
def add_above(solids: Solids, height: float, radius: float, margin: float) -> None:
    """Adds the point under `solids.place`, at a height above the plane, rounded with a radius."""
    n, x, gap = solids.normal, solids.place, height - radius
    if gap <= margin:
        t = radius + 0.5 * gap
        add(solids, x[0] - t * n[0], x[1] - t * n[1], x[2] - t * n[2], gap)
