"""A native function as a Kernel: a table with some of its arguments fixed, which other native code calls."""

from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis.compiler.native.definition import is_kernel
from hapsis.compiler.native.kernels import Table, table_words
from hapsis.errors import CompileError

if TYPE_CHECKING:
    from hapsis.compiler.native.language import Native


class NativeKernel(Table):
    """A native function with some of its arrays fixed, to be called as a Kernel."""

    def __init__(self, function: "Native", vary: tuple[str, ...], fixed: dict[str, Any]) -> None:
        kinds = function.definition.parameters
        name = function.__name__
        if not is_kernel(function.definition):
            expected = "arrays, Kernels and records in, nothing out"
            raise CompileError(f"{name} is no Kernel", expected=expected)
        given = (*vary, *fixed)
        if sorted(given) != sorted(kinds) or any(kinds[n] != "Array" for n in vary):
            raise CompileError(
                f"{name} takes {', '.join(kinds)}; given are {', '.join(given)}",
                expected="each once; those that vary are Arrays",
            )
        self.function, self.vary, self.fixed = function, vary, fixed
        code, count = function.machine().kernel, len(kinds)
        places = {name: k for k, name in enumerate(kinds)}
        self._ports = np.zeros(2 * count, np.int64)  # addresses, behind them lengths
        for each, value in fixed.items():
            self._ports[places[each]] = function.machine_value(each, kinds[each], value)
            if isinstance(value, np.ndarray):
                self._ports[count + places[each]] = len(value)
        ports = self._ports.ctypes.data
        self._table, self._checks = table_words(
            (code, ports, 0),
            [ports + 8 * places[n] for n in vary],
            [0 for _ in vary],
            [ports + 8 * (count + places[n]) for n in vary],
        )
        self.address: int = self._table.ctypes.data

    def __call__(self, *arrays: Any) -> None:
        """Runs it once; as Python within a function that runs as Python."""
        self.function(**self.fixed, **dict(zip(self.vary, arrays, strict=True)))
