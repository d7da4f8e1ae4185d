"""Native functions and the records they work on, for WebAssembly.

Addresses have four bytes there, and fields of records have room for eight: the same code reads both. Words
of the tables of Kernels have four. An image is the memory of a record, and of all it refers to, with the
addresses that it has elsewhere.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from hapsis.compiler.backends.wasm.wasm import Helper
from hapsis.compiler.native.definition import ENTRY, KERNEL, POWER
from hapsis.compiler.native.kernels import Bound
from hapsis.compiler.native.language import Native
from hapsis.compiler.native.module import module
from hapsis.compiler.native.record.record_fields import Block
from hapsis.compiler.native.record.record_layout import SCALARS, Layout
from hapsis.compiler.native.record.records import block_of
from hapsis.errors import CompileError

LINE = 64  # bytes: arrays begin at multiples of it
_WORD = 4  # bytes of an address
_HEAD = 4  # words of the table of a Kernel before those of its ports


def helper(function: Native) -> Helper:
    """The text of a native function; one that waits or asks for the time cannot run there."""
    unit = module(function.definition)
    missing = [name for name in unit.imports if name != POWER]
    if missing:
        raise CompileError(f"{function.__name__} calls {missing[0]}, which WebAssembly does not have")
    # a module may hold several of them, each with this entry, which nobody calls there
    text = unit.text.replace(f"define void @{KERNEL}(", f"define internal void @{KERNEL}(")
    return Helper(text, ENTRY, frozenset([("pow", 1, "f64")] if POWER in unit.imports else []))


def image(record: object, address: int) -> bytes:
    """The memory of a record and of all it refers to, as it is when it begins at `address`."""
    return Image(record, address, {}).content


def places(record: object) -> dict[str, int]:
    """{name: bytes from the start of its record} of all numbers and arrays, "counts.faults" of inner ones;
    of a record that refers to nothing outside of its memory."""
    return _places(block_of(record), block_of(record).address)


def kernels_of(record: object) -> list[Bound]:
    """The Kernels of a record and of all records that it refers to, each once."""
    kernels = dict[int, Bound]()
    for block in _blocks(block_of(record)):
        for field in block.layout.fields.values():
            kernels |= {id(kernel): kernel for kernel in _kernels(block, field.name, field.kind)}
    return [*kernels.values()]


class Image:
    """The memory of a record and of all it refers to, as it is when the record begins at `start`.

    pointers    {Kernel: what stands for its address there}
    """

    def __init__(self, record: object, start: int, pointers: Mapping[Bound, int]) -> None:
        blocks = _blocks(block_of(record))
        self.start, self._moved, self._bytes = start, list[tuple[int, int, int]](), bytearray()
        kernels = kernels_of(record)
        self._lay(_memory(blocks, kernels))
        tables = {id(kernel): self._table(kernel, pointers) for kernel in kernels}
        for block in blocks:
            self._refer(block, tables)

    @property
    def content(self) -> bytes:
        """All of it."""
        return bytes(self._bytes)

    def address(self, array: np.ndarray) -> int:
        """Where an array is that a record or a Kernel refers to; 0 for an empty one."""
        return self._new(array.ctypes.data) if array.size else 0

    def _new(self, old: int) -> int:
        return next(new + old - first for first, last, new in self._moved if first <= old < last)

    def _append(self, data: bytes) -> int:
        """Puts bytes behind the others; what comes back is their address."""
        at = self.start + len(self._bytes)
        self._bytes += data + bytes(-len(data) % LINE)
        return at

    def _lay(self, memory: list[np.ndarray]) -> None:
        """Copies arrays, those that overlap in one piece, in the order of the first of each."""
        bounds = [(array.ctypes.data, array.ctypes.data + array.nbytes) for array in memory]
        pieces = list[list[int]]()  # numbers of arrays
        end = 0
        for k in sorted(range(len(memory)), key=lambda k: bounds[k]):
            if not pieces or bounds[k][0] >= end:
                pieces.append([])
                end = 0
            pieces[-1].append(k)
            end = max(end, bounds[k][1])
        for piece in sorted(pieces, key=min):
            first, last = min(bounds[k][0] for k in piece), max(bounds[k][1] for k in piece)
            data = bytearray(last - first)
            for k in piece:
                data[bounds[k][0] - first : bounds[k][1] - first] = memory[k].tobytes()
            self._moved.append((first, last, self._append(bytes(data))))

    def _table(self, kernel: Bound, pointers: Mapping[Bound, int]) -> int:
        """The address of the table of a Kernel, behind which its ports are."""
        if kernel not in pointers:
            raise CompileError(f"the module has no {kernel!r}")
        at = self.start + len(self._bytes)
        ports = at + _WORD * (_HEAD + len(kernel.given))
        words = [pointers[kernel], ports, 0, 0, *(ports + _WORD * place for place in kernel.given)]
        words += [0 if array is None else self.address(array) for array in kernel.arrays]
        return self._append(np.array(words, np.uint32).tobytes())

    def _refer(self, block: Block, tables: Mapping[int, int]) -> None:
        """Writes the new addresses into a record."""
        for field in block.layout.fields.values():
            if field.kind in SCALARS:
                continue
            value = block.kept[field.name]
            if isinstance(field.kind, Layout):
                target = self._new(block_of(value).address)
            elif field.kind == "Kernel":
                target = 0 if value is None else tables[id(value)]  # a call of none ends at address 0
            elif field.kind == "Kernels":
                words = [tables[id(kernel)] for kernel in value]
                target = self._append(np.array(words, np.uint32).tobytes())
            else:
                target = self.address(value)
            word = self._new(block.address) - self.start + field.offset
            self._bytes[word : word + 8] = target.to_bytes(8, "little")


def _blocks(block: Block) -> list[Block]:
    """The memory of a record and of all records that it refers to, each once, that of the record first."""
    blocks, unseen = {block.address: block}, [block]
    while unseen:
        inner = unseen.pop(0)
        for field in inner.layout.fields.values():
            if isinstance(field.kind, Layout):
                other = block_of(inner.kept[field.name])
                if other.address not in blocks:
                    blocks[other.address] = other
                    unseen.append(other)
    return [*blocks.values()]


def _kernels(block: Block, name: str, kind: Any) -> Iterator[Bound]:
    """The Kernels of a field."""
    if kind not in ("Kernel", "Kernels"):
        return
    value = block.kept[name]
    for kernel in value if kind == "Kernels" else [value]:
        if isinstance(kernel, Bound):
            yield kernel
        elif kernel is not None:
            raise CompileError(
                f"{block.layout.name}.{name} is no Kernel of a Function, so that WebAssembly cannot call it"
            )


def _memory(blocks: list[Block], kernels: list[Bound]) -> list[np.ndarray]:
    """The memory of records, and the arrays that they and Kernels refer to."""
    memory = [block.memory for block in blocks]
    for block in blocks:
        kinds = ((field.name, field.kind) for field in block.layout.fields.values())
        memory += [block.kept[name] for name, kind in kinds if kind in ("Array", "Ints")]
    memory += [array for kernel in kernels for array in kernel.arrays if array is not None]
    return [array for array in memory if array.size]


def _places(block: Block, start: int) -> dict[str, int]:
    found = {f.name: block.address - start + f.offset for f in block.layout.fields.values()}
    for field in block.layout.fields.values():
        if field.kind in SCALARS:
            continue
        found[field.name] = int(block.ints[field.offset // 8]) - start
        if isinstance(field.kind, Layout):
            inner = _places(block_of(block.kept[field.name]), start)
            found |= {f"{field.name}.{key}": place for key, place in inner.items()}
    return found
