"""Object code loaded into memory: a small linker for what LLVM writes here on x86-64.

    library, [address] = linked([object_file], ["f0"], {"hs_sin_1f64": 0x7f...})

An object file (ELF, relocatable) has sections of code and constants, and relocations: places in the code
where the distance to a symbol must be written. The sections that are needed are copied one after the
other into pages of their own, the distances are written, and the pages are made executable and closed to
writing. Functions from elsewhere may be farther away than a distance of 32 bits reaches: for each there
is a jump to its full address behind the sections.

Files of another form are linked by LLVM (`llvm_jit.linked`), which takes much longer to load.
Reference: System V Application Binary Interface, AMD64 supplement, chapter 4.
"""

import ctypes
import mmap
import struct
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import CompileError

Array = Any
_X86_64, _RELOCATABLE = 62, 1
_PROGRAM, _SYMBOLS, _RELOCATIONS, _ZEROS = 1, 2, 4, 8  # kinds of sections
_WRITEABLE, _IN_MEMORY = 1, 2  # flags of sections
_DISTANCES = (2, 4)  # relocations R_X86_64_PC32 and R_X86_64_PLT32
_HEADER, _MAGIC = struct.Struct("<16sHHIQQQIHHHHHH"), b"\x7fELF\x02\x01"
_SECTION, _SYMBOL = struct.Struct("<IIQQQQIIQQ"), struct.Struct("<IBBHQQ")
_RELOCATION = np.dtype([("offset", "u8"), ("kind", "u4"), ("symbol", "u4"), ("addend", "i8")])
_JUMP = b"\xff\x25\0\0\0\0"  # jmp to the address that follows

# of a file that is not what it should be
REFUSED = (struct.error, ValueError, IndexError, KeyError, OverflowError, MemoryError, OSError)


class Foreign(Exception):
    """A file of a form that is not linked here."""


class Pages:
    """Executable memory; it is given back when nobody refers to it any more."""

    def __init__(self, size: int) -> None:
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        self.size = -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
        self._memory = mmap.mmap(-1, self.size, flags=flags)
        self.bytes: Array = np.frombuffer(self._memory, np.uint8)
        self.address: int = self.bytes.__array_interface__["data"][0]

    def close(self) -> None:
        """Closes the memory to writing and opens it to execution."""
        if _protect()(self.address, self.size, mmap.PROT_READ | mmap.PROT_EXEC):
            raise CompileError("this system does not allow a program to run code that it has compiled")
        self.bytes.flags.writeable = False


@cache
def _protect() -> Any:
    protect = ctypes.CDLL(None).mprotect
    protect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    return protect


class Section(NamedTuple):
    """A section of an object file, as its table has it."""

    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    align: int
    each: int

    def content(self, file: bytes) -> bytes:
        """Its bytes."""
        if self.offset + self.size > len(file):
            raise ValueError("a section ends behind the end of the file")
        return file[self.offset : self.offset + self.size]


class Symbol(NamedTuple):
    """A name in an object file; section 0: it is defined elsewhere."""

    name: str
    public: bool
    section: int
    offset: int  # in its section


class Part(NamedTuple):
    """An object file, and where its sections go: distances from the start of the memory, -1 for nowhere."""

    content: bytes
    sections: list[Section]
    places: list[int]
    symbols: list[Symbol]


def linked(parts: list[bytes], symbols: list[str], imports: dict[str, int]) -> tuple[Any, list[int]]:
    """The object that keeps the code loaded, and the addresses of `symbols`."""
    try:
        return _linked(parts, symbols, imports)
    except Foreign:
        from hapsis.compiler.backends.llvm import llvm_jit

        return llvm_jit.linked(parts, symbols, imports)
    except REFUSED as problem:
        raise CompileError(f"object code cannot be loaded: {problem}") from None


def _linked(contents: list[bytes], symbols: list[str], imports: dict[str, int]) -> tuple[Any, list[int]]:
    parts, size = [], 0
    for content in contents:
        part, size = _placed(content, size)
        parts.append(part)
    size = -(-size // 16) * 16
    jumps = {name: size + 16 * k for k, name in enumerate(imports)}
    pages = Pages(size + 16 * len(jumps))
    for name, place in jumps.items():
        pages.bytes[place : place + 14] = np.frombuffer(_JUMP + struct.pack("<Q", imports[name]), np.uint8)
    known = jumps | {
        symbol.name: part.places[symbol.section] + symbol.offset
        for part in parts
        for symbol in part.symbols
        if symbol.public and 0 < symbol.section < len(part.places)
    }
    for part in parts:
        _copy(part, pages)
        _relocate(part, pages, known)
    pages.close()
    return pages, [pages.address + known[name] for name in symbols]


def _placed(content: bytes, size: int) -> tuple[Part, int]:
    """A file with the places of its sections behind those before, and the size with them."""
    magic, form, machine, *_, count, _ = header = _HEADER.unpack_from(content)
    if magic[:6] != _MAGIC or form != _RELOCATABLE or machine != _X86_64:
        raise Foreign
    sections = [
        Section(*entry) for entry in _SECTION.iter_unpack(content[header[6] : header[6] + 64 * count])
    ]
    places = []
    for section in sections:
        if section.flags & _IN_MEMORY and section.kind in (_PROGRAM, _ZEROS):
            if section.flags & _WRITEABLE and section.size:
                raise Foreign  # our code has no variables of its own
            size = -(-size // section.align) * section.align
            places.append(size)
            size += section.size
        else:
            places.append(-1)
    [table] = [section for section in sections if section.kind == _SYMBOLS]
    names = sections[table.link].content(content)
    symbols = [
        Symbol(names[name : names.index(b"\0", name)].decode(), bool(info >> 4), section, value)
        for name, info, _, section, value, _ in _SYMBOL.iter_unpack(table.content(content))
    ]
    return Part(content, sections, places, symbols), size


def _copy(part: Part, pages: Pages) -> None:
    for section, place in zip(part.sections, part.places, strict=True):
        if place >= 0 and section.kind == _PROGRAM:
            pages.bytes[place : place + section.size] = np.frombuffer(section.content(part.content), np.uint8)


def _relocate(part: Part, pages: Pages, known: dict[str, int]) -> None:
    """Writes the distances from places in the code to symbols: symbol + addend - place."""
    targets = np.array([_target(part, symbol, known) for symbol in part.symbols], np.int64)
    for section in part.sections:
        if section.kind != _RELOCATIONS or part.places[section.info] < 0:
            continue
        entries: Array = np.frombuffer(section.content(part.content), _RELOCATION)
        if not np.isin(entries["kind"], _DISTANCES).all():
            raise Foreign
        places = entries["offset"].astype(np.int64) + part.places[section.info]
        goals = targets[entries["symbol"]]
        if (goals < 0).any():
            raise Foreign  # it needs something that is not given: of the system, or nowhere
        distances = (goals + entries["addend"] - places).astype("<i4")
        pages.bytes[places[:, None] + np.arange(4)] = distances.view(np.uint8).reshape(-1, 4)


def _target(part: Part, symbol: Symbol, known: dict[str, int]) -> int:
    """Where a symbol lies; negative if that is not known."""
    if symbol.section == 0:
        return known.get(symbol.name, -1)
    if symbol.section >= len(part.places):  # absolute and common ones
        return -1
    place = part.places[symbol.section]
    return place + symbol.offset if place >= 0 else -1
