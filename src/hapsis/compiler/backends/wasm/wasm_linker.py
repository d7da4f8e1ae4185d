"""A module that runs from one relocatable object: memory is laid out, addresses are filled in.

    0           unused, so that no address is 0
    1024        stack, which grows down: one that is too large leaves the memory, and that is an error
    STACK_END   data, then numbers that are zero at the start
    heap        free: an exported constant

Nothing is imported, so the indices of functions, types and the stack pointer stay as LLVM gave them.
Functions that are called through pointers are in a table: their place there, from 1 on, is the pointer.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hapsis.compiler.backends.wasm.wasm_bytes import (
    CODE,
    DATA,
    DATA_COUNT,
    ELEMENT,
    EXPORT,
    FUNCTION,
    FUNCTION_REFERENCE,
    GLOBAL,
    I32,
    MAGIC,
    MEMORY,
    MUTABLE,
    TABLE,
    TYPE,
    constant,
    name,
    section,
    signed,
    unsigned,
    vector,
)
from hapsis.compiler.backends.wasm.wasm_object import (
    DATA_SYMBOL,
    MEMORY_I32,
    MEMORY_LEB,
    Relocation,
    WasmObject,
    read_object,
)

PAGE = 65536
STACK_END = 4 * PAGE
_FUNCTION, _MEMORY, _GLOBAL = 0, 2, 3  # kinds of exports
_STACK_POINTER, _HEAP = 0, 1  # globals


class WasmModule(NamedTuple):
    """The bytes of a module, and its first free address, which is a multiple of 64.

    pointers   of functions that are called through them, in the order in which they were given
    """

    bytes: bytes
    heap: int
    pointers: tuple[int, ...] = ()


def linked_module(data: bytes, exports: Mapping[str, str], pointed: Sequence[str] = ()) -> WasmModule:
    """A module that exports `memory`, `heap` and functions: {name outside: name inside}.

    `pointed` are names inside of functions that others call through pointers.
    """
    parts = read_object(data)
    addresses, heap = _layout(parts)
    content = {kind: bytearray(parts.sections.get(kind, b"")) for kind in (CODE, DATA)}
    for kind, patched in content.items():
        for relocation in parts.relocations.get(kind, ()):
            _fill(patched, relocation, _address(parts, relocation, addresses))
    globals_ = [bytes([I32, MUTABLE]) + constant(STACK_END), bytes([I32, 0]) + constant(heap)]
    named = [
        _export("memory", _MEMORY, 0),
        _export("heap", _GLOBAL, _HEAP),
        *(_export(outside, _FUNCTION, parts.function(inside)) for outside, inside in exports.items()),
    ]
    segments = _segments(parts, bytes(content[DATA]), addresses)
    pages = -(-heap // PAGE)
    table, elements = _table([parts.function(inside) for inside in pointed])
    module = b"".join(
        [
            MAGIC,
            section(TYPE, parts.sections[TYPE]),
            section(FUNCTION, parts.sections[FUNCTION]),
            table,
            section(MEMORY, vector([bytes([0]) + unsigned(pages)])),
            section(GLOBAL, vector(globals_)),
            section(EXPORT, vector(named)),
            elements,
            section(DATA_COUNT, unsigned(len(segments))),
            section(CODE, bytes(content[CODE])),
            section(DATA, vector(segments)),
        ]
    )
    return WasmModule(module, heap, tuple(range(1, 1 + len(pointed))))


def _table(functions: Sequence[int]) -> tuple[bytes, bytes]:
    """The sections of a table with these functions from place 1 on, also without any: code may have calls
    that it never makes."""
    table = bytes([FUNCTION_REFERENCE, 0]) + unsigned(1 + len(functions))
    elements = bytes([0]) + constant(1) + vector(unsigned(index) for index in functions)
    filled = section(ELEMENT, vector([elements])) if functions else b""
    return section(TABLE, vector([table])), filled


def _layout(parts: WasmObject) -> tuple[list[int], int]:
    """The address of each segment, and the first free one behind them all."""
    at, addresses = STACK_END, list[int]()
    for segment in parts.segments:
        size = 1 << max(segment.alignment, 4)
        at = -(-at // size) * size
        addresses.append(at)
        at += len(segment.data)
    return addresses, -(-at // 64) * 64


def _address(parts: WasmObject, relocation: Relocation, addresses: list[int]) -> int:
    symbol = parts.symbols[relocation.symbol]
    assert symbol.kind == DATA_SYMBOL
    return addresses[symbol.index] + symbol.offset + relocation.addend


def _fill(content: bytearray, relocation: Relocation, address: int) -> None:
    """Writes an address in its place: five bytes in code, four in data."""
    at = relocation.offset
    if relocation.kind == MEMORY_I32:
        content[at : at + 4] = address.to_bytes(4, "little")
    elif relocation.kind == MEMORY_LEB:
        content[at : at + 5] = unsigned(address, 5)
    else:
        content[at : at + 5] = signed(address, 5)


def _segments(parts: WasmObject, content: bytes, addresses: list[int]) -> list[bytes]:
    """The segments of the memory at its start; what is zero is there without them."""
    segments = list[bytes]()
    for start, segment, address in zip(parts.starts, parts.segments, addresses, strict=True):
        data = content[start : start + len(segment.data)].rstrip(b"\0")
        if data:
            segments.append(bytes([0]) + constant(address) + unsigned(len(data)) + data)
    return segments


def _export(label: str, kind: int, index: int) -> bytes:
    return name(label) + bytes([kind]) + unsigned(index)
