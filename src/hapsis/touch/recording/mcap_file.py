"""An MCAP file that is open for reading: its bytes, and the index of what it holds.

Nothing is read beyond the size of the file and the limits here.
"""

import os
import stat
import struct
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, BinaryIO, Self

from hapsis.errors import DeviceError
from hapsis.mechanics.formats.file_text import path_of
from hapsis.touch.recording import mcap_records as records
from hapsis.touch.recording.mcap_records import Chunk, Damaged

LARGEST_RECORD = 64_000_000  # bytes, of any record but a chunk
MOST_METADATA = 10_000  # records


class Closing(ABC):
    """What `with` closes at its end."""

    @abstractmethod
    def close(self) -> None:
        """Closes it; may be called twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class McapFile:
    """The bytes of a file, and its records by their place; `size` is that of the file in bytes."""

    def __init__(self, path: Any) -> None:
        self.path = path_of(path)
        self._file = _opened(self.path)
        self.size = os.fstat(self._file.fileno()).st_size

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def error(self, what: str) -> DeviceError:
        """The error that says what is wrong with this file."""
        return DeviceError(what, where=str(self.path), expected="an MCAP recording")

    def read(self, offset: int, size: int) -> bytes:
        """The bytes at an offset; fewer than `size` at the end of the file."""
        try:
            self._file.seek(offset)
            return self._file.read(min(size, self.size - offset)) if offset < self.size else b""
        except OSError as problem:
            raise self.error(f"cannot be read: {problem.strerror}") from None

    def head(self, offset: int) -> tuple[int, int]:
        """Kind and length of the record at an offset."""
        head = self.read(offset, records.HEAD)
        if len(head) < records.HEAD:
            raise Damaged("it ends inside a record")
        kind, length = struct.unpack("<BQ", head)
        if kind == 0:
            raise Damaged("there are zeros instead of a record")
        if length > self.size - offset - records.HEAD:
            raise Damaged("a record is longer than the file")
        return kind, length

    def body(self, offset: int, length: int) -> bytes:
        """The fields of the record at an offset."""
        if length > LARGEST_RECORD:
            raise Damaged(f"a record of {length} bytes")
        return self.read(offset + records.HEAD, length)


class Index:
    """What a file holds.

    schemas, channels   by number
    metadata            [(name, facts)] in the order of the file
    chunks              where messages lie
    lost                sentences on what could not be read so far; empty for a whole file
    complete            whether the file was closed by its writer
    """

    def __init__(self, file: McapFile) -> None:
        self._file = file
        self.schemas: dict[int, records.Schema] = {}
        self.channels: dict[int, records.Channel] = {}
        self.metadata: list[tuple[str, dict[str, str]]] = []
        self.chunks: list[Chunk] = []
        self.lost: list[str] = []
        self.complete = False
        self._lost_places: set[int] = set()

    def clear(self) -> None:
        """Forgets all entries; `lost` and `complete` stay."""
        for entries in (self.schemas, self.channels, self.metadata, self.chunks):
            entries.clear()

    def define(self, kind: int, body: bytes) -> None:
        """Takes a schema or a channel; a number keeps its first meaning."""
        if kind == records.SCHEMA:
            number, schema = records.read_schema(body)
            self.schemas.setdefault(number, schema)
        elif kind == records.CHANNEL:
            number, channel = records.read_channel(body)
            self.channels.setdefault(number, channel)

    def add_metadata(self, offset: int, length: int) -> None:
        """Takes the metadata record at an offset."""
        if len(self.metadata) >= MOST_METADATA:
            raise Damaged("more metadata than a recording has")
        if self._file.head(offset) != (records.METADATA, length):
            raise Damaged("metadata are not where they should be")
        self.metadata.append(records.read_metadata(self._file.body(offset, length)))

    def lose(self, place: int, sentence: str) -> None:
        """Notes what could not be read, once for each place."""
        if place not in self._lost_places:
            self._lost_places.add(place)
            self.lost.append(sentence)


def _opened(path: Path) -> BinaryIO:
    try:
        # not to wait for a pipe that nobody writes to
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        file = open(os.open(path, flags), "rb")
    except OSError as problem:
        raise DeviceError(f"cannot be read: {problem.strerror}", where=str(path)) from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise DeviceError("is no regular file", where=str(path))
    return file
