"""The overlap of two faces: points of a plane moved into the overlap of a rectangle and a parallelogram."""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import abs, clip, maximum, minimum, where
from hapsis.mechanics.algebra.contact_geometry.touch import TINY

Point = tuple[Any, ...]  # two
LOOSE = 1e-9  # of the sizes: a point outside by less than this (rounding) counts as inside
STEEP = 1e-12  # sides whose coordinates change less than this along each other never intersect
MISSED = 1e6  # weight of an empty interval, relative to distances


def projected(
    points: Sequence[Point], halves: tuple[Any, Any], origin: Point, back: Any, others: Any
) -> list[Point]:
    """Each point moved to the nearest point of the overlap.

    halves        the rectangle |u| <= halves[0], |v| <= halves[1]; points have the coordinates (u, v)
    origin, back  (s, t) = origin + back (u, v), the coordinates of the parallelogram
    others        the parallelogram |s| <= others[0], |t| <= others[1]

    The points are corners of the parallelogram. One inside the rectangle is unchanged; any other moves
    to the nearest point of the rectangle's sides that is inside the parallelogram.
    """
    sides = [_side(k, end * halves[k], halves, origin, back, others) for k in (0, 1) for end in (-1.0, 1.0)]
    return [_nearest(point, halves, sides) for point in points]


def _side(k: int, at: Any, halves: Any, origin: Point, back: Any, others: Any) -> Any:
    """A side of the rectangle: fixed coordinate k, its value, the interval in the parallelogram, the miss."""
    m = 1 - k
    low, high = -halves[m], halves[m]
    for i in (0, 1):
        start, rate = origin[i] + back[i][k] * at, back[i][m]
        reach = others[i] * (1.0 + LOOSE)
        over = 1.0 / where(rate < 0.0, minimum(rate, -STEEP), maximum(rate, STEEP))
        first, second = (-reach - start) * over, (reach - start) * over
        low = maximum(low, minimum(first, second))
        high = minimum(high, maximum(first, second))
    missed = maximum(low - high, 0.0)
    # an empty interval becomes a point in between, which is used only where all are empty
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
