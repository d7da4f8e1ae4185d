"""Cylinders against boxes and cylinders: rims and corners by distance, sides by their axes.

What touches decides who answers. Where the normal is across a cylinder's axis, its side touches,
and the axis with a ball moved along it is exact. Elsewhere three points of each rim are asked for
their distance from the other solid, and the corners of a box for theirs from the cylinder; within
a tenth of a radian one answer fades into the other. Left out: an edge of a box, or a rim, that
crosses a cap between the three points of its rim touches nothing.
"""

from typing import Any

from hapsis.compiler.ir.functions import maximum, sqrt, where
from hapsis.mechanics.algebra.touching.distances import axis_touches, point_on
from hapsis.mechanics.algebra.touching.ground import corners, rim
from hapsis.mechanics.algebra.touching.swept import half_of
from hapsis.mechanics.algebra.touching.touch import (
    TINY,
    Solid,
    Touch,
    along,
    clip,
    fading,
    flipped,
)
from hapsis.mechanics.algebra.vectors import Vector, dot, neg

ACROSS = 0.01  # cos² between normal and axis from which on a side no longer touches
COVERED = 0.2  # of the radius: with less of it left outside, a side gives way
INSET = 0.99  # of the radius: rims are felt just inside, so that equal cylinders can be stacked


def cylinder_box(first: Solid, second: Solid) -> list[Touch]:
    """Three touches of the side, six of the rims, eight of the box's corners."""
    side = [
        _aside(t, first, _sideways(t, first)) for t in axis_touches(first, second, first.size[0])
    ]
    inner = [flipped(point_on(x, first)) for x in corners(second)]
    inner = [_weighed(t, 1.0 - _sideways(t, first)) for t in inner]
    return [*side, *_rims(first, second), *inner]


def cylinder_cylinder(first: Solid, second: Solid) -> list[Touch]:
    """Three touches of each one's side, six of each one's rims."""
    return [*_half(first, second), *(flipped(t) for t in _half(second, first))]


def _half(first: Solid, second: Solid) -> list[Touch]:
    """What a cylinder's side and rims say; where both sides touch, each says half of it."""
    side = [
        _aside(t, first, _sideways(t, first) * (1.0 - 0.5 * _sideways(t, second)))
        for t in axis_touches(first, second, first.size[0])
    ]
    return [*side, *_rims(first, second)]


def _rims(cylinder: Solid, other: Solid) -> list[Touch]:
    """Three points of each rim, the first of them towards the other solid."""
    found: list[Touch] = []
    for end in (-1.0, 1.0):
        centre: Vector = along(cylinder.p, end, half_of(cylinder))
        towards = neg(point_on(centre, other).normal)
        for x in rim(cylinder, end, towards, INSET):
            touch = point_on(x, other)
            weight = 1.0 - _sideways(touch, cylinder)
            if other.kind == "cylinder":  # whose side speaks for itself
                weight = weight * (1.0 - _sideways(touch, other))
            found.append(_weighed(touch, weight))
    return found


def _sideways(touch: Touch, cylinder: Solid) -> Any:
    """1 where the normal is across a cylinder's axis, 0 where it is not."""
    along_axis = dot(touch.normal, cylinder.axis(2))
    return fading(along_axis * along_axis, ACROSS)


def _weighed(touch: Touch, weight: Any) -> Touch:
    return touch._replace(share=touch.share * weight)


def _aside(touch: Touch, cylinder: Solid, weight: Any) -> Touch:
    """A touch of the side, from that of a ball about the axis, of which it is a slice.

    It ends where the axis itself comes in: that is a cap, off centre. Where no side touches, the
    gap is that of the axis, which is never too small.
    """
    n, z, radius = touch.normal, cylinder.axis(2), cylinder.size[0]
    weight = weight * clip((touch.gap + radius) / maximum(COVERED * radius, TINY), 0.0, 1.0)
    c = dot(n, z)
    slim = sqrt(maximum(1.0 - c * c, ACROSS))
    centre = along(touch.point, radius + 0.5 * touch.gap, n)
    gap = touch.gap + radius - where(weight > 0.0, radius * slim, 0.0)
    rim_point = along(centre, -radius / slim, along(n, -c, z))
    point = along(rim_point, -0.5 * gap, n)
    return Touch(gap, n, point, touch.share * weight)
