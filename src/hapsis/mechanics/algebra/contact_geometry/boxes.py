"""Two boxes: how far they overlap in the direction of least overlap, and where faces lie flat.

The gap is the largest of fifteen distances, along the normals of both boxes' faces and across
pairs of edges: the separating-axis test. It is continuous, has the sign of the exact distance and
inside is the shortest way out. One touch carries it.

Where two faces lie on each other to within a tenth of a radian, their overlap seen along the
normal is a polygon, and each corner of each face goes to the point of that polygon nearest to it:
eight touches of half the force, which move without jumps, so that a box on a box has four
supports. They fade in with the angle, and with how clearly this direction is the one of least
overlap; the first touch carries what they leave. Reference: [Ericson] 4.4.1, 5.5.
"""

from typing import Any, NamedTuple

from hapsis.compiler.ir.graph.elementary_functions import abs, clip, maximum, sqrt, where
from hapsis.mechanics.algebra.contact_geometry.face_overlaps import projected
from hapsis.mechanics.algebra.contact_geometry.touch import (
    TINY,
    Places,
    Solid,
    Touch,
    along,
    carried,
    chosen,
    fading,
    rest,
    signed,
)
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, scaled, sub

PARALLEL = 1e-6  # sin² of the angle between edges below which they begin to make no direction
FLAT = 0.01  # sin² of the angle at which faces begin to lie on each other
SLIGHT = 1e-9  # of the sizes: the least depth that weights are compared with
SQUARE = 0.5  # cosine between face and direction, at least; where faces lie flat it is 1
HALF = 0.5  # of the force: a support is found from both faces

SIGNS = (-1.0, 1.0)
Grid = list[list[Any]]


class Directions(NamedTuple):
    """Axes and half sides of both boxes, the way between centres, the distances along each."""

    a: list[Vector]
    b: list[Vector]
    h: list[Any]
    k: list[Any]
    d: Vector
    cosines: Grid
    by_first: list[Any]  # along the normals of the first box
    by_second: list[Any]
    by_edges: Grid

    @property
    def size(self) -> Any:
        """The sum of all half sides."""
        return self.h[0] + self.h[1] + self.h[2] + self.k[0] + self.k[1] + self.k[2]


class Face(NamedTuple):
    """The face of a box that looks to the other: centre, outward normal, two sides and halves."""

    centre: Vector
    out: Vector
    sides: tuple[Vector, Vector]
    halves: tuple[Any, Any]

    def coordinates(self, n: Vector) -> tuple[Vector, Vector]:
        """The vectors whose products with a vector are its parts along the sides, seen along n."""
        e, f = self.sides
        k = 1.0 / _away_from_zero(dot(e, cross(f, n)))
        return scaled(k, cross(f, n)), scaled(k, cross(n, e))

    def at(self, s: Any, t: Any) -> Vector:
        """The point with these parts along the sides."""
        return along(along(self.centre, s, self.sides[0]), t, self.sides[1])


def box_box(first: Solid, second: Solid, places: Places) -> list[Touch]:
    """Eight touches of faces, then the one in the direction of least overlap."""
    directions = _directions(first, second)
    weights = [[_flat(directions, i, j) for j in range(3)] for i in range(3)]
    weight = _largest([w for row in weights for w in row])
    chose = [[_largest(row) > 0.0 for row in rows] for rows in (weights, zip(*weights, strict=True))]
    a = _face(first, directions.d, chose[0], -1.0)
    b = _face(second, directions.d, chose[1], 1.0)
    n = b.out
    gaps = _corners(a, b, n, -1.0) + _corners(b, a, n, 1.0)
    least = _least_overlap(first, second, directions)
    touches = [Touch(carried(gap, weight, least.gap), n, point, HALF) for gap, point in gaps]
    return [*touches, rest(least, touches)]


