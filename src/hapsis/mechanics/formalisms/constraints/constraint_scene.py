"""The scene through which constraints read coordinates, speeds and ends while they write their rows."""

from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, NamedTuple, Protocol

from hapsis.compiler.ir.derivatives.jacobian import rates_along
from hapsis.compiler.ir.graph.expr import Expr, reference, symbol
from hapsis.compiler.ir.graph.ops import ONE
from hapsis.compiler.ir.graph.transplant import transplant
from hapsis.errors import ModelError, near
from hapsis.mechanics.algebra.spatial import Motion
from hapsis.mechanics.algebra.vectors import Vector
from hapsis.mechanics.formalisms.tree.links import Place, label
from hapsis.mechanics.formalisms.tree.relative_kinematics import Path
from hapsis.mechanics.formalisms.tree.relative_motion import RelativeMotions
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.forces.user_law import one_number
from hapsis.mechanics.model.joints.joint import LoopJoint
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.readings import Readings
from hapsis.mechanics.model.values.user_functions import call_user

Clock = Callable[[], Expr]
Seen = tuple[Vector, Any]  # the origin and the axes of a frame


class Ends(Protocol):
    """The relative pose and motion of the two ends of a fact."""

    def seen(self, fact: Any, of: str, seen_from: str) -> Seen:
        """The origin and the axes of one end, seen from the other."""
        ...

    def motion(self, fact: Any, of: str, seen_from: str, v: Any) -> Motion:
        """The angular velocity of one end and the velocity of its origin, seen from the other."""
        ...

    def velocity(self, fact: Any, of: str, seen_from: str, v: Any) -> Vector:
        """The velocity of the origin of one end, seen from the other."""
        ...


class Sight(NamedTuple):
    """What was seen along a path: an origin and axes, or at some speeds a velocity and an angular one."""

    path: Path
    linear: Vector
    angular: Any
    speeds: Any = None


class TreeEnds:
    """The ends on the bodies of a posed tree; `sights` are all that were asked for."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.sights: list[Sight] = []

    def seen(self, fact: Any, of: str, seen_from: str) -> Seen:
        """The origin and the axes of one end, seen from the other."""
        path = self._path(fact, of, seen_from)
        d, R = path.origin(), path.axes()
        self.sights.append(Sight(path, d, R))
        return d, R

    def motion(self, fact: Any, of: str, seen_from: str, v: Any) -> Motion:
        """The angular velocity of one end and the velocity of its origin, seen from the other."""
        path = self._path(fact, of, seen_from)
        w, u = path.motion(v)
        self.sights.append(Sight(path, u, w, v))
        return w, u

    def velocity(self, fact: Any, of: str, seen_from: str, v: Any) -> Vector:
        """The velocity of the origin of one end, by a recursion that the row's own rate shares."""
        path = self._path(fact, of, seen_from)
        u = RelativeMotions(self.tree, v, ()).point(path)[0]
        self.sights.append(Sight(path, u, self.tree.zero3, v))
        return u

    def _path(self, fact: Any, of: str, seen_from: str) -> Path:
        first, second = (end_place(self.tree, fact, field) for field in (of, seen_from))
        return Path(self.tree, first, second)


def end_place(tree: Tree, fact: Any, field: str) -> Place:
    """The place of an end of a fact."""
    end = fact.ends[field]
    return tree.placed(end, label(end, f"{fact.name}.{field}"))


