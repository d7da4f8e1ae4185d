"""Contacts of two boxes: the direction of least overlap, then the overlap of the two faces across it.

The direction is the best of fifteen by the separating-axis test; faces are preferred to pairs of
edges by a twentieth of the depth. Projected along it, the two nearest faces overlap in a polygon, and
each corner of each face is moved to the nearest point of that polygon: eight touches that move
continuously. Corners of both faces that coincide share one contact, so a box resting on an equal box
has four supports whatever the rounding. Crossed edges add a ninth touch. Depths are exact where one
corner, edge or face enters another box; a corner counts until the nearest face is no longer the one
through which it entered. Reference: [Ericson] 4.4.1, 5.5.
"""

from typing import Any, NamedTuple

from hapsis.compiler.ir.graph.elementary_functions import abs, maximum, minimum, sqrt, where
from hapsis.mechanics.algebra.contact_geometry.face_overlaps import projected
from hapsis.mechanics.algebra.contact_geometry.touch import Solid, Touch, along, chosen, shared, signed
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, scaled, sub

PARALLEL = 1e-4  # sin² of the angle between two edges below which their cross product is not used
PREFERRED = 0.95  # of the depth of the best face: a pair of edges must be less deep than that
SLIGHT = 1e-6  # of the sum of the half sizes: and less deep by at least this
MERGED = 0.1  # of the shortest half side: corners closer than this begin to share one contact
NEVER = -1e30

SIGNS = (-1.0, 1.0)


class Across(NamedTuple):
    """The direction of least overlap: distance along it, normal, and whether a pair of edges gave it."""

    distance: Any
    normal: Vector
    by_edges: Any
    edges: Any  # distance, normal and weights of the axes of the best pair of edges


class Face(NamedTuple):
    """The face of a box that is towards the other box: centre, outward normal, sides and half lengths."""

    centre: Vector
    out: Vector
    sides: tuple[Vector, Vector]
    halves: tuple[Any, Any]

    def coordinates(self, n: Vector) -> tuple[Vector, Vector]:
        """Two vectors: their products with v are the coordinates along the sides of v projected along n."""
        e, f = self.sides
        k = 1.0 / dot(e, cross(f, n))
        return scaled(k, cross(f, n)), scaled(k, cross(n, e))

    def at(self, s: Any, t: Any) -> Vector:
        """The point with these coordinates along the sides."""
        return along(along(self.centre, s, self.sides[0]), t, self.sides[1])


def box_box(first: Solid, second: Solid) -> list[Touch]:
    """Eight touches of the corners of the faces, and one of crossed edges."""
    across = _direction(first, second)
    n = across.normal
    a, b = _face(first, n, -1.0), _face(second, n, 1.0)
    gaps = _corners(a, b, n, -1.0) + _corners(b, a, n, 1.0)
    touches = [Touch(maximum(gap, across.distance), n, point) for gap, point in gaps]
    touches.append(_crossing(first, second, across))
    scale = MERGED * minimum(minimum(*a.halves), minimum(*b.halves))
    return shared(touches, scale)


