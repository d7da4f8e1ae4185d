"""Two faces of boxes that lie on each other: eight supports.

The overlap of both faces, seen along the normal, is a polygon, and each corner of each face goes to
the point of that polygon nearest to it: touches which move without jumps, so that a box on a box
has four supports. Which faces these are is found first; with the axes of both boxes counted from
there, all that follows is the same for any two faces.
"""

from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import abs, clip, maximum, where
from hapsis.mechanics.algebra.contact_geometry.box_axes import BoxAxes, largest, turned_back
from hapsis.mechanics.algebra.contact_geometry.box_gaps import least_overlap
from hapsis.mechanics.algebra.contact_geometry.face_overlaps import Overlap, projected
from hapsis.mechanics.algebra.contact_geometry.touch import (
    TINY,
    Places,
    Touch,
    along,
    carried,
    fading,
    signed,
)
from hapsis.mechanics.algebra.vectors import Vector, dot, scaled

FLAT = 0.01  # sin² of the angle at which faces begin to lie on each other
SLIGHT = 1e-9  # of the sizes: the least depth that weights are compared with
SQUARE = 0.5  # cosine between faces, at least; where they lie flat it is 1
HALF = 0.5  # of the force: a support is found from both faces

CORNERS = [(s, t) for s in (-1.0, 1.0) for t in (-1.0, 1.0)]


def supports(boxes: BoxAxes, places: Places, least: Any) -> list[Touch]:
    """The touches of the corners of both faces; `least` is the gap of the boxes."""
    held = places.held(*_faces(boxes))
    first, second = (held[0] > 0.5, held[1] > 0.5), (held[2] > 0.5, held[3] > 0.5)
    facing = boxes.facing(first, second)
    weight = _flat(facing, places)
    n: Vector = (signed(facing.d[0]), 0.0, 0.0)
    normal = turned_back(second, n)
    return [
        Touch(carried(gap, weight, least), normal, turned_back(second, point), HALF, steep=weight)
        for gap, point in _corners(facing, n[0], places)
    ]


def _faces(boxes: BoxAxes) -> list[Any]:
    """Of each box whether axis 0, and whether axis 1, is across the face; 1 or 0.

    With a weight above zero these two faces have the largest distance of all, and are parallel.
    """
    parallel = [[x * x > 0.5 for x in axis] for axis in boxes.a]
    by_first = largest(boxes.by_first) >= largest(boxes.by_second)
    highest = [_highest(boxes.by_first), _highest(boxes.by_second)]
    to_second = [_any(highest[0][i] & parallel[i][j] for i in range(3)) for j in (0, 1)]
    to_first = [_any(highest[1][j] & parallel[i][j] for j in range(3)) for i in (0, 1)]
    first = [(by_first & x) | (_not(by_first) & y) for x, y in zip(highest[0], to_first, strict=False)]
    second = [(by_first & x) | (_not(by_first) & y) for x, y in zip(to_second, highest[1], strict=False)]
    return [where(x, 1.0, 0.0) for x in (*first, *second)]


def _highest(x: list[Any]) -> list[Any]:
    """Which of three numbers is the highest."""
    zero = (x[0] >= x[1]) & (x[0] >= x[2])
    one = _not(zero) & (x[1] >= x[2])
    return [zero, one, _not(zero | one)]


def _any(conditions: Any) -> Any:
    first, *others = conditions
    for other in others:
        first = first | other
    return first


def _not(condition: Any) -> Any:
    return where(condition, 0.0, 1.0) > 0.5


def _flat(boxes: BoxAxes, places: Places) -> Any:
    """How far face 0 of the first lies on face 0 of the second, 0 to 1.

    It is 0 at the latest where another direction than theirs has as little overlap, and where the
    boxes are inside each other beyond the middle: there another pair of faces takes over.
    """
    distance = maximum(boxes.by_first[0], boxes.by_second[0])
    across = least_overlap(boxes, places, (1, 2), (1, 2), ((1, 2), (0,), (0,)))
    margin = distance - across.gap
    slight = SLIGHT * boxes.size + TINY
    offset = abs(boxes.d[0]) / maximum(boxes.k[0] + boxes.h[0], slight)
    angle = fading(1.0 - boxes.a[0][0] * boxes.a[0][0], FLAT)
    clearly = clip(margin / maximum(0.0 - distance, slight), 0.0, 1.0)
    return angle * clearly * clip(4.0 * offset - 1.0, 0.0, 1.0)


def _away_from_zero(x: Any) -> Any:
    return where(x < 0.0, where(x < -SQUARE, x, -SQUARE), where(x > SQUARE, x, SQUARE))


def _corners(boxes: BoxAxes, side: Any, places: Places) -> list[tuple[Any, Vector]]:
    """The gap and the point of each corner, first those of the first box's face.

    side    of the second box on which the first is: 1 or -1
    """
    (a, b, c), (_, h1, h2), (k0, k1, k2) = boxes.a, boxes.h, boxes.k
    out = scaled(0.0 - signed(dot(boxes.d, a)), a)  # of the first
    centre = along(boxes.d, boxes.h[0], out)
    # a point s b + t c of the first face, seen along the second's normal: to (u, v), and back
    over = 1.0 / _away_from_zero(a[0])
    there = [[b[1], c[1]], [b[2], c[2]]]
    back = [[over * c[2], -(over * c[1])], [-(over * b[2]), over * b[1]]]
    origin = centre[1], centre[2]
    start = tuple(-(x * origin[0] + y * origin[1]) for x, y in back)
    touches: list[tuple[Any, Vector]] = []
    over = 1.0 / _away_from_zero(side * out[0])
    height = dot(centre, out) - side * k0 * out[0]
    points = _moved(origin, there, (h1, h2))
    for u, v in projected(points, Overlap((k1, k2), start, back, (h1, h2)), places):
        gap = (height - u * out[1] - v * out[2]) * over
        touches.append((gap, (side * (k0 + 0.5 * gap), u, v)))
    points = _moved(start, back, (k1, k2))
    for s, t in projected(points, Overlap((h1, h2), origin, there, (k1, k2)), places):
        x = along(along(centre, s, b), t, c)
        gap = side * x[0] - k0
        touches.append((gap, (x[0] - 0.5 * gap * side, x[1], x[2])))
    return touches


def _moved(start: Any, matrix: Any, halves: Any) -> list[Any]:
    """The corners of a rectangle in other coordinates."""
    columns = [[matrix[m][k] * halves[k] for m in (0, 1)] for k in (0, 1)]
    return [tuple(start[m] + s * columns[0][m] + t * columns[1][m] for m in (0, 1)) for s, t in CORNERS]
