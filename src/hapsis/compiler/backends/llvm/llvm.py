"""The default backend: native code in this process, for one state or for batches in SIMD lanes.

Each of the two forms is compiled when it is first called, or fetched from the cache on disk.
Batches run W states at a time (8 numbers of 64 bits with AVX-512, 4 with AVX2, 2 with NEON; twice
as many of 32 bits), blocks of states on all cores, the interpreter's lock released.
"""

import ctypes
import os
import threading
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from hapsis.compiler.backends.llvm.code import Code, Part
from hapsis.compiler.backends.llvm.lanes import Lanes
from hapsis.compiler.backends.llvm.processor import has_fma, register_count, vector_bytes
from hapsis.compiler.ir.functions.activity import Activity
from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import CompileError, notice

Array = Any

# states times price of one state that make a thread worth its start: some tenths of a millisecond
THREAD_WORK = 5_000_000

_SINGLE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_BATCH = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, *([ctypes.c_int64] * 3), ctypes.c_void_p)


class LlvmKernel:
    """Compiled code as a Kernel; each form is compiled on first use."""

    def __init__(
        self,
        part: Part,
        precision: str,
        contract: bool,
        budget: float,
        threads: int | None,
        wait: bool = False,
    ) -> None:
        self.part, self.budget, self.wait = part, budget, wait
        self.threads = threads or cores()
        number = 8 if precision == "f64" else 4
        self.wide = vector_bytes() // number
        self.dtype = np.dtype(np.float64 if precision == "f64" else np.float32)
        fuse = contract and has_fma()
        self.lanes = Lanes(1, precision, fuse, self.wide, register_count(), packs=self.wide)
        self._lock = threading.Lock()
        self._local = threading.local()
        self._codes: dict[Lanes, Code] = {}
        self._interpreter: Any = None

    def code(self, width: int, stored: bool = False, rows: bool = True) -> Code:
        """The code for one state (width 1) or for a batch; LookupError if only `stored` code may be and
        there is none.

        rows    whether each state of a batch is a row of its arrays; else they lie side by side
        """
        lanes = self.lanes_of(width, rows)
        with self._lock:
            if lanes not in self._codes:
                with Activity(f"compiling {self.part.whole.name}"):
                    self._codes[lanes] = Code(self.part, lanes, self.budget, self.wait, stored)
            return self._codes[lanes]

    def lanes_of(self, width: int, rows: bool = True) -> Lanes:
        """The lanes of the code for one state or for a batch."""
        return replace(self.lanes, width=width, rows=rows)

    def settle(self) -> None:
        """Returns when all code that was asked for is good code."""
        for code in list(self._codes.values()):
            code.wait()

    def _workspace(self, code: Code) -> int:
        """The address of this thread's workspace, aligned to 64 bytes."""
        held: Array = getattr(self._local, "memory", None)
        if held is None or held.nbytes < code.workspace_bytes + 64:
            held = self._local.memory = np.zeros(code.workspace_bytes + 64, np.uint8)
        return -(-held.ctypes.data // 64) * 64

    def single(self, inputs: list[Array], outputs: list[Array]) -> None:
        """One state."""
        code = self.code(1)
        arrays = [*inputs, *outputs]
        table = (ctypes.c_void_p * len(arrays))(*map(_address, arrays))
        _SINGLE(code.address)(ctypes.addressof(table), self._workspace(code))

    def batch(self, inputs: list[Array], outputs: list[Array], count: int) -> None:
        """Many states: blocks of lanes, shared among threads when there is enough to do."""
        try:
            code = self.code(self.wide)
        except CompileError as problem:
            notice(f"batches of {self.part.whole.name!r:.60} run in the interpreter: {problem}")
            from hapsis.compiler.backends.interpreter import PythonKernel

            self._interpreter = self._interpreter or PythonKernel(self.part.function)
            self._interpreter.batch(inputs, outputs, count)
            return
        shapes = self.part.shapes
        if code.facts.parameters:
            shapes.append((code.facts.parameters,))
        rows = [0 if a.shape == s else a[0].size for a, s in zip(inputs, shapes, strict=True)]
        rows += [a[0].size for a in outputs]
        ports = np.array([_address(a) for a in (*inputs, *outputs)], np.uintp)
        strides = np.array(rows, np.int64)
        run = _BATCH(code.address)

        def part(start: int, stop: int) -> None:
            run(ports.ctypes.data, strides.ctypes.data, start, stop, count - 1, self._workspace(code))

        work = count * max(code.facts.price, 1.0)
        parts = min(self.threads, int(work // THREAD_WORK), -(-count // self.wide))
        if parts <= 1:
            part(0, count)
            return
        each = -(-count // (parts * self.wide)) * self.wide
        jobs = [_pool().submit(part, k, min(k + each, count)) for k in range(0, count, each)]
        for job in jobs:
            job.result()


def _address(array: Array) -> int:
    # five times faster than array.ctypes.data
    return array.__array_interface__["data"][0]


def cores() -> int:
    """The number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


@cache
def _pool() -> Any:
    from concurrent.futures import ThreadPoolExecutor  # imported only where it is used

    return ThreadPoolExecutor(cores(), thread_name_prefix="hapsis")


def source(function: Function, precision: str = "f64", contract: bool = True) -> str:
    """The IR text for one state."""
    from hapsis.compiler.backends.llvm.llvm_module import Program
    from hapsis.compiler.passes.pipeline import prepared

    lanes = Lanes(1, precision, contract and has_fma(), 8, register_count())
    return "\n".join(Program(prepared(function), lanes).modules)
