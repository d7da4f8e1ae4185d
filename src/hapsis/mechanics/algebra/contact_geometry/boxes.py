"""Two boxes: how far they overlap in the direction of least overlap, and where faces lie flat.

The gap is the largest of fifteen distances, along the normals of both boxes' faces and across
pairs of edges: the separating-axis test. It is continuous, has the sign of the exact distance and
inside is the shortest way out. One touch carries it: its gradient is a unit force at the point
where corner and face, or two edges, meet, which are held while it is differentiated.

Where two faces lie on each other to within a tenth of a radian, eight touches of half the force
support the box (see `box_faces`). They fade in with the angle, and with how clearly this direction
is the one of least overlap; the first touch carries what they leave. Reference: [Ericson] 4.4.1, 5.5.
"""

from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import maximum, sqrt, where
from hapsis.mechanics.algebra.contact_geometry.box_axes import PARALLEL, BoxAxes
from hapsis.mechanics.algebra.contact_geometry.box_faces import supports
from hapsis.mechanics.algebra.contact_geometry.touch import Places, Solid, Touch, along, chosen, rest, signed
from hapsis.mechanics.algebra.rotations import Matrix, product, transposed
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, scaled, sub

UNITS: tuple[Vector, Vector, Vector] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def box_box(first: Solid, second: Solid, places: Places) -> list[Touch]:
    """Eight touches of faces, then the one in the direction of least overlap."""
    R = product(transposed(second.R), first.R)
    d = Matrix(second.R).down(sub(first.p, second.p))
    boxes = BoxAxes(R, d, *([0.5 * x for x in s.size] for s in (first, second)))
    least = _least_overlap(boxes, places)
    touches = supports(boxes, places, least.gap)
    touches = [*touches, rest(least, touches)]
    return [
        t._replace(normal=second.outwards(t.normal), point=add(second.p, second.outwards(t.point)))
        for t in touches
    ]


def _larger(one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
    """That of two rows whose first number is larger."""
    larger = other[0] > one[0]
    return tuple(where(larger, y, x) for x, y in zip(one, other, strict=True))


def _best(rows: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    best = rows[0]
    for row in rows[1:]:
        best = _larger(best, row)
    return best


def _least_overlap(boxes: BoxAxes, places: Places) -> Touch:
    """The touch along the direction of least overlap, in the second box's frame."""
    a, d = boxes.a, boxes.d
    by_first = _best([(boxes.by_first[i], *a[i]) for i in range(3)])
    by_second = _best([(boxes.by_second[j], *UNITS[j]) for j in range(3)])
    rows = [_best([(boxes.by_edges[i][j], *UNITS[j]) for j in range(3)]) for i in range(3)]
    by_edges = _best([(*rows[i], *a[i], *UNITS[i]) for i in range(3)])
    w, u, own = by_edges[1:4], by_edges[4:7], by_edges[7:10]
    c = dot(u, w)
    square = 1.0 - c * c
    axis = scaled(1.0 / sqrt(maximum(square, PARALLEL)), cross(u, w))
    faces = maximum(by_first[0], by_second[0])
    gap = maximum(faces, by_edges[0])
    is_edges, is_first = by_edges[0] > faces, by_first[0] >= by_second[0]
    n = chosen(is_edges, axis, chosen(is_first, by_first[1:], by_second[1:]))
    n = scaled(signed(dot(d, n)), n)
    # the corners or the middles of the edges that are outermost
    x, y = d, (0.0, 0.0, 0.0)
    for k in range(3):
        out = where(is_edges & (own[k] > 0.5), 0.0, 0.0 - signed(dot(n, a[k]))) * boxes.h[k]
        x = along(x, out, a[k])
        out = where(is_edges & (w[k] > 0.5), 0.0, signed(n[k])) * boxes.k[k]
        y = along(y, out, UNITS[k])
    x = chosen(is_edges, _on_edge(u, x, w, y), chosen(is_first, along(y, gap, n), x))
    # where edges are almost parallel their distance falls with the angle
    fall = where(is_edges & (square < PARALLEL), -(4.0 * boxes.size + by_edges[0]) / PARALLEL * c, 0.0)
    local = tuple(dot(a[k], sub(x, d)) for k in range(3))
    turned = scaled(fall, w)
    held = places.held(*n, *local, *turned, *own, dot(n, x) - gap + fall * c)
    gap = _held_gap(boxes, held) if places.given else gap
    return Touch(gap, n, along(x, -0.5 * gap, n), steep=1.0)


def _held_gap(boxes: BoxAxes, held: tuple[Any, ...]) -> Any:
    """The gap of a point of the first box from a plane, and of an edge that turns."""
    n, local, turned, own = held[:3], held[3:6], held[6:9], held[9:12]
    gap = dot(n, boxes.d) - held[12]
    for k in range(3):
        gap = gap + local[k] * dot(n, boxes.a[k]) + own[k] * dot(turned, boxes.a[k])
    return gap


def _on_edge(u: Vector, start: Vector, w: Vector, other: Vector) -> Vector:
    """The point of the first of two lines that is closest to the second."""
    r, c = sub(start, other), dot(u, w)
    return along(start, (c * dot(w, r) - dot(u, r)) / maximum(1.0 - c * c, PARALLEL), u)
