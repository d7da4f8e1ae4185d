"""The supervisor: a second thread that takes the force away when the loop stands still.

The loop publishes a number that changes with every tick. If it does not change, the supervisor
writes zero to the device and requests a stop of the guard, so that the fault is latched if the loop
goes on. Watching and writing are native: Python code that holds the interpreter's lock does not
delay them.

    with Supervisor(beat, 0, write=device.write, axes=len(device.axes), guard=guard):
        ...

It does not help if the whole process is stopped or killed; against that the device needs a watchdog
of its own.
"""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.compiler.native import (
    Array,
    Ints,
    Kernel,
    clock,
    constant,
    later,
    native,
    observe,
    place,
    publish,
    record,
    sized,
    wait_until,
)
from hapsis.errors import DeviceError, notice
from hapsis.touch.realtime.guard_memory import STALLED, GuardMemory

# what `watch` answers
ALIVE, STILL, ENDED = 0, 1, 2
LOOKS = 25  # within the limit
CHECKS = 2**40  # of one call: no need for the interpreter until something happens


@record
class WatchMemory:
    """What the supervisor works on; times in ns."""

    axes: int
    limit: int = constant()  # without a beat until the force is taken away
    pause: int = constant()  # between two looks
    beat: Ints = later()  # one number, published by the loop
    write: Kernel
    guard: GuardMemory
    end: int = 0  # published: 1 ends the watch
    seen: int = 0  # the last beat
    when: int = 0  # it came
    awake: bool = False  # a beat came since the last stall
    stalls: int = 0
    t: float = 0.0
    zero: Array = sized("axes")


@native
def watch(watched: WatchMemory, checks: int) -> int:
    """Looks so many times; STILL if the beat did not change for `limit`: the force is gone then.

    Before the first beat, and after a stall until the next one, nothing is expected.
    """
    for _ in range(checks):
        if observe(place(watched, "end"), 0) != 0:
            return ENDED
        now = clock()
        beat = observe(watched.beat, 0)
        if beat != watched.seen:
            watched.seen = beat
            watched.when = now
            watched.awake = True
        elif watched.awake and now - watched.when >= watched.limit:
            watched.awake = False
            watched.stalls += 1
            publish(place(watched.guard, "stop_request"), 0, STALLED)
            watched.write(place(watched, "t"), watched.zero)
            return STILL
        wait_until(now + watched.pause)
    return ALIVE


@native
def write_nothing(t: Array, command: Array) -> None:
    """Writes to no device."""
    pass


class Supervisor:
    """Watches `beat[place]` from a thread of its own, from `with` or `start` until `close`.

        limit    s: the force is gone so long after the last beat, or earlier
        write    the device's kernel (t, command): called with zeros, natively
        axes     how many
        stop     a Python function called instead or afterwards: the device's emergency stop
        guard    whose fault is latched, cause 10
        prepare  called first in the thread: priority, pinning

    `stalls` counts; the exception that `stop` raised is in `problem`, and the watch goes on.
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
        self.limit, self.stop, self.prepare = limit, stop, prepare
        self.problem: BaseException | None = None
        self._thread: threading.Thread | None = None
        pause = int(1e9 * limit) // LOOKS
        self._watched = WatchMemory(
            axes=axes,
            # a beat may be one look old when it is seen, and a look comes late: two looks to spare
            limit=(LOOKS - 2) * pause,
            pause=pause,
            beat=beat[place : place + 1],
            seen=beat[place],
            write=write_nothing.bound(vary=("t", "command")) if write is None else write,
            guard=GuardMemory() if guard is None else guard.memory,
        )

    @property
    def stalls(self) -> int:
        """How often the loop stood still."""
        return int(self._watched.stalls)

    def start(self) -> "Supervisor":
        """Starts watching."""
        if self._thread is not None:
            raise DeviceError("the supervisor watches already")
        publish(place(self._watched, "end"), 0, 0)
        _ = watch.address  # compiled here, not in the thread
        self._thread = threading.Thread(target=self._run, name="supervisor", daemon=True)
        self._thread.start()
        return self

    def close(self) -> None:
        """Ends the watch; to be called before the loop ends, as that looks like a stall."""
        publish(place(self._watched, "end"), 0, 1)
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def __enter__(self) -> "Supervisor":
        return self.start()

    def __exit__(self, *problem: object) -> None:
        self.close()

    def _run(self) -> None:
        """Watches until the end; the target of the thread."""
        if self.prepare is not None:
            self.prepare()
        while (answer := watch(self._watched, CHECKS)) != ENDED:
            if answer == STILL and self.stop is not None:
                self._emergency_stop(self.stop)

    def _emergency_stop(self, stop: Callable[[], Any]) -> None:
        try:
            stop()
        except Exception as problem:
            self.problem = problem
            notice(f"the emergency stop failed: {type(problem).__name__}: {problem}")
