"""All passes in their order: what every backend receives.

Elimination has no place of its own in the list: ordering copies only what the outputs need.
"""

from collections.abc import Callable
from weakref import WeakKeyDictionary

from hapsis.compiler.ir.function import Function
from hapsis.compiler.passes.condense import condensed
from hapsis.compiler.passes.order import ordered

PASSES: list[tuple[str, Callable[[Function], Function]]] = [
    ("condense", condensed),
    ("order", ordered),
]


_ready: WeakKeyDictionary[Function, Function] = WeakKeyDictionary()


def prepared(function: Function) -> Function:
    """The Function as backends take it: the same one for all, so that all give the same bits."""
    found = _ready.get(function)
    if found is None:
        found = function
        for _, apply in PASSES:
            found = apply(found)
        # a prepared Function is prepared
        _ready[function] = _ready[found] = found
    return found
