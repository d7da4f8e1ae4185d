"""What loops and constraints ask of the coordinates: h(q, t) = 0, its Jacobian and what is left.

    ḣ = J v + ∂h/∂t        ḧ = J a + γ

Each joint that closes a cycle says its rows itself (see `model.closing`), seen from its first end;
derivatives come from the graph. Rows that are zero in every pose, as the third direction of a
planar loop has them, are dropped; a row that no coordinate can change and that is not zero is an
error. Reference: [Robotran] for the rows; J, γ as in seed equations (10) and (11).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.python import evaluate
from hapsis.compiler.ir.expr import Expr, symbol
from hapsis.compiler.ir.function import Function
from hapsis.errors import ModelError, near
from hapsis.mechanics.algebra.rotations import Matrix, product, transposed
from hapsis.mechanics.algebra.vectors import Vector, add, sub
from hapsis.mechanics.formalisms.choice import cheapest, tree
from hapsis.mechanics.formalisms.coordinate_rates import rates
from hapsis.mechanics.formalisms.links import WORLD, label
from hapsis.mechanics.formalisms.sweeps import Poses
from hapsis.mechanics.formalisms.tree import Tree, is_zero
from hapsis.mechanics.model.constraints import Rolling
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.forces.controller import Readings
from hapsis.mechanics.model.model import Model

Clock = Callable[[], Expr]
NEVER = 1e-12  # m or rad; what no pose changes and is larger can never be met


class Rows(NamedTuple):
    """All rows of a model by name, and the time if one asks for it."""

    values: dict[str, Any]
    time: Expr | None


def constraints(model: Model) -> Function:
    """(q, v, t) -> h, J, gamma: what must be zero, with ḣ = J v (+ ∂h/∂t) and ḧ = J a + gamma.

    t only where a constraint depends on it. Names of the rows: `constraint_names`.
    """

    def emit(posed: Tree) -> Function:
        rows, v = rows_of(posed), posed.symbols("v")
        found = linearized(posed, rows, list(rows.values), v)
        outputs = {"h": found.h, "J": found.J, "gamma": found.gamma}
        inputs: dict[str, Any] = {"q": posed.q, "v": v}
        if rows.time is None:
            return Function("constraints", inputs, outputs)
        return Function("constraints", {**inputs, "t": rows.time}, outputs, defaults={"t": 0.0})

    if not constraint_names(model):
        raise ModelError("the model has no loops and no constraints, so that nothing must be zero")
    return cheapest(model, emit)


def constraint_names(model: Model) -> tuple[str, ...]:
    """The names of the rows: that of the joint or constraint, then which of its rows."""
    return tuple(rows_of(tree(model)).values)


class Rates(NamedTuple):
    """Some rows and how they change: J by columns of speeds, γ, ∂h/∂t."""

    h: list[Any]
    J: Any
    gamma: list[Any]
    drift: list[Any]


def linearized(tree: Tree, rows: Rows, names: Sequence[str], v: Any) -> Rates:
    """The rows of these names with their derivatives at the speeds v."""
    h = [rows.values[name] for name in names]
    timed = {} if rows.time is None else {"t": rows.time}
    rate = {"d_q": rates(tree, v), **{f"d_{name}": tree.one for name in timed}}
    f = Function("h", {"q": tree.q, **timed}, {"h": h})
    dh = f.jvp("q", *timed)(q=tree.q, **timed, **rate)
    g = Function("dh", {"q": tree.q, "v": v, **timed}, {"dh": dh})
    J = g.jacobian("dh", "v")(q=tree.q, v=v, **timed)
    gamma = g.jvp("q", *timed)(q=tree.q, v=v, **timed, **rate)
    drift = [tree.zero] * len(h)
    if timed:
        drift = list(f.jvp("t")(q=tree.q, **timed, d_t=tree.one))
    return Rates(h, J, list(gamma), drift)


class Closing:
    """What a constraint may ask while it says its rows."""

    def __init__(self, posed: Tree, poses: Poses, clock: Clock | None = None) -> None:
        self.tree, self.poses, self.model = posed, poses, posed.chain.model
        self.clock = clock or (lambda: symbol("t", graph=posed.graph))
        self.places = {name: k for k, name in enumerate(self.model.coordinates)}
        self.fact: Any = None
        self._time: Expr | None = None

    @property
    def time(self) -> Expr:
        """The time; asking for it makes it an input."""
        if self._time is None:
            self._time = self.clock()
        return self._time

    def number(self, field: str) -> Any:
        """A field of the fact as a run-time parameter."""
        return self.tree.chain.scalar(f"{self.fact.name}.{field}", getattr(self.fact, field))

    def coordinate(self, name: str) -> Any:
        """A coordinate by its name."""
        if name not in self.places:
            raise self.fact.wrong(f'there is no coordinate "{str(name)[:60]}"'
                                  f"{near(str(name), self.places)}")  # fmt: skip
        return self.tree.q[self.places[name]]

    @property
    def readings(self) -> Readings:
        """The coordinates by name, for a function of the user's."""
        return Readings(self.places, self.coordinate, lambda: self.time)

    def _end(self, field: str) -> tuple[Any, Vector]:
        """The axes and the origin of an end in the world."""
        end = self.fact.ends[field]
        place = self.tree.placed(end, label(end, f"{self.fact.name}.{field}"))
        R, p = self.poses[place.link]
        if place.link == WORLD:
            rows = tuple(tuple(self.tree.chain.constant(x) for x in row) for row in place.R)
            return rows, place.p
        return product(R, place.R), add(p, Matrix(R).up(place.p))

    def between(self) -> tuple[Vector, Any]:
        """The second end's origin and axes, seen from the first."""
        (R1, p1), (R2, p2) = self._end("first"), self._end("second")
        return Matrix(R1).down(sub(p2, p1)), product(transposed(R1), R2)

    def rows(self, fact: Fact) -> Mapping[str, Any]:
        """The rows of a joint that closes a loop, or of a constraint."""
        self.fact = fact
        if isinstance(fact, Rolling):
            raise fact.wrong("rolling is not available yet")
        if fact.family == "joints":
            return self.fact.closing(*self.between(), self.number)
        return self.fact.closing(self)


def rows_of(posed: Tree, clock: Clock | None = None) -> Rows:
    """All rows that a pose can change, by name; `clock` gives the time if one asks for it."""
    scene = Closing(posed, Poses(posed), clock)
    found: dict[str, Any] = {}
    for fact in (*scene.model.cuts, *scene.model.constraints.values()):
        for name, row in scene.rows(fact).items():
            row = posed.chain.constant(row)
            if not is_zero(row) and _moves(scene, posed, f"{fact.name}.{name}", row):
                found[f"{fact.name}.{name}"] = row
    return Rows(found, scene._time)


def _moves(scene: Closing, posed: Tree, name: str, row: Expr) -> bool:
    """Whether any coordinate changes a row; if none does it must be zero."""
    f = Function("row", {"q": posed.q, **({} if scene._time is None else {"t": scene._time})},
                 {"h": row})  # fmt: skip
    inputs = {ref >> 2 for port in f.inputs for ref in port.refs}
    if inputs & set(f.live):
        return True
    flat = np.array([0.0] * len(inputs) + list(f.parameters.values()))
    value = float(evaluate(f, flat)[0])
    if abs(value) > NEVER:
        raise ModelError(f'the row "{name[:80]}" can never be met: it is {value:.6g} in every pose',
                         remedy="change the places or directions of the loop")  # fmt: skip
    return False
