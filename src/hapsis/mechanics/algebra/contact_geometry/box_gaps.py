"""The gap of two boxes along the direction of least overlap, and where they meet there.

Its gradient is a unit force at the point where corner and face, or two edges, meet; these are held
while it is differentiated.
"""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import maximum, sqrt, where
from hapsis.mechanics.algebra.contact_geometry.box_axes import PARALLEL, BoxAxes
from hapsis.mechanics.algebra.contact_geometry.touch import Places, Touch, along, chosen, signed
from hapsis.mechanics.algebra.vectors import Vector, cross, dot, scaled, sub

UNITS: tuple[Vector, Vector, Vector] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
Axes = tuple[int, ...]
ALL: Axes = (0, 1, 2)


def _larger(one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
    """That of two rows whose first number is larger."""
    larger = other[0] > one[0]
    return tuple(where(larger, y, x) for x, y in zip(one, other, strict=True))


def _best(rows: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    best = rows[0]
    for row in rows[1:]:
        best = _larger(best, row)
    return best


def least_overlap(
    boxes: BoxAxes,
    places: Places,
    firsts: Axes = ALL,
    seconds: Axes = ALL,
    edges: Sequence[Axes] = (ALL,) * 3,
) -> Touch:
    """The touch along the direction of least overlap, in the second box's frame.

    firsts, seconds  the faces of the first and of the second that count
    edges            for each edge of the first those of the second that count
    """
    a, d = boxes.a, boxes.d
    by_first = _best([(boxes.by_first[i], *a[i]) for i in firsts])
    by_second = _best([(boxes.by_second[j], *UNITS[j]) for j in seconds])
    rows = [_best([(boxes.across(i, j), *UNITS[j]) for j in edges[i]]) for i in range(3)]
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
