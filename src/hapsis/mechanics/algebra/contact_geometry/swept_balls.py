"""Exact contacts of points, balls, segments and capsules with each other.

All four are a point or a segment with a ball moved along it, so the contact is that of two balls
at the closest points. Parallel axes have no closest points; there the ends that lie beside the
other axis carry the contact, and within a tenth of a radian they fade in.
Reference: [Ericson] 5.1.9, closest points of two segments.
"""

from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import maximum
from hapsis.mechanics.algebra.contact_geometry.touch import (
    TINY,
    Places,
    Solid,
    Touch,
    along,
    between,
    carried,
    clip,
    fading,
    flipped,
    rest,
)
from hapsis.mechanics.algebra.vectors import Vector, dot, scaled, sub

FLAT = 0.01  # sin² of the angle below which two axes begin to count as parallel
SMALL = 1e-12  # m; less than this between two centres has no direction
BESIDE = 0.04  # cos² of the angle between normal and axis from which on an end is not beside it


def radius_of(solid: Solid) -> Any:
    """The radius of the ball that sweeps the solid."""
    return solid.size[0] if solid.kind in ("sphere", "capsule") else 0.0


def half_of(solid: Solid) -> Vector:
    """The vector from the centre of a segment, a capsule or a cylinder to the end of its axis."""
    return scaled(0.5 * solid.size[-1], solid.axis(2))


def ball_ball(first: Solid, second: Solid, places: Places) -> list[Touch]:
    """Points and balls: one touch."""
    return [between(first.p, second.p, radius_of(first), radius_of(second))]


def ball_segment(first: Solid, second: Solid, places: Places) -> list[Touch]:
    """A point or ball against a segment or capsule: one touch."""
    a = half_of(second)
    t = clip(dot(sub(first.p, second.p), a) / maximum(dot(a, a), TINY), -1.0, 1.0)
    return [between(first.p, along(second.p, t, a), radius_of(first), radius_of(second))]


def segment_segment(first: Solid, second: Solid, places: Places) -> list[Touch]:
    """Segments and capsules: each end where they lie along each other, then the closest points."""
    radius, other = radius_of(first), radius_of(second)
    a, b = half_of(first), half_of(second)
    s, t = places.held(*_closest_places(a, b, sub(first.p, second.p)))
    closest, _ = _held_between(along(first.p, s, a), along(second.p, t, b), radius + other, radius, places)
    c = dot(first.axis(2), second.axis(2))
    parallel = fading(1.0 - c * c, FLAT)
    ends: list[Touch] = []
    for one, its, two, way in ((first, a, second, b), (second, b, first, a)):
        for k in (-1.0, 1.0):
            x = along(one.p, k, its)
            (foot,) = places.held(clip(dot(sub(x, two.p), way) / maximum(dot(way, way), TINY), -1.0, 1.0))
            y = along(two.p, foot, way)
            end, apart = _held_between(x, y, radius + other, radius_of(one), places)
            # not zero beyond the other's end
            over = dot(sub(x, y), two.axis(2)) / maximum(apart, SMALL)
            weight = parallel * fading(over * over, BESIDE)
            end = end._replace(gap=carried(end.gap, weight, closest.gap), steep=weight)
            ends.append(end if one is first else flipped(end))
    return [*ends, rest(closest, ends)]


def _held_between(
    first: Vector, second: Vector, radii: Any, radius: Any, places: Places
) -> tuple[Touch, Any]:
    """The touch of two balls and the distance of their centres; its direction is held in derivatives."""
    touch = between(first, second, radius, radii - radius)
    n = places.held(*touch.normal)
    apart = dot(sub(first, second), (n[0], n[1], n[2]))
    return touch._replace(gap=apart - radii, steep=1.0), apart


def _closest_places(a: Vector, b: Vector, r: Vector) -> tuple[Any, Any]:
    """The closest places of two lines s a + r and t b, from -1 to 1."""
    aa, bb, ab, ar, br = dot(a, a), dot(b, b), dot(a, b), dot(a, r), dot(b, r)
    sine = aa * bb - ab * ab  # times aa bb: the square of the sine
    s = clip((ab * br - ar * bb) / maximum(sine, TINY * TINY), -1.0, 1.0)
    t = clip((ab * s + br) / maximum(bb, TINY), -1.0, 1.0)
    return clip((ab * t - ar) / maximum(aa, TINY), -1.0, 1.0), t
