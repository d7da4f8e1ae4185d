"""The posed tree of a model: computed once, stored with the model, and copied for each use.

Writing a Function adds nodes to the tree's graph, and the numbers of nodes decide the order of terms. So
each use gets a copy of the graph as it was when the tree had just been posed: the resulting Function does
not depend on what was written before, and two threads never share a graph.
"""

import weakref
from copy import copy
from typing import Any

import numpy as np

from hapsis.compiler.ir.graph.expr import Expr
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.mechanics.formalisms.tree.frame_choice import regrouped, slid, upright
from hapsis.mechanics.formalisms.tree.links import Link, Links
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.store.model_key import model_key

MANY = 100  # speeds; above it condensed forms save little, and writing them takes seconds


def posed_tree(model: Model) -> Tree:
    """A posed tree of the model in its own graph, with lumped masses."""
    return _copies(_plain(model), model)[0]


def posed_trees(model: Model) -> list[Tree]:
    """The posed tree, and the condensed form where it may be cheaper, both in one graph."""

    def make() -> list[Tree]:
        [plain] = _copies(_plain(model), weakref.proxy(model))
        if plain.has_parallel_axes and plain.n_v <= MANY:
            return [plain, Tree(plain.links, condensed=True)]
        return [plain]

    return _copies(derived(model, posed_trees, make), model)


def unlumped_tree(model: Model, kept: frozenset[str] = frozenset()) -> Tree:
    """A posed tree with every mass on its own link, as reactions need it.

    kept    welds that become links
    """
    key = (unlumped_tree, kept)
    return _copies(derived(model, key, lambda: [Tree(_links(model, kept))]), model)[0]


def _plain(model: Model) -> list[Tree]:
    def make() -> list[Tree]:
        links = _links(model)
        regrouped(links)
        return [Tree(links)]

    return derived(model, posed_tree, make)


def _links(model: Model, kept: frozenset[str] = frozenset()) -> Links:
    model_key(model)  # says what its functions compute before they are called for equations
    # the model refers to its trees, so they refer to it weakly
    links = Links(weakref.proxy(model), Graph(), kept)
    upright(links)
    slid(links)
    return links


def _copies(trees: list[Tree], model: Model) -> list[Tree]:
    """Copies of trees that share a graph, in a copy of that graph."""
    links, graph = copy(trees[0].links), trees[0].graph.copy()
    vars(links).update(_moved(vars(links), graph), model=model, graph=graph)
    copies = [copy(each) for each in trees]
    for each in copies:
        vars(each).update(_moved(vars(each), graph), links=links, graph=graph)
    return copies


def _moved(x: Any, graph: Graph) -> Any:
    """The same object with every expression moved to another graph, which is a copy of its own."""
    kind = x.__class__
    if kind is Expr:
        return Expr(graph, x.ref)
    if isinstance(x, tuple):
        parts = [_moved(part, graph) for part in x]
        if all(new is old for new, old in zip(parts, x, strict=True)):
            return x  # nothing but numbers
        return tuple(parts) if kind is tuple else kind(*parts)
    if kind is list:
        return [_moved(part, graph) for part in x]
    if kind is dict:
        return {key: _moved(value, graph) for key, value in x.items()}
    if kind is Link:
        return Link(*(_moved(getattr(x, field), graph) for field in Link.__slots__))
    if kind is np.ndarray:
        return np.array(_moved(x.tolist(), graph), dtype=object)
    return x
