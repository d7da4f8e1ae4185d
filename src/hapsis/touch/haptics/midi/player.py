"""A player: sends the notes of a running loop to a port, from a thread of its own.

It reads the ring of the loop's telemetry, as a recorder does. The loop never waits for it, and a port
that fails ends the player and nothing else.
"""

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import DeviceError, check_known, notice
from hapsis.touch.haptics.midi.strokes import Note, Strokes, check_unit, in_order, listed
from hapsis.touch.realtime.shutdown import Shutdown

if TYPE_CHECKING:
    from hapsis.touch.realtime.loop import Loop

EVERY = 0.002  # s between two looks at the ring


@verb
class Player:
    """Notes of a loop to a port, for `with Player(loop, keys, port): loop.run(10.0)`.

        loop     with a device connected
        keys     a `Key` or several; their signals are columns of the loop
        port     what `open_port` returns, or any object with `send(bytes)`

        notes    what was played so far, with the loop's times: `write` makes a file of it
        lost     rows that were overwritten before they were read
        failed   why the port could not be written any more, or None

    At the end notes that sound are ended. The port stays open. In a process that is forked meanwhile it
    does nothing.
    """

    def __init__(self, loop: "Loop", keys: Any, port: Any) -> None:
        if getattr(loop, "telemetry", None) is None:
            raise DeviceError("the loop has no device yet, so nothing sounds", remedy="connect one first")
        if not callable(getattr(port, "send", None)):
            raise DeviceError(f"{type(port).__name__} has no send: it is no port")
        self.notes: list[Note] = []
        self.lost, self.failed = 0, None
        self._keys, self._port = listed(keys), port
        columns = list(loop.columns)
        units: Any = getattr(loop, "units", {})
        for key in self._keys:
            check_unit(key, dict(units).get(key.speed, ""))
            for name in key.signals:
                check_known(name, columns, "the loop has no column {}", DeviceError)
        self._places = [[columns.index(name) for name in key.signals] for key in self._keys]
        self._time = columns.index("t")
        self._ring = loop.telemetry.reader(loop.telemetry.written)
        self._strokes = [Strokes(key) for key in self._keys]
        self._now = 0.0
        self._lock, self._done = threading.Lock(), threading.Event()
        self._thread: threading.Thread | None = None
        self._shutdown = Shutdown(self.close)

    def start(self) -> "Player":
        """Starts playing."""
        if self._thread is None and not self._done.is_set():
            self._shutdown.register()
            self._thread = threading.Thread(target=self._run, name="hapsis player", daemon=True)
            self._thread.start()
        return self

    def close(self) -> None:
        """Plays what is left and ends what sounds; the second call does nothing."""
        if self._done.is_set() or self._shutdown.elsewhere:
            return
        self._done.set()
        if self._thread is not None:
            self._shutdown.unregister()
            self._thread.join()
        self.play()
        with self._lock:
            self._send([note for one in self._strokes for note in one.silence(self._now)])

    def __enter__(self) -> "Player":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def play(self) -> None:
        """Sends the notes of all rows that are new; the thread does it every 2 ms."""
        with self._lock:
            rows, lost = self._ring.take()
            self.lost += lost
            if len(rows):
                self._now = float(rows[-1, self._time])
                found: list[Note] = []
                for strokes, places in zip(self._strokes, self._places, strict=True):
                    touch, speed, held = (np.ascontiguousarray(rows[:, k]) for k in places)
                    found += strokes.take(rows[:, self._time], touch, speed, held)
                self._send(in_order(found))

    def _run(self) -> None:
        """Plays until the end; the target of the thread."""
        while not self._done.wait(EVERY):
            self.play()

    def _send(self, found: list[Note]) -> None:
        for note in found:
            self.notes.append(note)
            if self.failed is None:
                try:
                    self._port.send(note.data)
                except Exception as problem:  # whatever a driver raises; the loop goes on
                    self.failed = f"{type(problem).__name__}: {problem}"
                    notice(f"the MIDI port fails, and nothing more is sent: {self.failed}")
