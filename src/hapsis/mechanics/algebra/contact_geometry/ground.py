"""Contacts of solids with a plane or a heightfield: the points of the solid that can touch first.

These are the centre of a ball, the two ends of a segment or capsule, the eight corners of a box, and for
a cylinder three points on each rim, the deepest and two a third of a turn away, so that it can stand,
roll and fall.
"""

import math
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import sqrt
from hapsis.mechanics.algebra.contact_geometry.swept_balls import half_of, radius_of
from hapsis.mechanics.algebra.contact_geometry.touch import Places, Solid, Touch, along, at_surface, direction
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, neg, scaled, sub

THIRDS = ((1.0, 0.0), (-0.5, math.sqrt(0.75)), (-0.5, -math.sqrt(0.75)))
UPRIGHT = 1e-12  # square of the tilt below which all points of a rim are equally deep
STEPS = 8  # iterations for the foot of a ball's centre on a heightfield


def on_plane(first: Solid, second: Solid, places: Places) -> list[Touch]:
    """The touches of a solid with the plane z = 0 of the second's frame, which is solid below."""
    normal, radius = second.axis(2), radius_of(first)
    return [at_surface(x, dot(sub(x, second.p), normal), normal, radius) for x in points(first, neg(normal))]


def on_heightfield(first: Solid, second: Solid, places: Places) -> list[Touch]:
    """The touches of a solid with the surface z = height(x, y) of the second's frame, solid below.

    Distances are those from the tangent plane at the foot of the point. The foot of a point is
    vertically below it, which is accurate close to the surface; that of a ball's centre is found by
    STEPS iterations, which converge where the surface is less curved than the ball.
    """
    radius = radius_of(first)
    steps = STEPS if first.kind in ("sphere", "capsule") else 0
    return [_above(x, second, radius, steps) for x in points(first, neg(second.axis(2)))]


def _above(point: Vector, ground: Solid, radius: Any, steps: int) -> Touch:
    assert ground.surface is not None
    x = ground.local(point)
    foot = x[0], x[1]
    distance, normal = _tangent(ground.surface, foot, x)
    for _ in range(steps):
        # the projection of the centre onto the tangent plane is nearer to the foot than the last iterate
        foot = x[0] - distance * normal[0], x[1] - distance * normal[1]
        distance, normal = _tangent(ground.surface, foot, x)
    return at_surface(point, distance, ground.outwards(normal), radius)


def _tangent(surface: Any, foot: tuple[Any, Any], x: Vector) -> tuple[Any, Vector]:
    """The distance of a point from the tangent plane at a foot, and that plane's normal."""
    height, along_x, along_y = surface(*foot)
    k = 1.0 / sqrt(1.0 + along_x * along_x + along_y * along_y)
    normal: Vector = (-(k * along_x), -(k * along_y), k)
    return dot(sub(x, (*foot, height)), normal), normal


def points(solid: Solid, down: Vector) -> list[Vector]:
    """The points of a solid that can touch first when it moves along `down`."""
    return _POINTS[solid.kind](solid, down)


def corners(box: Solid, down: Vector = ()) -> list[Vector]:
    """The eight corners of a box."""
    x, y, z = (scaled(0.5 * box.size[k], box.axis(k)) for k in range(3))
    sides = [(add(box.p, x)), sub(box.p, x)]
    faces = [f(p, y) for p in sides for f in (add, sub)]
    return [f(p, z) for p in faces for f in (add, sub)]


def rim(cylinder: Solid, end: float, down: Vector, inset: float = 1.0) -> list[Vector]:
    """Three points on the rim of the cap at end 1 or -1, the first of them the deepest along `down`."""
    z, centre = cylinder.axis(2), along(cylinder.p, end, half_of(cylinder))
    _, across = direction(along(down, -dot(down, z), z), cylinder.axis(0), UPRIGHT)
    beside, radius = cross(z, across), inset * cylinder.size[0]
    return [
        along(along(centre, radius * c, across), radius * s, beside)
        if s
        else along(centre, radius * c, across)
        for c, s in THIRDS
    ]


_POINTS: dict[str, Any] = {
    "point": lambda solid, down: [solid.p],
    "sphere": lambda solid, down: [solid.p],
    "segment": lambda solid, down: [f(solid.p, half_of(solid)) for f in (sub, add)],
    "capsule": lambda solid, down: [f(solid.p, half_of(solid)) for f in (sub, add)],
    "box": corners,
    "cylinder": lambda solid, down: [x for end in (-1.0, 1.0) for x in rim(solid, end, down)],
}
