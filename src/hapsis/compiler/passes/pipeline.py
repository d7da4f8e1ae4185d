"""All passes in their order: what every backend receives."""

from collections.abc import Callable

from hapsis.compiler.ir.function import Function
from hapsis.compiler.passes.eliminate import eliminated

PASSES: list[tuple[str, Callable[[Function], Function]]] = [
    ("eliminate", eliminated),
]


def prepared(function: Function) -> Function:
    """The Function as backends take it: the same one for all, so that all give the same bits."""
    for _, apply in PASSES:
        function = apply(function)
    return function