def _directions(first: Solid, second: Solid) -> Directions:
    """The separating-axis test: distances along fifteen directions."""
    a, b = ([s.axis(k) for k in range(3)] for s in (first, second))
    h, k = ([0.5 * x for x in s.size] for s in (first, second))
    d = sub(first.p, second.p)
    C = [[dot(x, y) for y in b] for x in a]
    size = [[abs(c) for c in row] for row in C]
    by_first = [
        abs(dot(d, a[i])) - (h[i] + k[0] * size[i][0] + k[1] * size[i][1] + k[2] * size[i][2])
        for i in range(3)
    ]
    by_second = [
        abs(dot(d, b[j])) - (k[j] + h[0] * size[0][j] + h[1] * size[1][j] + h[2] * size[2][j])
        for j in range(3)
    ]
    found = Directions(a, b, h, k, d, C, by_first, by_second, [])
    return found._replace(by_edges=[[_edges(found, size, i, j) for j in range(3)] for i in range(3)])


def _edges(given: Directions, size: Grid, i: int, j: int) -> Any:
    """The distance across two edges; falling to nothing where they become parallel."""
    h, k = given.h, given.k
    square = 1.0 - given.cosines[i][j] * given.cosines[i][j]
    i1, i2, j1, j2 = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
    reach = h[i1] * size[i2][j] + h[i2] * size[i1][j] + k[j1] * size[i][j2] + k[j2] * size[i][j1]
    offset = dot(given.d, cross(given.a[i], given.b[j]))
    distance = (abs(offset) - reach) / sqrt(maximum(square, PARALLEL))
    return distance - 2.0 * given.size * maximum(1.0 - square / PARALLEL, 0.0)


def _flat(given: Directions, i: int, j: int) -> Any:
    """How far face i of the first lies on face j of the second, 0 to 1.

    It is 0 at the latest where another direction than theirs has as little overlap, and where the
    boxes are inside each other beyond the middle: there another pair of faces takes over.
    """
    distance = maximum(given.by_first[i], given.by_second[j])
    across = [given.by_first[m] for m in range(3) if m != i] + [
        given.by_second[m] for m in range(3) if m != j
    ]
    across += [given.by_edges[i][m] for m in range(3) if m != j]
    across += [given.by_edges[m][j] for m in range(3) if m != i]
    margin = distance - _largest(across)
    depth = maximum(0.0 - distance, SLIGHT * given.size + TINY)
    offset = abs(dot(given.d, given.b[j])) / maximum(given.k[j] + given.h[i], SLIGHT * given.size + TINY)
    angle = fading(1.0 - given.cosines[i][j] * given.cosines[i][j], FLAT)
    return angle * clip(margin / depth, 0.0, 1.0) * clip(4.0 * offset - 1.0, 0.0, 1.0)


def _largest(values: Any) -> Any:
    first, *others = values
    for value in others:
        first = maximum(first, value)
    return first


def _away_from_zero(x: Any) -> Any:
    return where(x < 0.0, where(x < -SQUARE, x, -SQUARE), where(x > SQUARE, x, SQUARE))


def _face(box: Solid, d: Vector, chose: list[Any], side: float) -> Face:
    """The face across the axis chosen, on the side along d (1) or against it (-1)."""
    axes, h = [box.axis(k) for k in range(3)], [0.5 * x for x in box.size]

    def pick(options: list[Any]) -> Any:
        if isinstance(options[0], tuple):
            return chosen(chose[0], options[0], chosen(chose[1], options[1], options[2]))
        return where(chose[0], options[0], where(chose[1], options[1], options[2]))

    axis = pick(axes)
    out = scaled(side * signed(dot(d, axis)), axis)
    sides = pick([axes[1], axes[2], axes[0]]), pick([axes[2], axes[0], axes[1]])
    halves = pick([h[1], h[2], h[0]]), pick([h[2], h[0], h[1]])
    return Face(along(box.p, pick(h), out), out, sides, halves)


