"""Contact points of two features that face each other: the overlap of their projections along the normal."""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.contact.geometry.candidates import add
from hapsis.motion.solvers.contact.geometry.solids import ROOM, Solids
from hapsis.motion.solvers.contact.geometry.vectors import cross, dot, put

ALIGNED = 0.9  # cos of the angle from a face's normal to the pair's, from which on the face is felt
FACE = 4.0  # points of their own that are as stiff as two faces on each other
CAP = 3.0  # the same, where one of them is the cap of a cylinder
INSIDE = 1e-7  # of an edge: corners that are this far outside count as inside


@native
def cut(corners: Array, count: int, side: Array, offset: float, out: Array) -> int:
    """How many corners the part of a polygon or segment with x · side <= offset has; they go to `out`."""
    kept = 0
    last = count - 1
    for m in range(count):
        here, before = at(corners, 3 * m), at(corners, 3 * last)
        d_here, d_before = dot(here, side) - offset, dot(before, side) - offset
        crosses = (d_here > 0.0) != (d_before > 0.0)
        if crosses and kept < ROOM and not (count == 2 and m == 0):
            t = d_before / (d_before - d_here)
            for c in range(3):
                out[3 * kept + c] = before[c] + t * (here[c] - before[c])
            kept += 1
        if d_here <= 0.0 and kept < ROOM:
            put(at(out, 3 * kept), here[0], here[1], here[2])
            kept += 1
        last = m
    return kept


@native
def clip(solids: Solids, sides: Array, sides_count: int, corners: Array, count: int) -> int:
    """Clips a polygon or a segment, in place, to the prism over a convex polygon along the pair's normal."""
    side, centre, edge = solids.axis, solids.local, at(solids.local, 3)
    for c in range(3):
        centre[c] = 0.0
        for m in range(sides_count):
            centre[c] += sides[3 * m + c] / sides_count
    for m in range(sides_count):
        start = at(sides, 3 * m)
        end = at(sides, 3 * ((m + 1) % sides_count))
        put(edge, end[0] - start[0], end[1] - start[1], end[2] - start[2])
        cross(edge, solids.normal, side)
        offset = dot(side, start)
        if dot(side, centre) > offset:
            put(side, -side[0], -side[1], -side[2])
            offset = -offset
        offset += INSIDE * sqrt(dot(side, side)) * sqrt(dot(edge, edge))
        count = cut(corners, count, side, offset, solids.clipped)
        for j in range(3 * count):
            corners[j] = solids.clipped[j]
    return count


@native
def length(corners: Array, count: int, m: int) -> float:
    """The length of the edge of a polygon that ends at corner m."""
    x, y = at(corners, 3 * m), at(corners, 3 * ((m + count - 1) % count))
    a, b, c = x[0] - y[0], x[1] - y[1], x[2] - y[2]
    return sqrt(a * a + b * b + c * c)


@native
def perimeter(corners: Array, count: int) -> float:
    """The length of all edges of a polygon; 0 where it has no area."""
    total = 0.0
    if count > 2:
        for m in range(count):
            total += length(corners, count, m)
    return total


@native
def face_points(
    solids: Solids, corners_a: int, corners_b: int, margin: float, radius_a: float, radius_b: float
) -> None:
    """Adds the points where the features in polygon_a and polygon_b face each other along the normal.

    radius_a, radius_b   what the features are rounded with

    The gap is measured along the normal from surface to surface, so it is never less than the solids' own.
    Two faces are as stiff as `firm` points, whatever they share: each corner has the part of its half edges,
    so that corners which split or meet change nothing.
    """
    n = solids.normal
    cos_a = -dot(solids.face_a, n) if corners_a > 2 else 0.0
    cos_b = dot(solids.face_b, n) if corners_b > 2 else 0.0
    if max(cos_a, cos_b) < ALIGNED or min(corners_a, corners_b) < 2:
        return
    to_a = cos_a > cos_b  # the first solid's face is the reference, the second's corners are clipped
    sides, face, cos = solids.polygon_b, solids.face_b, cos_b
    corners, count, half = solids.polygon_a, corners_a, -0.5
    if to_a:
        sides, face, cos = solids.polygon_a, solids.face_a, cos_a
        corners, count, half = solids.polygon_b, corners_b, 0.5
    height = dot(face, sides)
    count = clip(solids, sides, corners_a if to_a else corners_b, corners, count)
    around = perimeter(corners, count) if min(corners_a, corners_b) > 2 else 0.0
    for m in range(count):
        x = at(corners, 3 * m)
        gap = (dot(x, face) - height) / cos
        if gap - radius_a - radius_b <= margin:
            t = half * gap + 0.5 * (radius_b - radius_a)
            solids.share = 0.0
            if around > 0.0:
                sides_of_it = length(corners, count, m) + length(corners, count, (m + 1) % count)
                solids.share = 0.5 * solids.firm * sides_of_it / around
            add(solids, x[0] + t * n[0], x[1] + t * n[1], x[2] + t * n[2], gap - radius_a - radius_b)
    solids.share = 0.0
