"""The supervisor: a second thread that takes the force away when the loop stands still.

The loop publishes a number that changes with every command. If it does not change, the supervisor
requests a stop of the guard, so that the fault is latched if the loop goes on, and takes the force
away itself, from what the device has, in steps that the guard allows. It begins the earlier the more
force there is, so that nothing is left when the limit is over. Watching and writing are native:
Python code that holds the interpreter's lock does not delay them.

    with Supervisor(beat, write=device.write, axes=len(device.axes), guard=guard):
        ...

It does not write while the loop is inside the device's `write`: two commands at once may be too
much for a driver, and the older one could arrive last. It does not help if the whole process is
stopped or killed. Against both the device needs a watchdog of its own.
"""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import (
    Array,
    Ints,
    Kernel,
    claim,
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
from hapsis.touch.realtime.guard_forces import fall, gone, part_within
from hapsis.touch.realtime.guard_memory import STALLED, GuardMemory

# what `watch` answers
ALIVE, STILL, ENDED = 0, 1, 2
LOOKS = 25  # within the limit
SOONEST = 6  # it begins after this part of the limit at the earliest, and
PERIODS = 2  # so many periods
CHECKS = 2**40  # of one call: no need for the interpreter until something happens


@record
class WatchMemory:
    """What the supervisor works on; times in ns."""

    axes: int
    limit: int = constant()  # without a beat until the force has gone
    soonest: int = constant()  # without a beat until it begins to go, at least
    pause: int = constant()  # between two looks
    period: int = constant()  # between two commands
    writes: bool = constant(True)
    beat: Ints = later()  # one number, published by the loop
    write: Kernel
    guard: GuardMemory
    end: int = 0  # published: 1 ends the watch
    seen: int = 0  # the last beat
    when: int = 0  # it came
    awake: bool = False  # a beat came since the last stall
    stalls: int = 0
    t: float = 0.0
    command: Array = sized("axes")


@native
def watch(watched: WatchMemory, checks: int) -> int:
    """Looks so many times; STILL if the beat did not change: the force has gone then.

    Before the first beat, while it is 0, and after a stall until the next one, nothing is expected.
    """
    for _ in range(checks):
        if observe(place(watched, "end"), 0) != 0:
            return ENDED
        now = clock()
        beat = observe(watched.beat, 0)
        if beat == 0:
            watched.seen = 0
            watched.awake = False
        elif beat != watched.seen:
            watched.seen = beat
            watched.when = now
            watched.awake = True
        elif watched.awake and now - watched.when >= patience(watched):
            watched.awake = False
            watched.stalls += 1
            publish(place(watched.guard, "stop_request"), 0, STALLED)
            if watched.writes:
                take_force(watched)
            return STILL
        wait_until(now + watched.pause)
    return ALIVE


@native
def patience(watched: WatchMemory) -> int:
    """How long a beat may be missing: the limit, less the time that the force needs to go."""
    steps = 1.0 / part_within(watched.guard, watched.guard.force, watched.guard.max_step)
    more = int(steps - 1e-9)  # after the first one
    return max(watched.soonest, watched.limit - more * watched.period)


@native
def take_force(watched: WatchMemory) -> None:
    """Takes the force away, a step in every period, until it has gone or the loop goes on."""
    began = clock()
    while True:
        if claim(place(watched.guard, "writer"), 0):
            fall(watched.guard, watched.command)
            watched.write(place(watched, "t"), watched.command)
            nothing_left = gone(watched.guard)
            publish(place(watched.guard, "writer"), 0, 0)
            if nothing_left:
                return
        elif clock() - began >= watched.limit:
            return  # the loop does not come back from the device's `write`
        wait_until(clock() + watched.period)
        if observe(place(watched, "end"), 0) != 0 or observe(watched.beat, 0) != watched.seen:
            return


@native
def note_stopped(guard: GuardMemory) -> None:
    """The device has no force any more, by other means than its `write`."""
    if claim(place(guard, "writer"), 0):
        for j in range(guard.axes):
            guard.force[j] = 0.0
        publish(place(guard, "writer"), 0, 0)


@native
def write_nothing(t: Array, command: Array) -> None:
    """Writes to no device."""
    pass


@verb
class Supervisor:
    """Watches `beat[place]` from a thread of its own, from `with` or `start` until `close`.

        limit    s: the force has gone so long after the last beat, or earlier; but the supervisor
                 waits for a sixth of it and for two periods of the guard
        write    the device's kernel (t, command): called natively, last with zeros
        axes     how many
        stop     a Python function called instead or afterwards: the device's emergency stop
        guard    whose fault is latched, cause 10, and whose steps are kept; without one the force
                 goes in one step
        prepare  called first in the thread: priority, pinning

    `stalls` counts; the exception that `stop` raised is in `problem`, and the watch goes on. `memory`
    is the record that native code works on.
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
        period = pause if guard is None else round(1e9 * guard.period)
        self.memory = WatchMemory(
            axes=axes,
            # a beat may be one look old when it is seen, and a look comes late: two looks to spare
            limit=(LOOKS - 2) * pause,
            soonest=max((LOOKS // SOONEST) * pause, PERIODS * period),
            pause=pause,
            period=period,
            writes=write is not None,
            beat=beat[place : place + 1],
            seen=beat[place],
            write=write_nothing.bound(vary=("t", "command")) if write is None else write,
            guard=GuardMemory(axes=axes) if guard is None else guard.memory,
        )

    @property
    def stalls(self) -> int:
        """How often the loop stood still."""
        return int(self.memory.stalls)

    def start(self) -> "Supervisor":
        """Starts watching."""
        if self._thread is not None:
            raise DeviceError("the supervisor watches already")
        publish(place(self.memory, "end"), 0, 0)
        _ = watch.address  # compiled here, not in the thread
        self._thread = threading.Thread(target=self._run, name="supervisor", daemon=True)
        self._thread.start()
        return self

    def close(self) -> None:
        """Ends the watch; to be called before the loop ends, as that looks like a stall."""
        publish(place(self.memory, "end"), 0, 1)
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
        while (answer := watch(self.memory, CHECKS)) != ENDED:
            if answer == STILL and self.stop is not None:
                self._emergency_stop(self.stop)

    def _emergency_stop(self, stop: Callable[[], Any]) -> None:
        try:
            stop()
            note_stopped(self.memory.guard)
        except Exception as problem:
            self.problem = problem
            notice(f"the emergency stop failed: {type(problem).__name__}: {problem}")
