"""The rows of a model with all their derivatives, written once and copied for each use."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from hapsis.compiler.ir.derivatives.jacobian import cheapest_lines
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import Expr, reference
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.transplant import transplant
from hapsis.mechanics.formalisms.constraints.angle_rows import continuous
from hapsis.mechanics.formalisms.constraints.constraint_row_checks import check_linear, is_asked
from hapsis.mechanics.formalisms.constraints.constraint_scene import ConstraintScene
from hapsis.mechanics.formalisms.constraints.row_forms import Forms, cheapest_forms
from hapsis.mechanics.formalisms.constraints.row_rates import RowRates
from hapsis.mechanics.formalisms.constraints.tree_ends import Form, Sight, TreeEnds
from hapsis.mechanics.formalisms.tree.posed_tree import MANY, posed_tree, unlumped_tree
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.store.kept import forms_by_values

Reference = int


class Derivation(NamedTuple):
    """Rows and their derivatives as references into a graph of their own, by name."""

    graph: Graph
    inputs: tuple[Reference, ...]  # q, v, and the time where a row depends on it
    timed: bool
    h: dict[str, Reference]  # position rows
    speeds: dict[str, Reference]  # speed rows
    rate: dict[str, Reference]  # of position rows ḣ, of speed rows themselves
    J: dict[str, dict[int, Reference]]  # {row: {speed: slope}} without zeros
    gamma: dict[str, Reference]
    drift: dict[str, Reference]

    def copied(self, refs: Iterable[Reference], tree: Tree, v: Any, time: Expr | None) -> list[Expr]:
        """Copies of these references at the coordinates of a tree, the speeds v and the time."""
        at = [*tree.q, *v, *([time] if self.timed else [])]
        known = {ref >> 2: reference(tree.graph, value) for ref, value in zip(self.inputs, at, strict=True)}
        return [Expr(tree.graph, ref) for ref in transplant(self.graph, refs, tree.graph, known)]


def derivation(tree: Tree) -> Derivation:
    """The rows of a tree's model, kept with the model."""
    model, kept = tree.links.model, tree.links.kept

    def fresh() -> Tree:
        # in a graph of its own, so that it does not depend on what was written before
        return unlumped_tree(model, kept) if kept else posed_tree(model)

    def make() -> Derivation:
        facts = [fact.name for fact in (*model.cuts, *model.constraints.values())]
        with uncollected():
            if tree.n_v > MANY:
                return written_rows(fresh(), dict.fromkeys(facts, Form())).derivation
            return cheapest_forms(facts, lambda forms: written_rows(fresh(), forms)).derivation

    return derived(model, (derivation, kept), make)


class _Rows(NamedTuple):
    """The rows of a tree, the time if one depends on it, and what they are made of."""

    h: dict[str, Expr]
    speeds: dict[str, Expr]
    time: Expr | None
    sights: Sequence[Sight]


class WrittenRows(NamedTuple):
    """A derivation, and what its rows are made of."""

    derivation: Derivation
    sights: Sequence[Sight]

    @property
    def graph(self) -> Graph:
        """The graph."""
        return self.derivation.graph

    def refs(self, facts: Iterable[str]) -> list[Reference]:
        """h, J and γ of the rows of these facts."""
        facts, rows = set(facts), self.derivation
        names = [name for name in rows.gamma if name.rpartition(".")[0] in facts]
        slopes = [ref for name in names for ref in rows.J[name].values()]
        return [*(rows.h[n] for n in names if n in rows.h), *slopes, *(rows.gamma[n] for n in names)]


def combination_derivation(tree: Tree) -> Derivation:
    """The generalized speeds of a tree's model as speed rows, u = J v + drift, kept with the model."""
    model = tree.links.model

    def make() -> Derivation:
        with uncollected():
            return written_rows(posed_tree(model), {}, _combinations).derivation

    return derived(model, combination_derivation, make)


