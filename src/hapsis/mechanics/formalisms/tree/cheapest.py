"""The choice among several forms of the same Function: what differs is written in all, the cheapest wins."""

from collections.abc import Callable
from typing import NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.mechanics.formalisms.tree.posed_tree import posed_trees
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model

Emitter = Callable[[Tree], Function]


class Start(NamedTuple):
    """What writes the part of a Function that differs among its forms, and what writes it whole."""

    part: Callable[[], Function]
    finish: Callable[[], Function]


def cheapest(model: Model, *emitters: Emitter) -> Function:
    """The Function with the lowest price over all emitters, on the plain and the condensed tree."""
    with uncollected():
        written = [emit(each) for each in posed_trees(model) for emit in emitters]
    return min(written, key=_price)


def cheapest_start(model: Model, *starts: Callable[[Tree], Start]) -> Function:
    """The Function whose start has the lowest price; only that one is finished.

    All forms are started on the plain tree, and the cheapest of them on the condensed one.
    """
    with uncollected():
        plain, *others = posed_trees(model)
        written = [(begin(plain), begin) for begin in starts]
        least, begin = min(written, key=lambda pair: _price(pair[0].part()))
        return min([least, *map(begin, others)], key=lambda start: _price(start.part())).finish()


def _price(function: Function) -> float:
    return function.cost().price
