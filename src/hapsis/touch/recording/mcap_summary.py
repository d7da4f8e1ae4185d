"""The summary at the end of an MCAP file, written and read: what the file holds and where."""

import struct
import zlib
from collections.abc import Sequence
from typing import NamedTuple

from hapsis.touch.recording import mcap_records as records
from hapsis.touch.recording.mcap_file import LARGEST_RECORD, Index, McapFile
from hapsis.touch.recording.mcap_records import Channel, Damaged, Fields, Schema


class WrittenChunk(NamedTuple):
    """A chunk in a file: its index record, its offset and times, messages by channel."""

    index: bytes
    offset: int
    start: int
    end: int
    counts: dict[int, int]


class Contents(NamedTuple):
    """All that the summary of a file lists; `metadata` are index records."""

    schemas: Sequence[Schema]
    channels: Sequence[Channel]
    metadata: Sequence[bytes]
    chunks: Sequence[WrittenChunk]
    counts: Sequence[int]  # messages of each channel


def closing_records(contents: Contents, size: int, crc: int) -> bytes:
    """Everything that follows the data of a file of this size: its end, summary and footer."""
    end = records.record(records.DATA_END, struct.pack("<I", crc))
    start = size + len(end)
    groups = {
        records.SCHEMA: [records.schema(k, x) for k, x in enumerate(contents.schemas, 1)],
        records.CHANNEL: [records.channel(k, x) for k, x in enumerate(contents.channels, 1)],
        records.STATISTICS: [_statistics(contents)],
        records.CHUNK_INDEX: [chunk.index for chunk in contents.chunks],
        records.METADATA_INDEX: contents.metadata,
    }
    summary, offsets = b"", b""
    for kind, group in groups.items():
        whole = b"".join(group)
        if whole:
            place = struct.pack("<BQQ", kind, start + len(summary), len(whole))
            offsets += records.record(records.SUMMARY_OFFSET, place)
        summary += whole
    footer = struct.pack("<BQQQ", records.FOOTER, 20, start, start + len(summary))
    summary += offsets + footer
    return end + summary + struct.pack("<I", zlib.crc32(summary)) + records.MAGIC


def _statistics(contents: Contents) -> bytes:
    counts = {k: count for k, count in enumerate(contents.counts, 1) if count}
    body = struct.pack(
        "<QHIIIIQQI",
        sum(counts.values()),
        len(contents.schemas),
        len(contents.channels),
        0,
        len(contents.metadata),
        len(contents.chunks),
        min((chunk.start for chunk in contents.chunks), default=0),
        max((chunk.end for chunk in contents.chunks), default=0),
        10 * len(counts),
    )
    body += b"".join(struct.pack("<HQ", k, count) for k, count in counts.items())
    return records.record(records.STATISTICS, body)


def read_summary(file: McapFile, index: Index) -> bool:
    """Whether the summary is sound and tells where everything is; then the index has it all."""
    tail = file.read(max(0, file.size - records.FOOTER_SIZE - 8), records.FOOTER_SIZE + 8)
    if len(tail) < records.FOOTER_SIZE + 8 or tail[-8:] != records.MAGIC or tail[0] != records.FOOTER:
        return False
    start, _, crc = struct.unpack_from("<QQI", tail, records.HEAD)
    end = file.size - len(tail)
    if start == 0:  # closed without a summary
        index.complete = True
        return False
    if not 8 < start < end or end - start > 16 * LARGEST_RECORD:
        return False
    summary = file.read(start, end - start)
    if crc and zlib.crc32(summary + tail[: records.HEAD + 16]) != crc:
        return False
    try:
        sound = _index_summary(summary, file.size, index)
        index.complete = True
    except Damaged:
        sound = False
    if not sound:
        index.clear()
    return sound


def _index_summary(summary: bytes, size: int, index: Index) -> bool:
    """Whether the summary lists all chunks and messages; the index takes what it lists."""
    at, statistics = 0, None
    while at < len(summary):
        if len(summary) - at < records.HEAD:
            raise Damaged("the summary ends inside a record")
        kind, length = struct.unpack_from("<BQ", summary, at)
        body = summary[at + records.HEAD : at + records.HEAD + length]
        if len(body) < length:
            raise Damaged("a record is longer than the summary")
        at += records.HEAD + length
        if kind == records.STATISTICS:
            statistics = Fields(body).numbers("QHIIII")
        elif kind == records.CHUNK_INDEX:
            chunk = records.read_chunk_index(body)
            if chunk.offset + chunk.length > size:
                raise Damaged("a chunk lies beyond the file")
            index.chunks.append(chunk)
        elif kind == records.METADATA_INDEX:
            place, length = Fields(body).numbers("QQ")
            index.add_metadata(place, length - records.HEAD)
        else:
            index.define(kind, body)
    if statistics is None:
        return False
    messages, _, _, _, metadata, chunks = statistics
    bare = messages > 0 and chunks == 0
    return not bare and (metadata, chunks) == (len(index.metadata), len(index.chunks))