def _combinations(tree: Tree, v: Any, forms: Forms) -> "_Rows":
    """The generalized speeds as expressions; an error for one that is not linear in the speeds."""
    scene = ConstraintScene(tree)
    speeds = dict[str, Expr]()
    for fact in scene.model.generalized_speeds.values():
        speeds[fact.name] = row = tree.links.constant(scene.combination(fact, v))
        check_linear(tree, scene.asked, fact.name, row, v, "speed")
    return _Rows({}, speeds, scene.asked, [])


def written_rows(
    tree: Tree, forms: Forms, write: "Callable[[Tree, Any, Forms], _Rows] | None" = None
) -> WrittenRows:
    """The rows of a tree, in the form that is given for each fact, with their derivatives."""
    v = tree.symbols("v")
    rows = (write or _rows)(tree, v, forms)
    names = (*rows.h, *rows.speeds)
    shared = {name for name, form in forms.items() if form.shared}
    rates = RowRates(tree, rows.sights, rows.time, v, shared)
    rate = [*rates.of(list(rows.h.values())), *rows.speeds.values()]
    time = [] if rows.time is None else [rows.time]
    derivation = Derivation(
        tree.graph,
        tuple(x.ref for x in (*tree.q, *v, *time)),
        rows.time is not None,
        {name: row.ref for name, row in rows.h.items()},
        {name: row.ref for name, row in rows.speeds.items()},
        dict(zip(names, (x.ref for x in rate), strict=True)),
        dict(zip(names, _slopes(tree, rows, v), strict=True)),
        dict(zip(names, (x.ref for x in rates.of(rate)), strict=True)),
        dict(zip(names, (x.ref for x in _drift(tree, rows, v, rate)), strict=True)),
    )
    return WrittenRows(derivation, rows.sights)


def _rows(tree: Tree, v: Any, forms: Forms) -> _Rows:
    """All rows that are not identically zero."""
    ends = TreeEnds(tree, forms)
    scene = ConstraintScene(tree, None, ends)
    h, speeds = dict[str, Expr](), dict[str, Expr]()
    for fact in (*scene.model.cuts, *scene.model.constraints.values()):
        for key, row in scene.rows(fact).items():
            row, name = tree.links.constant(row), f"{fact.name}.{key}"
            if not is_zero(row) and is_asked(tree, scene.asked, name, row):
                h[name] = continuous(row, name, forms_by_values(scene.model))
    for fact in scene.model.constraints.values():
        for key, row in scene.speed_rows(fact, v).items():
            row, name = tree.links.constant(row), f"{fact.name}.{key}"
            if not is_zero(row) and is_asked(tree, scene.asked, name, row, v):
                check_linear(tree, scene.asked, name, row, v)
                speeds[name] = row
    return _Rows(h, speeds, scene.asked, ends.sights)


def _slopes(tree: Tree, rows: _Rows, v: Any) -> list[dict[int, Reference]]:
    """J: derivatives by the speeds of ḣ, in which each point moves by itself (the cheaper form)."""
    apart = RowRates(tree, rows.sights, rows.time, v, apart=True).of(list(rows.h.values()))
    rates = zip((*rows.h, *rows.speeds), (*apart, *rows.speeds.values()), strict=True)
    groups = [[x.ref for _, x in group] for _, group in groupby(rates, lambda row: row[0].rpartition(".")[0])]
    return cheapest_lines(tree.graph, groups, [x.ref >> 2 for x in v], [x.ref for x in rows.h.values()])


def _drift(tree: Tree, rows: _Rows, v: Any, rate: Sequence[Expr]) -> list[Expr]:
    """ḣ at zero speeds."""
    if rows.time is None and not rows.speeds:
        return [tree.zero] * len(rate)
    inputs = {"q": tree.q, "v": v, **({} if rows.time is None else {"t": rows.time})}
    f = Function("rate", inputs, {"rate": list(rate)})
    return list(f(**{**inputs, "v": [tree.zero] * tree.n_v}))
