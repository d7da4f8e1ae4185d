"""How deep lines and discs reach into boxes and cylinders: the largest depth of any of their points.

The depth of a point is the least of its depths under each face, that under the side of a cylinder
being (r² - ρ²) / 2r at the distance ρ from the axis: the depth near the surface, and smooth at the
axis. All are concave, so that the largest depth is continuous and above zero just where a line or
disc enters. On a line it has a closed form, by Helly's theorem the least over pairs of faces; on
a disc the line across it that reaches deepest is found by bisection.
"""

from typing import Any, NamedTuple

from hapsis.compiler.ir.graph.elementary_functions import abs, clip, maximum, minimum, sqrt, where
from hapsis.mechanics.algebra.contact_geometry.axis_search import fold_part, lowest_place
from hapsis.mechanics.algebra.contact_geometry.touch import TINY, Places, along
from hapsis.mechanics.algebra.vectors import Vector

FAR = 1e30


class Depth(NamedTuple):
    """A depth, its slope as the line moves, and the place on the line where it is reached."""

    value: Any
    slope: Any
    place: Any


class Chord(NamedTuple):
    """A line x + t d in a solid's frame, t from -reach to reach, and how it moves sideways."""

    x: Vector
    d: Vector
    reach: Any = 1.0
    moves: Vector = (0.0, 0.0, 0.0)
    grows: Any = 0.0


class Disc(NamedTuple):
    """A disc in a solid's frame: its centre and two perpendicular radii."""

    x: Vector
    e: Vector
    f: Vector

    def chord(self, u: Any) -> Chord:
        """The line across it at the place u of the first radius."""
        reach = sqrt(maximum(1.0 - u * u, TINY))
        return Chord(along(self.x, u, self.e), self.f, reach, self.e, -u / reach)


def _lesser(one: Depth, other: Depth) -> Depth:
    less = one.value < other.value
    value = minimum(one.value, other.value)
    return Depth(value, where(less, one.slope, other.slope), where(less, one.place, other.place))


def line_in_box(line: Chord, size: tuple[Any, ...]) -> Depth:
    """How deep a line reaches into a box: fifteen pairs of faces and ends."""
    h = [0.5 * s for s in size]
    speed = [abs(d) for d in line.d]
    sign = [where(d < 0.0, -1.0, 1.0) for d in line.d]
    best: Any = None
    rising = [hk + s * x for hk, s, x in zip(h, sign, line.x, strict=True)]
    falling = [hk - s * x for hk, s, x in zip(h, sign, line.x, strict=True)]
    moved = [s * m for s, m in zip(sign, line.moves, strict=True)]
    for k in range(3):
        ends = speed[k] * line.reach, speed[k] * line.grows
        up = Depth(rising[k] + ends[0], moved[k] + ends[1], line.reach)
        down = Depth(falling[k] + ends[0], ends[1] - moved[k], -line.reach)
        best = _lesser(up, down) if best is None else _lesser(_lesser(best, up), down)
        for m in range(3):
            both = speed[k] + speed[m]
            meets = both > TINY
            over = 1.0 / where(meets, both, 1.0)
            value = (rising[k] * speed[m] + falling[m] * speed[k]) * over
            slope = (moved[k] * speed[m] - moved[m] * speed[k]) * over
            place = (falling[m] - rising[k]) * over
            best = _lesser(best, Depth(where(meets, value, FAR), slope, place))
    return best


def line_in_cylinder(line: Chord, size: tuple[Any, ...]) -> Depth:
    """How deep a line reaches into a cylinder: between the caps, and under the side and each cap."""
    half = 0.5 * size[1]
    reach, grows = abs(line.d[2]) * line.reach, abs(line.d[2]) * line.grows
    end = where(line.d[2] < 0.0, -line.reach, line.reach)
    best = Depth(half, 0.0, -line.x[2] / where(abs(line.d[2]) > TINY, line.d[2], 1.0))
    for s in (1.0, -1.0):
        best = _lesser(best, Depth(half - s * line.x[2] + reach, grows - s * line.moves[2], -s * end))
    for s in (1.0, -1.0):
        best = _lesser(best, _under_side_and_cap(line, size[0], half, s))
    return best


def _under_side_and_cap(line: Chord, radius: Any, half: Any, s: float) -> Depth:
    """The largest over the line of the lesser of two depths: under the side, under cap s."""
    (x, y, z), (dx, dy, dz), r = line.x, line.d, 1.0 / maximum(radius, TINY)
    # the side's is q0 + q1 t - q2 t², the cap's l0 + l1 t
    q0, q1, q2 = 0.5 * (radius - (x * x + y * y) * r), -(x * dx + y * dy) * r, 0.5 * (dx * dx + dy * dy) * r
    l0, l1 = half - s * z, -s * dz
    top = clip(q1 / maximum(2.0 * q2, TINY), -line.reach, line.reach)
    under = l0 + l1 * top < q0 + (q1 - q2 * top) * top  # there the cap is nearer
    way = where(l1 < 0.0, -1.0, 1.0)
    b, c = way * (l1 - q1), l0 - q0
    root = sqrt(maximum(b * b - 4.0 * q2 * c, TINY * TINY))
    right = b > 0.0
    t = where(right, -2.0 * c / where(right, b + root, 1.0), (root - b) / maximum(2.0 * q2, TINY))
    t = where(under, clip(way * t, -line.reach, line.reach), top)
    side, cap = q0 + (q1 - q2 * t) * t, l0 + l1 * t
    # slopes along the line and as it moves sideways
    by_t, by_u = q1 - 2.0 * q2 * t, -((x + t * dx) * line.moves[0] + (y + t * dy) * line.moves[1]) * r
    cap_u = -s * line.moves[2]
    at_end = abs(t) >= line.reach
    out = where(t < 0.0, -1.0, 1.0) * line.grows
    turn = l1 - by_t
    crossing = (l1 * by_u - by_t * cap_u) / where(abs(turn) > TINY, turn, 1.0)
    slope_under = where(at_end, cap_u + l1 * out, crossing)
    slope_top = by_u + where(at_end, by_t * out, 0.0)
    return Depth(minimum(side, cap), where(under, slope_under, slope_top), t)


LINES = {"box": line_in_box, "cylinder": line_in_cylinder}


def disc_in(disc: Disc, kind: str, size: tuple[Any, ...], places: Places) -> tuple[Any, Vector]:
    """How deep a disc reaches into a box or cylinder, and where it does; both in the solid's frame."""
    inside = LINES[kind]

    def slope(u: Any, given: Any) -> Any:
        there = Disc(given[:3], given[3:6], given[6:9])
        return -inside(there.chord(u), given[9:]).slope

    given = (*disc.x, *disc.e, *disc.f, *size)
    ends = lowest_place(slope, given)
    slopes = slope(ends[0], given), slope(ends[1], given)
    part = fold_part(*slopes, maximum(abs(slopes[0]), abs(slopes[1])))
    before, after, part = places.held(*ends, part)
    chord, other = disc.chord(before), disc.chord(after)
    one, two = inside(chord, size), inside(other, size)
    depth = part * one.value + (1.0 - part) * two.value
    return depth, along(chord.x, one.place, chord.d)
