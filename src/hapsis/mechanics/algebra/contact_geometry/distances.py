"""Signed distances from boxes and cylinders: exact for points and balls.

Inside, the distance is that to the nearest face, and the normal points out of it.
"""

from collections.abc import Callable
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import abs, maximum, minimum, sqrt, where
from hapsis.mechanics.algebra.contact_geometry.swept_balls import radius_of
from hapsis.mechanics.algebra.contact_geometry.touch import TINY, Places, Solid, Touch, at_surface, signed
from hapsis.mechanics.algebra.vectors import Vector

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


def ball_on(first: Solid, second: Solid, places: Places) -> list[Touch]:
    """The one touch of a point or ball with a box or cylinder."""
    return [point_on(first.p, second, radius_of(first))]
