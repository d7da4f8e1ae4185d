"""The recorder: writes the rows of rings into an MCAP file, from a thread of its own.

Twenty times a second it reads the new rows and writes them as one chunk: a program that is killed
loses less than a tenth of a second, on a busy machine less than a quarter. Another thread asks the
disk once a second to store them, against a loss of power. The loop never waits for the recorder.

Limit: while other code holds the interpreter's lock nothing is written. Rows wait in the ring.
"""

import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import DeviceError, notice
from hapsis.touch.realtime.shutdown import Shutdown
from hapsis.touch.recording import row_messages
from hapsis.touch.recording.mcap_writer import Writer
from hapsis.touch.recording.recording import EVENTS

EVERY = 0.05  # s between two chunks
SYNC = 1.0  # s between two requests to the disk
MOST_FAULTS = 100  # events of one chunk
LATEST = 1e9  # s after the start: a later time is not valid
EVENT = {
    "type": "object",
    "properties": {"t": {"type": "number"}, "kind": {"type": "string"}},
    "required": ["t", "kind"],
}


@verb
@dataclass
class Stream:
    """Rows to be recorded: a ring (any object whose `take()` gives the new rows and how many were
    lost before them), the names of its columns, one of them "t" in seconds, and their units."""

    ring: Any
    columns: Sequence[str]
    units: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.columns = tuple(str(name) for name in self.columns)
        if len(set(self.columns)) < len(self.columns):
            twice = next(n for n in self.columns if self.columns.count(n) > 1)
            raise DeviceError(f'two columns are called "{twice[:60]}"')
        if "t" not in self.columns:
            raise DeviceError(
                'no column is called "t", the time in seconds',
                expected=f"{', '.join(self.columns[:4])}, ..., t",
            )
        width = getattr(self.ring, "width", len(self.columns))
        if width != len(self.columns):
            raise DeviceError(f"{len(self.columns)} names for the {width} columns of a ring")


