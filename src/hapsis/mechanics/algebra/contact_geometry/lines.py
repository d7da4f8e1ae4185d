"""Segments and capsules against boxes and cylinders.

The distance of an axis from a convex solid is that of its closest point, which a bisection finds.
Five touches carry it: both ends of the axis, which are balls; the two ends of what lies on a face
or along a side, where the axis is parallel to it to within a tenth of a radian and reaches beyond
it, which leave all to an end that is there; and the closest point, which carries what is left.
"""

from typing import Any, NamedTuple

from hapsis.compiler.ir.graph.elementary_functions import abs, maximum, minimum, sqrt, where
from hapsis.mechanics.algebra.contact_geometry.axis_search import fold_part, lowest_place
from hapsis.mechanics.algebra.contact_geometry.distances import DISTANCES, point_on
from hapsis.mechanics.algebra.contact_geometry.swept_balls import half_of, radius_of
from hapsis.mechanics.algebra.contact_geometry.touch import (
    TINY,
    Places,
    Solid,
    Touch,
    along,
    carried,
    chosen,
    clip,
    fading,
    rest,
    signed,
)
from hapsis.mechanics.algebra.vectors import Vector, add, dot, scaled, sub

FLAT = 0.01  # sin² of the angle at which an axis begins to lie along a face
SLIGHT = 1e-9  # of the length: the least depth that weights are compared with
STEEP = 1e-12  # what moves less across a border never crosses it


class Line(NamedTuple):
    """An axis in the frame of a solid: x + t d, t from -1 to 1, with a ball of that radius."""

    x: Vector
    d: Vector
    half: Any
    radius: Any

    def at(self, t: Any) -> Vector:
        """The place t."""
        return along(self.x, t, self.d)


class Stretch(NamedTuple):
    """What of an axis lies on a surface: its two ends, how flat, and gap and normal at a place."""

    low: Any
    high: Any
    weight: Any
    surface: Any  # t -> gap of the axis, normal


def segment_on(first: Solid, second: Solid, places: Places) -> list[Touch]:
    """A segment or capsule against a box or cylinder: five touches."""
    a, radius = half_of(first), radius_of(first)
    x = second.local(first.p)
    line = Line(x, sub(second.local(add(first.p, a)), x), 0.5 * first.size[-1], radius)
    ends = [point_on(along(first.p, t, a), second, radius)._replace(steep=1.0) for t in (-1.0, 1.0)]
    flat = _FLATS[second.kind](line, second.size)
    closest = _closest(line, second, places)
    lying = [
        rest(_lying(line, flat, t, closest.gap, second), [end])
        for t, end in zip((flat.low, flat.high), ends, strict=True)
    ]
    return [*ends, *lying, rest(closest, [*ends, *lying])]


def _lying(line: Line, flat: Stretch, t: Any, whole: Any, solid: Solid) -> Touch:
    """The touch at an end of a stretch; `whole` is the gap of the axis."""
    distance, normal = flat.surface(t)
    gap = carried(distance - line.radius, flat.weight, whole)
    return _in_space(gap, normal, line.at(t), line.radius, solid)._replace(steep=flat.weight)


def _in_space(gap: Any, normal: Vector, centre: Vector, radius: Any, solid: Solid) -> Touch:
    point = along(centre, -(radius + 0.5 * gap), normal)
    return Touch(gap, solid.outwards(normal), add(solid.p, solid.outwards(point)))


def _closest(line: Line, solid: Solid, places: Places) -> Touch:
    """The closest point of the axis.

    On a fold, as that of an axis through a box near its edge, the gap is the mean of both sides
    whose slope along the axis is zero: so its derivative is the mean of theirs.
    """
    from_it = DISTANCES[solid.kind]

    def slope(t: Any, given: Any) -> Any:
        x, d, size = given[:3], given[3:6], given[6:]
        return dot(from_it(along(x, t, d), size)[1], d)

    given = (*line.x, *line.d, *solid.size)
    ends = lowest_place(slope, given)
    part = fold_part(slope(ends[0], given), slope(ends[1], given), line.half)
    before, after, part = places.held(*ends, part)
    (gap, normal), (other, turned) = (from_it(line.at(t), solid.size) for t in (before, after))
    mean = along(scaled(part, normal), 1.0 - part, turned)
    square = dot(mean, mean)
    thin = square < TINY  # between two sides of something thin
    unit = chosen(thin, normal, scaled(1.0 / sqrt(maximum(square, TINY)), mean))
    gap = part * gap + (1.0 - part) * other - line.radius
    return _in_space(gap, unit, line.at(before), line.radius, solid)._replace(steep=sqrt(square))


