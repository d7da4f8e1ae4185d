"""The motion of a coordinate that leads a point along an axis, and back: see `model.driven_points`.

From the way x of the point, with s the sign of B,

    hinge   q = s (atan2(x + A, l) - atan2(A, |B|)),    l² = B² - x (x + 2 A)
            x' = s l,    x'' = -(x + A)
    slide   q = x / B,    x' = B,    x'' = 0

where x' and x'' are derivatives by q, so that q̇ = ẋ / x' and q̈ = (ẍ - x'' q̇²) / x'. An effort τ on q is the
force τ / x' along the axis. Beyond its reach l is no number.
"""

from math import inf
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import atan2, cos, sign, sin, sqrt
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.mechanics.formalisms.kept_verbs import kept_function
from hapsis.mechanics.formalisms.tree.links import label
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
from hapsis.mechanics.formalisms.tree.relative_kinematics import Path
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.driven_points import driven_coordinate
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.axes import axis_vector


class Led(NamedTuple):
    """A coordinate that leads a point: its position and rates, and dx/dq."""

    position: Any
    velocity: Any
    acceleration: Any
    lever: Any


class PointMotion(NamedTuple):
    """How a point moves along an axis with a coordinate: A and B as expressions of parameters."""

    turns: bool
    A: Any
    B: Any

    def led(self, x: Any, speed: Any, acceleration: Any) -> Led:
        """The motion of the coordinate for one of the point."""
        if not self.turns:
            return Led(x / self.B, speed / self.B, acceleration / self.B, self.B)
        side, level = sign(self.B), self.B * self.B - x * (x + 2.0 * self.A)
        lever = side * sqrt(level)
        q = atan2(x + self.A, sqrt(level))
        if not is_zero(self.A):
            q = q - atan2(self.A, side * self.B)
        v = speed / lever
        return Led(side * q, v, (acceleration + (x + self.A) * v * v) / lever, lever)

    def way(self, q: Any, v: Any) -> tuple[Any, Any]:
        """The way of the point and its rate, for a coordinate and its speed."""
        if not self.turns:
            return self.B * q, self.B * v
        half = sin(0.5 * q)
        return self.B * sin(q) - 2.0 * self.A * half * half, (self.B * cos(q) - self.A * sin(q)) * v

    def reach(self) -> tuple[Any, Any]:
        """The least and the largest way of the point; a slide has no end."""
        if not self.turns:
            return -inf, inf
        radius = sqrt(self.A * self.A + self.B * self.B)
        return -radius - self.A, radius - self.A


def point_motion(tree: Tree, drive: Drive) -> PointMotion:
    """That of the point of a drive, from the kinematics of the tree: x'(0) = B, x''(0) = -A."""
    model = tree.links.model
    place = model.coordinates.index(driven_coordinate(model, drive))
    ends = [tree.placed(drive.ends[n], label(drive.ends[n], f"{drive.name}.{n}")) for n in ("point", "frame")]
    origin, along = Path(tree, *ends).origin(), axis_vector(drive.along)
    x = sum((n * part for n, part in zip(along, origin, strict=True) if n), tree.zero)
    rest = [tree.zero] * tree.n_q
    lead = [tree.one if k == place else tree.zero for k in range(tree.n_q)]
    slope = Function("x", {"q": tree.q}, {"x": x}).jvp("q")(q=tree.q, d_q=lead)
    rate = Function("slope", {"q": tree.q}, {"x": slope})
    turns = next(link.kind for link in tree.links if place in link.q) == "R"
    return PointMotion(turns, -rate.jvp("q")(q=rest, d_q=lead), rate(q=rest))


def point_ways(model: Model) -> Function:
    """(q, v) -> x, w: the ways of the points of all drives of points, and their rates."""

    def write() -> Function:
        tree = posed_tree(model)
        v, pairs = tree.symbols("v"), list[Any]()
        for drive in points(model):
            coordinate = driven_coordinate(model, drive)
            place, slot = model.coordinates.index(coordinate), model.speeds.index(f"{coordinate}.v")
            pairs.append(point_motion(tree, drive).way(tree.q[place], v[slot]))
        x, w = ([pair[k] for pair in pairs] for k in (0, 1))
        return Function("ways", {"q": tree.q, "v": v}, {"x": x, "w": w})

    return kept_function(model, "ways of points", write)


def point_reaches(model: Model) -> Function:
    """(q, v) -> x, w, low, high: as `point_ways`, and how far the points can go."""

    def write() -> Function:
        tree, ways = posed_tree(model), point_ways(model)
        v = tree.symbols("v")
        x, w = ways(q=tree.q, v=v)
        ends = [point_motion(tree, drive).reach() for drive in points(model)]
        low, high = ([tree.zero + end[k] for end in ends] for k in (0, 1))
        return Function("reaches", {"q": tree.q, "v": v}, {"x": x, "w": w, "low": low, "high": high})

    return kept_function(model, "reaches of points", write)


def point_places(model: Model) -> Function:
    """(x, w) -> q, v: the coordinates that lead these points, and their speeds, for their ways and rates."""

    def write() -> Function:
        tree, led = posed_tree(model), points(model)
        x, w = (symbols(name, len(led), kind="coordinate", graph=tree.graph) for name in ("x", "w"))
        motions = [point_motion(tree, drive) for drive in led]
        places = [m.led(way, rate, tree.zero) for m, way, rate in zip(motions, x, w, strict=True)]
        outputs = {"q": [each.position for each in places], "v": [each.velocity for each in places]}
        return Function("places", {"x": x, "w": w}, outputs)

    return kept_function(model, "places of points", write)


def points(model: Model) -> list[Drive]:
    """The drives of points, in the order of `point_ways`."""
    return [drive for drive in model.drives.values() if drive.point is not None]
