"""Contacts of cylinders with boxes and cylinders: sides by their axes, rims and corners by distance.

The side of a cylinder is a ball swept along its axis, which is exact where it touches between the caps.
All other contacts are computed at points: three points of each rim (their distance from the other
solid), the corners of a box (their distance from the cylinder), and the closest point of a diameter of
each cap, the one towards the other solid. Near a rim the shares change smoothly from side to rim. Not
exact: a rim across an edge or another rim, where the deepest point may be beside that diameter. Of
random solids that overlap by a twenty-fifth of their size, one box in ten and one cylinder in thirty
gets its contact force late; none gets it early.
"""

from typing import Any, NamedTuple

from hapsis.compiler.ir.graph.elementary_functions import abs, clip, maximum, where
from hapsis.mechanics.algebra.contact_geometry.distances import axis_touches, line_touches, point_on
from hapsis.mechanics.algebra.contact_geometry.ground import corners, rim
from hapsis.mechanics.algebra.contact_geometry.swept_balls import SAME, half_of
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

ACROSS = 0.01  # cos² between normal and axis from which a point counts as on a cap, not on the side
NEAR_RIM = 0.1  # of the length: closer to a cap than this, the share of the side begins to fall
TURNS = 5  # iterations that turn the diameter towards the other solid
INSET = 0.99  # of the radius: points of a rim are just inside, so that equal cylinders can be stacked


class Side(NamedTuple):
    """The touches of a cylinder's side, and its weight: 1 where the side touches, 0 where a cap does."""

    cylinder: Solid
    touches: list[Touch]
    weight: Any

    def says(self, touch: Touch) -> Any:
        """How much of a point's touch the side already carries, from 0 to 1."""
        along_axis = dot(touch.normal, self.cylinder.axis(2))
        return self.weight * fading(along_axis * along_axis, ACROSS)


def cylinder_box(first: Solid, second: Solid) -> list[Touch]:
    """Three touches of the side, eight of the caps, eight of the box's corners."""
    side = _side(first, second)
    points = [*_rims(first, second), *(flipped(point_on(x, first)) for x in corners(second))]
    return [*side.touches, *(_weighed(t, 1.0 - side.says(t)) for t in points)]


def cylinder_cylinder(first: Solid, second: Solid) -> list[Touch]:
    """Three touches of each side and eight of each pair of caps; two sides that touch carry half each."""
    first_side, second_side = _side(first, second), _side(second, first)
    sides = [_weighed(t, 1.0 - 0.5 * second_side.says(t)) for t in first_side.touches]
    sides += [_weighed(flipped(t), 1.0 - 0.5 * first_side.says(t)) for t in second_side.touches]
    points = [*_rims(first, second), *(flipped(t) for t in _rims(second, first))]
    return [*sides, *(_weighed(t, (1.0 - first_side.says(t)) * (1.0 - second_side.says(t))) for t in points)]


def _side(cylinder: Solid, other: Solid) -> Side:
    """The side of a cylinder against another solid; it counts while it is nearer than the cap."""
    radius, length = cylinder.size
    three = closest, low, high = axis_touches(cylinder, other, radius)
    z = cylinder.axis(2)

    def place(touch: Touch) -> Any:
        centre = along(touch.point, radius + 0.5 * touch.gap, touch.normal)
        return dot(sub(centre, cylinder.p), z)

    # the middle of the contact along the axis, and its depth below the nearer cap
    middle = 0.5 * (place(low) + place(high)) - dot(closest.normal, z) * (closest.gap + radius)
    under = 0.5 * length - abs(middle)
    weight = clip((closest.gap + under) / maximum(NEAR_RIM * length, TINY), 0.0, 1.0)
    # without weight the gap is that of the axis, which never underestimates
    bare = [t._replace(gap=where(weight > 0.0, t.gap, t.gap + radius)) for t in three]
    return Side(cylinder, [_weighed(t, weight) for t in bare], weight)


def _rims(cylinder: Solid, other: Solid) -> list[Touch]:
    """The touches of each cap: three points of the rim, the first towards the other solid, and a diameter."""
    touches: list[Touch] = []
    radius = INSET * cylinder.size[0]
    for end in (-1.0, 1.0):
        centre = along(cylinder.p, end, half_of(cylinder))
        towards = neg(point_on(centre, other).normal)
        for _ in range(TURNS):  # adds up the directions from points of the rim to the other solid
            outermost = rim(cylinder, end, towards, INSET)[0]
            towards = sub(towards, point_on(outermost, other).normal)
        points = rim(cylinder, end, towards, INSET)
        three = [point_on(x, other) for x in points]
        # the diameter counts where its closest point is neither on a flat interval nor on the rim
        closest = line_touches(centre, sub(points[0], centre), radius, other)[0]
        new = 1.0 - nearness(closest.point, three[0].point, SAME * radius)
        touches += [*three, _weighed(closest, new)]
    return touches


def _weighed(touch: Touch, weight: Any) -> Touch:
    return touch._replace(share=touch.share * weight)
