"""Several ways to write the same Function: all are written, the cheapest is kept."""

from collections.abc import Callable

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.tree.posed_tree import posed_trees
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model

MOST_ENTRIES = 1_000_000  # of a matrix; more would take minutes to write, and gigabytes

Emitter = Callable[[Tree], Function]


def cheapest(model: Model, *emitters: Emitter) -> Function:
    """The Function with the lowest price over all emitters, condensed and not."""
    with uncollected():
        written = [emit(each) for each in posed_trees(model) for emit in emitters]
    return min(written, key=lambda function: function.cost().price)


def check_size(model: Model, columns: int, what: str) -> None:
    """Refuses a matrix too large to be written out, before the work begins."""
    rows = len(model.speeds)
    if rows * columns > MOST_ENTRIES:
        raise ModelError(
            f"{what} of this model would have {rows} x {columns} entries",
            expected=f"at most {MOST_ENTRIES:,}",
            remedy="inverse_dynamics and forward_dynamics need no matrix",
        )
