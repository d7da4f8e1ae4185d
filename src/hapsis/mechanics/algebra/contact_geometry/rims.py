"""Cylinders against boxes and cylinders: sides by their axes, rims and corners by distance.

The side of a cylinder is a ball moved along its axis: where that touches between the caps it is
exact. All else is asked of points: three of each rim for their distance from the other solid, the
corners of a box for theirs from the cylinder, and the closest point of a diameter of each cap,
the one towards the other solid. Near a rim the one answer fades into the other. Not exact: a rim
across an edge or another rim, where the deepest point may lie beside that diameter. Of random
solids that overlap by a twenty-fifth of their size, one box in ten and one cylinder in thirty is
felt later than it touches; never before it does.
"""

from typing import Any, NamedTuple

from hapsis.compiler.ir.graph.elementary_functions import abs, clip, maximum, where
from hapsis.mechanics.algebra.contact_geometry.distances import axis_touches, line_touches, point_on
from hapsis.mechanics.algebra.contact_geometry.ground import corners, rim
from hapsis.mechanics.algebra.contact_geometry.swept import SAME, half_of
from hapsis.mechanics.algebra.contact_geometry.touch import (
    TINY,
    Solid,
    Touch,
    along,
    fading,
    flipped,
    nearness,
)
from hapsis.mechanics.algebra.vectors import dot, neg, sub

ACROSS = 0.01  # cos² between normal and axis from which on a point is on a cap, not on the side
NEAR_RIM = 0.1  # of the length: so close to a cap the side begins to give way to the rim
TURNS = 5  # of the diameter towards the other solid
INSET = 0.99  # of the radius: rims are felt just inside, so that equal cylinders can be stacked


class Side(NamedTuple):
    """The touches of a cylinder's side, and how far it is the side that touches, 1 to 0."""

    cylinder: Solid
    touches: list[Touch]
    weight: Any

    def says(self, touch: Touch) -> Any:
        """How far a touch of a point is already one of the side."""
        along_axis = dot(touch.normal, self.cylinder.axis(2))
        return self.weight * fading(along_axis * along_axis, ACROSS)


def cylinder_box(first: Solid, second: Solid) -> list[Touch]:
    """Three touches of the side, eight of the caps, eight of the box's corners."""
    side = _side(first, second)
    points = [*_rims(first, second), *(flipped(point_on(x, first)) for x in corners(second))]
    return [*side.touches, *(_weighed(t, 1.0 - side.says(t)) for t in points)]


def cylinder_cylinder(first: Solid, second: Solid) -> list[Touch]:
    """Three touches of each one's side, eight of each one's caps; where both sides, half each."""
    one, other = _side(first, second), _side(second, first)
    sides = [_weighed(t, 1.0 - 0.5 * other.says(t)) for t in one.touches]
    sides += [_weighed(flipped(t), 1.0 - 0.5 * one.says(t)) for t in other.touches]
    points = [*_rims(first, second), *(flipped(t) for t in _rims(second, first))]
    return [*sides, *(_weighed(t, (1.0 - one.says(t)) * (1.0 - other.says(t))) for t in points)]


def _side(cylinder: Solid, other: Solid) -> Side:
    """The side against another solid; a point is on it while that is nearer than the cap."""
    radius, length = cylinder.size
    three = closest, low, high = axis_touches(cylinder, other, radius)
    z = cylinder.axis(2)

    def place(touch: Touch) -> Any:
        centre = along(touch.point, radius + 0.5 * touch.gap, touch.normal)
        return dot(sub(centre, cylinder.p), z)

    # where the middle of what touches is along the axis, and how deep under the nearer cap
    middle = 0.5 * (place(low) + place(high)) - dot(closest.normal, z) * (closest.gap + radius)
    under = 0.5 * length - abs(middle)
    weight = clip((closest.gap + under) / maximum(NEAR_RIM * length, TINY), 0.0, 1.0)
    # without a side the gap is that of the axis, which is never too small
    bare = [t._replace(gap=where(weight > 0.0, t.gap, t.gap + radius)) for t in three]
    return Side(cylinder, [_weighed(t, weight) for t in bare], weight)


def _rims(cylinder: Solid, other: Solid) -> list[Touch]:
    """Of each cap three points of the rim, the first towards the other solid, and a diameter."""
    touches: list[Touch] = []
    radius = INSET * cylinder.size[0]
    for end in (-1.0, 1.0):
        centre = along(cylinder.p, end, half_of(cylinder))
        towards = neg(point_on(centre, other).normal)
        for _ in range(TURNS):  # a mean of where points of the rim are drawn to
            outermost = rim(cylinder, end, towards, INSET)[0]
            towards = sub(towards, point_on(outermost, other).normal)
        points = rim(cylinder, end, towards, INSET)
        three = [point_on(x, other) for x in points]
        # the diameter speaks where its closest point is neither flat nor the rim's
        closest = line_touches(centre, sub(points[0], centre), radius, other)[0]
        new = 1.0 - nearness(closest.point, three[0].point, SAME * radius)
        touches += [*three, _weighed(closest, new)]
    return touches


def _weighed(touch: Touch, weight: Any) -> Touch:
    return touch._replace(share=touch.share * weight)