def _corners(face: Face, other: Face, n: Vector, side: float) -> list[tuple[Any, Vector]]:
    """The gap and point at each corner of a face, brought to where both faces are."""
    g, f = other.coordinates(n), face.coordinates(n)
    offset = sub(face.centre, other.centre)
    start = dot(g[0], offset), dot(g[1], offset)
    there = [[dot(gi, e) for e in face.sides] for gi in g]  # parts on this face to the other's
    back = [[dot(fi, e) for e in other.sides] for fi in f]
    origin = -dot(f[0], offset), -dot(f[1], offset)
    corners = [
        tuple(start[m] + s * face.halves[0] * there[m][0] + t * face.halves[1] * there[m][1] for m in (0, 1))
        for s in SIGNS
        for t in SIGNS
    ]
    touches: list[tuple[Any, Vector]] = []
    over = 1.0 / _away_from_zero(dot(n, face.out))
    for u, v in projected(corners, other.halves, origin, back, face.halves):
        x = other.at(u, v)
        # along n from the other face to this one
        gap = dot(sub(face.centre, x), face.out) * over
        touches.append((gap * -side, along(x, 0.5 * gap, n)))
    return touches


def _least_overlap(first: Solid, second: Solid, given: Directions) -> Touch:
    """The touch along the direction of least overlap, where corner and face or two edges meet."""
    gap: Any = None
    best: Any = None

    def offer(
        distance: Any, axis: Vector, edges: float, corner_of_first: float, i: Vector, j: Vector
    ) -> None:
        nonlocal gap, best
        new = (*scaled(signed(dot(given.d, axis)), axis), edges, corner_of_first, *i, *j)
        if gap is None:
            gap, best = distance, new
            return
        larger = distance > gap
        gap = maximum(gap, distance)
        best = tuple(where(larger, x, y) for x, y in zip(new, best, strict=True))

    none: Vector = (0.0, 0.0, 0.0)
    for i in range(3):
        offer(given.by_first[i], given.a[i], 0.0, 0.0, none, none)
    for j in range(3):
        offer(given.by_second[j], given.b[j], 0.0, 1.0, none, none)
    for i in range(3):
        for j in range(3):
            square = 1.0 - given.cosines[i][j] * given.cosines[i][j]
            axis = scaled(1.0 / sqrt(maximum(square, PARALLEL)), cross(given.a[i], given.b[j]))
            ones = [tuple(1.0 if m == k else 0.0 for m in range(3)) for k in (i, j)]
            offer(given.by_edges[i][j], axis, 1.0, 0.0, *ones)
    n: Vector = best[:3]
    u, x = _edge(first, n, best[5:8], -1.0)
    w, y = _edge(second, n, best[8:11], 1.0)
    crossing = _crossing(u, x, w, y)
    corner = chosen(best[4] > 0.0, along(x, -0.5 * gap, n), along(y, 0.5 * gap, n))
    return Touch(gap, n, chosen(best[3] > 0.0, crossing, corner))


def _crossing(u: Vector, start: Vector, w: Vector, other: Vector) -> Vector:
    """Half way between the closest points of two lines."""
    r, c = sub(start, other), dot(u, w)
    over, ur, wr = 1.0 / maximum(1.0 - c * c, PARALLEL), dot(u, r), dot(w, r)
    x = along(start, (c * wr - ur) * over, u)
    y = along(other, (wr - c * ur) * over, w)
    return scaled(0.5, add(x, y))


def _edge(box: Solid, n: Vector, weights: Vector, side: float) -> tuple[Vector, Vector]:
    """The direction and the middle of the edge along the chosen axis, outermost along side n.

    Without an axis, the outermost corner.
    """
    u: Vector = (0.0, 0.0, 0.0)
    middle = box.p
    for k, weight in enumerate(weights):
        axis = box.axis(k)
        u = along(u, weight, axis)
        reach = (1.0 - weight) * 0.5 * box.size[k] * (side * signed(dot(n, axis)))
        middle = along(middle, reach, axis)
    return u, middle
