"""A reader of MCAP files, whole or not.

A file with a sound summary is read by it. Of any other the records are walked from the start,
which finds all that a killed writer left, its last, half written chunk included; `lost` says in
words what is not there. Nothing is read beyond the sizes that the file has and the limits here.
"""

import os
import stat
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from hapsis.errors import DeviceError
from hapsis.mechanics.formats.file_text import path_of
from hapsis.touch.recording import mcap_records as records
from hapsis.touch.recording.mcap_records import Chunk, Damaged, Fields
from hapsis.touch.recording.mcap_unpacking import unpacked
from hapsis.touch.recording.mcap_writer import MESSAGE

LARGEST_CHUNK = 256_000_000  # bytes, unpacked
LARGEST_RECORD = 64_000_000  # of any other kind that is read
MOST_FACTS = 10_000  # metadata records
FOREVER = 2**64 - 1  # ns
FEW = 8  # messages, among which a run of equal ones is looked for first


class Batch(NamedTuple):
    """Messages of one channel and one length: times in ns, a row of bytes each, and the numbers
    that their writer gave them."""

    channel: int
    times: Any
    data: Any
    sequence: Any


class Reader:
    """An MCAP file that is open for reading.

    schemas, channels   by number
    metadata            [(name, facts)] in the order of the file
    chunks              where messages lie
    lost                sentences on what could not be read, so far; empty for a whole file
    complete            whether the file was closed by its writer
    """

    def __init__(self, path: Any) -> None:
        self.path = path_of(path)
        self._file = _opened(self.path)
        self.schemas: dict[int, records.Schema] = {}
        self.channels: dict[int, records.Channel] = {}
        self.metadata: list[tuple[str, dict[str, str]]] = []
        self.chunks: list[Chunk] = []
        self.lost: list[str] = []
        self.complete = False
        self._told: set[int] = set()
        try:
            self.size = os.fstat(self._file.fileno()).st_size
            self._begin()
            if not self._by_summary():
                self._by_walking()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Gives the file back."""
        self._file.close()

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def batches(self, start: int = 0, end: int = FOREVER) -> Iterator[Batch]:
        """All messages of the chunks that touch these times, in the order of the file."""
        for chunk in self.chunks:
            if chunk.end < start or chunk.start > end:
                continue
            try:
                content, whole = self._content(chunk)
                yield from self._messages(content, whole)
            except Damaged as problem:
                self._lose(chunk.offset, f"a chunk at byte {chunk.offset} is damaged: {problem}")

    def _lose(self, place: int, sentence: str) -> None:
        if place not in self._told:
            self._told.add(place)
            self.lost.append(sentence)

    def _begin(self) -> None:
        found = self._read(0, len(records.MAGIC))
        if found != records.MAGIC:
            if not found:
                raise self._wrong("is empty")
            if records.MAGIC.startswith(found):
                raise self._wrong("ends in its first bytes")
            if found[:5] == records.MAGIC[:5]:
                raise self._wrong(f"is of another version of MCAP: {found[5:6]!r}")
            raise self._wrong("is no MCAP file: it begins otherwise")

    def _wrong(self, what: str) -> DeviceError:
        return DeviceError(what, where=str(self.path), expected="an MCAP recording")

    def _read(self, offset: int, size: int) -> bytes:
        """So many bytes, or fewer at the end of the file."""
        try:
            self._file.seek(offset)
            return self._file.read(min(size, self.size - offset)) if offset < self.size else b""
        except OSError as problem:
            raise self._wrong(f"cannot be read: {problem.strerror}") from None

    def _record(self, offset: int, end: int) -> tuple[int, int]:
        """Kind and length of the record at an offset."""
        head = self._read(offset, records.HEAD) if end - offset >= records.HEAD else b""
        if len(head) < records.HEAD:
            raise Damaged("it ends inside a record")
        kind, length = struct.unpack("<BQ", head)
        if kind == 0:
            raise Damaged("there are zeros instead of a record")
        if length > end - offset - records.HEAD:
            raise Damaged("a record is longer than the file")
        return kind, length

    def _body(self, offset: int, length: int) -> bytes:
        if length > LARGEST_RECORD:
            raise Damaged(f"a record of {length} bytes")
        return self._read(offset + records.HEAD, length)

    def _by_summary(self) -> bool:
        """Whether the summary at the end is sound and tells where everything is."""
        tail = self._read(max(0, self.size - records.FOOTER_SIZE - 8), records.FOOTER_SIZE + 8)
        if len(tail) < records.FOOTER_SIZE + 8 or tail[-8:] != records.MAGIC or tail[0] != 2:
            return False
        start, _, crc = struct.unpack_from("<QQI", tail, records.HEAD)
        end = self.size - len(tail)
        if start == 0:  # closed without a summary
            self.complete = True
            return False
        if not 8 < start < end or end - start > 16 * LARGEST_RECORD:
            return False
        summary = self._read(start, end - start)
        if crc and zlib.crc32(summary + tail[: records.HEAD + 16]) != crc:
            return False
        try:
            found = self._summary(summary)
            self.complete = True
        except Damaged:
            found = False
        if not found:
            for each in (self.schemas, self.channels, self.metadata, self.chunks):
                each.clear()
        return found

    def _summary(self, summary: bytes) -> bool:
        """Takes what the summary tells; False if it does not list all chunks and messages."""
        at, counted = 0, None
        while at < len(summary):
            if len(summary) - at < records.HEAD:
                raise Damaged("the summary ends inside a record")
            kind, length = struct.unpack_from("<BQ", summary, at)
            body = summary[at + records.HEAD : at + records.HEAD + length]
            if len(body) < length:
                raise Damaged("a record is longer than the summary")
            at += records.HEAD + length
            if kind == records.STATISTICS:
                counted = Fields(body).numbers("QHIIII")
            elif kind == records.CHUNK_INDEX:
                chunk = records.read_chunk_index(body)
                if chunk.offset + chunk.length > self.size:
                    raise Damaged("a chunk lies beyond the file")
                self.chunks.append(chunk)
            elif kind == records.METADATA_INDEX:
                place, size = Fields(body).numbers("QQ")
                self._facts(place, size - records.HEAD)
            else:
                self._define(kind, body)
        if counted is None:
            return False
        messages, _, _, _, facts, chunks = counted
        bare = messages > 0 and chunks == 0
        return not bare and (facts, chunks) == (len(self.metadata), len(self.chunks))

    def _facts(self, place: int, length: int) -> None:
        if len(self.metadata) >= MOST_FACTS:
            raise Damaged("more facts than a recording has")
        if self._record(place, self.size) != (records.METADATA, length):
            raise Damaged("facts are not where they should be")
        self.metadata.append(records.read_metadata(self._body(place, length)))

    def _define(self, kind: int, body: bytes) -> None:
        """A schema or a channel; a number keeps its first meaning."""
        if kind == records.SCHEMA:
            number, schema = records.read_schema(body)
            self.schemas.setdefault(number, schema)
        elif kind == records.CHANNEL:
            number, channel = records.read_channel(body)
            self.channels.setdefault(number, channel)

    def _by_walking(self) -> None:
        """From the start, record by record, to the end or to the first that is none."""
        at, good = len(records.MAGIC), len(records.MAGIC)
        closed = False
        try:
            while at < self.size and not closed:
                kind, length = self._record(at, self.size)
                closed = kind in (records.DATA_END, records.FOOTER)
                self._walked(kind, at, length)
                at += records.HEAD + length
                good = at
        except Damaged as problem:
            self.complete = False
            self._cut_short(good, problem)
            return
        if not self.complete:
            what = "its summary is damaged" if closed else "its writer was stopped before the end"
            self._lose(-1, f"{what}; nothing else seems to be missing")
        for _ in self.batches():  # so that `lost` tells of every damaged chunk
            pass

    def _walked(self, kind: int, at: int, length: int) -> None:
        """One record of the walk."""
        if kind == records.CHUNK:
            start, end = Fields(self._read(at + records.HEAD, 16)).numbers("QQ")
            self.chunks.append(Chunk(start, end, at, records.HEAD + length))
        elif kind == records.MESSAGE:
            self._bare(at, records.HEAD + length)
        elif kind in (records.SCHEMA, records.CHANNEL):
            self._define(kind, self._body(at, length))
        elif kind == records.METADATA:
            self._facts(at, length)

    def _bare(self, at: int, length: int) -> None:
        """A message outside of chunks: neighbours are kept together."""
        last = self.chunks[-1] if self.chunks else None
        if last is not None and last.bare and last.offset + last.length == at:
            if last.length + length <= LARGEST_CHUNK:
                self.chunks[-1] = last._replace(length=last.length + length)
                return
        self.chunks.append(Chunk(0, FOREVER, at, length, bare=True))

    def _cut_short(self, good: int, problem: Damaged) -> None:
        """The walk ended at a record that is none: perhaps a chunk that was being written."""
        found = 0
        before = len(self.chunks)
        if self._read(good, 1) == bytes([records.CHUNK]):
            self.chunks.append(Chunk(0, FOREVER, good, self.size - good))
        for k, chunk in enumerate(self.chunks):
            try:
                content, whole = self._content(chunk)
                count = sum(len(batch.times) for batch in self._messages(content, whole))
            except Damaged as trouble:
                count = 0
                if k < before:
                    self._lose(chunk.offset, f"a chunk at byte {chunk.offset} is damaged: {trouble}")
            found = count if k == before else found
        if not found:
            del self.chunks[before:]
        rest = f"{self.size - good} bytes from byte {good} on are no whole record ({problem})"
        if found:
            rest += f"; {found} messages were read from them, without a checksum"
        self._lose(-1, f"it was not closed: its writer was stopped, or it was cut; {rest}")

    def _content(self, chunk: Chunk) -> tuple[bytes, bool]:
        """The records of a chunk, and whether they end where they should."""
        if chunk.bare:
            return self._read(chunk.offset, chunk.length), True
        if chunk.length > LARGEST_CHUNK:
            raise Damaged(f"it has {chunk.length} bytes; read are at most {LARGEST_CHUNK}")
        fields = Fields(self._read(chunk.offset, chunk.length))
        kind, length = fields.numbers("BQ")
        if kind != records.CHUNK:
            raise Damaged("there is something else")
        _, _, size, crc = fields.numbers("QQQI")
        compression, packed = fields.text(), fields.numbers("Q")[0]
        if size > LARGEST_CHUNK:
            raise Damaged(f"it says that it holds {size} bytes; read are at most {LARGEST_CHUNK}")
        there = len(fields.data) - fields.at
        if packed > there:  # cut: what is there is good as far as it goes
            if compression or length < packed or chunk.offset + chunk.length < self.size:
                raise Damaged("it is cut")
            return fields.take(there), False
        content = unpacked(compression, fields.take(packed), size, str(self.path))
        if len(content) != size:
            raise Damaged("it has not the size it says")
        if crc and zlib.crc32(content) != crc:
            raise Damaged("its checksum is wrong")
        return content, True

    def _messages(self, content: bytes, whole: bool) -> Iterator[Batch]:
        """The messages among records, neighbours of one kind at once."""
        at = 0
        while len(content) - at >= records.HEAD:
            kind, length = struct.unpack_from("<BQ", content, at)
            size = records.HEAD + length
            if size > len(content) - at:
                break
            if kind == records.MESSAGE:
                if length < records.MESSAGE_HEAD:
                    raise Damaged("a message is too short")
                rows = _alike(content, at, size)
                number = int(rows["channel"][0])
                if number in self.channels:
                    times = rows["log_time"].astype(np.uint64)
                    yield Batch(number, times, rows["data"], rows["sequence"])
                else:
                    self._lose(
                        -2 - number, f"there are messages of channel {number}, which nothing describes"
                    )
                at += size * len(rows)
                continue
            self._define(kind, content[at + records.HEAD : at + size])
            at += size
        if whole and at < len(content):
            raise Damaged("a record is longer than its chunk")


def _alike(content: bytes, at: int, size: int) -> Any:
    """The messages from `at` on that have the channel and the size of the first."""
    kind = np.dtype([*MESSAGE, ("data", "u1", (size - records.HEAD - records.MESSAGE_HEAD,))])
    there = (len(content) - at) // size
    for count in (min(there, FEW), there):
        rows = np.frombuffer(content, kind, count, at)
        same = _same(rows)
        if not same.all():
            return rows[: int(same.argmin())]
    return rows


def _same(rows: Any) -> Any:
    same = rows["kind"] == records.MESSAGE
    for name in ("length", "channel"):
        same &= rows[name] == rows[name][0]
    return same


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
