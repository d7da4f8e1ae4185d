"""The messages of an MCAP file, read from its chunks; compressed ones if their package is there."""

import struct
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import DeviceError, install_command
from hapsis.touch.recording import mcap_records as records
from hapsis.touch.recording.mcap_file import Index, McapFile
from hapsis.touch.recording.mcap_records import MESSAGE_FIELDS, Chunk, Damaged, Fields

LARGEST_CHUNK = 256_000_000  # bytes, uncompressed
FOREVER = 2**64 - 1  # ns
# of one pass over a file: few packed bytes of a stranger do not become hours of records
FREE_RECORDS, FREE_BYTES = 20_000, LARGEST_CHUNK  # and, for each byte of the file:
RECORDS_PER_BYTE, BYTES_PER_BYTE = 1, 200
FEW = 8  # messages, among which a run of equal ones is looked for first
PACKAGES = {"zstd": "zstandard", "lz4": "lz4"}


class Budget:
    """What one pass over a file may still unpack and take record by record."""

    def __init__(self, file: McapFile) -> None:
        self.file = file
        self.records = FREE_RECORDS + RECORDS_PER_BYTE * file.size
        self.bytes = FREE_BYTES + BYTES_PER_BYTE * file.size

    def spend(self, records: int = 0, bytes: int = 0) -> None:
        """Takes from what is left; an error where nothing is."""
        self.records -= records
        self.bytes -= bytes
        if min(self.records, self.bytes) < 0:
            raise self.file.error(f"its {self.file.size} bytes unpack to too many records")


class Batch(NamedTuple):
    """Messages of one channel and one length: times in ns, a row of bytes each, and the sequence
    numbers that their writer gave them."""

    channel: int
    times: Any
    data: Any
    sequence: Any


def batches(file: McapFile, index: Index, start: int = 0, end: int = FOREVER) -> Iterator[Batch]:
    """All messages of the chunks that overlap these times, in the order of the file."""
    budget = Budget(file)
    for chunk in index.chunks:
        if chunk.end < start or chunk.start > end:
            continue
        try:
            yield from chunk_batches(file, index, chunk, budget)
        except Damaged as problem:
            index.lose(chunk.offset, f"a chunk at byte {chunk.offset} is damaged: {problem}")


def chunk_batches(file: McapFile, index: Index, chunk: Chunk, budget: Budget) -> Iterator[Batch]:
    """The messages of a chunk; neighbours of one channel and one length together."""
    content, whole = _content(file, chunk)
    budget.spend(bytes=len(content))
    at = 0
    while len(content) - at >= records.HEAD:
        budget.spend(records=1)
        kind, length = struct.unpack_from("<BQ", content, at)
        size = records.HEAD + length
        if size > len(content) - at:
            break
        if kind == records.MESSAGE:
            if length < records.MESSAGE_HEAD:
                raise Damaged("a message is too short")
            rows = _alike(content, at, size)
            number = int(rows["channel"][0])
            if number in index.channels:
                yield Batch(number, rows["log_time"].astype(np.uint64), rows["data"], rows["sequence"])
            else:
                index.lose(-2 - number, f"there are messages of channel {number}, which nothing describes")
            at += size * len(rows)
            continue
        index.define(kind, content[at + records.HEAD : at + size])
        at += size
    if whole and at < len(content):
        raise Damaged("a record is longer than its chunk")


def _content(file: McapFile, chunk: Chunk) -> tuple[bytes, bool]:
    """The records of a chunk, and whether they end where they should."""
    if chunk.bare:
        return file.read(chunk.offset, chunk.length), True
    if chunk.length > LARGEST_CHUNK:
        raise Damaged(f"it has {chunk.length} bytes; read are at most {LARGEST_CHUNK}")
    fields = Fields(file.read(chunk.offset, chunk.length))
    kind, length = fields.numbers("BQ")
    if kind != records.CHUNK:
        raise Damaged("there is something else")
    _, _, size, crc = fields.numbers("QQQI")
    compression, packed = fields.text(), fields.numbers("Q")[0]
    if size > LARGEST_CHUNK:
        raise Damaged(f"it says that it holds {size} bytes; read are at most {LARGEST_CHUNK}")
    there = len(fields.data) - fields.at
    if packed > there:  # cut: its records are good up to the cut
        if compression or length < packed or chunk.offset + chunk.length < file.size:
            raise Damaged("it is cut")
        return fields.take(there), False
    content = decompressed(compression, fields.take(packed), size, str(file.path))
    if len(content) != size:
        raise Damaged("it has not the size it says")
    if crc and zlib.crc32(content) != crc:
        raise Damaged("its checksum is wrong")
    return content, True


def _alike(content: bytes, at: int, size: int) -> Any:
    """The messages from `at` on that have the channel and the size of the first."""
    kind = np.dtype([*MESSAGE_FIELDS, ("data", "u1", (size - records.HEAD - records.MESSAGE_HEAD,))])
    there = (len(content) - at) // size
    for count in (min(there, FEW), there):
        rows = np.frombuffer(content, kind, count, at)
        same = rows["kind"] == records.MESSAGE
        for name in ("length", "channel"):
            same &= rows[name] == rows[name][0]
        if not same.all():
            return rows[: int(same.argmin())]
    return rows


def decompressed(compression: str, data: bytes, size: int, path: str) -> bytes:
    """The bytes of a compressed chunk; never more than `size` and one."""
    if not compression:
        return data
    if compression not in PACKAGES:
        raise Damaged(f'it is compressed by "{compression[:60]}"')
    try:
        return (_zstd if compression == "zstd" else _lz4)(data, size)
    except ImportError:
        raise DeviceError(
            f"its chunks are compressed by {compression}",
            where=path,
            remedy=install_command(PACKAGES[compression]),
        ) from None
    except (RuntimeError, ValueError, MemoryError, EOFError) as problem:
        raise Damaged(f"it cannot be unpacked: {str(problem)[:80]}") from None


def _zstd(data: bytes, size: int) -> bytes:
    import zstandard  # pyright: ignore[reportMissingImports]

    try:
        reader: Any = zstandard.ZstdDecompressor().stream_reader(data)
        return reader.read(size + 1)
    except zstandard.ZstdError as problem:
        raise ValueError(str(problem)) from None


def _lz4(data: bytes, size: int) -> bytes:
    import lz4.frame  # pyright: ignore[reportMissingImports]

    return lz4.frame.LZ4FrameDecompressor().decompress(data, max_length=size + 1)
