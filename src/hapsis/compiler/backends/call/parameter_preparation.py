"""The values that a kernel reads instead of its Function's parameters (see `passes.hoist`).

Those of the stored parameters are computed once, by an interpreter. For other parameters given in a
call they are computed by native code without contraction, with bitwise the same results.
"""

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from hapsis.compiler.backends.interpreter import PythonKernel, evaluate
from hapsis.compiler.backends.llvm.llvm import LlvmKernel
from hapsis.compiler.backends.number_interpreter import NumberRows
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.passes.pipeline import prepared
from hapsis.errors import CompileError, notice

Array = Any


class ParameterPreparation:
    """Computes w(p), for one set of parameters or one per state of a batch; `stored` is that of f itself."""

    def __init__(self, function: Function, precision: str, budget: float, threads: int | None) -> None:
        self.function = function
        self.native = LlvmKernel(function, precision, False, budget, threads)
        self.kernel: LlvmKernel | PythonKernel | None = None
        values = np.array(list(function.parameters.values()), self.native.dtype)
        self.stored = np.ascontiguousarray(_numbers(function, values))
        self._last = values.tobytes(), self.stored

    def __call__(self, p: Array) -> Array:
        """w for `p` of shape (np,) or (N, np), contiguous and of the kernel's dtype."""
        if p.ndim == 2:
            w = np.empty((len(p), len(self.stored)), p.dtype)
            if len(p):
                self._ready().batch([p], [w], len(p))
            return w
        content, (known, w) = p.tobytes(), self._last
        if content != known:
            w = np.empty_like(self.stored)
            self._ready().single([p], [w])
            self._last = content, w
        return w

    def _ready(self) -> LlvmKernel | PythonKernel:
        """The kernel that computes w, compiled on first use."""
        if self.kernel is None:
            try:
                self.native.code(1)
                self.kernel = self.native
            except (CompileError, MemoryError, OSError) as problem:
                name = self.function.name
                notice(f"parameters of {name!r:.60} are prepared in the interpreter: {problem}")
                self.kernel = PythonKernel(self.function)
        return self.kernel


# the rows of preparations that were read from the disk, so that their graphs need not be built
_rows: WeakKeyDictionary[Function, NumberRows] = WeakKeyDictionary()


def set_rows(function: Function, rows: NumberRows) -> None:
    """Says by which rows the values of a preparation are computed."""
    _rows[function] = rows


def _numbers(function: Function, values: Array) -> Array:
    """w for these values of the parameters."""
    if values.dtype == np.float64:
        rows = _rows.get(function) or NumberRows.of(prepared(function))
        w = rows.numbers(values.tolist())
        if w is not None:
            return w
    return evaluate(prepared(function), values)
