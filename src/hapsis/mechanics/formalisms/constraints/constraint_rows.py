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

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.expr import Expr, symbol
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.constraints.constraint_scene import Clock
from hapsis.mechanics.formalisms.constraints.row_derivation import Derivation, derivation
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model

SpeedRow = Callable[[Any], Expr]  # the row at these speeds


class Rows(NamedTuple):
    """All rows of a model by name, and the time if a row depends on it."""

    values: dict[str, Any]  # position rows
    time: Expr | None
    speeds: dict[str, SpeedRow]  # speed rows
    derivation: Derivation  # of all their derivatives

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


@kept_verb
def row_rates(model: Model) -> Function:
    """(q, v, t) -> h, rate: the rows and ḣ = J v + drift; t only where needed.

    Where many states are checked it is much less than h, J and gamma.
    """

    def emit(posed: Tree) -> Function:
        rows, v = rows_of(posed), posed.symbols("v")
        linear = linearized(posed, rows, rows.names, v)
        inputs, defaults = {"q": posed.q, "v": v, **rows.timed}, dict.fromkeys(rows.timed, 0.0) or None
        return Function("row_rates", inputs, {"h": linear.h, "rate": linear.rate}, defaults=defaults)

    return cheapest(model, emit)


class LinearRows:
    """Rows, position or speed rows, and their derivatives at the speeds v; each is written when it is read.

    For a speed row h is zero and drift is its value at zero speeds.
    """

    def __init__(self, tree: Tree, rows: Rows, names: Sequence[str], v: Any) -> None:
        self.tree, self.rows, self.names, self.v = tree, rows, names, v
        self.h = [rows.values.get(name, tree.zero) for name in names]

    @cached_property
    def J(self) -> Any:
        """The Jacobian, a column for each speed."""
        slopes = self.rows.derivation.J
        at = [(i, k, ref) for i, name in enumerate(self.names) for k, ref in slopes[name].items()]
        J = np.full((len(self.names), self.tree.n_v), self.tree.zero, dtype=object)
        for (i, k, _), x in zip(at, self._copied(ref for _, _, ref in at), strict=True):
            J[i, k] = x
        return J

    @cached_property
    def rate(self) -> list[Any]:
        """ḣ, and the speed rows themselves."""
        return self._copied(self.rows.derivation.rate[name] for name in self.names)

    @cached_property
    def gamma(self) -> list[Any]:
        """γ, the rate of ḣ at zero accelerations."""
        return self._copied(self.rows.derivation.gamma[name] for name in self.names)

    @cached_property
    def drift(self) -> list[Any]:
        """ḣ at zero speeds."""
        return self._copied(self.rows.derivation.drift[name] for name in self.names)

    def _copied(self, refs: Iterable[int]) -> list[Any]:
        return self.rows.derivation.copied(refs, self.tree, self.v, self.rows.time)


def linearized(tree: Tree, rows: Rows, names: Sequence[str], v: Any) -> LinearRows:
    """The rows of these names, position or speed rows, with their derivatives at the speeds v."""
    return LinearRows(tree, rows, names, v)


def rows_of(posed: Tree, clock: Clock | None = None) -> Rows:
    """All rows that are not identically zero, by name; `clock` returns the time for rows that need it."""
    rows, time = derivation(posed), None
    if rows.timed:
        time = symbol("t", graph=posed.graph) if clock is None else clock()
    rest = [posed.zero] * posed.n_v
    h = rows.copied(rows.h.values(), posed, rest, time)
    speeds: dict[str, SpeedRow] = {name: partial(_speed_row, rows, name, posed, time) for name in rows.speeds}
    return Rows(dict(zip(rows.h, h, strict=True)), time, speeds, rows)


def _speed_row(rows: Derivation, name: str, tree: Tree, time: Expr | None, v: Any) -> Expr:
    return rows.copied([rows.speeds[name]], tree, v, time)[0]
