"""The choice among several forms of the same Function: what differs is written in all, the cheapest wins."""

from collections.abc import Callable

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.mechanics.formalisms.tree.posed_tree import posed_trees
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model

Emitter = Callable[[Tree], Function | None]  # None where its form does not apply


def cheapest(model: Model, *emitters: Emitter) -> Function:
    """The Function with the lowest price over all emitters, on the plain and the condensed tree."""
    with uncollected():
        written = [emit(each) for each in posed_trees(model) for emit in emitters]
    return min((function for function in written if function is not None), key=_price)


def _price(function: Function) -> float:
    return function.cost().price
