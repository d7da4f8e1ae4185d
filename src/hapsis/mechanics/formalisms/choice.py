"""Several ways to write the same Function: all are written, the cheapest is kept."""

from collections.abc import Callable, Iterable

from hapsis.compiler.ir.garbage import uncollected
from hapsis.compiler.ir.function import Function
from hapsis.mechanics.formalisms.frames import regrouped, slid, upright
from hapsis.mechanics.formalisms.links import linked
from hapsis.mechanics.formalisms.tree import Tree
from hapsis.mechanics.model.model import Model

MANY = 60  # links; above it every way has the same winner, and writing them all takes seconds

Emitter = Callable[[Tree], Function]


def cheapest(model: Model, *emitters: Emitter) -> Function:
    """The Function with the lowest price over all emitters and choices of frames."""
    with uncollected():
        written = [
            emit(tree(model, slide, condensed))
            for slide, condensed in ways(model)
            for emit in emitters
        ]
    return min(written, key=lambda function: function.cost().price)


def ways(model: Model) -> Iterable[tuple[bool, bool]]:
    """Whether frames slide along their axes, whether parallel axes are condensed."""
    if len(model.speeds) > MANY:
        return ((True, False),)
    return ((False, False), (True, False), (False, True), (True, True))


def tree(model: Model, slide: bool = False, condensed: bool = False, lump: bool = True) -> Tree:
    """A posed tree of the model in a fresh graph."""
    chain = linked(model)
    upright(chain)
    if slide:
        slid(chain)
    if lump:
        regrouped(chain)
    return Tree(chain, condensed)
