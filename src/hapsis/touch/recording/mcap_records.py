"""The records of an MCAP file as bytes, written and read.

A record is one byte of kind, eight bytes of length, then its fields, all little-endian. Everything
read is checked against the bytes that are there; what does not fit raises `Damaged`.

Reference: the MCAP format specification, version 0.
"""

import struct
from collections.abc import Mapping
from typing import NamedTuple

MAGIC = b"\x89MCAP0\r\n"
HEADER, FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX, CHUNK_INDEX = range(1, 9)
ATTACHMENT, ATTACHMENT_INDEX, STATISTICS, METADATA, METADATA_INDEX, SUMMARY_OFFSET = range(9, 15)
DATA_END = 15
MESSAGE_FIELDS = [  # of a whole record, before the data
    ("kind", "u1"),
    ("length", "<u8"),
    ("channel", "<u2"),
    ("sequence", "<u4"),
    ("log_time", "<u8"),
    ("publish_time", "<u8"),
]
HEAD = 9  # bytes before the fields
MESSAGE_HEAD = 22  # bytes of a message before its data
FOOTER_SIZE = HEAD + 20
LONGEST = 1_000_000  # bytes of a name
ENTRIES = 100_000  # of a table


class Damaged(Exception):
    """Raised for bytes that are no sound record; the text says why."""


class Schema(NamedTuple):
    """What the messages of a channel look like."""

    name: str
    encoding: str
    data: bytes


class Channel(NamedTuple):
    """A stream of messages; `schema` is 0 for none."""

    schema: int
    topic: str
    encoding: str
    metadata: Mapping[str, str]


class Chunk(NamedTuple):
    """Where a chunk lies, and the times in it; `bare` messages have no chunk around them."""

    start: int
    end: int
    offset: int
    length: int
    bare: bool = False


def record(kind: int, content: bytes) -> bytes:
    """The bytes of a whole record."""
    return struct.pack("<BQ", kind, len(content)) + content


def text(x: str) -> bytes:
    """The bytes of a text, behind their number."""
    data = x.encode()
    return struct.pack("<I", len(data)) + data


def table(x: Mapping[str, str]) -> bytes:
    """The bytes of a table of texts by name, behind their number."""
    data = b"".join(text(str(k)) + text(str(v)) for k, v in x.items())
    return struct.pack("<I", len(data)) + data


def schema(number: int, x: Schema) -> bytes:
    """The record of a schema with its number."""
    body = struct.pack("<H", number) + text(x.name) + text(x.encoding)
    return record(SCHEMA, body + struct.pack("<I", len(x.data)) + x.data)


def channel(number: int, x: Channel) -> bytes:
    """The record of a channel with its number."""
    body = struct.pack("<HH", number, x.schema) + text(x.topic) + text(x.encoding)
    return record(CHANNEL, body + table(x.metadata))


class Fields:
    """The fields of a record, taken one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        """The next `size` bytes."""
        if size > len(self.data) - self.at:
            raise Damaged("a field is longer than its record")
        self.at += size
        return self.data[self.at - size : self.at]

    def numbers(self, form: str) -> tuple[int, ...]:
        """The next numbers, of a format of `struct`."""
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))

    def text(self) -> str:
        """The next text."""
        size = self.numbers("I")[0]
        if size > LONGEST:
            raise Damaged(f"a name of {size} bytes")
        try:
            return self.take(size).decode()
        except UnicodeDecodeError:
            raise Damaged("a name is no UTF-8") from None

    def table(self) -> dict[str, str]:
        """The next table of texts by name."""
        end = self.numbers("I")[0] + self.at
        entries: dict[str, str] = {}
        while self.at < end and len(entries) < ENTRIES:
            name = self.text()
            entries[name] = self.text()
        if self.at != end:
            raise Damaged("a table is longer than it says")
        return entries


def read_schema(data: bytes) -> tuple[int, Schema]:
    """The number of a schema and the schema, from a record."""
    fields = Fields(data)
    number = fields.numbers("H")[0]
    name, encoding = fields.text(), fields.text()
    return number, Schema(name, encoding, fields.take(fields.numbers("I")[0]))


def read_channel(data: bytes) -> tuple[int, Channel]:
    """The number of a channel and the channel, from a record."""
    fields = Fields(data)
    number, of = fields.numbers("HH")
    return number, Channel(of, fields.text(), fields.text(), fields.table())


def read_chunk_index(data: bytes) -> Chunk:
    """Where a chunk lies, from an index record."""
    start, end, offset, length = Fields(data).numbers("QQQQ")
    return Chunk(start, end, offset, length)


def read_metadata(data: bytes) -> tuple[str, dict[str, str]]:
    """A name and the texts under it, from a metadata record."""
    fields = Fields(data)
    return fields.text(), fields.table()