def _direction(first: Solid, second: Solid) -> Across:
    """The separating-axis test: the direction along which the boxes overlap least."""
    a, b = ([s.axis(k) for k in range(3)] for s in (first, second))
    h, k = ([0.5 * x for x in s.size] for s in (first, second))
    d = sub(first.p, second.p)
    C = [[dot(x, y) for y in b] for x in a]
    size = [[abs(c) for c in row] for row in C]
    best: Any = None
    for i in range(3):
        reach = h[i] + k[0] * size[i][0] + k[1] * size[i][1] + k[2] * size[i][2]
        best = _better(best, dot(d, a[i]), reach, a[i])
    for j in range(3):
        reach = k[j] + h[0] * size[0][j] + h[1] * size[1][j] + h[2] * size[2][j]
        best = _better(best, dot(d, b[j]), reach, b[j])
    edges: Any = (NEVER, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    for i in range(3):
        for j in range(3):
            edges = _better_edges(edges, d, a, b, h, k, size, C, i, j)
    least = SLIGHT * (h[0] + h[1] + h[2] + k[0] + k[1] + k[2])
    margin = maximum((PREFERRED - 1.0) * best[0], least)
    by_edges = edges[0] > best[0] + margin
    return Across(where(by_edges, edges[0], best[0]), chosen(by_edges, edges[1], best[1]), by_edges, edges)


def _better(best: Any, offset: Any, reach: Any, axis: Vector) -> Any:
    """The better of `best` and the direction of a face: that along which the distance is larger."""
    new = abs(offset) - reach, scaled(signed(offset), axis)
    if best is None:
        return new
    larger = new[0] > best[0]
    return where(larger, new[0], best[0]), chosen(larger, new[1], best[1])


def _better_edges(
    best: Any, d: Vector, a: Any, b: Any, h: Any, k: Any, size: Any, C: Any, i: int, j: int
) -> Any:
    """The better of `best` and the direction across two edges: that along which the distance is larger."""
    square = 1.0 - C[i][j] * C[i][j]
    over = 1.0 / sqrt(maximum(square, PARALLEL))
    i1, i2, j1, j2 = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
    reach = h[i1] * size[i2][j] + h[i2] * size[i1][j] + k[j1] * size[i][j2] + k[j2] * size[i][j1]
    axis = cross(a[i], b[j])
    offset = dot(d, axis)
    distance = where(square > PARALLEL, (abs(offset) - reach) * over, NEVER)
    larger = distance > best[0]
    ones = [tuple(1.0 if m == k else 0.0 for m in range(3)) for k in (i, j)]
    return (
        where(larger, distance, best[0]),
        chosen(larger, scaled(signed(offset) * over, axis), best[1]),
        chosen(larger, ones[0], best[2]),
        chosen(larger, ones[1], best[3]),
    )


def _face(box: Solid, n: Vector, side: float) -> Face:
    """The face whose normal is nearest to n (side 1) or -n (side -1), at most 55 degrees from it."""
    axes, h = [box.axis(k) for k in range(3)], [0.5 * x for x in box.size]
    parts = [dot(n, axis) for axis in axes]
    x, y, z = (abs(p) for p in parts)
    is_x = (x >= y) & (x >= z)
    is_y = y >= z

    def pick(options: list[Any]) -> Any:
        if isinstance(options[0], tuple):
            return chosen(is_x, options[0], chosen(is_y, options[1], options[2]))
        return where(is_x, options[0], where(is_y, options[1], options[2]))

    out = scaled(side * signed(pick(parts)), pick(axes))
    sides = pick([axes[1], axes[2], axes[0]]), pick([axes[2], axes[0], axes[1]])
    halves = pick([h[1], h[2], h[0]]), pick([h[2], h[0], h[1]])
    return Face(along(box.p, pick(h), out), out, sides, halves)


def _corners(face: Face, other: Face, n: Vector, side: float) -> list[tuple[Any, Vector]]:
    """The gap and point at each corner of a face, moved into the overlap of both faces."""
    g, f = other.coordinates(n), face.coordinates(n)
    offset = sub(face.centre, other.centre)
    start = dot(g[0], offset), dot(g[1], offset)
    there = [[dot(gi, e) for e in face.sides] for gi in g]  # coordinates on this face to the other's
    back = [[dot(fi, e) for e in other.sides] for fi in f]
    origin = -dot(f[0], offset), -dot(f[1], offset)
    corners = [
        tuple(start[m] + s * face.halves[0] * there[m][0] + t * face.halves[1] * there[m][1] for m in (0, 1))
        for s in SIGNS
        for t in SIGNS
    ]
    touches: list[tuple[Any, Vector]] = []
    over = 1.0 / dot(n, face.out)
    for u, v in projected(corners, other.halves, origin, back, face.halves):
        x = other.at(u, v)
        # along n from the other face to this one
        gap = dot(sub(face.centre, x), face.out) * over
        touches.append((gap * -side, along(x, 0.5 * gap, n)))
    return touches


def _crossing(first: Solid, second: Solid, across: Across) -> Touch:
    """The touch at the closest points of the two edges; its share is 0 unless edges gave the direction."""
    distance, n, i, j = across.edges
    u, start = _edge(first, n, i, -1.0)
    w, other = _edge(second, n, j, 1.0)
    r, c = sub(start, other), dot(u, w)
    over, ur, wr = 1.0 / maximum(1.0 - c * c, PARALLEL), dot(u, r), dot(w, r)
    x = along(start, (c * wr - ur) * over, u)
    y = along(other, (wr - c * ur) * over, w)
    gap = where(across.by_edges, distance, across.distance)
    return Touch(gap, across.normal, scaled(0.5, add(x, y)), where(across.by_edges, 1.0, 0.0))


def _edge(box: Solid, n: Vector, weights: Vector, side: float) -> tuple[Vector, Vector]:
    """The direction and the midpoint of the edge along the selected axis that is outermost along side n."""
    u: Vector = (0.0, 0.0, 0.0)
    middle = box.p
    for k, weight in enumerate(weights):
        axis = box.axis(k)
        u = along(u, weight, axis)
        reach = (1.0 - weight) * 0.5 * box.size[k] * (side * signed(dot(n, axis)))
        middle = along(middle, reach, axis)
    return u, middle
