"""Points, balls, segments and capsules against each other: exact.

All four are a point or a segment with a ball moved along it, so the contact is that of two balls
at the closest points. Parallel axes have no closest points; there the two ends of the overlap
carry the contact, and within a hundredth of a radian one answer fades into the other.
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
SAME = 0.1  # of the half lengths: ends of an overlap closer than this begin to be one


def radius_of(solid: Solid) -> Any:
    """The radius of the ball that sweeps the solid."""
    return solid.size[0] if solid.kind in ("sphere", "capsule") else 0.0


def half_of(solid: Solid) -> Vector:
    """From the centre of a segment, a capsule or a cylinder to the end of its axis."""
    return scaled(0.5 * solid.size[-1], solid.axis(2))


def ball_ball(first: Solid, second: Solid) -> list[Touch]:
    """Points and balls: one touch."""
    return [between(first.p, second.p, radius_of(first), radius_of(second))]


def ball_segment(first: Solid, second: Solid) -> list[Touch]:
    """A point or ball against a segment or capsule: one touch."""
    a = half_of(second)
    t = clip(dot(sub(first.p, second.p), a) / maximum(dot(a, a), TINY), -1.0, 1.0)
    return [between(first.p, along(second.p, t, a), radius_of(first), radius_of(second))]


def segment_segment(first: Solid, second: Solid) -> list[Touch]:
    """Segments and capsules: the closest points, and the two ends of a parallel overlap."""
    radius, other = radius_of(first), radius_of(second)
    a, b, r = half_of(first), half_of(second), sub(first.p, second.p)
    aa, bb, ab, ar, br = dot(a, a), dot(b, b), dot(a, b), dot(a, r), dot(b, r)
    over_a, over_b = 1.0 / maximum(aa, TINY), 1.0 / maximum(bb, TINY)
    sine = aa * bb - ab * ab  # times aa bb: the square of the sine

    def pair(s: Any, share: Any) -> Touch:
        t = clip((ab * s + br) * over_b, -1.0, 1.0)
        s = clip((ab * t - ar) * over_a, -1.0, 1.0)
        return between(along(first.p, s, a), along(second.p, t, b), radius, other, share)

    parallel = fading(sine * over_a * over_b, PARALLEL)
    closest = clip((ab * br - ar * bb) / maximum(sine, TINY * TINY), -1.0, 1.0)
    # where the second's ends lie beside the first, and what those carry
    low, high = (clip((k * ab - ar) * over_a, -1.0, 1.0) for k in (-1.0, 1.0))
    ends = [pair(low, parallel), pair(high, parallel)]
    scale = SAME * 0.5 * (first.size[-1] + second.size[-1])
    count = 1.0 + nearness(ends[0].point, ends[1].point, scale)
    return [pair(closest, 1.0 - parallel), *(t._replace(share=t.share / count) for t in ends)]
