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
from hapsis.mechanics.formalisms.constraints.constraint_scene import ConstraintScene, Sight, TreeEnds
from hapsis.mechanics.formalisms.constraints.row_rates import RowRates
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree, unlumped_tree
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
    """The rows of a tree's model in its form, plain or condensed, kept with the model."""
    model, kept, condensed = tree.links.model, tree.links.kept, tree.condensed

    def make() -> Derivation:
        # in a graph of its own, so that it does not depend on what was written before
        with uncollected():
            plain = unlumped_tree(model, kept) if kept else posed_tree(model)
            return _written(Tree(plain.links, condensed=True) if condensed else plain)

    return derived(model, (derivation, condensed, kept), make)


class _Rows(NamedTuple):
    """The rows of a tree, the time if one depends on it, and what they are made of."""

    h: dict[str, Expr]
    speeds: dict[str, Expr]
    time: Expr | None
    sights: Sequence[Sight]


def combination_derivation(tree: Tree) -> Derivation:
    """The generalized speeds of a tree's model as speed rows, u = J v + drift, kept with the model."""
    model, condensed = tree.links.model, tree.condensed

    def make() -> Derivation:
        with uncollected():
            plain = posed_tree(model)
            return _written(Tree(plain.links, condensed=True) if condensed else plain, _combinations)

    return derived(model, (combination_derivation, condensed), make)


def _combinations(tree: Tree, v: Any) -> "_Rows":
    """The generalized speeds as expressions; an error for one that is not linear in the speeds."""
    scene = ConstraintScene(tree)
    speeds = dict[str, Expr]()
    for fact in scene.model.generalized_speeds.values():
        speeds[fact.name] = row = tree.links.constant(scene.combination(fact, v))
        check_linear(tree, scene.asked, fact.name, row, v, "speed")
    return _Rows({}, speeds, scene.asked, [])


def _written(tree: Tree, write: "Callable[[Tree, Any], _Rows] | None" = None) -> Derivation:
    v = tree.symbols("v")
    rows = (write or _rows)(tree, v)
    names = (*rows.h, *rows.speeds)
    rates = RowRates(tree, rows.sights, rows.time, v)
    rate = [*rates.of(list(rows.h.values())), *rows.speeds.values()]
    time = [] if rows.time is None else [rows.time]
    return Derivation(
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


def _rows(tree: Tree, v: Any) -> _Rows:
    """All rows that are not identically zero."""
    ends = TreeEnds(tree)
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
