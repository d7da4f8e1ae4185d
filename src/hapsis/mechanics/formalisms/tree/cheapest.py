"""The choice among several forms of the same Function: all are written, the cheapest is returned."""

from collections.abc import Callable

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.mechanics.formalisms.tree.posed_tree import posed_trees
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model

Emitter = Callable[[Tree], Function]


def cheapest(model: Model, *emitters: Emitter) -> Function:
    """The Function with the lowest price over all emitters, on the plain and the condensed tree."""
    with uncollected():
        written = [emit(each) for each in posed_trees(model) for emit in emitters]
    return min(written, key=lambda function: function.cost().price)
