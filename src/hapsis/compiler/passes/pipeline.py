"""All passes in their order: what every backend receives.

Elimination has no place of its own in the list: ordering copies only what the outputs need. What
depends on no input is hoisted first (see `hoist`), the passes work on the rest, and both are joined
again. So a backend that runs the two apart has the bits of one that runs them as one.
"""

from collections.abc import Callable
from functools import partial
from weakref import WeakKeyDictionary, WeakSet

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.passes.condense import condensed
from hapsis.compiler.passes.eliminate import eliminated
from hapsis.compiler.passes.hoist import hoisted, joined
from hapsis.compiler.passes.order import ordered

PASSES: list[tuple[str, Callable[[Function], Function]]] = [
    ("condense", condensed),
    ("order", partial(ordered, spread=True)),
]


_ready: WeakKeyDictionary[Function, Function] = WeakKeyDictionary()
_results: WeakSet[Function] = WeakSet()


def prepared(function: Function) -> Function:
    """The Function as backends take it: the same one for all, so that all give the same bits."""
    if function in _results:
        return function
    ready = _ready.get(function)
    if ready is None:
        preparation, kernel = hoisted(function)
        if preparation is not None:
            ready = joined(prepared(preparation), prepared(kernel))
        elif function.n_in == len(function.parameter_nodes):
            # a preparation: in the order of what it is joined with, and seldom run
            ready = eliminated(function)
        else:
            ready = function
            for _, apply in PASSES:
                ready = apply(ready)
        _ready[function] = ready
        _results.add(ready)
    return ready
