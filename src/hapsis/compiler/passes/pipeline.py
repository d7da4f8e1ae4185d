"""All passes in their order: what every backend receives."""

from collections.abc import Callable

from hapsis.compiler.ir.function import Function
from hapsis.compiler.passes.condense import condensed
from hapsis.compiler.passes.eliminate import eliminated
from hapsis.compiler.passes.order import ordered

PASSES: list[tuple[str, Callable[[Function], Function]]] = [
    ("eliminate", eliminated),
    ("condense", condensed),
    ("order", ordered),
]


def prepared(function: Function) -> Function:
    """The Function as backends take it: the same one for all, so that all give the same bits."""
    for _, apply in PASSES:
        function = apply(function)
    return function
