"""Native functions and the records they work on, for WebAssembly.

Addresses have four bytes there, and fields of records have room for eight: the same code reads both. An
image is the memory of a record with the addresses that it has elsewhere.
"""

from hapsis.compiler.backends.wasm.wasm import Helper
from hapsis.compiler.native.definition import ENTRY
from hapsis.compiler.native.language import Native
from hapsis.compiler.native.module import module
from hapsis.compiler.native.record.record_fields import Block
from hapsis.compiler.native.record.record_layout import SCALARS, Layout
from hapsis.compiler.native.record.records import block_of
from hapsis.errors import CompileError


def helper(function: Native) -> Helper:
    """The text of a native function; one that waits or asks for the time cannot run there."""
    unit = module(function.definition)
    if unit.imports:
        raise CompileError(f"{function.__name__} calls {unit.imports[0]}, which WebAssembly does not have")
    return Helper(unit.text, ENTRY)


def image(record: object, address: int) -> bytes:
    """The memory of a record and of all it refers to, as it is when it begins at `address`."""
    block = block_of(record)
    data = bytearray(block.memory.tobytes())
    _move(block, block.address, address, data)
    return bytes(data)


def places(record: object) -> dict[str, int]:
    """{name: bytes from the start of its record} of all numbers and arrays, "counts.faults" of inner ones."""
    return _places(block_of(record), block_of(record).address)


def _references(block: Block) -> list[tuple[str, Block | None, int]]:
    """The arrays and inner records of a record: name, memory of a record, address."""
    listed: list[tuple[str, Block | None, int]] = []
    for field in block.layout.fields.values():
        if field.kind not in SCALARS:
            inner = block_of(block.kept[field.name]) if isinstance(field.kind, Layout) else None
            listed.append((field.name, inner, int(block.ints[field.offset // 8])))
    return listed


def _move(block: Block, old: int, new: int, data: bytearray) -> None:
    """Writes the new addresses into the memory of a record."""
    for name, inner, target in _references(block):
        if not old <= target < old + len(data):
            raise CompileError(f"{block.layout.name}.{name} refers to memory outside of its record")
        word = block.address - old + block.layout.fields[name].offset
        data[word : word + 8] = (target - old + new).to_bytes(8, "little")
        if inner is not None:
            _move(inner, old, new, data)


def _places(block: Block, start: int) -> dict[str, int]:
    found = {f.name: block.address - start + f.offset for f in block.layout.fields.values()}
    for name, inner, target in _references(block):
        found[name] = target - start
        if inner is not None:
            found |= {f"{name}.{key}": place for key, place in _places(inner, start).items()}
    return found
