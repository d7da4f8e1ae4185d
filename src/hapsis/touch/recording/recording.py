"""Recordings: what an MCAP file holds, as columns of numbers by name."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import DeviceError, near, notice
from hapsis.mechanics.model.result import Columns, Result
from hapsis.touch.recording.mcap_reader import FOREVER, Batch, Reader
from hapsis.touch.recording.mcap_records import Channel, Damaged
from hapsis.touch.recording.ros2_messages import Definition

EVENTS = "events"  # the stream of what happened
MOST_NUMBERS = 500_000_000  # of one stream, in memory
MOST_COLUMNS = 20_000
TOGETHER = 50_000_000  # bytes of messages that are made columns at once
DEEPEST = 16  # levels of a JSON message


class Recording:
    """A recording by name: `recording["loop"]` are the rows of the stream "loop", as a Result.

        names     the streams
        facts     {"run": {"model": ..., "version": ...}, ...}, as texts
        events    [{"t": ..., "kind": ..., ...}]: parameters changed, faults, ...
        complete  whether it was closed by its writer
        lost      sentences on what is missing; empty if nothing is

    A file whose writer was killed opens like any other; a notice tells what is lost. Rows are read
    when they are asked for.
    """

    def __init__(self, path: Any) -> None:
        self._reader = Reader(path)
        self.path = self._reader.path
        self.complete = self._reader.complete
        self._topics: dict[str, list[int]] = {}  # the channels of each; several may share one
        for number, channel in self._reader.channels.items():
            self._topics.setdefault(channel.topic.lstrip("/"), []).append(number)
        self.facts: Mapping[str, Mapping[str, str]] = dict(self._reader.metadata)
        if self.lost:
            notice(f"{self.path}: {self.lost[0]}")

    @property
    def lost(self) -> tuple[str, ...]:
        """What could not be read, in sentences; more may come to light as rows are read."""
        return tuple(self._reader.lost)

    @property
    def names(self) -> tuple[str, ...]:
        """The streams of numbers."""
        return tuple(name for name in self._topics if name != EVENTS)

    @property
    def events(self) -> list[dict[str, Any]]:
        """What happened, in order."""
        found = []
        for batch in self._batches(self._topics.get(EVENTS, []), 0, FOREVER):
            for message in batch.data:
                try:
                    event = json.loads(bytes(message))
                except (ValueError, RecursionError):
                    event = None
                if isinstance(event, dict):
                    found.append(event)
        return found

    def __getitem__(self, name: str) -> Result:
        return self.rows(name)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lstrip("/") in self._topics

    def rows(self, name: str, start: float | None = None, end: float | None = None) -> Result:
        """The rows of a stream, all or those of some seconds after the first message of all.

        `report["gaps"]` are the rows before which messages are missing, by their numbers.
        """
        numbers = self._numbers(name)
        zero = min((c.start for c in self._reader.chunks if not c.bare), default=0)
        first = 0 if start is None else zero + round(start * 1e9)
        last = FOREVER if end is None else zero + round(end * 1e9)
        try:
            times, columns, gaps = self._decoded(numbers, max(0, first), min(FOREVER, last))
        except Damaged as problem:
            raise self._wrong(f'the stream "{name[:60]}": {problem}') from None
        columns, units = _true_names(columns, self._reader.channels[numbers[0]])
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
        """Gives the file back."""
        self._reader.close()

    def __enter__(self) -> "Recording":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "complete" if self.complete else "not closed by its writer"
        return f"Recording({self.path.name!r}, {state}, {', '.join(self.names)})"

    def _wrong(self, what: str, expected: str | None = None) -> DeviceError:
        return DeviceError(what, where=str(self.path), expected=expected)

    def _numbers(self, name: str) -> list[int]:
        name = str(name)
        if name.lstrip("/") not in self._topics:
            known = ", ".join(self._topics) or "none"
            raise self._wrong(
                f'there is no stream "{name[:60]}"{near(name, self._topics)}', f"one of {known[:200]}"
            )
        return self._topics[name.lstrip("/")]

    def _batches(self, numbers: list[int], first: int, last: int) -> Any:
        for batch in self._reader.batches(first, last):
            if batch.channel in numbers:
                inside = (batch.times >= first) & (batch.times <= last)
                if inside.all():
                    yield batch
                elif inside.any():
                    yield Batch(batch.channel, *(x[inside] for x in batch[1:]))

    def _decoded(self, numbers: list[int], first: int, last: int) -> tuple[Any, dict[str, Any], list[int]]:
        """Times and columns of a stream, in the order of the times; and where rows are missing."""
        decoders: dict[int, Any] = {}
        for number in numbers:
            channel = self._reader.channels[number]
            decoders[number] = _decoder(channel, self._reader.schemas.get(channel.schema))
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
        together = np.concatenate(times)
        names = dict.fromkeys(name for part in parts for name in part)
        if len(names) > MOST_COLUMNS:
            raise Damaged(f"it has more than {MOST_COLUMNS} columns")
        found = {name: _joined(name, parts, times) for name in names}
        if (np.diff(together) < 0).any():
            order = np.argsort(together, kind="stable")
            together, found = together[order], {n: x[order] for n, x in found.items()}
        return together, found, gaps


def read_recording(path: Any) -> Recording:
    """A recording of ours or of others, from an MCAP file; see `Recording`."""
    return Recording(path)


def _merged(batches: Iterable[Batch]) -> Iterator[Batch]:
    """Neighbours of one channel and one length together: few large ones are read faster."""
    held: list[Batch] = []
    size = 0
    for batch in batches:
        if held and (size > TOGETHER or _kind(batch) != _kind(held[0])):
            yield _one(held)
            held, size = [], 0
        held.append(batch)
        size += batch.data.nbytes
    if held:
        yield _one(held)


def _kind(batch: Batch) -> tuple[int, int]:
    return batch.channel, batch.data.shape[1]


def _one(batches: list[Batch]) -> Batch:
    _, *parts = zip(*batches, strict=True)
    return Batch(batches[0].channel, *map(np.concatenate, parts))


def _joined(name: str, parts: list[dict[str, Any]], times: list[Any]) -> Any:
    return np.concatenate(
        [
            part[name] if name in part else np.full(len(t), np.nan)
            for part, t in zip(parts, times, strict=True)
        ]
    )


def _decoder(channel: Channel, schema: Any) -> Any:
    """What makes columns of messages."""
    if channel.encoding == "json":
        return _json
    if channel.encoding == "cdr" and schema is not None and schema.encoding == "ros2msg":
        definition = Definition(schema.data, schema.name)

        def decode(data: Any) -> dict[str, Any]:
            found = definition.columns(data)
            return found or _rows([definition.numbers(bytes(message)) for message in data])

        return decode
    raise Damaged(
        f'its messages are "{channel.encoding[:60]}", which is not read here; '
        'read are "json" and "cdr" with a "ros2msg" schema'
    )


def _json(data: Any) -> dict[str, Any]:
    rows: list[dict[str, float]] = []
    for message in data:
        row: dict[str, float] = {}
        try:
            _flatten(json.loads(bytes(message)), "", row, 0)
        except (ValueError, RecursionError):
            raise Damaged("a message is no JSON") from None
        rows.append(row)
    return _rows(rows)


def _flatten(x: Any, name: str, row: dict[str, float], depth: int) -> None:
    """The numbers of a JSON value, by the names on the way to them."""
    if isinstance(x, bool) or x is None or isinstance(x, str) or depth > DEEPEST:
        return
    if isinstance(x, int | float):
        try:
            row[name or "value"] = float(x)
        except OverflowError:
            raise Damaged("a number is too large") from None
        if len(row) > MOST_COLUMNS:
            raise Damaged(f"a message has more than {MOST_COLUMNS} numbers")
        return
    for key, value in x.items() if isinstance(x, dict) else enumerate(x):
        _flatten(value, f"{name}.{key}" if name else str(key), row, depth + 1)


def _rows(rows: list[dict[str, float]]) -> dict[str, Any]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: np.array([row.get(name, np.nan) for row in rows]) for name in names}


class _Names(NamedTuple):
    columns: dict[str, Any]
    units: dict[str, str]


def _true_names(columns: dict[str, Any], channel: Channel) -> _Names:
    """The columns under the names that our recorder noted, if it did."""
    try:
        told = json.loads(channel.metadata.get("columns", "null"))
        units = json.loads(channel.metadata.get("units", "{}"))
    except (ValueError, RecursionError):
        return _Names(columns, {})
    sound = isinstance(told, list) and all(isinstance(x, str) for x in told)
    if sound and not columns:  # no rows at all
        columns = dict.fromkeys(told, np.zeros(0))
    fields = [name for name in columns if not name.startswith("stamp.")]
    if not sound or len(told) != len(fields) or len(set(told)) < len(told):
        return _Names(columns, {})
    if not isinstance(units, dict) or not all(isinstance(x, str) for x in units.values()):
        units = {}
    found = {name: columns[field] for name, field in zip(told, fields, strict=True)}
    return _Names(found, units)
