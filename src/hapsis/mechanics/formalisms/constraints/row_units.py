"""The units of constraint rows: that of the model's lengths, or 1 for what turns.

A row is a length if it changes with the place of an end, and a number if only directions count in
it. Rows between coordinates (gears, functions of the user's) have no ends: their unit is the most
that a coordinate changes them by, moved by its own unit. Rows measured in their units have slopes
of about one however large the model is, so that one tolerance serves them all.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.backends.interpreter import evaluate
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.mechanics.formalisms.constraints.constraint_rows import linearized, rows_of
from hapsis.mechanics.formalisms.constraints.constraint_scene import ConstraintScene
from hapsis.mechanics.formalisms.constraints.free_ends import FreeEnds
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.units import length_unit, speed_units, unit_of

POSES = 6  # random ones, at which slopes are looked at


def row_units(model: Model) -> Mapping[str, float]:
    """{row: its unit} of all rows, of positions and of speeds."""

    def make() -> dict[str, float]:
        tree = posed_tree(model)
        rows = rows_of(tree)
        units = _of_ends(tree)
        free = [name for name in rows.names if name not in units]
        return {**units, **(_of_slopes(tree, free) if free else {})}

    return derived(model, row_units, make)


def _of_ends(tree: Tree) -> dict[str, float]:
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


def _of_slopes(tree: Tree, names: list[str]) -> dict[str, float]:
    """The units of rows between coordinates, from their slopes at random poses."""
    rows, v = rows_of(tree), tree.symbols("v")
    inputs: dict[str, Any] = {"q": tree.q, "v": v, **rows.timed}
    f = Function("slopes", inputs, {"J": linearized(tree, rows, names, v).J})
    units = np.array(speed_units(tree.links.model))
    draw, most = np.random.default_rng(6), np.zeros(len(names))
    rest = np.array([0.0] * (tree.n_v + len(rows.timed)) + list(f.parameters.values()))
    for _ in range(POSES):
        q = _pose(tree, draw)
        J = np.array(evaluate(f, np.concatenate([q, rest])), dtype=float).reshape(len(names), tree.n_v)
        sizes = np.abs(J * units).max(axis=1, initial=0.0)
        most = np.fmax(most, np.where(np.isfinite(sizes), sizes, 0.0))
    return {name: unit_of(float(size)) for name, size in zip(names, most, strict=True)}


def _pose(tree: Tree, draw: "np.random.Generator") -> Any:
    """Coordinates of the size of the model, quaternions of length one."""
    unit, q = length_unit(tree.links.model), np.zeros(tree.n_q)
    for link in tree.links:
        turns = link.q[-4:] if link.kind in ("ball", "free") else link.q if link.kind in "RH" else []
        for k in link.q:
            q[k] = draw.uniform(-1.0, 1.0) * (1.0 if k in turns else unit)
        if link.kind in ("ball", "free"):
            q[link.q[-4:]] /= np.linalg.norm(q[link.q[-4:]])
    return q
