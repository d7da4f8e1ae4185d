"""Touch, Solid, and the guarded arithmetic that contact geometry is built from.

Contacts are evaluated at every state, also where the normal is undefined: coincident centres, parallel
capsules. Every square root and division here has a lower bound, so that values and derivatives are
finite; which value they have there does not matter.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hapsis.compiler.ir.graph.elementary_functions import clip as clip
from hapsis.compiler.ir.graph.elementary_functions import maximum, minimum, sqrt, where
from hapsis.mechanics.algebra.rotations import Matrix, Rows
from hapsis.mechanics.algebra.vectors import Vector, add, dot, neg, scaled, sub

TINY = 1e-24  # m²; a vector with a smaller square has no direction
UP: Vector = (0.0, 0.0, 1.0)


class Touch(NamedTuple):
    """One candidate contact between a first and a second solid.

    gap     distance, negative where they overlap: a continuous function of where the solids are
    normal  unit vector from the second towards the first
    point   where the force acts, in the middle of the gap or overlap
    share   the fraction of the law's force it carries
    whole   the gap itself where other touches carry a part of it; else None
    steep   how much the gap opens on a way of 1 m along the normal; None where only its gradient tells
    """

    gap: Any
    normal: Vector
    point: Vector
    share: Any = 1.0
    whole: Any = None
    steep: Any = None

    @property
    def distance(self) -> Any:
        """How far apart the solids are here, whoever carries the overlap."""
        return self.gap if self.whole is None else self.whole


class Solid(NamedTuple):
    """A posed shape: its kind, its rotation matrix by rows, its centre, its dimensions.

    size     (radius,) of a sphere, (length,) of a segment, (radius, length) of a capsule or a
             cylinder, (x, y, z) of a box; lengths are full lengths, along z
    surface  of a heightfield: (x, y) -> (height, slope along x, slope along y)
    """

    kind: str
    R: Rows
    p: Vector
    size: tuple[Any, ...] = ()
    surface: Callable[[Any, Any], tuple[Any, Any, Any]] | None = None

    def axis(self, k: int) -> Vector:
        """Its axis 0, 1 or 2 in world axes."""
        return self.R[0][k], self.R[1][k], self.R[2][k]

    def local(self, point: Vector) -> Vector:
        """A point of the world in its own frame."""
        return Matrix(self.R).down(sub(point, self.p))

    def outwards(self, v: Vector) -> Vector:
        """A vector given in its own axes, in world axes."""
        return Matrix(self.R).up(v)


def flipped(touch: Touch) -> Touch:
    """The same contact with first and second exchanged."""
    return touch._replace(normal=neg(touch.normal))


def along(start: Vector, t: Any, direction: Vector) -> Vector:
    """start + t direction."""
    return add(start, scaled(t, direction))


def direction(d: Vector, spare: Vector = UP, floor: float = TINY) -> tuple[Any, Vector]:
    """The length and the unit vector of d; the unit vector `spare` where d² is below the floor."""
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


def between(first: Vector, second: Vector, radius: Any, other: Any) -> Touch:
    """The touch of two balls with these centres and radii."""
    distance, normal = direction(sub(first, second))
    gap = distance - (radius + other)
    return Touch(gap, normal, along(first, -(radius + 0.5 * gap), normal))


def at_surface(point: Vector, distance: Any, normal: Vector, radius: Any = 0.0) -> Touch:
    """The touch of a ball whose centre `point` has that signed distance from a surface."""
    gap = distance - radius
    return Touch(gap, normal, along(point, -(radius + 0.5 * gap), normal))


def fading(square: Any, limit: Any) -> Any:
    """1 at 0, falling smoothly to 0 where a square reaches its limit."""
    inside = maximum(1.0 - square / maximum(limit, TINY), 0.0)
    return inside * inside


def carried(gap: Any, weight: Any, whole: Any) -> Any:
    """The gap of a support whose overlap counts by a weight; where solids are apart, the whole gap."""
    return where(whole < 0.0, minimum(weight * gap, 0.0), whole)


def rest(touch: Touch, others: Sequence[Touch]) -> Touch:
    """A touch with what is left of its overlap when that of others is taken off.

    Its steepness is the part that the deepest of them does not carry.
    """
    least: Any = 0.0
    steep: Any = 0.0
    for other in others:
        steep = None if steep is None or other.steep is None else where(other.gap < least, other.steep, steep)
        least = minimum(least, other.gap)
    left = where(touch.gap < 0.0, minimum(touch.gap - least, 0.0), touch.gap)
    steep = None if steep is None or touch.steep is None else touch.steep - steep
    return touch._replace(gap=left, whole=touch.gap, steep=steep)


class Places:
    """Numbers that are found by a search and held while a gap is differentiated.

    At the place where a distance is least, its derivative is the one at a place that is held
    (the envelope theorem). Searches hand what they find to `held`: it is kept in `found`, or
    replaced by what was `given`, the same numbers as inputs of their own.
    """

    def __init__(self, given: Sequence[Any] | None = None) -> None:
        self.found: list[Any] = []
        self._given = None if given is None else list(given)

    @property
    def given(self) -> bool:
        """Whether numbers found before are held."""
        return self._given is not None

    def held(self, *numbers: Any) -> tuple[Any, ...]:
        """These numbers, or those given in their place."""
        start = len(self.found)
        self.found += numbers
        return numbers if self._given is None else tuple(self._given[start : start + len(numbers)])
