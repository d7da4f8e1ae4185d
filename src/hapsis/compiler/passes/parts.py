"""The two parts of a Function, computed once for each: its preparation and its kernel (see `hoist`).

For a Function that is known from an earlier process they are known too, so that nothing is computed.
"""

from weakref import WeakKeyDictionary

from hapsis.compiler.ir.functions.function import Function

_split: WeakKeyDictionary[Function, tuple[Function, Function] | None] = WeakKeyDictionary()


def hoisted(function: Function) -> tuple[Function | None, Function]:
    """(preparation, kernel); (None, the Function itself) if there is nothing to prepare.

    That is the case if no operation depends on parameters alone, and also if all do: a Function without
    inputs is a preparation already.
    """
    if function not in _split:
        from hapsis.compiler.passes.hoist import split

        _split[function] = split(function)
    return _split[function] or (None, function)


def set_split(function: Function, preparation: Function | None, kernel: Function) -> None:
    """Says what `hoisted` returns for a Function, where that is known from an earlier process."""
    _split[function] = None if preparation is None else (preparation, kernel)
