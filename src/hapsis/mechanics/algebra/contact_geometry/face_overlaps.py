"""The overlap of two faces: points of a plane moved into the overlap of a rectangle and a parallelogram."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from hapsis.compiler.ir.graph.elementary_functions import abs, clip, maximum, minimum, where
from hapsis.mechanics.algebra.contact_geometry.touch import TINY, Places

Point = tuple[Any, ...]  # two
LOOSE = 1e-9  # of the sizes: a point outside by less than this (rounding) counts as inside
STEEP = 1e-12  # sides whose coordinates change less than this along each other never intersect
MISSED = 1e6  # weight of an empty interval, relative to distances


class Overlap(NamedTuple):
    """A rectangle |u| <= halves[0], |v| <= halves[1] and a parallelogram |s| <= others[0], |t| <= others[1].

    origin, back  (s, t) = origin + back (u, v)
    """

    halves: tuple[Any, Any]
    origin: Point
    back: Any
    others: tuple[Any, Any]

    def there(self, i: int, point: Point) -> Any:
        """s (0) or t (1) of a point."""
        return self.origin[i] + self.back[i][0] * point[0] + self.back[i][1] * point[1]


def projected(points: Sequence[Point], overlap: Overlap, places: Places) -> list[Point]:
    """Each point (u, v) moved to the nearest point of the overlap.

    The points are corners of the parallelogram. One inside the rectangle is unchanged; any other moves
    to the nearest point of the rectangle's sides that is inside the parallelogram. What each moves
    with is held in derivatives: with the corner, with a side of either, or with a crossing of both.
    """
    sides = [_side(k, end * overlap.halves[k], *overlap) for k in (0, 1) for end in (-1.0, 1.0)]
    moved: list[Point] = []
    for point in points:
        nearest = _nearest(point, overlap.halves, sides)
        held = places.held(*nearest, *_moves(point, nearest, overlap))
        moved.append(_held_place(point, held, overlap) if places.given else nearest)
    return moved


def _moves(point: Point, nearest: Point, overlap: Overlap) -> list[Any]:
    """What moves the nearest point, for u, then v: a constant, factors of the corner's, of s and of t."""
    s = [overlap.there(i, nearest) for i in (0, 1)]
    off = [abs(abs(s[i]) - overlap.others[i]) for i in (0, 1)]
    is_s = off[0] * overlap.others[1] < off[1] * overlap.others[0]
    moves: list[Any] = []
    for k in (0, 1):
        free = abs(nearest[k] - point[k]) <= 0.0
        crosses = abs(nearest[k]) < overlap.halves[k]
        by_corner = where(free, 1.0, 0.0)
        rates = [-1.0 / _steep(overlap.back[i][k]) for i in (0, 1)]
        rate = where(free, 0.0, where(crosses, where(is_s, *rates), 0.0))
        by_s, by_t = where(is_s, rate, 0.0), where(is_s, 0.0, rate)
        start = nearest[k] - (by_corner * point[k] + by_s * s[0] + by_t * s[1])
        moves += [start, by_corner, by_s, by_t]
    return moves


def _held_place(point: Point, held: Point, overlap: Overlap) -> Point:
    s = [overlap.there(i, held[:2]) for i in (0, 1)]
    return tuple(
        held[n] + held[n + 1] * point[k] + held[n + 2] * s[0] + held[n + 3] * s[1]
        for k, n in ((0, 2), (1, 6))
    )


def _steep(rate: Any) -> Any:
    return where(rate < 0.0, minimum(rate, -STEEP), maximum(rate, STEEP))


def _side(k: int, at: Any, halves: Any, origin: Point, back: Any, others: Any) -> Any:
    """A side of the rectangle: fixed coordinate k, its value, the interval in the parallelogram, the miss."""
    m = 1 - k
    low, high = -halves[m], halves[m]
    for i in (0, 1):
        start, rate = origin[i] + back[i][k] * at, back[i][m]
        reach = others[i] * (1.0 + LOOSE)
        over = 1.0 / _steep(rate)
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
