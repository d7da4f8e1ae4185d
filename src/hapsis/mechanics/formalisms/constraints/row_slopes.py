"""How constraint rows change with the places of their ends and with coordinates (see `row_units`)."""

from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.mechanics.formalisms.constraints.constraint_rows import linearized, rows_of
from hapsis.mechanics.formalisms.constraints.constraint_scene import ConstraintScene
from hapsis.mechanics.formalisms.constraints.free_ends import FreeEnds
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.units import length_unit


def units_by_ends(tree: Tree) -> dict[str, float]:
    """The units of rows between two ends."""
    model, unit = tree.links.model, length_unit(tree.links.model)
    ends = FreeEnds(tree)
    d, R = symbols("d", 3, graph=tree.graph), symbols("R", 3, 3, graph=tree.graph)
    w, u = symbols("w", 3, graph=tree.graph), symbols("u", 3, graph=tree.graph)
    ends.second, ends.moved = (tuple(d), tuple(map(tuple, R))), (tuple(w), tuple(u))
    scene = ConstraintScene(tree, None, ends)
    places, speeds = _indices(d), _indices(u)
    units: dict[str, float] = {}
    for fact in (*model.cuts, *model.constraints.values()):
        if not fact.ends:
            continue
        for name, row in scene.rows(fact).items():
            units[f"{fact.name}.{name}"] = unit if _live(tree, row) & places else 1.0
        if fact.family != "joints":
            for name, row in scene.speed_rows(fact, tree.symbols("v")).items():
                units[f"{fact.name}.{name}"] = unit if _live(tree, row) & speeds else 1.0
    return units


def _indices(expressions: Any) -> set[int]:
    return {x.ref >> 2 for x in expressions}


def _live(tree: Tree, row: Any) -> set[int]:
    row = tree.links.constant(row)
    return set() if row.ref & 2 else set(tree.graph.live([row.ref]))


def slopes(model: Model, names: list[str]) -> Function:
    """(q, v, t) -> J of these rows."""
    tree = posed_tree(model)
    rows, v = rows_of(tree), tree.symbols("v")
    J = linearized(tree, rows, names, v).J
    return Function("slopes", {"q": tree.q, "v": v, **rows.timed}, {"J": J}, dict.fromkeys(rows.timed, 0.0))
