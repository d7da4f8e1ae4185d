"""The supervisor: a second thread that takes the force away when the loop stands still.

The loop publishes a number that changes with every tick. If it does not change, the supervisor
writes zero to the device and leaves a letter for the guard, so that the loop, should it wake, finds
the fault latched. Watching and writing are native: Python code that keeps the interpreter for
itself does not delay them.

    with Supervisor(beat, 0, write=device.write, axes=len(device.axes), guard=guard):
        ...

What it cannot see: the whole process stopped or killed. That is the device's own watchdog's part.
"""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, Kernel, clock, native, observe, publish, wait_until
from hapsis.errors import DeviceError, notice
from hapsis.touch.realtime.guard_layout import STALLED, STOP

# what `watch` answers
ALIVE, STILL, ENDED = 0, 1, 2
# places in its memory: the last beat and when it came (ns), whether one came at all since the last
# stall, how many stalls, and the letter that ends the watch
SEEN, WHEN, AWAKE, STALLS, END, PLACES = range(6)
LOOKS = 25  # within the limit
CHECKS = 2**40  # of one call: no need for the interpreter until something happens


@native
def watch(
    write: Kernel,
    beat: Ints,
    place: int,
    limit: int,
    pause: int,
    checks: int,
    watched: Ints,
    letters: Ints,
    t: Array,
    zero: Array,
) -> int:
    """Looks so many times; STILL if the beat did not change for `limit` ns: the force is gone then.

    Before the first beat, and after a stall until the next one, nothing is expected.
    """
    for _ in range(checks):
        if observe(watched, END) != 0:
            return ENDED
        now = clock()
        value = observe(beat, place)
        if value != watched[SEEN]:
            watched[SEEN] = value
            watched[WHEN] = now
            watched[AWAKE] = 1
        elif watched[AWAKE] != 0 and now - watched[WHEN] >= limit:
            watched[AWAKE] = 0
            watched[STALLS] += 1
            publish(letters, STOP, STALLED)
            write(t, zero)
            return STILL
        wait_until(now + pause)
    return ALIVE


@native
def nothing(t: Array, command: Array) -> None:
    """Writes to no device."""
    pass


class Supervisor:
    """Watches `beat[place]` from a thread of its own, from `with` or `start` until `close`.

        limit    s: the force is gone so long after the last beat, or earlier
        write    the device's kernel (t, command): called with zeros, natively
        axes     how many
        stop     a Python callable instead of it or after it: the device's emergency stop
        guard    whose fault is latched, cause 10
        prepare  called first in the thread: priority, pinning

    `stalls` counts; what `stop` raised is in `problem`, and the watch goes on.
    """

    def __init__(
        self,
        beat: Ints,
        place: int = 0,
        *,
        limit: float = 0.025,
        write: Any = None,
        axes: int = 1,
        stop: Callable[[], Any] | None = None,
        guard: Any = None,
        prepare: Callable[[], Any] | None = None,
    ) -> None:
        if write is None and stop is None:
            raise DeviceError(
                "a supervisor needs a way to take the force away",
                expected="write=device.write or stop=a callable",
            )
        if not 0.001 <= limit <= 10.0:
            raise DeviceError(f"the limit of the supervisor is {limit!r:.40} s", expected="0.001 to 10")
        if not (isinstance(beat, np.ndarray) and beat.dtype == np.int64 and place < len(beat)):
            raise DeviceError("a heartbeat is a place in an array of int64")
        pause = int(1e9 * limit) // LOOKS
        self.limit, self.stop, self.prepare = limit, stop, prepare
        self.problem: BaseException | None = None
        self._watched = np.zeros(PLACES, np.int64)
        self._watched[SEEN] = beat[place]
        letters = np.zeros(STOP + 1, np.int64) if guard is None else guard.counts
        kernel = nothing.bound(vary=("t", "command")) if write is None else write
        # a beat may be one look old when it is seen, and a look comes late: two looks to spare
        self._arguments = (
            kernel,
            beat,
            place,
            (LOOKS - 2) * pause,
            pause,
            CHECKS,
            self._watched,
            letters,
            np.zeros(1),
            np.zeros(axes),
        )
        self._thread: threading.Thread | None = None

    @property
    def stalls(self) -> int:
        """How often the loop stood still."""
        return int(self._watched[STALLS])

    def start(self) -> "Supervisor":
        """Begins to watch."""
        if self._thread is not None:
            raise DeviceError("the supervisor watches already")
        publish(self._watched, END, 0)
        watch.machine()  # compiled here, not in the thread
        self._thread = threading.Thread(target=self._run, name="supervisor", daemon=True)
        self._thread.start()
        return self

    def close(self) -> None:
        """Ends the watch; before the loop ends, as that looks like a stall."""
        publish(self._watched, END, 1)
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def __enter__(self) -> "Supervisor":
        return self.start()

    def __exit__(self, *problem: object) -> None:
        self.close()

    def _run(self) -> None:
        if self.prepare is not None:
            self.prepare()
        while (answer := watch(*self._arguments)) != ENDED:
            if answer == STILL and self.stop is not None:
                self._stopped()

    def _stopped(self) -> None:
        assert self.stop is not None
        try:
            self.stop()
        except Exception as problem:
            self.problem = problem
            notice(f"the emergency stop failed: {type(problem).__name__}: {problem}")
