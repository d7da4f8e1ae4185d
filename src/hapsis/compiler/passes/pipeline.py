"""The pipeline of all passes, whose result every backend receives.

Elimination is no separate step: ordering copies only what the outputs need. What depends on no input is
hoisted first (see `hoist`), the passes are applied to the rest, and both are joined again. So a backend
that runs the two parts separately computes bitwise the same as one that runs them as one.
"""

from collections.abc import Callable
from functools import partial
from weakref import WeakKeyDictionary, WeakSet

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.passes.condense import condensed
from hapsis.compiler.passes.eliminate import eliminated
from hapsis.compiler.passes.hoist import joined
from hapsis.compiler.passes.order import ordered
from hapsis.compiler.passes.parts import hoisted

PASSES: list[tuple[str, Callable[[Function], Function]]] = [
    ("condense", condensed),
    ("order", partial(ordered, spread=True)),
]


_ready: WeakKeyDictionary[Function, Function] = WeakKeyDictionary()
_results: WeakSet[Function] = WeakSet()


def prepared(function: Function) -> Function:
    """The Function in the form that all backends use, so that all compute bitwise the same."""
    if function in _results:
        return function
    ready = _ready.get(function)
    if ready is None:
        preparation, kernel = hoisted(function)
        if preparation is not None:
            ready = joined(prepared(preparation), prepared(kernel))
        elif function.n_in == len(function.parameter_nodes):
            # a preparation is seldom run, and keeps the order of the Function it is joined with
            ready = eliminated(function)
        else:
            ready = function
            for _, apply in PASSES:
                ready = apply(ready)
        _ready[function] = ready
        _results.add(ready)
    return ready


def set_prepared(function: Function) -> Function:
    """The Function itself, which has been through the pipeline in an earlier process."""
    _results.add(function)
    return function
