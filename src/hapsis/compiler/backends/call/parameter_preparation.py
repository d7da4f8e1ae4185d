"""The values that a kernel reads instead of its Function's parameters (see `passes.hoist`).

They are computed by native code without contraction, or by an interpreter, with bitwise the same
results. The first time they are computed by an interpreter, for the stored parameters, while the native
code is compiled in the background; it is used where it is on disk, and for other parameters.
"""

import contextlib
from typing import Any

import numpy as np

from hapsis.compiler.backends.call.caller import Kernel
from hapsis.compiler.backends.call.parameter_rows import prepared_numbers
from hapsis.compiler.backends.llvm import background
from hapsis.compiler.backends.llvm.code import Part
from hapsis.compiler.backends.llvm.llvm import LlvmKernel
from hapsis.errors import CompileError, notice

Array = Any


class ParameterPreparation:
    """Computes w(p), for one set of parameters or one per state of a batch; `stored` is that of f itself."""

    def __init__(self, part: Part, precision: str, budget: float, threads: int | None) -> None:
        self.part = part
        self.native = LlvmKernel(part, precision, False, budget, threads)
        self.kernel: Kernel | None = None
        values = np.array(list(part.whole.parameters.values()), self.native.dtype)
        self.stored = self._stored(values)
        self._last = values.tobytes(), self.stored

    def _stored(self, values: Array) -> Array:
        if self.part.whole.kept_as is not None:  # its rows are kept too: they are as quick as native code
            return np.ascontiguousarray(prepared_numbers(self.part.function, values))
        try:
            code = self.native.code(1, stored=True)
        except (LookupError, CompileError, OSError):
            if background.allowed():
                background.submit(_Later(self.native))
            return np.ascontiguousarray(prepared_numbers(self.part.function, values))
        w = np.empty(code.facts.results, values.dtype)
        self.native.single([values] if code.facts.parameters else [], [w])
        return w

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

    def _ready(self) -> Kernel:
        """The kernel that computes w, compiled on first use."""
        if self.kernel is None:
            try:
                self.native.code(1)
                self.kernel = self.native
            except (CompileError, MemoryError, OSError) as problem:
                from hapsis.compiler.backends.interpreter import PythonKernel

                name = self.part.whole.name
                notice(f"parameters of {name!r:.60} are prepared in the interpreter: {problem}")
                self.kernel = PythonKernel(self.part.function)
        return self.kernel


class _Later:
    """The job of compiling a preparation, so that it is on disk the next time."""

    def __init__(self, native: LlvmKernel) -> None:
        self.native = native

    def keep(self) -> None:
        """Nothing is there yet."""

    def step(self) -> bool:
        """Compiles it."""
        with contextlib.suppress(CompileError, MemoryError, OSError):
            self.native.code(1)
        return False