@verb
class Recorder:
    """A recording that is being made; `with Recorder(...)` starts and closes it.

        path      of the file; an existing file is kept as NAME.1, NAME.2, ..., and a notice tells it
        streams   {name: Stream}
        facts     {name: {key: value}}: written at the start of the file

        rows      {name: rows written}
        lost      {name: rows lost}: the ring was overwritten before it was read, or the file
                  could not be written
        failed    why the file could not be written any more, or None

    A full disk ends the recording with a notice and a valid file; the loop goes on. So does another
    program that deletes or cuts the file; if it moves the file, the recording goes on there.
    Two recorders cannot have one path. In a process that is forked meanwhile `close` does nothing.
    """

    def __init__(
        self, path: Any, streams: Mapping[str, Stream], facts: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        self._streams = dict(streams)
        self._file = Writer(path)
        self.path = self._file.path
        self.rows = dict.fromkeys(self._streams, 0)
        self.lost = dict.fromkeys(self._streams, 0)
        self.failed: str | None = None
        self._moved = False
        self._zero = time.time_ns()
        self._began = time.monotonic()
        self._lock = threading.Lock()  # of the file; the loop never takes it
        self._done = threading.Event()
        self._last = dict.fromkeys(self._streams, self._zero)
        self._fault = dict.fromkeys(self._streams, 0.0)
        for name, table in (facts or {}).items():
            self._file.metadata(name, {k: as_text(v) for k, v in table.items()})
        self._channels = {name: self._channel(name, x) for name, x in self._streams.items()}
        schema = self._file.schema("event", "jsonschema", json.dumps(EVENT).encode())
        self._events = self._file.channel(f"/{EVENTS}", schema, "json")
        self._threads = [
            threading.Thread(target=work, name="hapsis recorder", daemon=True)
            for work in (self._write_chunks, self._sync)
        ]
        self._shutdown = Shutdown(self.close)
        self._running = False

    def _channel(self, name: str, stream: Stream) -> int:
        """The number of a new channel for a stream."""
        text = row_messages.definition(stream.columns, stream.units)
        schema = self._file.schema(row_messages.type_name(name), row_messages.ENCODING, text)
        facts = row_messages.facts(stream.columns, stream.units)
        return self._file.channel(f"/{name}", schema, row_messages.MESSAGES, facts)

    def start(self) -> "Recorder":
        """Starts recording."""
        if not self._running and not self._done.is_set():
            self._running = True
            self._shutdown.register()
            for thread in self._threads:
                thread.start()
        return self

    def close(self) -> None:
        """Writes the rows that are left and closes the file; the second call does nothing."""
        if self._done.is_set() or self._shutdown.elsewhere:
            return
        self._done.set()
        if self._running:
            self._shutdown.unregister()
            for thread in self._threads:
                thread.join()
        if self.failed is None:
            self.flush()
        with self._lock:
            lost = {f"lost {name}": str(count) for name, count in self.lost.items()}
            rows = {f"rows {name}": str(count) for name, count in self.rows.items()}
            self._file.metadata("end", {**rows, **lost})
            self._file.close()
        self._check_file()

    def __enter__(self) -> "Recorder":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def event(self, kind: str, t: float | None = None, **facts: Any) -> None:
        """Records an event: a change of a parameter, a fault, a remark."""
        t = time.monotonic() - self._began if t is None else float(t)
        text = json.dumps({"t": t, "kind": str(kind), **{k: _json(v) for k, v in facts.items()}})
        self._check_process()
        with self._lock:
            self._file.message(self._events, self._zero + _nanoseconds(t), text.encode())

    def _write_chunks(self) -> None:
        """Writes chunks; the target of a thread."""
        try:
            while not self._done.wait(EVERY):
                self.flush()
        except Exception as problem:  # a ring failed: what is recorded is kept, the loop goes on
            self._file.failed = f"{type(problem).__name__}: {problem}"
            self._check_file()

    def _sync(self) -> None:
        """Waits for the disk; the target of a thread."""
        while not self._done.wait(SYNC):
            self._file.sync()

    def flush(self) -> None:
        """Writes all rows that are new, as one chunk."""
        self._check_process()
        for name, stream in self._streams.items():
            rows, lost = stream.ring.take()
            if lost:
                self.lost[name] += lost
                self.event("lost", stream=name, rows=lost, after=self.rows[name])
            if len(rows):
                self._write(name, stream, rows)
        with self._lock:
            self._file.flush()
        self._check_file()

    def _write(self, name: str, stream: Stream, rows: Any) -> None:
        times = self._times(name, rows[:, stream.columns.index("t")])
        with self._lock:
            self._file.messages(self._channels[name], times, row_messages.messages(rows, times))
        if self._file.failed is None:
            self.rows[name] += len(rows)
        else:
            self.lost[name] += len(rows)
        if "fault" in stream.columns:
            self._faults(name, stream, rows)

    def _times(self, name: str, t: Any) -> Any:
        """Times of messages in ns; a row without a valid time has that of the previous row."""
        good = np.isfinite(t) & (t >= 0.0) & (t <= LATEST)
        times = self._zero + np.rint(np.where(good, t, 0.0) * 1e9).astype(np.int64)
        if not good.all():
            before = np.maximum.accumulate(np.where(good, np.arange(len(t)), -1))
            times = np.where(before >= 0, times[np.maximum(before, 0)], self._last[name])
        self._last[name] = int(times[-1])
        return times

    def _faults(self, name: str, stream: Stream, rows: Any) -> None:
        """Records an event wherever the column "fault" changes."""
        t, faults = (rows[:, stream.columns.index(x)] for x in ("t", "fault"))
        changed = np.flatnonzero(np.diff(faults, prepend=self._fault[name]) != 0.0)
        self._fault[name] = float(faults[-1])
        for k in changed[:MOST_FAULTS]:
            self.event("fault", t=t[k], stream=name, code=float(faults[k]))

    def _check_process(self) -> None:
        """Raises an error in a process that was forked from that of the recorder."""
        if self._shutdown.elsewhere:
            raise DeviceError("another process records this file", where=str(self.path))

    def _check_file(self) -> None:
        """If a write has failed, closes the file and says so, once; so if the file was moved."""
        if self._file.moved and not self._moved and self._file.failed is None:
            self._moved = True
            notice(f"{self.path} was moved or replaced: the recording goes on in the file that was moved")
        if self._file.failed is None or self.failed is not None:
            return
        self.failed = self._file.failed
        with self._lock:
            self._file.close()
        for name, number in self._channels.items():
            written = self._file.written(number)
            self.lost[name] += self.rows[name] - written
            self.rows[name] = written
        kept = "what was recorded is kept" if self._file.size else "nothing of it is left"
        notice(f"{self.path}: the recording ends here: {self.failed}; {kept}")


def _nanoseconds(t: float) -> int:
    return round(t * 1e9) if np.isfinite(t) and 0.0 <= t <= LATEST else 0


def _json(x: Any) -> Any:
    """A value that JSON can hold; a number that is not finite becomes text."""
    if isinstance(x, bool | str | int) or x is None:
        return x
    if isinstance(x, float | np.generic):
        return float(x) if np.isfinite(x) else str(float(x))
    return str(x)


def as_text(x: Any) -> str:
    """A fact as text: JSON unless it is text already."""
    return x if isinstance(x, str) else json.dumps(x, default=str)
