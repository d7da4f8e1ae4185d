"""The machine code of a native function: translation, optimisation by LLVM, the cache on disk."""

import ctypes
import json
from typing import Any, NamedTuple

from hapsis.compiler.backends import object_cache as disk
from hapsis.compiler.backends.llvm.object_code import linked
from hapsis.compiler.backends.llvm.processor import versions
from hapsis.compiler.backends.llvm.small_functions import elementary_address
from hapsis.compiler.ir.functions.activity import Activity
from hapsis.compiler.native import modes
from hapsis.compiler.native.definition import ENTRY, KERNEL, MEASURED, POWER, Definition, identity, is_kernel
from hapsis.compiler.native.faults import CELL, cell_address
from hapsis.errors import CompileError

QUICK = b"quick"


class Machine(NamedTuple):
    """Loaded code: its addresses, the number of arguments of each Kernel, and the objects that keep it
    loaded."""

    address: int
    measured: int  # in checked code, the entry that takes the length of each array; else `address`
    kernel: int  # the entry as a Kernel; `address` where it cannot be one
    arity: dict[str, int]
    keep: list[Any]
    good: bool  # False: compiled quickly


def build(definition: Definition, quick: bool = False) -> Machine:
    """The code of a function, from the cache if it is there.

    With `quick`, code that is not in the cache is compiled without optimisation, in a tenth of the
    time: it gives the same bits, and takes up to twice as long to run.
    """
    what = _what(definition)
    name = disk.key(*what)
    parts, good = disk.load(name), True
    if parts is None and quick:
        name, good = disk.key(*what, QUICK), False
        parts = disk.load(name)
    if parts is None:
        from hapsis.compiler.backends.llvm import llvm_jit as jit
        from hapsis.compiler.native.module import module

        with Activity(f"compiling {definition.name}"):
            unit = module(definition)
            facts = json.dumps((unit.imports, unit.arity))
            code = jit.optimised(unit.text) if good else jit.objects([unit.text], quick=True)[0]
        parts = [facts.encode(), code]
        disk.store(name, parts)
    return _loaded(definition, parts, good)


def is_stored(definition: Definition) -> bool:
    """Whether the good code of a function is in the cache."""
    return disk.load(disk.key(*_what(definition))) is not None


def _what(definition: Definition) -> tuple[bytes, ...]:
    """All that the code of a function depends on."""
    mode = b"checked" if modes.checked else b""
    return b"native", mode, identity(definition), versions()


def _loaded(definition: Definition, parts: list[bytes], good: bool) -> Machine:
    imports, arity = json.loads(parts[0])
    keep: list[Any] = []
    addresses: dict[str, int] = {}
    if POWER in imports:
        library, addresses[POWER] = elementary_address("pow", 1, "f64", False)
        keep.append(library)
    if CELL in imports:
        addresses[CELL] = cell_address()
    addresses |= {name: _system(name) for name in imports if name not in addresses}
    symbols = [ENTRY, MEASURED] if modes.checked else [ENTRY]
    symbols += [KERNEL] if is_kernel(definition) else []
    library, loaded = linked(parts[1:], symbols, addresses)
    entry = dict(zip(symbols, loaded, strict=True))
    plain = entry[ENTRY]
    measured, kernel = entry.get(MEASURED, plain), entry.get(KERNEL, plain)
    return Machine(plain, measured, kernel, arity, [*keep, library], good)


def _system(name: str) -> int:
    """The address of a function of the system's library."""
    try:
        function = getattr(ctypes.CDLL(None), name)
    except AttributeError:
        raise CompileError(f"this system has no {name}: native waiting needs Linux") from None
    return ctypes.cast(function, ctypes.c_void_p).value or 0
