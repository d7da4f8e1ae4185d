"""Touch, Solid, and the few guarded pieces of arithmetic that contact geometry is made of.

A contact is asked for at every state, also at those where it has no direction: two centres in one
place, a capsule along another. Every root and division here has a floor under it, so that values
and derivatives stay finite; what is chosen there does not matter, that it is a number does.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hapsis.compiler.ir.graph.elementary_functions import clip as clip
from hapsis.compiler.ir.graph.elementary_functions import maximum, sqrt, where
from hapsis.mechanics.algebra.rotations import Matrix, Rows
from hapsis.mechanics.algebra.vectors import Vector, add, dot, neg, scaled, sub

TINY = 1e-24  # m², squares below have no direction
UP: Vector = (0.0, 0.0, 1.0)


class Touch(NamedTuple):
    """One candidate contact between a first and a second solid.

    gap     distance, negative where they overlap
    normal  unit vector from the second towards the first
    point   where the force acts, in the middle of the gap or overlap
    share   the part of the law's force it carries: 1, or less where another touch is at the
            same place and the two together are one contact
    """

    gap: Any
    normal: Vector
    point: Vector
    share: Any = 1.0


class Solid(NamedTuple):
    """A shape in space: its kind, its axes as rows of a rotation, its centre, its dimensions.

    size  (radius,) of a sphere, (length,) of a segment, (radius, length) of a capsule or a
          cylinder, (x, y, z) of a box; lengths are full lengths, along z
    surface  of a heightfield: (x, y) -> (height, slope along x, slope along y)
    """

    kind: str
    R: Rows
    p: Vector
    size: tuple[Any, ...] = ()
    surface: Callable[[Any, Any], tuple[Any, Any, Any]] | None = None

    def axis(self, k: int) -> Vector:
        """Its axis 0, 1 or 2 in space."""
        return self.R[0][k], self.R[1][k], self.R[2][k]

    def local(self, point: Vector) -> Vector:
        """A point of space in its own frame."""
        return Matrix(self.R).down(sub(point, self.p))

    def outwards(self, v: Vector) -> Vector:
        """A vector of its own axes in those of space."""
        return Matrix(self.R).up(v)


def flipped(touch: Touch) -> Touch:
    """The same contact with first and second exchanged."""
    return touch._replace(normal=neg(touch.normal))


def along(start: Vector, t: Any, direction: Vector) -> Vector:
    """start + t direction."""
    return add(start, scaled(t, direction))


def direction(d: Vector, spare: Vector = UP, floor: float = TINY) -> tuple[Any, Vector]:
    """The length and the unit vector of d; the spare one where d is nothing."""
    square = dot(d, d)
    far, k = square > floor, 1.0 / sqrt(maximum(square, floor))
    unit = chosen(far, scaled(k, d), spare)
    return dot(d, unit), unit


def chosen(condition: Any, then: Vector, otherwise: Vector) -> Vector:
    """One of two vectors."""
    x, y, z = (where(condition, a, b) for a, b in zip(then, otherwise, strict=True))
    return x, y, z


def signed(x: Any) -> Any:
    """1 or -1, never 0."""
    return where(x < 0.0, -1.0, 1.0)


def between(first: Vector, second: Vector, radius: Any, other: Any, share: Any = 1.0) -> Touch:
    """The contact of two balls: everything that is swept by a ball ends here."""
    distance, normal = direction(sub(first, second))
    gap = distance - (radius + other)
    return Touch(gap, normal, along(first, -(radius + 0.5 * gap), normal), share)


def at_surface(point: Vector, distance: Any, normal: Vector, radius: Any = 0.0) -> Touch:
    """The contact of a ball, whose centre has that signed distance from a surface."""
    gap = distance - radius
    return Touch(gap, normal, along(point, -(radius + 0.5 * gap), normal))


def nearness(a: Vector, b: Vector, scale: Any) -> Any:
    """1 where two points are one, falling smoothly to 0 at that distance from each other."""
    d = sub(a, b)
    return fading(dot(d, d), scale * scale)


def fading(square: Any, limit: Any) -> Any:
    """1 at 0, falling smoothly to 0 where a square reaches its limit."""
    inside = maximum(1.0 - square / maximum(limit, TINY), 0.0)
    return inside * inside


def shared(touches: Sequence[Touch], scale: Any) -> list[Touch]:
    """The touches, with those at one place sharing what one of them would carry alone."""
    counts: list[Any] = [1.0] * len(touches)
    for i, touch in enumerate(touches):
        for j in range(i):
            same = nearness(touch.point, touches[j].point, scale)
            counts[i] = counts[i] + same * touches[j].share
            counts[j] = counts[j] + same * touch.share
    return [t._replace(share=t.share / n) for t, n in zip(touches, counts, strict=True)]
