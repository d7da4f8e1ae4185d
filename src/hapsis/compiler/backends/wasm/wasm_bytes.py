"""Bytes of the WebAssembly binary format: numbers of variable length (LEB128), names, sections.

Reference: WebAssembly Core Specification, part 5, "Binary Format".
"""

from collections.abc import Iterable

MAGIC = b"\0asm\1\0\0\0"
CUSTOM, TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, CODE, DATA, DATA_COUNT = range(
    13
)
I32, MUTABLE, I32_CONST, END = 0x7F, 1, 0x41, 0x0B  # a type, a kind of global, two instructions
FUNCTION_REFERENCE = 0x70  # the type of what a table holds


class Reader:
    """Reads numbers, names and runs of bytes one after the other."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    @property
    def done(self) -> bool:
        """Whether all was read."""
        return self.at >= len(self.data)

    def byte(self) -> int:
        """The next byte."""
        self.at += 1
        return self.data[self.at - 1]

    def bytes(self, count: int) -> bytes:
        """The next `count` bytes."""
        self.at += count
        return self.data[self.at - count : self.at]

    def unsigned(self) -> int:
        """The next whole number."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def signed(self) -> int:
        """The next whole number that has a sign."""
        start = self.at
        value = self.unsigned()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) else value

    def name(self) -> str:
        """The next name."""
        return self.bytes(self.unsigned()).decode()


def unsigned(value: int, width: int = 0) -> bytes:
    """A whole number in as few bytes as it needs, or in `width` bytes."""
    parts: list[int] = []
    while value > 0x7F or len(parts) + 1 < width:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])


def signed(value: int, width: int = 0) -> bytes:
    """A whole number with its sign."""
    parts: list[int] = []
    while not -64 <= value < 64 or len(parts) + 1 < width:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value & 0x7F])


def name(text: str) -> bytes:
    """A name with its length."""
    data = text.encode()
    return unsigned(len(data)) + data


def vector(items: Iterable[bytes]) -> bytes:
    """Items behind their number."""
    parts = [*items]
    return unsigned(len(parts)) + b"".join(parts)


def section(kind: int, content: bytes) -> bytes:
    """A section with its kind and size."""
    return bytes([kind]) + unsigned(len(content)) + content


def constant(value: int) -> bytes:
    """The expression of a constant address."""
    return bytes([I32_CONST]) + signed(value) + bytes([END])