def _on_box(line: Line, size: tuple[Any, ...]) -> Stretch:
    """What lies on the face along which the axis and the box overlap least, if it is along that."""
    halves = [0.5 * s for s in size]
    apart = [abs(c) - h - abs(d) for c, h, d in zip(line.x, halves, line.d, strict=True)]
    weights = [_face_weight(line, halves, apart, k) for k in range(3)]
    is_x, is_y = weights[0] > 0.0, weights[1] > 0.0
    low: Any = -1.0
    high: Any = 1.0
    for k, chose in enumerate((is_x, is_y, None)):
        across = (is_x | is_y) if chose is None else chose
        one, two = _crossings(line.x[k], line.d[k], halves[k])
        counts = across if chose is None else _not(chose)
        low = where(counts, maximum(low, one), low)
        high = where(counts, minimum(high, two), high)
    weight = maximum(maximum(weights[0], weights[1]), weights[2])
    weight = weight * _long(line, low, high)

    def surface(t: Any) -> tuple[Any, Vector]:
        x = line.at(t)
        sides = [signed(c) for c in line.x]
        out = [s * c - h for s, c, h in zip(sides, x, halves, strict=True)]
        normal = [
            where(is_x, sides[0], 0.0),
            where(is_x, 0.0, where(is_y, sides[1], 0.0)),
            where(is_x | is_y, 0.0, sides[2]),
        ]
        return where(is_x, out[0], where(is_y, out[1], out[2])), (normal[0], normal[1], normal[2])

    low, high = _ordered(low, high)
    return Stretch(low, high, weight, surface)


def _not(condition: Any) -> Any:
    return where(condition, 0.0, 1.0) > 0.5


def _ordered(low: Any, high: Any) -> tuple[Any, Any]:
    """Both within the axis; where there is nothing between them, its middle."""
    empty = low > high
    return where(empty, 0.0, low), where(empty, 0.0, high)


def _long(line: Line, low: Any, high: Any) -> Any:
    """0 where a stretch has no length, 1 where it is longer than a hundredth of the axis."""
    return clip(50.0 * (high - low), 0.0, 1.0)


def _face_weight(line: Line, halves: list[Any], apart: list[Any], k: int) -> Any:
    """How far an axis lies on face k of a box, 0 to 1."""
    beside = maximum(*(apart[m] for m in range(3) if m != k))
    slope = line.d[k] / maximum(line.half, TINY)
    weight = _clearly(apart[k], beside, line)
    above = clip(4.0 * abs(line.x[k]) / maximum(halves[k], TINY) - 1.0, 0.0, 1.0)
    return fading(slope * slope, FLAT) * weight * above


def _clearly(distance: Any, beside: Any, line: Line) -> Any:
    """How clearly an axis is over a face, and not beside it: 0 to 1."""
    depth = maximum(line.radius - distance, SLIGHT * line.half + TINY)
    return clip(minimum(distance - beside, 0.0 - beside) / depth, 0.0, 1.0)


def _crossings(x: Any, d: Any, half: Any) -> tuple[Any, Any]:
    """The places where x + t d enters and leaves the range from -half to half."""
    over = 1.0 / where(d < 0.0, minimum(d, -STEEP), maximum(d, STEEP))
    one, two = (-half - x) * over, (half - x) * over
    return minimum(one, two), maximum(one, two)


def _on_cylinder(line: Line, size: tuple[Any, ...]) -> Stretch:
    """What lies along the side of a cylinder, or on a cap."""
    radius, half = size[0], 0.5 * size[1]
    (x, y, z), (dx, dy, dz) = line.x, line.d
    over = 1.0 / maximum(line.half * line.half, TINY)
    across = dx * dx + dy * dy
    # distances of the axis from the side and from the caps, about
    middle = clip(-(x * dx + y * dy) / maximum(across, TINY), -1.0, 1.0)
    near = x + middle * dx, y + middle * dy
    from_axis = sqrt(maximum(near[0] * near[0] + near[1] * near[1], TINY))
    beside, above = from_axis - radius, abs(z) - half - abs(dz)
    on_side = fading(across * over, FLAT) * _clearly(beside, above, line)
    on_side = on_side * clip(4.0 * from_axis / maximum(radius, TINY) - 1.0, 0.0, 1.0)
    on_cap = fading(dz * dz * over, FLAT) * _clearly(above, beside, line)
    on_cap = on_cap * clip(4.0 * abs(z) / maximum(half, TINY) - 1.0, 0.0, 1.0)
    is_side = on_side > on_cap
    # along the side between the caps; on a cap inside its rim
    along_side = _crossings(z, dz, half)
    foot = -(x * dx + y * dy) / maximum(across, TINY)
    square = (x + foot * dx) * (x + foot * dx) + (y + foot * dy) * (y + foot * dy)
    root = sqrt(maximum(radius * radius - square, TINY) / maximum(across, TINY))
    low = maximum(where(is_side, along_side[0], foot - root), -1.0)
    high = minimum(where(is_side, along_side[1], foot + root), 1.0)
    weight = maximum(on_side, on_cap) * _long(line, low, high)
    low, high = _ordered(low, high)

    def surface(t: Any) -> tuple[Any, Vector]:
        p = line.at(t)
        rho = sqrt(maximum(p[0] * p[0] + p[1] * p[1], TINY))
        side = signed(z)
        normal = chosen(is_side, (p[0] / rho, p[1] / rho, 0.0), (0.0, 0.0, side))
        return where(is_side, rho - radius, side * p[2] - half), normal

    return Stretch(low, high, weight, surface)


_FLATS = {"box": _on_box, "cylinder": _on_cylinder}
