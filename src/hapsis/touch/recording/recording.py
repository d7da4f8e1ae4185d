"""Recordings: the streams of an MCAP file as columns of numbers by name."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import DeviceError, near, notice
from hapsis.mechanics.formats.json_text import json_value
from hapsis.mechanics.model.result import Columns, Result
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.recording.mcap_chunks import FOREVER, Batch
from hapsis.touch.recording.mcap_file import Closing
from hapsis.touch.recording.mcap_reader import Reader
from hapsis.touch.recording.mcap_records import Damaged
from hapsis.touch.recording.message_columns import decoder, joined, original_names

EVENTS = "events"  # the stream of events
MOST_NUMBERS = 500_000_000  # of one stream, in memory
TOGETHER = 50_000_000  # bytes of messages that are decoded at once


@verb
class Recording(Closing):
    """A recording that is open for reading: `recording["loop"]` gives the rows of the stream "loop"
    as a Result.

        names     the names of the streams
        facts     {"run": {"model": ..., "version": ...}, ...}, as texts
        events    [{"t": ..., "kind": ..., ...}]: changes of parameters, faults, ...
        complete  whether the file was closed by its writer
        lost      sentences on what is missing; empty if nothing is

    A file whose writer was killed opens like any other; a notice tells what is missing. Rows are
    read when they are asked for.
    """

    def __init__(self, path: Any) -> None:
        self._reader = Reader(path)
        self.path = self._reader.path
        self._index = self._reader.index
        self.complete = self._index.complete
        self._topics: dict[str, list[int]] = {}  # the channels of each; several may share one
        for number, channel in self._index.channels.items():
            self._topics.setdefault(channel.topic.lstrip("/"), []).append(number)
        self.facts: Mapping[str, Mapping[str, str]] = dict(self._index.metadata)
        if self.lost:
            notice(f"{self.path}: {self.lost[0]}")

    @property
    def lost(self) -> tuple[str, ...]:
        """Sentences on what could not be read so far; reading rows may add some."""
        return tuple(self._index.lost)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the streams of numbers."""
        return tuple(name for name in self._topics if name != EVENTS)

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events, in order."""
        events = []
        for batch in self._batches(self._topics.get(EVENTS, []), 0, FOREVER):
            for message in batch.data:
                try:
                    event = json_value(bytes(message))
                except ValueError:
                    event = None
                if isinstance(event, dict):
                    events.append(event)
        return events

    def __getitem__(self, name: str) -> Result:
        return self.rows(name)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lstrip("/") in self._topics

    def rows(self, name: str, start: float | None = None, end: float | None = None) -> Result:
        """The rows of a stream, all or those from `start` to `end`, in seconds after the first message
        of the file.

        `report["gaps"]` are the rows before which messages are missing by their sequence numbers.
        """
        numbers = self._numbers(name)
        zero = min((c.start for c in self._index.chunks if not c.bare), default=0)
        first = 0 if start is None else zero + round(real(start, "start") * 1e9)
        last = FOREVER if end is None else zero + round(real(end, "end") * 1e9)
        try:
            times, columns, gaps = self._decoded(numbers, max(0, first), min(FOREVER, last))
        except Damaged as problem:
            raise self._error(f'the stream "{name[:60]}": {problem}') from None
        columns, units = original_names(columns, self._index.channels[numbers[0]])
        t = columns.pop("t", None)
        if t is None:
            t = (times - times[:1].astype(np.int64)) * 1e-9 if len(times) else times.astype(float)
        return Result(
            t=t,
            columns=Columns([(tuple(columns), columns)]),
            units=units,
            title=name,
            message=f"{len(t)} rows of {self.path.name}",
            warnings=self.lost,
            report={"gaps": gaps},
        )

    def close(self) -> None:
        """Closes the file."""
        self._reader.close()

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.names)

    def __repr__(self) -> str:
        state = "complete" if self.complete else "not closed by its writer"
        return f"Recording({self.path.name!r}, {state}, {', '.join(self.names)})"

    def _error(self, what: str, expected: str | None = None) -> DeviceError:
        return DeviceError(what, where=str(self.path), expected=expected)

    def _numbers(self, name: str) -> list[int]:
        name = str(name)
        if name.lstrip("/") not in self._topics:
            known = ", ".join(self._topics) or "none"
            raise self._error(
                f'there is no stream "{name[:60]}"{near(name, self._topics)}', f"one of {known[:200]}"
            )
        return self._topics[name.lstrip("/")]

    def _batches(self, numbers: list[int], first: int, last: int) -> Iterator[Batch]:
        """The messages of some channels and times."""
        for batch in self._reader.batches(first, last):
            if batch.channel in numbers:
                inside = (batch.times >= first) & (batch.times <= last)
                if inside.all():
                    yield batch
                elif inside.any():
                    yield Batch(batch.channel, *(x[inside] for x in batch[1:]))

    def _decoded(self, numbers: list[int], first: int, last: int) -> tuple[Any, dict[str, Any], list[int]]:
        """Times and columns of a stream, in the order of the times, and the rows before gaps."""
        decoders: dict[int, Any] = {}
        for number in numbers:
            channel = self._index.channels[number]
            decoders[number] = decoder(channel, self._index.schemas.get(channel.schema))
        times: list[Any] = []
        parts: list[dict[str, Any]] = []
        gaps: list[int] = []
        expected = dict.fromkeys(numbers, 0)
        count = rows = 0
        for batch in _merged(self._batches(numbers, first, last)):
            parts.append(decoders[batch.channel](batch.data))
            times.append(batch.times.astype(np.int64))
            steps = np.diff(batch.sequence.astype(np.int64), prepend=expected[batch.channel] - 1)
            gaps += (rows + np.flatnonzero(steps > 1)).tolist()
            expected[batch.channel] = int(batch.sequence[-1]) + 1
            rows += len(batch.times)
            count += len(batch.times) * max(1, len(parts[-1]))
            if count > MOST_NUMBERS:
                raise Damaged(f"it has more than {MOST_NUMBERS} numbers: ask for less time")
        if not parts:
            return np.zeros(0, np.int64), {}, []
        all_times = np.concatenate(times)
        columns = joined([(part, len(t)) for part, t in zip(parts, times, strict=True)])
        if (np.diff(all_times) < 0).any():
            order = np.argsort(all_times, kind="stable")
            all_times, columns = all_times[order], {n: x[order] for n, x in columns.items()}
        return all_times, columns, gaps


@verb
def read_recording(path: Any) -> Recording:
    """The recording in an MCAP file, written by us or by others; see `Recording`."""
    return Recording(path)


def _merged(batches: Iterable[Batch]) -> Iterator[Batch]:
    """The same messages, neighbours of one channel and one length together: read faster."""
    group: list[Batch] = []
    size = 0
    for batch in batches:
        if group and (size > TOGETHER or not _alike(batch, group[0])):
            yield _concatenated(group)
            group, size = [], 0
        group.append(batch)
        size += batch.data.nbytes
    if group:
        yield _concatenated(group)


def _alike(first: Batch, second: Batch) -> bool:
    return (first.channel, first.data.shape[1]) == (second.channel, second.data.shape[1])


def _concatenated(batches: list[Batch]) -> Batch:
    _, *parts = zip(*batches, strict=True)
    return Batch(batches[0].channel, *map(np.concatenate, parts))
