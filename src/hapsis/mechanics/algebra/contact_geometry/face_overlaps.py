"""Where two faces overlap: points of a plane brought into a rectangle and a parallelogram."""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import abs, clip, maximum, minimum, where
from hapsis.mechanics.algebra.contact_geometry.touch import TINY

Point = tuple[Any, ...]  # two
LOOSE = 1e-9  # of the sizes: what sticks out by rounding is inside
STEEP = 1e-12  # sides that turn less towards each other never meet
MISSED = 1e6  # weight of what lies outside, against distances


def projected(
    points: Sequence[Point], halves: tuple[Any, Any], origin: Point, back: Any, others: Any
) -> list[Point]:
    """Each point, brought to the nearest one of the overlap.

    halves  of the rectangle |u| <= halves[0], |v| <= halves[1], in whose coordinates points are
    origin, back   coordinates (s, t) = origin + back (u, v) of the parallelogram
    others  |s| <= others[0], |t| <= others[1]

    The points are corners of the parallelogram. One inside the rectangle stays; another goes to
    the nearest point of the rectangle's sides, as far as those are inside the parallelogram.
    """
    sides = [_side(k, end * halves[k], halves, origin, back, others) for k in (0, 1) for end in (-1.0, 1.0)]
    return [_nearest(point, halves, sides) for point in points]


def _side(k: int, at: Any, halves: Any, origin: Point, back: Any, others: Any) -> Any:
    """A side of the rectangle: its fixed coordinate k, its stretch in the parallelogram."""
    m = 1 - k
    low, high = -halves[m], halves[m]
    for i in (0, 1):
        start, rate = origin[i] + back[i][k] * at, back[i][m]
        reach = others[i] * (1.0 + LOOSE)
        over = 1.0 / where(rate < 0.0, minimum(rate, -STEEP), maximum(rate, STEEP))
        one, two = (-reach - start) * over, (reach - start) * over
        low = maximum(low, minimum(one, two))
        high = minimum(high, maximum(one, two))
    missed = maximum(low - high, 0.0)
    # an empty stretch is a point in between; it is taken only where all are empty
    low, high = minimum(low, halves[m]), maximum(high, -halves[m])
    middle = 0.5 * (low + high)
    empty = missed > 0.0
    return k, at, where(empty, middle, low), where(empty, middle, high), missed


def _nearest(point: Point, halves: tuple[Any, Any], sides: list[Any]) -> Point:
    best: Any = None
    for k, at, low, high, missed in sides:
        along = clip(point[1 - k], low, high)
        off, slid = point[k] - at, point[1 - k] - along
        cost = off * off + slid * slid + MISSED * missed * missed
        here = (at, along) if k == 0 else (along, at)
        if best is None:
            best = cost, *here
            continue
        less = cost < best[0]
        best = tuple(where(less, x, y) for x, y in zip((cost, *here), best, strict=True))
    inside = (abs(point[0]) <= halves[0] * (1.0 + LOOSE) + TINY) & (
        abs(point[1]) <= halves[1] * (1.0 + LOOSE) + TINY
    )
    return where(inside, point[0], best[1]), where(inside, point[1], best[2])