class ConstraintScene:
    """The implementation of `model.constraints.Scene`, for one fact after the other.

    clock    returns the time, for rows that need it
    ends     the relative pose and motion of the ends: those on the tree unless given
    """

    def __init__(self, posed: Tree, clock: Clock | None = None, ends: Ends | None = None) -> None:
        self.tree, self.model = posed, posed.links.model
        self.ends: Ends = ends or TreeEnds(posed)
        self.clock = clock or (lambda: symbol("t", graph=posed.graph))
        self.places = {name: k for k, name in enumerate(self.model.coordinates)}
        self.slots = {name: k for k, name in enumerate(self.model.speeds)}
        self.fact: Any = None
        self.v: Any = None  # the speeds, while speed rows are written
        self.asked: Expr | None = None  # the time, once a row has used it

    def rows(self, fact: Fact) -> Mapping[str, Any]:
        """The rows of a joint that closes a loop, or of a constraint."""
        self.fact, self.v = fact, None
        if fact.family != "joints":
            return self.fact.position_rows(self)
        if not isinstance(fact, LoopJoint):
            raise self.fact.cannot_close()
        return fact.closure_rows(*self.seen("second", "first"), self.number)

    def speed_rows(self, fact: Fact, v: Any) -> Mapping[str, Any]:
        """The speed rows of a constraint, at the speeds v."""
        self.fact, self.v = fact, v
        return self.fact.speed_rows(self)

    def combination(self, fact: Any, v: Any) -> Any:
        """The value of a generalized speed, at the speeds v."""
        self.fact, self.v = fact, v
        if callable(fact.combination):
            value = call_user(fact.combination, fact.label, self.readings)
            if not isinstance(value, Expr | Real):
                raise fact.wrong(f"it must be one number, not {described(value)}")
            return value
        scalar = self.tree.links.scalar
        factors = {n: scalar(f"{fact.name}.combination.{n}", x) for n, x in fact.combination.items()}
        return sum((x * v[self.slots[name]] for name, x in factors.items()), self.tree.zero)

    @property
    def time(self) -> Expr:
        """The time; reading it makes it an input."""
        if self.asked is None:
            self.asked = self.clock()
        return self.asked

    def number(self, field: str) -> Any:
        """A field of the fact as a run-time parameter, or as a function of time."""
        value, links = getattr(self.fact, field), self.tree.links
        if callable(value):
            result = call_user(value, f"{self.fact.label}: {field}", self.time)
            if not isinstance(result, Expr | Real):
                raise self.fact.wrong(f"{field}(t) must give one number")
            return links.constant(result)
        return links.timed(f"{self.fact.name}.{field}", value, lambda: self.time)

    def numbers(self, field: str) -> Vector:
        """A field of three numbers as run-time parameters."""
        return self.tree.links.vector(f"{self.fact.name}.{field}", getattr(self.fact, field), "other")

    def slopes(self, law: Any, *inputs: Any) -> Vector:
        """The derivatives of the one number that a law gives by its three inputs, at these inputs."""
        graph = self.tree.graph
        place = [symbol(name, graph=graph) for name in ("x of slope", "y of slope", "z of slope")]
        value = self.tree.links.constant(one_number(self.fact, law, self.obey(law, *place)))
        x, y, z = (Expr(graph, rates_along(graph, [value.ref], {at.ref >> 2: ONE})[0]) for at in place)
        known = {at.ref >> 2: reference(graph, given) for at, given in zip(place, inputs, strict=True)}
        x, y, z = (Expr(graph, ref) for ref in transplant(graph, [x.ref, y.ref, z.ref], graph, known))
        return x, y, z

    def obey(self, law: Any, *inputs: Any) -> Any:
        """The result of a law without states for these inputs; its parameters belong to the fact."""
        fields = {
            name: self.tree.links.scalar(f"{self.fact.name}.{name}", value)
            for name, value in law.fields.items()
        }
        try:
            return law.evaluate(fields, inputs, {}, self.readings)[0]
        except ModelError as error:
            raise self.fact.wrong(error.what) from None
        except Exception as error:  # the user's own
            error.add_note(f"in {self.fact.label}")
            raise

    def coordinate(self, name: str) -> Any:
        """A coordinate by its name, or also a speed while speed rows are written."""
        if name in self.places:
            return self.tree.q[self.places[name]]
        if self.v is not None and name in self.slots:
            return self.v[self.slots[name]]
        what, known = "coordinate", (*self.places,)
        if self.v is not None:
            what, known = "coordinate or speed", (*self.places, *self.slots)
        elif name in self.slots:
            raise self.fact.wrong(
                f'a row of positions cannot read the speed "{name[:60]}"', remedy="give it as speeds="
            )
        raise self.fact.wrong(f'there is no {what} "{str(name)[:60]}"{near(str(name), known)}')

    @property
    def readings(self) -> Readings:
        """The coordinates by name, as the argument of a function that the user wrote."""
        names = self.places if self.v is None else (*self.places, *self.slots)
        return Readings(names, self.coordinate, lambda: self.time)

    def seen(self, of: str, seen_from: str) -> Seen:
        """The origin and the axes of one end, seen from the other."""
        return self.ends.seen(self.fact, of, seen_from)

    def motion(self, of: str, seen_from: str) -> Motion:
        """The angular velocity of one end and the velocity of its origin, seen from the other."""
        return self.ends.motion(self.fact, of, seen_from, self.v)

    def velocity(self, of: str, seen_from: str) -> Vector:
        """The velocity of the origin of one end, seen from the other."""
        return self.ends.velocity(self.fact, of, seen_from, self.v)
