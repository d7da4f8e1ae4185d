"""Small functions that are written once and compiled once: elementary functions, entries, transpositions.

    library, address = small_function("hs_nothing", lambda: "define void @hs_nothing() { ret void }")

The code is found in the cache by the function's name and the compiler's sources, so that its text is
written only where it must be compiled.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from hapsis.compiler.backends import object_cache as disk
from hapsis.compiler.backends.llvm.object_code import linked
from hapsis.compiler.backends.llvm.processor import versions


def small_function(
    symbol: str, write: Callable[[], str], *options: object, imports: Mapping[str, int] | None = None
) -> tuple[Any, int]:
    """One well-optimised function: the object that keeps it loaded, and its address.

    options    what its text depends on besides its name and the compiler's sources
    imports    {name: address} of the functions that it calls
    """
    name = disk.key(b"function", symbol.encode(), repr(options).encode(), versions())
    parts = disk.load(name)
    if parts is None:
        from hapsis.compiler.backends.llvm.llvm_jit import function_object

        parts = [function_object(write())]
        disk.store(name, parts)
    library, addresses = linked(parts, [symbol], dict(imports or {}))
    return library, addresses[0]


@cache
def elementary_address(name: str, width: int, precision: str, fma: bool) -> tuple[Any, int]:
    """An elementary function: the object that keeps it loaded, and its address."""
    symbol = f"hs_{name}_{width}{precision}"

    def write() -> str:
        from hapsis.compiler import elementary

        text = elementary.llvm_library([(name, width, precision)], fma)
        return text.replace(f"define internal {_result(text, symbol)}", f"define {_result(text, symbol)}")

    return small_function(symbol, write, fma)


def _result(text: str, symbol: str) -> str:
    line = next(x for x in text.splitlines() if x.startswith("define") and f"@{symbol}(" in x)
    return line.removeprefix("define internal ").split("(")[0] + "("
