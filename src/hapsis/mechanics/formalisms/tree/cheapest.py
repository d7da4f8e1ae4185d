"""Several ways to write the same Function: all are written, the cheapest is kept."""

from collections.abc import Callable

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.tree.frame_choice import regrouped, slid, upright
from hapsis.mechanics.formalisms.tree.links import Links
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model

MANY = 60  # speeds; above it condensed forms have not paid, and writing them takes seconds

MOST_ENTRIES = 1_000_000  # of a matrix; more would take minutes to write, and gigabytes

Emitter = Callable[[Tree], Function]


def cheapest(model: Model, *emitters: Emitter) -> Function:
    """The Function with the lowest price over all emitters, condensed and not."""
    with uncollected():
        plain = tree(model)
        trees = [plain]
        if plain.has_parallel_axes and plain.n_v <= MANY:
            trees.append(Tree(plain.chain, condensed=True))
        written = [emit(each) for each in trees for emit in emitters]
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


def tree(model: Model) -> Tree:
    """A posed tree of the model in a fresh graph, its masses lumped."""
    chain = Links(model, Graph())
    upright(chain)
    slid(chain)
    regrouped(chain)
    return Tree(chain)


def unlumped_tree(model: Model, kept: frozenset[str] = frozenset()) -> Tree:
    """A posed tree with every mass on its own link, as reactions need it."""
    chain = Links(model, Graph(), kept)
    upright(chain)
    slid(chain)
    return Tree(chain)
