"""Signed distances from boxes and cylinders: exact for points and balls, by a search for axes.

Inside, the distance is that to the nearest face, and the normal points out of it.
"""

from collections.abc import Callable
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import abs, maximum, minimum, sqrt, where
from hapsis.mechanics.algebra.contact_geometry.axis_search import FLAT, closest_stretch
from hapsis.mechanics.algebra.contact_geometry.swept_balls import SAME, half_of, radius_of
from hapsis.mechanics.algebra.contact_geometry.touch import (
    TINY,
    Solid,
    Touch,
    along,
    at_surface,
    chosen,
    clip,
    fading,
    signed,
)
from hapsis.mechanics.algebra.vectors import Vector, add, dot, scaled, sub

BALLS = 0.05  # of the radius: ends of an interval closer than this begin to share one contact
FOLD = 1e-6  # rad: a smaller change of the normal between two neighbouring positions is no fold
SHARPEST = 0.25  # least square of the cosine of half the angle between the normals of a fold
ROUND = 4.0 * FLAT  # of the radii: ends closer than this count as one

Distance = tuple[Any, Vector]  # the signed distance and the normal, in the solid's frame


def from_box(x: Vector, size: tuple[Any, ...]) -> Distance:
    """The signed distance of a point from a box, and the outward normal; in the box's frame."""
    signs = [signed(c) for c in x]
    over = [abs(c) - 0.5 * s for c, s in zip(x, size, strict=True)]
    distance, parts = _from_faces(over)
    a, b, c = (s * part for s, part in zip(signs, parts, strict=True))
    return distance, (a, b, c)


def from_cylinder(x: Vector, size: tuple[Any, ...]) -> Distance:
    """The signed distance of a point from a cylinder along z, and the outward normal; in its frame."""
    square = x[0] * x[0] + x[1] * x[1]
    k = 1.0 / sqrt(maximum(square, TINY))
    out = where(square > TINY, x[0] * k, 1.0), where(square > TINY, x[1] * k, 0.0)
    across = x[0] * out[0] + x[1] * out[1]
    distance, parts = _from_faces([across - size[0], abs(x[2]) - 0.5 * size[1]])
    return distance, (out[0] * parts[0], out[1] * parts[0], signed(x[2]) * parts[1])


def _from_faces(over: list[Any]) -> tuple[Any, list[Any]]:
    """The distance from perpendicular faces, and the normal's components.

    `over` has the signed distance of the point from the plane of each face.
    """
    beyond = [maximum(o, 0.0) for o in over]
    square = sum((b * b for b in beyond[1:]), beyond[0] * beyond[0])
    outside, root = square > TINY, sqrt(maximum(square, TINY))
    nearest = over[0]
    for o in over[1:]:
        nearest = maximum(nearest, o)
    # inside: the normal of the first of the nearest faces alone
    parts: list[Any] = []
    left: Any = 1.0
    for o in over:
        this = where(o >= nearest, left, 0.0)
        parts.append(this)
        left = left - this
    parts = [where(outside, b / root, f) for b, f in zip(beyond, parts, strict=True)]
    return where(outside, root, minimum(nearest, 0.0)), parts


DISTANCES: dict[str, Callable[[Vector, tuple[Any, ...]], Distance]] = {
    "box": from_box,
    "cylinder": from_cylinder,
}


def point_on(point: Vector, solid: Solid, radius: Any = 0.0) -> Touch:
    """The touch of a point, or of a ball about it, with a box or cylinder."""
    distance, normal = DISTANCES[solid.kind](solid.local(point), solid.size)
    return at_surface(point, distance, solid.outwards(normal), radius)


def ball_on(first: Solid, second: Solid) -> list[Touch]:
    """The one touch of a point or ball with a box or cylinder."""
    return [point_on(first.p, second, radius_of(first))]


def segment_on(first: Solid, second: Solid) -> list[Touch]:
    """The touches of a segment or capsule with a box or cylinder, where its axis is closest.

    One touch at the closest point; or, where the axis is parallel to a face within FLAT, two at the
    ends of the interval on it. Their shares change smoothly from one case to the other.
    """
    return axis_touches(first, second, radius_of(first))


def axis_touches(first: Solid, second: Solid, radius: Any) -> list[Touch]:
    """The touches of a ball swept along the axis of a solid with a box or cylinder.

    The closest point, then the first and the last end of the flat interval.
    """
    return line_touches(first.p, half_of(first), 0.5 * first.size[-1], second, radius)


def line_touches(p: Vector, a: Vector, half: Any, second: Solid, radius: Any = 0.0) -> list[Touch]:
    """The touches of a ball swept along the line from p - a to p + a, of half length `half`."""
    start, from_it = second.local(p), DISTANCES[second.kind]
    d = sub(second.local(along(p, 1.0, a)), start)

    def slope(t: Any, quantities: Any) -> Any:
        x, d, size = quantities[:3], quantities[3:6], quantities[6:]
        return dot(from_it(along(x, t, d), size)[1], d)

    def touch(t: Any) -> Touch:  # in the frame of the second, as the slope is
        x = along(start, t, d)
        return at_surface(x, *from_it(x, second.size))

    places = closest_stretch(slope, (*start, *d, *second.size), half)
    low, before, after, high = (touch(t) for t in places)
    # on a rounded surface the ends are slightly apart and still count as one
    length = half * (places[3] - places[0])
    round_it = ROUND * (radius + second.size[0] if second.kind == "cylinder" else radius)
    beyond = maximum(length * length - round_it * round_it, 0.0)
    scale = SAME * half + BALLS * radius
    together = fading(beyond, scale * scale)
    shares = together, 1.0 - together, 1.0 - together
    touches = zip((_folded(before, after, d), low, high), shares, strict=True)
    return [_swollen(t, radius, second)._replace(share=share) for t, share in touches]


def _folded(before: Touch, after: Touch, a: Vector) -> Touch:
    """The touch at the closest point, from those just before and just after it along a.

    Where the normal jumps there (a fold, as where an axis crosses the edge of a box) the normal is the
    weighted mean of both that is perpendicular to the axis, and the depth grows accordingly. This is
    exact for the flat faces of a box.
    """
    falls, rises = dot(before.normal, a), dot(after.normal, a)
    turn = rises - falls
    size = sqrt(maximum(dot(a, a), TINY))
    part = where(turn > FOLD * size, clip(rises / maximum(turn, FOLD * size), 0.0, 1.0), 0.5)
    mean = along(scaled(part, before.normal), 1.0 - part, after.normal)
    square = dot(mean, mean)
    blunt = square > SHARPEST  # else the axis is between two faces of a thin solid: use one of them
    shrunk = where(blunt, sqrt(maximum(square, SHARPEST)), 1.0)
    gap = (part * before.gap + (1.0 - part) * after.gap) / shrunk
    normal = chosen(blunt, scaled(1.0 / shrunk, mean), before.normal)
    point = along(before.point, 0.5 * before.gap, before.normal)  # on the axis again
    return Touch(gap, normal, along(point, -0.5 * gap, normal))


def _swollen(touch: Touch, radius: Any, solid: Solid) -> Touch:
    """The touch of a ball in world axes, from that of its centre in a solid's frame."""
    point = along(touch.point, -0.5 * radius, touch.normal)
    return Touch(touch.gap - radius, solid.outwards(touch.normal), add(solid.p, solid.outwards(point)))
