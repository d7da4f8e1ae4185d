"""One relocatable object of LLVM's WebAssembly target, read into its parts.

Such an object is a module without memory: its code and data refer to addresses by relocations, places
that a linker fills in. Reference: the document "WebAssembly Object File Linking" of the tool conventions.
"""

from dataclasses import dataclass, field

from hapsis.compiler.backends.wasm.wasm_bytes import CODE, CUSTOM, DATA, IMPORT, MAGIC, Reader
from hapsis.errors import CompileError

FUNCTION_SYMBOL, DATA_SYMBOL, GLOBAL_SYMBOL, SECTION_SYMBOL = range(4)
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40  # flags of a symbol
# kinds of relocations: an address in code, unsigned or signed, and in data; those have an addend
MEMORY_LEB, MEMORY_SLEB, MEMORY_I32 = 3, 4, 5
# these refer to indices that do not change where nothing is imported
UNCHANGED = {0: "function", 6: "type", 7: "global", 20: "table"}
_SEGMENTS, _SYMBOLS = 5, 8  # parts of the section "linking"


@dataclass(frozen=True)
class Relocation:
    """A place within a section that gets the address of a symbol."""

    kind: int
    offset: int
    symbol: int
    addend: int


@dataclass(frozen=True)
class Symbol:
    """The name of a function (index) or of data (segment and offset)."""

    kind: int
    name: str
    index: int
    offset: int = 0


@dataclass
class Segment:
    """Bytes of the memory, with their alignment as a power of two."""

    data: bytes
    alignment: int = 0


@dataclass
class WasmObject:
    """The parts of an object: contents of its sections, symbols, segments of data and relocations."""

    sections: dict[int, bytes] = field(default_factory=dict[int, bytes])
    symbols: list[Symbol] = field(default_factory=list[Symbol])
    segments: list[Segment] = field(default_factory=list[Segment])
    relocations: dict[int, list[Relocation]] = field(default_factory=dict[int, list[Relocation]])
    starts: list[int] = field(default_factory=list[int])  # of the segments' bytes within the section of data

    def function(self, name: str) -> int:
        """The index of a function."""
        return next(s.index for s in self.symbols if s.kind == FUNCTION_SYMBOL and s.name == name)


def read_object(data: bytes) -> WasmObject:
    """The parts of an object; a CompileError if it needs anything from outside."""
    if data[:8] != MAGIC:
        raise CompileError("LLVM gave no WebAssembly")
    read, parts, kinds = Reader(data, 8), WasmObject(), list[int]()
    while not read.done:
        kind = read.byte()
        content = read.bytes(read.unsigned())
        kinds.append(kind)
        if kind == CUSTOM:
            inner = Reader(content)
            label = inner.name()
            if label == "linking":
                _read_linking(inner, parts)
            elif label.startswith("reloc."):
                section = kinds[inner.unsigned()]
                parts.relocations[section] = _relocations(inner)
        elif kind == IMPORT:
            _check_imports(Reader(content))
        else:
            parts.sections[kind] = content
            if kind == DATA:
                _read_data(Reader(content), parts)
    if CODE not in parts.sections:
        raise CompileError("LLVM gave WebAssembly without code")
    return parts


def _check_imports(read: Reader) -> None:
    """Memory, stack pointer and the table of functions are made by the linker; nothing else is there."""
    for _ in range(read.unsigned()):
        read.name()
        label, kind = read.name(), read.byte()
        if kind == 0:
            raise CompileError(f'the function "{label}" is not there in WebAssembly')
        if kind == 1:  # table: its type, limits
            read.byte()
        if kind == 3:  # global: its type, whether it changes
            read.byte()
            read.byte()
        else:
            for _ in range(1 + read.byte()):
                read.unsigned()


def _read_data(read: Reader, parts: WasmObject) -> None:
    for _ in range(read.unsigned()):
        read.unsigned()  # the memory
        read.byte()
        read.signed()  # the address, which the linker chooses
        read.byte()
        size = read.unsigned()
        parts.starts.append(read.at)
        parts.segments.append(Segment(read.bytes(size)))


def _read_linking(read: Reader, parts: WasmObject) -> None:
    read.unsigned()  # version
    while not read.done:
        kind = read.byte()
        inner = Reader(read.bytes(read.unsigned()))
        if kind == _SYMBOLS:
            parts.symbols += [_symbol(inner) for _ in range(inner.unsigned())]
        elif kind == _SEGMENTS:
            for k in range(inner.unsigned()):
                inner.name()
                parts.segments[k].alignment = inner.unsigned()
                inner.unsigned()


def _symbol(read: Reader) -> Symbol:
    kind, flags = read.byte(), read.unsigned()
    if kind == DATA_SYMBOL:
        label = read.name()
        if flags & UNDEFINED:
            raise CompileError(f'the data "{label}" is not there in WebAssembly')
        segment, offset = read.unsigned(), read.unsigned()
        read.unsigned()  # size
        return Symbol(kind, label, segment, offset)
    index = read.unsigned()
    named = kind != SECTION_SYMBOL and (not flags & UNDEFINED or flags & EXPLICIT_NAME)
    return Symbol(kind, read.name() if named else "", index)


def _relocations(read: Reader) -> list[Relocation]:
    """The relocations of a section; those of indices that do not change are left out."""
    relocations = list[Relocation]()
    for _ in range(read.unsigned()):
        kind, offset, symbol = read.byte(), read.unsigned(), read.unsigned()
        if kind in (MEMORY_LEB, MEMORY_SLEB, MEMORY_I32):
            relocations.append(Relocation(kind, offset, symbol, read.signed()))
        elif kind not in UNCHANGED:
            raise CompileError(f"addresses of functions are not available in WebAssembly (relocation {kind})")
    return relocations
