"""A flat part cut from sheet: a closed outline with round corners, and its thickness."""

from typing import Annotated, Any

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.values import AsValue

AsPoints = Annotated[Any, "rows of two numbers, or of three"]
STEP = np.radians(11.25)  # of an arc, at most
FEWEST = 3  # corners


@verb
@frozen
class Outline(Shape, type_name="outline", not_negative=("thickness",)):
    """A flat part: what is inside a closed line in the plane z = 0 of its frame.

        points     corners (x, y) in order, m; (x, y, r) rounds that corner by an arc of radius r
        thickness  along z, m; half of it on each side of the plane

    It is only drawn: it has no mass, and contacts cannot use it. On a body with outlines, joints and the
    shapes of contacts are not drawn, as the outlines show them.
    """

    points: AsPoints
    thickness: AsValue

    def __post_init__(self) -> None:
        super().__post_init__()
        rows = [float_array(row) for row in self._rows()]
        if any(row is None or row.shape not in ((2,), (3,)) for row in rows):
            raise self.wrong("points must be rows (x, y) or (x, y, r) of numbers")
        if len(rows) < FEWEST:
            raise self.wrong(f"{len(rows)} points enclose nothing", expected=f"at least {FEWEST}")
        if not all(row is not None and np.isfinite(row).all() for row in rows):
            raise self.wrong("every point must be finite")
        self._set(points=tuple(tuple(float(x) + 0.0 for x in row) for row in rows if row is not None))
        if any(len(row) == 3 and row[2] < 0.0 for row in self.points):
            raise self.wrong("the radius of a corner is negative")
        if self.area == 0.0:
            raise self.wrong("the points enclose no area")

    def _rows(self) -> list[Any]:
        try:
            return list(self.points)
        except TypeError:
            raise self.wrong(f"points must be rows of numbers, not {described(self.points)}") from None

    @property
    def area(self) -> float:
        """The area inside the corners, m²; negative where they run clockwise."""
        p = np.array([row[:2] for row in self.points]) - np.array(self.points[0][:2])
        q = np.roll(p, -1, axis=0)
        return 0.5 * float(np.sum(p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]))

    @property
    def ring(self) -> list[list[float]]:
        """The line as points (x, y), anticlockwise, with arcs in small steps.

        A radius that does not fit between the middles of its two edges is made smaller until it does.
        """
        corners = list(self.points) if self.area > 0.0 else list(self.points)[::-1]
        count = len(corners)
        ring: list[list[float]] = []
        for k, (x, y, *radius) in enumerate(corners):
            before, behind = corners[k - 1], corners[(k + 1) % count]
            a, b = (np.array(p[:2]) - np.array((x, y)) for p in (before, behind))
            ring += _corner(np.array((x, y)), a, b, radius[0] if radius else 0.0)
        return ring


def _corner(at: Any, a: Any, b: Any, radius: float) -> list[list[float]]:
    """The arc at a corner, from the edge towards `a` to that towards `b`; a sharp corner is one point."""
    la, lb = float(np.hypot(*a)), float(np.hypot(*b))
    if not radius or not la or not lb:
        return [at.tolist()]
    a, b = a / la, b / lb
    turn = float(np.pi - np.arccos(np.clip(np.dot(a, b), -1.0, 1.0)))  # of the direction along the line
    if turn < 1e-6 or turn > np.pi - 1e-6:
        return [at.tolist()]
    away = min(radius * np.tan(turn / 2), 0.5 * la, 0.5 * lb)  # from the corner to where the arc begins
    radius = away / np.tan(turn / 2)
    middle = at + (a + b) / np.linalg.norm(a + b) * np.hypot(away, radius)
    first, last = (np.arctan2(*(at + away * e - middle)[::-1]) for e in (a, b))
    sweep = (last - first + np.pi) % (2 * np.pi) - np.pi
    steps = max(2, int(np.ceil(abs(sweep) / STEP)))
    angles = first + sweep * np.arange(steps + 1) / steps
    return [[float(middle[0] + radius * np.cos(t)), float(middle[1] + radius * np.sin(t))] for t in angles]
