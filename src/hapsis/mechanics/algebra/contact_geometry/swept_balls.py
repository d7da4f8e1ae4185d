"""Exact contacts of points, balls, segments and capsules with each other.

All four are a ball (of radius zero for points and segments) swept along a point or a segment, so the
contact is that of two balls at the closest points. For parallel axes the closest points are not unique;
there the two ends of the overlap carry the contact. Within a hundredth of a radian the shares change
smoothly from one case to the other.
Reference: [Ericson] 5.1.9, closest points of two segments.
"""

from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import maximum
from hapsis.mechanics.algebra.contact_geometry.touch import (
    TINY,
    Solid,
    Touch,
    along,
    between,
    clip,
    fading,
    nearness,
)
from hapsis.mechanics.algebra.vectors import Vector, dot, scaled, sub

PARALLEL = 1e-4  # sin² of the angle below which two axes begin to count as parallel
SAME = 0.1  # of the half lengths: ends of an overlap closer than this begin to share one contact


def radius_of(solid: Solid) -> Any:
    """The radius of the ball that sweeps the solid."""
    return solid.size[0] if solid.kind in ("sphere", "capsule") else 0.0


def half_of(solid: Solid) -> Vector:
    """The vector from the centre of a segment, a capsule or a cylinder to the end of its axis."""
    return scaled(0.5 * solid.size[-1], solid.axis(2))


def ball_ball(first: Solid, second: Solid) -> list[Touch]:
    """The one touch of two points or balls."""
    return [between(first.p, second.p, radius_of(first), radius_of(second))]


def ball_segment(first: Solid, second: Solid) -> list[Touch]:
    """The one touch of a point or ball with a segment or capsule."""
    a = half_of(second)
    t = clip(dot(sub(first.p, second.p), a) / maximum(dot(a, a), TINY), -1.0, 1.0)
    return [between(first.p, along(second.p, t, a), radius_of(first), radius_of(second))]


def segment_segment(first: Solid, second: Solid) -> list[Touch]:
    """The touches of two segments or capsules: the closest points, and the two ends of a parallel overlap."""
    radius, other = radius_of(first), radius_of(second)
    a, b, r = half_of(first), half_of(second), sub(first.p, second.p)
    aa, bb, ab, ar, br = dot(a, a), dot(b, b), dot(a, b), dot(a, r), dot(b, r)
    over_a, over_b = 1.0 / maximum(aa, TINY), 1.0 / maximum(bb, TINY)
    sine = aa * bb - ab * ab  # aa bb sin²

    def pair(s: Any, share: Any) -> Touch:
        t = clip((ab * s + br) * over_b, -1.0, 1.0)
        s = clip((ab * t - ar) * over_a, -1.0, 1.0)
        return between(along(first.p, s, a), along(second.p, t, b), radius, other, share)

    parallel = fading(sine * over_a * over_b, PARALLEL)
    closest = clip((ab * br - ar * bb) / maximum(sine, TINY * TINY), -1.0, 1.0)
    # the projections of the second's ends onto the first, and their touches
    low, high = (clip((k * ab - ar) * over_a, -1.0, 1.0) for k in (-1.0, 1.0))
    ends = [pair(low, parallel), pair(high, parallel)]
    scale = SAME * 0.5 * (first.size[-1] + second.size[-1])
    count = 1.0 + nearness(ends[0].point, ends[1].point, scale)
    return [pair(closest, 1.0 - parallel), *(t._replace(share=t.share / count) for t in ends)]
