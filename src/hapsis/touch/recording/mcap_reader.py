"""A reader of MCAP files, complete or cut short.

A file with a sound summary is read by it. Of any other the records are read one after the other
from the start, which finds all that a killed writer left, its last, half written chunk included;
`index.lost` says in words what is missing.
"""

from collections.abc import Iterator
from typing import Any

from hapsis.touch.recording import mcap_chunks
from hapsis.touch.recording import mcap_records as records
from hapsis.touch.recording.mcap_chunks import FOREVER, Batch, Budget, chunk_batches
from hapsis.touch.recording.mcap_file import Closing, Index, McapFile
from hapsis.touch.recording.mcap_records import Chunk, Damaged, Fields
from hapsis.touch.recording.mcap_summary import read_summary


class Reader(Closing):
    """An MCAP file that is open for reading; `index` is what it holds."""

    def __init__(self, path: Any) -> None:
        self._file = McapFile(path)
        self.path = self._file.path
        self.index = Index(self._file)
        try:
            _check_magic(self._file)
            if not read_summary(self._file, self.index):
                _scan(self._file, self.index)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def batches(self, start: int = 0, end: int = FOREVER) -> Iterator[Batch]:
        """All messages of the chunks that overlap these times, in the order of the file."""
        return mcap_chunks.batches(self._file, self.index, start, end)


def _check_magic(file: McapFile) -> None:
    """Raises an error unless the file begins as an MCAP file does."""
    start = file.read(0, len(records.MAGIC))
    if start == records.MAGIC:
        return
    if not start:
        raise file.error("is empty")
    if records.MAGIC.startswith(start):
        raise file.error("ends in its first bytes")
    if start[:5] == records.MAGIC[:5]:
        raise file.error(f"is of another version of MCAP: {start[5:6]!r}")
    raise file.error("is no MCAP file: it begins otherwise")


def _scan(file: McapFile, index: Index) -> None:
    """Fills the index from all records, up to the end or to the first damaged one."""
    at = len(records.MAGIC)
    closed = False
    try:
        while at < file.size and not closed:
            kind, length = file.head(at)
            closed = kind in (records.DATA_END, records.FOOTER)
            _index_record(file, index, kind, at, length)
            at += records.HEAD + length
    except Damaged as problem:
        index.complete = False
        _index_rest(file, index, at, problem)
        return
    if not index.complete:
        what = "its summary is damaged" if closed else "its writer was stopped before the end"
        index.lose(-1, f"{what}; nothing else seems to be missing")
    for _ in mcap_chunks.batches(file, index):  # so that `lost` tells of every damaged chunk
        pass


def _index_record(file: McapFile, index: Index, kind: int, at: int, length: int) -> None:
    """Takes one record."""
    if kind == records.CHUNK:
        start, end = Fields(file.read(at + records.HEAD, 16)).numbers("QQ")
        index.chunks.append(Chunk(start, end, at, records.HEAD + length))
    elif kind == records.MESSAGE:
        _index_bare_message(index, at, records.HEAD + length)
    elif kind in (records.SCHEMA, records.CHANNEL):
        index.define(kind, file.body(at, length))
    elif kind == records.METADATA:
        index.add_metadata(at, length)


def _index_bare_message(index: Index, at: int, length: int) -> None:
    """Takes a message outside of chunks: neighbours are kept together."""
    last = index.chunks[-1] if index.chunks else None
    if last is not None and last.bare and last.offset + last.length == at:
        if last.length + length <= mcap_chunks.LARGEST_CHUNK:
            index.chunks[-1] = last._replace(length=last.length + length)
            return
    index.chunks.append(Chunk(0, FOREVER, at, length, bare=True))


def _index_rest(file: McapFile, index: Index, good: int, problem: Damaged) -> None:
    """Takes what follows the last good record: perhaps a chunk that was being written."""
    rescued, budget = 0, Budget(file)
    before = len(index.chunks)
    if file.read(good, 1) == bytes([records.CHUNK]):
        index.chunks.append(Chunk(0, FOREVER, good, file.size - good))
    for k, chunk in enumerate(index.chunks):
        try:
            count = sum(len(batch.times) for batch in chunk_batches(file, index, chunk, budget))
        except Damaged as trouble:
            count = 0
            if k < before:
                index.lose(chunk.offset, f"a chunk at byte {chunk.offset} is damaged: {trouble}")
        rescued = count if k == before else rescued
    if not rescued:
        del index.chunks[before:]
    rest = f"{file.size - good} bytes from byte {good} on are no whole record ({problem})"
    if rescued:
        rest += f"; {rescued} messages were read from them, without a checksum"
    index.lose(-1, f"it was not closed: its writer was stopped, or it was cut; {rest}")
