"""The equations of loops and constraints, h(q, t) = 0, with their Jacobian J and acceleration terms γ.

    ḣ = J v + ∂h/∂t        ḧ = J a + γ

Each joint that closes a cycle defines its rows (see `model.joints`), relative to its first end, and so
does each constraint (see `model.constraints`). The rates of the ends come from recursions along the tree
(see `row_rates`), from which those of the rows and J follow in the graph. Speed rows,
s(q, v, t) = 0 and linear in v, have no h: s takes the place of ḣ, and the rest is the same. Rows that
are zero in every pose, such as the third direction of a planar loop, are dropped; a row that no
coordinate can change and that is not zero is an error.
Reference: [Robotran] for the rows, J and γ.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.derivatives.jacobian import cheapest_lines
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.constraints.angle_rows import continuous
from hapsis.mechanics.formalisms.constraints.constraint_row_checks import check_linear, is_asked
from hapsis.mechanics.formalisms.constraints.constraint_scene import Clock, ConstraintScene, Sight, TreeEnds
from hapsis.mechanics.formalisms.constraints.row_rates import RowRates
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.store.kept import kept_data

SpeedRow = Callable[[Any], Expr]  # the row at these speeds


class Rows(NamedTuple):
    """All rows of a model by name, and the time if a row depends on it."""

    values: dict[str, Any]  # position rows
    time: Expr | None
    speeds: dict[str, SpeedRow]  # speed rows
    sights: list[Sight]  # the relative poses and motions that they are made of

    @property
    def names(self) -> tuple[str, ...]:
        """All names, position rows first."""
        return (*self.values, *self.speeds)

    @property
    def timed(self) -> dict[str, Expr]:
        """{"t": time} where a row depends on the time, else empty."""
        return {} if self.time is None else {"t": self.time}


@verb
@kept_verb
def constraints(model: Model) -> Function:
    """(q, v, t) -> h, J, gamma: the rows h = 0, with ḣ = J v (+ ∂h/∂t) and ḧ = J a + gamma.

    t only where a constraint depends on it. The names of the rows are `constraint_names`. Speed rows
    come last; their h is zero.
    """

    def emit(posed: Tree) -> Function:
        rows, v = rows_of(posed), posed.symbols("v")
        linear = linearized(posed, rows, rows.names, v)
        outputs = {"h": linear.h, "J": linear.J, "gamma": linear.gamma}
        inputs = {"q": posed.q, "v": v, **rows.timed}
        return Function("constraints", inputs, outputs, defaults=dict.fromkeys(rows.timed, 0.0) or None)

    if not constraint_names(model):
        raise ModelError("the model has no loops and no constraints, so that nothing must be zero")
    return cheapest(model, emit)


@kept_verb
def drifts(model: Model) -> Function:
    """(q, t) -> drift, the rate of the rows at zero speeds: ḣ = J v + drift; t only where needed."""

    def emit(posed: Tree) -> Function:
        rows = rows_of(posed)
        drift = linearized(posed, rows, rows.names, posed.symbols("v")).drift
        defaults = dict.fromkeys(rows.timed, 0.0) or None
        return Function("drifts", {"q": posed.q, **rows.timed}, {"drift": drift}, defaults=defaults)

    return cheapest(model, emit)


def constraint_names(model: Model) -> tuple[str, ...]:
    """The names of the rows, FACT.ROW."""
    return (*position_rows(model), *_row_names(model)[1])


def position_rows(model: Model) -> tuple[str, ...]:
    """The names of the position rows, which come first in `constraint_names`."""
    return _row_names(model)[0]


def _row_names(model: Model) -> tuple[tuple[str, ...], tuple[str, ...]]:
    def names() -> tuple[list[str], list[str]]:
        rows = rows_of(posed_tree(model))
        return list(rows.values), list(rows.speeds)

    def make() -> tuple[tuple[str, ...], tuple[str, ...]]:
        positions, speeds = kept_data(model, "rows", names)
        return tuple(positions), tuple(speeds)

    return derived(model, constraint_names, make)


class LinearRows:
    """Rows, position or speed rows, and their derivatives at the speeds v; each is written when it is read.

    For a speed row h is zero and drift is its value at zero speeds.
    """

    def __init__(self, tree: Tree, rows: Rows, names: Sequence[str], v: Any) -> None:
        self.tree, self.rows, self.names, self.v = tree, rows, names, v
        self.h = [rows.values.get(name, tree.zero) for name in names]

    @cached_property
    def rate(self) -> list[Any]:
        """ḣ, and the speed rows themselves."""
        return self._rated(self._rates)

    @cached_property
    def _velocities(self) -> list[Any]:
        """The same, each point by itself: their derivatives by the speeds are the cheaper ones."""
        return self._rated(RowRates(self.tree, self.rows.sights, self.rows.time, self.v, apart=True))

    def _rated(self, rates: RowRates) -> list[Any]:
        values, speeds = self.rows.values, self.rows.speeds
        of_speeds = {n: self.tree.links.constant(speeds[n](self.v)) for n in self.names if n in speeds}
        placed = [name for name in self.names if name in values]
        first = dict(zip(placed, rates.of([values[n] for n in placed]), strict=True))
        return [first[n] if n in first else of_speeds[n] for n in self.names]

    @cached_property
    def J(self) -> Any:
        """The Jacobian, a column for each speed."""
        graph, facts = self.tree.graph, dict[str, list[int]]()
        for name, x in zip(self.names, self._velocities, strict=True):
            facts.setdefault(name.rpartition(".")[0], []).append(x.ref)
        slots = [x.ref >> 2 for x in self.v]
        lines = iter(cheapest_lines(graph, facts.values(), slots, [x.ref for x in self.h]))
        rows = {fact: [next(lines) for _ in refs] for fact, refs in facts.items()}
        left = {fact: iter(of_fact) for fact, of_fact in rows.items()}
        J = np.full((len(self.names), self.tree.n_v), self.tree.zero, dtype=object)
        for i, name in enumerate(self.names):
            for k, ref in next(left[name.rpartition(".")[0]]).items():
                J[i, k] = Expr(graph, ref)
        return J

    @cached_property
    def gamma(self) -> list[Any]:
        """γ, the rate of ḣ at zero accelerations."""
        return self._rates.of(self.rate)

    @cached_property
    def drift(self) -> list[Any]:
        """ḣ at zero speeds."""
        tree, rows = self.tree, self.rows
        if rows.time is None and not rows.speeds:
            return [tree.zero] * len(self.h)
        return list(self._function(q=tree.q, **rows.timed, v=[tree.zero] * tree.n_v))

    @cached_property
    def _rates(self) -> RowRates:
        return RowRates(self.tree, self.rows.sights, self.rows.time, self.v)

    @property
    def _function(self) -> Function:
        return Function("dh", {"q": self.tree.q, **self.rows.timed, "v": self.v}, {"dh": self.rate})


def linearized(tree: Tree, rows: Rows, names: Sequence[str], v: Any) -> LinearRows:
    """The rows of these names, position or speed rows, with their derivatives at the speeds v."""
    return LinearRows(tree, rows, names, v)


def rows_of(posed: Tree, clock: Clock | None = None) -> Rows:
    """All rows that are not identically zero, by name; `clock` returns the time for rows that need it."""
    ends = TreeEnds(posed)
    scene = ConstraintScene(posed, clock, ends)
    values: dict[str, Any] = {}
    for fact in (*scene.model.cuts, *scene.model.constraints.values()):
        for name, row in scene.rows(fact).items():
            row, name = posed.links.constant(row), f"{fact.name}.{name}"
            if not is_zero(row) and is_asked(posed, scene.asked, name, row):
                values[name] = continuous(row, name)
    speeds: dict[str, SpeedRow] = {}
    v = posed.symbols("v")
    for fact in scene.model.constraints.values():
        for key, row in scene.speed_rows(fact, v).items():
            row, name = posed.links.constant(row), f"{fact.name}.{key}"
            if not is_zero(row) and is_asked(posed, scene.asked, name, row, v):
                check_linear(posed, scene.asked, name, row, v)
                speeds[name] = partial(_speed_row, scene, fact, key)
    return Rows(values, scene.asked, speeds, ends.sights)


def _speed_row(scene: ConstraintScene, fact: Any, key: str, v: Any) -> Any:
    rows: Mapping[str, Any] = scene.speed_rows(fact, v)
    return rows[key]
