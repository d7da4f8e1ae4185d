"""Compilation of IR text in this process: target machines, levels of effort, LLVM's linker.

No middle-end pass runs, because the graph is already simplified. Good code is generated at level 1
without LLVM's scheduler: our order is better, and `registers` leaves little to do for the register
allocator. Quick code is generated at level 0 from the same text, in less than half of the time; it takes
about a fifth longer to run. Which products are fused is said in the text, and no flag allows other
roundings, so both compute the same bits.
"""

import ctypes
import itertools
import os
import threading
import time
from contextlib import ExitStack
from functools import cache
from typing import Any

import llvmlite.binding as llvm
from llvmlite.binding import ffi

from hapsis.compiler.backends.llvm.llvm_gate import GATE
from hapsis.compiler.backends.llvm.processor import processor
from hapsis.compiler.ir.functions.activity import advanced
from hapsis.errors import CompileError

# a compiler-only fence, which keeps LLVM's fast instruction selector away: it cannot do fused products,
# and asks the usual one for each of them, which takes longer than to let that one do everything
_END, _FENCE = "\nret void\n}", '\nfence syncscope("singlethread") acq_rel\nret void\n}'
_counter = itertools.count()
_idle: tuple[list[Any], list[Any]] = [], []  # target machines of levels 0 and 1
_linking = threading.Lock()  # taken inside the gate only, so that no child of a fork inherits it taken


@cache
def _machine(level: int) -> Any:
    return _new_machine(level)


def _new_machine(level: int) -> Any:
    _initialize()
    cpu = processor()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=cpu.name, features=cpu.features, opt=level, codemodel="small", reloc="pic", jit=True
    )


@cache
def _initialize() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


@cache
def _linker() -> Any:
    _initialize()
    return llvm.create_lljit_compiler()


def objects(texts: list[str], budget: float = float("inf"), quick: bool = False) -> list[bytes]:
    """Object code of each module, or CompileError when the time budget (seconds) is used up."""
    with Compilation(budget, quick) as compilation:
        for text in texts:
            compilation.add(text)
        return compilation.objects()


class Compilation:
    """Object code of several modules, compiled on all cores while others are still being written.

    budget    seconds, after which nothing more is compiled: `objects` raises a CompileError
    """

    def __init__(self, budget: float = float("inf"), quick: bool = False) -> None:
        self.budget, self.quick, self.start = budget, quick, time.perf_counter()
        self._waits: list[str] = []  # the only module so far, or all if there is one thread
        self._jobs: list[Any] = []
        self._stack = ExitStack()
        self._pool: Any = None

    def __enter__(self) -> "Compilation":
        self._stack.enter_context(GATE.foreground())
        return self

    def __exit__(self, *problem: object) -> None:
        for job in self._jobs:
            job.cancel()
        self._stack.close()

    def add(self, text: str) -> None:
        """One more module. A single one is compiled by the caller's thread, when it asks for it."""
        self._waits.append(text)
        if self._pool is None and len(self._waits) > 1 and _unlocked():
            from concurrent.futures import ThreadPoolExecutor  # imported only where it is used

            self._pool = self._stack.enter_context(ThreadPoolExecutor(os.cpu_count() or 1))
        if self._pool is not None:
            self._jobs += [self._pool.submit(self._object, each) for each in self._waits]
            self._waits.clear()

    def objects(self) -> list[bytes]:
        """The object code of all modules, in the order in which they were added."""
        made: list[bytes] = []
        count = len(self._jobs) + len(self._waits)
        for job in self._jobs:
            made.append(job.result())
            advanced(len(made), count)
        for text in self._waits:
            made.append(self._object(text))
            advanced(len(made), count)
        return made

    def _object(self, text: str) -> bytes:
        if time.perf_counter() - self.start > self.budget:
            raise CompileError(
                f"compiling takes longer than its budget of {self.budget:g} s: raise `budget`, or keep "
                "parts as calls, maps and repeats"
            )
        return module_object(text, self.quick)


def module_object(text: str, quick: bool = False, background: bool = False) -> bytes:
    """The object code of one module."""
    with GATE.passed(None if quick else False, background):
        return _object(text.replace(_END, _FENCE), 0) if quick else _object(text, 1)


@cache
def _unlocked() -> Any:
    """LLVM's own function that emits object code, called without the wrapper's lock.

    The wrapper allows one thread in LLVM at a time. LLVM itself requires only that threads share
    neither contexts nor target machines. None where the wrapper has changed: then modules are compiled
    one at a time.
    """
    return getattr(ffi.lib.LLVMPY_TargetMachineEmitToMemory, "_cfn", None)


def _object(text: str, level: int) -> bytes:
    """The object code of one module, compiled in its own context with a target machine that nobody else
    uses meanwhile; it takes about a millisecond to make one."""
    idle = _idle[level]
    try:
        machine = idle.pop()
    except IndexError:
        machine = _new_machine(level)
    try:
        module = llvm.parse_assembly(text, llvm.create_context())
        try:
            emit = _unlocked()
            if emit is None:
                return machine.emit_object(module)
            with ffi.OutputString() as problem:
                buffer = emit(machine, module, 1, problem)
                if not buffer:
                    raise RuntimeError(str(problem))
            try:
                size = ffi.lib.LLVMPY_GetBufferSize(buffer)
                return ctypes.string_at(ffi.lib.LLVMPY_GetBufferStart(buffer), size)
            finally:
                ffi.lib.LLVMPY_DisposeMemoryBuffer(buffer)
        finally:
            module.close()
    except RuntimeError as problem:
        raise CompileError(f"LLVM refuses the generated code: {problem}") from None
    finally:
        idle.append(machine)


def optimised(text: str) -> bytes:
    """Object code from LLVM's usual pipeline: inlining, registers, vectorisation where it is faster.

    No flag allows other roundings, so the passes do not change results.
    """
    with GATE.foreground(), GATE.passed(True):
        machine = _machine(2)
        try:
            unit = llvm.parse_assembly(text, llvm.create_context())
        except RuntimeError as problem:
            raise CompileError(f"LLVM refuses the generated code: {problem}") from None
        unit.triple, unit.data_layout = machine.triple, str(machine.target_data)
        # arrays are short here: longer loops would cost time to compile and none would be gained
        # level 2 would take twice the time and gain nothing that can be measured
        options = llvm.create_pipeline_tuning_options(speed_level=1)
        options.loop_interleaving = options.loop_unrolling = False
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(unit, builder)
        try:
            return machine.emit_object(unit)
        finally:
            unit.close()


def linked(parts: list[bytes], symbols: list[str], imports: dict[str, int]) -> tuple[Any, list[int]]:
    """The object that keeps the code loaded, and the addresses of `symbols`."""
    with GATE.passed(), _linking:
        builder = llvm.JITLibraryBuilder()
        for part in parts:
            builder.add_object_img(part)
        for name, address in imports.items():
            builder.import_symbol(name, address)
        for name in symbols:
            builder.export_symbol(name)
        try:
            library = builder.link(_linker(), f"hapsis{next(_counter)}")
        except RuntimeError as problem:
            raise CompileError(f"object code cannot be loaded: {problem}") from None
        return library, [library[name] for name in symbols]


def function_object(text: str) -> bytes:
    """Object code of one small function, which needs no optimisation but all effort of code generation."""
    with GATE.foreground(), GATE.passed(True):
        return _machine(2).emit_object(llvm.parse_assembly(text, llvm.create_context()))
