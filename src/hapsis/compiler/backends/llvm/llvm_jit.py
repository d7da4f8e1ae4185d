"""Compilation and linking of IR text in this process: target machine, linker, elementary functions.

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
from functools import cache
from typing import Any

import llvmlite
import llvmlite.binding as llvm
from llvmlite.binding import ffi

from hapsis.compiler import elementary
from hapsis.compiler.backends import object_cache as disk
from hapsis.compiler.backends.llvm.llvm_gate import GATE
from hapsis.errors import CompileError

# a compiler-only fence, which keeps LLVM's fast instruction selector away: it cannot do fused products,
# and asks the usual one for each of them, which takes longer than to let that one do everything
_END, _FENCE = "\nret void\n}", '\nfence syncscope("singlethread") acq_rel\nret void\n}'
_counter = itertools.count()
_idle: tuple[list[Any], list[Any]] = [], []  # target machines of levels 0 and 1
_linking = threading.Lock()  # taken inside the gate only, so that no child of a fork inherits it taken


@cache
def host() -> tuple[str, str]:
    """The CPU's name and features, as LLVM writes them."""
    features: dict[str, bool] = llvm.get_host_cpu_features()
    return llvm.get_host_cpu_name(), features.flatten()  # type: ignore[attr-defined]


@cache
def vector_bytes() -> int:
    """The width of a vector register: 64 with AVX-512, 32 with AVX, else 16."""
    features: dict[str, bool] = llvm.get_host_cpu_features()
    if features.get("avx512f") and features.get("avx512vl") and features.get("avx512dq"):
        return 64
    return 32 if features.get("avx") else 16


@cache
def register_count() -> int:
    """The number of vector registers that the code may use: all but a few."""
    wide = vector_bytes() == 64 or llvm.get_default_triple().startswith(("aarch64", "arm64"))
    return 24 if wide else 11


@cache
def has_fma() -> bool:
    """Whether the CPU fuses a product into a sum in one instruction."""
    features: dict[str, bool] = llvm.get_host_cpu_features()
    return bool(features.get("fma")) or llvm.get_default_triple().startswith(("aarch64", "arm64"))


@cache
def _machine(level: int) -> Any:
    return _new_machine(level)


def _new_machine(level: int) -> Any:
    _initialize()
    cpu, features = host()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=cpu, features=features, opt=level, codemodel="small", reloc="pic", jit=True
    )


@cache
def _initialize() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


@cache
def _linker() -> Any:
    _initialize()
    return llvm.create_lljit_compiler()


@cache
def versions() -> bytes:
    """What the object code depends on besides its text: LLVM, its wrapper, the CPU."""
    return repr((llvmlite.__version__, llvm.llvm_version_info, host())).encode()


def objects(texts: list[str], budget: float = float("inf"), quick: bool = False) -> list[bytes]:
    """Object code of each module, or CompileError when the time budget (seconds) is used up.

    Several modules are compiled in parallel, one on each core.
    """
    start = time.perf_counter()

    def one(text: str) -> bytes:
        if time.perf_counter() - start > budget:
            raise CompileError(
                f"compiling takes longer than its budget of {budget:g} s: raise `budget`, or keep "
                "parts as calls, maps and repeats"
            )
        return module_object(text, quick)

    with GATE.foreground():
        if len(texts) == 1 or not _unlocked():
            return [one(text) for text in texts]
        from concurrent.futures import ThreadPoolExecutor  # imported only where it is used

        with ThreadPoolExecutor(min(len(texts), os.cpu_count() or 1)) as pool:
            return list(pool.map(one, texts))


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


@cache
def elementary_address(name: str, width: int, precision: str, fma: bool) -> tuple[Any, int]:
    """An elementary function, compiled once and cached: the object that keeps it loaded, and its address."""
    text = elementary.llvm_library([(name, width, precision)], fma)
    symbol = f"hs_{name}_{width}{precision}"
    text = text.replace(f"define internal {_result(text, symbol)}", f"define {_result(text, symbol)}")
    return cached_function(text, symbol)


def _result(text: str, symbol: str) -> str:
    line = next(x for x in text.splitlines() if x.startswith("define") and f"@{symbol}(" in x)
    return line.removeprefix("define internal ").split("(")[0] + "("


def cached_function(text: str, symbol: str) -> tuple[Any, int]:
    """One well-optimised function from IR text, by way of the cache on disk."""
    name = disk.key(b"function", text.encode(), versions())
    parts = disk.load(name)
    if parts is None:
        with GATE.foreground(), GATE.passed(True):
            module = llvm.parse_assembly(text, llvm.create_context())
            parts = [_machine(2).emit_object(module)]
        disk.store(name, parts)
    library, addresses = linked(parts, [symbol], {})
    return library, addresses[0]
