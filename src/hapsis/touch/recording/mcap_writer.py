"""A writer of MCAP files: whole chunks, each in one write, so that a killed program leaves them.

    with Writer("run.mcap") as file:
        number = file.channel("/events", file.schema("event", "jsonschema", b"{}"), "json")
        file.message(number, 1_000, b"{}")

Chunks are not compressed: what a kill cuts in two can still be read up to the cut. Schemas and
channels stand before the chunks and again in the summary at the end. Times are integers, ns. A file
that exists is kept under another name.
"""

import contextlib
import errno
import os
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.errors import DeviceError
from hapsis.touch.recording import mcap_records as records
from hapsis.touch.recording.mcap_file import Closing
from hapsis.touch.recording.mcap_summary import Contents, WrittenChunk, closing_records
from hapsis.touch.recording.recording_file import RecordingFile

LARGEST_CHUNK = 4_000_000  # bytes, about: a chunk that reaches this is written at once
FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))
BLOCK = 8192  # bytes: a disk is given back in blocks
MOST_NUMBERS = 65_535  # of schemas, and of channels


class Writer(Closing):
    """An MCAP file that is being written. Not for several threads at once.

    After a failed write (a full disk), or when another program deleted or cut the file, `failed`
    says why, nothing more is taken, and what is still there is closed as a valid file if a little
    room can be made.
    """

    def __init__(self, path: Any, library: str = "hapsis", profile: str = "") -> None:
        self.path = Path(path)
        self._file: RecordingFile | None = RecordingFile(path)
        self.failed: str | None = None
        self._errno: int | None = None
        self.size, self._crc = 0, 0
        self._ends: list[int] = []  # of what was written: sizes of the file
        self._schemas: list[records.Schema] = []
        self._channels: list[records.Channel] = []
        self._counts: list[int] = []  # messages of each channel, written
        self._metadata: list[bytes] = []  # their index records
        self._chunks: list[WrittenChunk] = []
        self._parts: list[tuple[int, Any, bytes]] = []  # of the next chunk: channel, times, bytes
        self._waiting = 0  # bytes in them
        self._sequences: list[int] = []
        head = records.record(records.HEADER, records.text(profile) + records.text(library))
        self._append(records.MAGIC + head)

    def schema(self, name: str, encoding: str, data: bytes) -> int:
        """The number of a new schema."""
        self._schemas.append(records.Schema(name, encoding, data))
        number = _numbered(len(self._schemas))
        self._append(records.schema(number, self._schemas[-1]))
        return number

    def channel(
        self, topic: str, schema: int, encoding: str, metadata: Mapping[str, str] | None = None
    ) -> int:
        """The number of a new channel; schema 0 is none."""
        self._channels.append(records.Channel(schema, topic, encoding, dict(metadata or {})))
        number = _numbered(len(self._channels))
        self._counts.append(0)
        self._sequences.append(0)
        self._append(records.channel(number, self._channels[-1]))
        return number

    def metadata(self, name: str, facts: Mapping[str, str]) -> None:
        """Facts under a name."""
        self.flush()
        whole = records.record(records.METADATA, records.text(name) + records.table(facts))
        at = struct.pack("<QQ", self.size, len(whole))
        if self._append(whole):
            content = at + records.text(name)
            self._metadata.append(records.record(records.METADATA_INDEX, content))

    def message(self, channel: int, time: int, data: bytes) -> None:
        """One message."""
        self.messages(channel, np.array([time], np.uint64), np.frombuffer(data, np.uint8)[None, :])

    def messages(self, channel: int, times: Any, data: Any) -> None:
        """Many messages of equal length: a row of bytes for each time."""
        if self.failed is not None or self._file is None or not len(times):
            return
        rows = np.empty(len(times), [*records.MESSAGE_FIELDS, ("data", "u1", (data.shape[1],))])
        rows["kind"], rows["length"] = records.MESSAGE, records.MESSAGE_HEAD + data.shape[1]
        first = self._sequences[channel - 1]
        rows["channel"], rows["sequence"] = channel, np.arange(first, first + len(times)) % 2**32
        rows["log_time"] = rows["publish_time"] = times
        rows["data"] = data
        self._sequences[channel - 1] = first + len(times)
        self._parts.append((channel, np.array(times, np.uint64), rows.tobytes()))
        self._waiting += rows.nbytes
        if self._waiting >= LARGEST_CHUNK:
            self.flush()

    def flush(self) -> None:
        """Gives everything so far to the system: the program may be killed now."""
        self._look()
        parts, self._parts, self._waiting = self._parts, [], 0
        if not parts:
            return
        content = b"".join(data for _, _, data in parts)
        start = min(int(times.min()) for _, times, _ in parts)
        end = max(int(times.max()) for _, times, _ in parts)
        head = struct.pack("<QQQI", start, end, len(content), zlib.crc32(content))
        head += records.text("") + struct.pack("<Q", len(content))
        chunk = records.record(records.CHUNK, head + content)
        indexes, places = _message_indexes(parts, self.size + len(chunk))
        at = self.size
        if not self._append(chunk + indexes):
            return
        body = struct.pack("<QQQQ", start, end, at, len(chunk)) + struct.pack("<I", 10 * len(places))
        body += b"".join(struct.pack("<HQ", n, place) for n, place in places.items())
        body += struct.pack("<Q", len(indexes)) + records.text("")
        body += struct.pack("<QQ", len(content), len(content))
        counts: dict[int, int] = {}
        for number, times, _ in parts:
            counts[number] = counts.get(number, 0) + len(times)
            self._counts[number - 1] += len(times)
        index = records.record(records.CHUNK_INDEX, body)
        self._chunks.append(WrittenChunk(index, at, start, end, counts))

    def written(self, channel: int) -> int:
        """How many messages of a channel are in the file."""
        return self._counts[channel - 1]

    def sync(self) -> None:
        """Waits until the disk has everything given to the system: against a loss of power."""
        if self._file is not None and self.failed is None:
            with contextlib.suppress(OSError):  # a pipe or the like has no disk
                os.fsync(self._file.descriptor)

    def close(self) -> None:
        """Writes what waits and the summary. Again: does nothing."""
        if self._file is None:
            return
        self.flush()
        # of a file whose head was cut away nothing is left
        if self.size > 0 and not self._append(self._closing(), last=True) and self._make_room():
            # without it the file has no summary, and is read by walking
            self._append(self._closing(), last=True)
        self.sync()
        self._file.close()
        self._file = None

    @property
    def moved(self) -> bool:
        """Whether the path is no longer the file that is written."""
        return self._file is not None and self._file.moved

    def _look(self) -> None:
        """Notices what other programs did to the file, and forgets what is not there any more."""
        if self._file is None or self.failed is not None:
            return
        self.failed = self._file.damage(self.size) or None
        if self.failed is not None:
            there = self._file.size if os.fstat(self._file.descriptor).st_nlink else 0
            self._forget(max((end for end in self._ends if end <= there), default=0))

    def _append(self, data: bytes, last: bool = False) -> bool:
        """Whether all of it is in the file now; if not, none of it is."""
        if self._file is None or (self.failed is not None and not last):
            return False
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._file.descriptor, rest) :]
        except OSError as problem:
            self.failed = self.failed or problem.strerror or "the write failed"
            self._errno = problem.errno
            self._cut(self.size)
            return False
        self.size += len(data)
        self._ends.append(self.size)
        self._crc = zlib.crc32(data, self._crc)
        return True

    def _cut(self, size: int) -> None:
        """The file ends at `size` again."""
        assert self._file is not None
        with contextlib.suppress(OSError):
            os.ftruncate(self._file.descriptor, size)
        self.size = size

    def _make_room(self) -> bool:
        """Whether the last chunks made room for the summary: as few as that takes, once."""
        if self._errno not in FULL:
            return False  # nothing can be written at all: what is there stays
        needed = len(self._closing()) + BLOCK
        for count in range(1, len(self._chunks) + 1):
            if self.size - self._chunks[-count].offset >= needed:
                self._forget(self._chunks[-count].offset)
                return True
        return False

    def _forget(self, at: int) -> None:
        """The file ends at `at`: drops the chunks and metadata behind it."""
        for chunk in self._chunks:
            if chunk.offset >= at:
                for number, messages in chunk.counts.items():
                    self._counts[number - 1] -= messages
        self._chunks = [chunk for chunk in self._chunks if chunk.offset < at]
        self._metadata = [x for x in self._metadata if struct.unpack_from("<Q", x, 9)[0] < at]
        self._ends = [end for end in self._ends if end <= at]
        self._cut(at)
        self._crc = 0  # 0 means that it is not known

    def _closing(self) -> bytes:
        """Everything from the end of the data on."""
        contents = Contents(self._schemas, self._channels, self._metadata, self._chunks, self._counts)
        return closing_records(contents, self.size, self._crc)


def _numbered(number: int) -> int:
    """The number of a schema or channel, if there may be so many."""
    if number > MOST_NUMBERS:
        raise DeviceError(f"an MCAP file has at most {MOST_NUMBERS} schemas and channels")
    return number


def _message_indexes(parts: list[tuple[int, Any, bytes]], at: int) -> tuple[bytes, dict[int, int]]:
    """The message indexes of a chunk, which stand at `at`, and the place of each by channel."""
    lists: dict[int, list[Any]] = {}
    begin = 0
    for number, times, data in parts:
        size = len(data) // len(times)
        entries = np.empty(len(times), [("time", "<u8"), ("offset", "<u8")])
        entries["time"] = times
        entries["offset"] = begin + size * np.arange(len(times))
        lists.setdefault(number, []).append(entries)
        begin += len(data)
    indexes, places = bytearray(), {}
    for number, parts_of in lists.items():
        places[number] = at + len(indexes)
        entries = np.concatenate(parts_of).tobytes()
        head = struct.pack("<HI", number, len(entries))
        indexes += records.record(records.MESSAGE_INDEX, head + entries)
    return bytes(indexes), places
