"""The equations of loops and constraints, h(q, t) = 0, with their Jacobian J and acceleration terms γ.

    ḣ = J v + ∂h/∂t        ḧ = J a + γ

Each joint that closes a cycle defines its rows (see `model.joints`), relative to its first end, and so
does each constraint (see `model.constraints`); derivatives come from the graph. Speed rows,
s(q, v, t) = 0 and linear in v, have no h: s takes the place of ḣ, and the rest is the same. Rows that
are zero in every pose, such as the third direction of a planar loop, are dropped; a row that no
coordinate can change and that is not zero is an error.
Reference: [Robotran] for the rows, J and γ.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.constraints.angle_rows import continuous
from hapsis.mechanics.formalisms.constraints.constraint_row_checks import check_linear, is_asked
from hapsis.mechanics.formalisms.constraints.constraint_scene import Clock, ConstraintScene
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.coordinate_rates import rates
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model

SpeedRow = Callable[[Any], Expr]  # the row at these speeds


class Rows(NamedTuple):
    """All rows of a model by name, and the time if a row depends on it."""

    values: dict[str, Any]  # position rows
    time: Expr | None
    speeds: dict[str, SpeedRow]  # speed rows

    @property
    def names(self) -> tuple[str, ...]:
        """All names, position rows first."""
        return (*self.values, *self.speeds)

    @property
    def timed(self) -> dict[str, Expr]:
        """{"t": time} where a row depends on the time, else empty."""
        return {} if self.time is None else {"t": self.time}


@verb
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
    def make() -> tuple[tuple[str, ...], tuple[str, ...]]:
        rows = rows_of(posed_tree(model))
        return tuple(rows.values), tuple(rows.speeds)

    return derived(model, constraint_names, make)


class LinearRows(NamedTuple):
    """Rows and their derivatives: h, J (a column for each speed), γ, and drift, which is ḣ at zero speeds."""

    h: list[Any]
    J: Any
    gamma: list[Any]
    drift: list[Any]


def linearized(tree: Tree, rows: Rows, names: Sequence[str], v: Any) -> LinearRows:
    """The rows of these names, position or speed rows, with their derivatives at the speeds v.

    For a speed row h is zero and drift is its value at zero speeds.
    """
    timed = rows.timed
    at = {"q": tree.q, **timed}
    rate = {"d_q": rates(tree, v), **{f"d_{name}": tree.one for name in timed}}
    placed = [name for name in names if name in rows.values]
    f = Function("h", at, {"h": [rows.values[name] for name in placed]})
    first = dict(zip(placed, f.jvp("q", *timed)(**at, **rate), strict=True)) if placed else {}
    # J and γ are derivatives of ḣ
    dh = [first[n] if n in first else tree.links.constant(rows.speeds[n](v)) for n in names]
    g = Function("dh", {**at, "v": v}, {"dh": dh})
    J = g.jacobian("dh", "v")(**at, v=v)
    gamma = g.jvp("q", *timed)(**at, v=v, **rate)
    drift = g(**at, v=[tree.zero] * tree.n_v)
    h = [rows.values.get(name, tree.zero) for name in names]
    return LinearRows(h, J, list(gamma), list(drift))


def rows_of(posed: Tree, clock: Clock | None = None) -> Rows:
    """All rows that are not identically zero, by name; `clock` returns the time for rows that need it."""
    scene = ConstraintScene(posed, clock)
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
    return Rows(values, scene.asked, speeds)


def _speed_row(scene: ConstraintScene, fact: Any, key: str, v: Any) -> Any:
    rows: Mapping[str, Any] = scene.speed_rows(fact, v)
    return rows[key]
