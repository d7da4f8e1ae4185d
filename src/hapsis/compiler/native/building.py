"""From a definition to an address: translated, optimised by LLVM, kept in the cache on disk."""

import ast
import ctypes
from typing import Any, NamedTuple

import llvmlite.binding as llvm

from hapsis.compiler.backends import cache as disk
from hapsis.compiler.backends.llvm import llvm_jit as jit
from hapsis.compiler.native.definition import Definition, identity
from hapsis.compiler.native.module import ENTRY, KERNEL, is_kernel, module
from hapsis.compiler.native.vocabulary import POWER
from hapsis.errors import CompileError

VERSION = b"native 3"  # changes when the generated code does


class Machine(NamedTuple):
    """Loaded code: its address, that as a Kernel, the arguments each Kernel takes, what keeps it
    all loaded."""

    address: int
    kernel: int  # the same as `address` where it can be none
    arity: dict[str, int]
    keep: list[Any]


def build(definition: Definition) -> Machine:
    """The code of a function, from the cache if it is there."""
    name = disk.key(VERSION, identity(definition), jit.versions())
    parts = disk.load(name)
    if parts is None:
        made = module(definition)
        facts = repr((made.imports, made.arity))
        parts = [facts.encode(), optimised(made.text)]
        disk.store(name, parts)
    imports, arity = ast.literal_eval(parts[0].decode())
    keep: list[Any] = []
    addresses: dict[str, int] = {}
    if POWER in imports:
        library, addresses[POWER] = jit.elementary_address("pow", 1, "f64", False)
        keep.append(library)
    addresses |= {name: _system(name) for name in imports if name != POWER}
    symbols = [ENTRY, KERNEL] if is_kernel(definition) else [ENTRY]
    library, found = jit.linked(parts[1:], symbols, addresses)
    return Machine(found[0], found[-1], arity, [*keep, library])


def _system(name: str) -> int:
    """The address of a function of the system's library."""
    try:
        function = getattr(ctypes.CDLL(None), name)
    except AttributeError:
        raise CompileError(f"this system has no {name}: native waiting needs Linux") from None
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def optimised(text: str) -> bytes:
    """Object code by LLVM's usual pipeline: inlined, in registers, vectors where they pay.

    No flag allows other roundings, so the passes keep every bit.
    """
    with jit._lock:
        machine = jit._machine(2)
        try:
            unit = llvm.parse_assembly(text, llvm.create_context())
        except RuntimeError as problem:
            raise CompileError(f"LLVM refuses the generated code: {problem}") from None
        unit.triple, unit.data_layout = machine.triple, str(machine.target_data)
        # arrays are short here: longer loops would cost time to compile and none would be gained
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        options.loop_interleaving = options.loop_unrolling = False
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(unit, builder)
        try:
            return machine.emit_object(unit)
        finally:
            unit.close()
