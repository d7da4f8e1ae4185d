"""Real-time priority, locked memory and a core of its own for the thread of a loop.

Each answer is one line: empty if it is granted, else what is missing and how to get it.
"""

import contextlib
import ctypes
import os
import sys
import threading
from typing import NamedTuple

from hapsis.errors import DeviceError

FIFO = 80
ABOVE = FIFO + 1  # of the supervisor
LOCK_ALL = 3  # present and future memory
TIMER_SLACK = 29  # of prctl
_asked: list[int | None] = []  # one for each thread that has not ended yet
_counting = threading.Lock()


class Granted(NamedTuple):
    """What the system granted: for each a line on what is missing, empty if nothing is."""

    priority: str
    memory: str
    core: str

    @property
    def missing(self) -> tuple[str, ...]:
        """The lines that are not empty."""
        return tuple(line for line in self if line)

    @property
    def hard(self) -> bool:
        """Whether priority and memory are granted, so that hardware may be armed."""
        return not (self.priority or self.memory)


def ask(core: int | None = None) -> Granted:
    """What the system grants the calling thread; memory is locked for the whole process."""
    _remove_timer_slack()
    with _counting:
        _asked.append(core)
        return Granted(_priority(), _memory(), _core(core))


def release() -> None:
    """Ends what `ask` began; after the last thread the memory of the process is no longer locked."""
    with _counting, contextlib.suppress(AttributeError, OSError, IndexError):
        _asked.pop()
        if not _asked:
            ctypes.CDLL(None).munlockall()


def watch_over() -> None:
    """Lets the calling thread, which a loop's thread started, run while the loop does: with more
    priority, if the loop has any, and on all cores of the process."""
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setaffinity(0, os.sched_getaffinity(os.getpid()))
    with contextlib.suppress(AttributeError, OSError):
        if os.sched_getscheduler(0) == os.SCHED_FIFO:  # pyright: ignore
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(ABOVE))  # pyright: ignore


def _remove_timer_slack() -> None:
    """Makes timers of this thread exact: by default Linux lets a thread without priority sleep up to
    50 microseconds longer, to wake several at once."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(TIMER_SLACK, 1, 0, 0, 0)


def _priority() -> str:
    if not hasattr(os, "sched_setscheduler"):
        return f"no real-time priority on {sys.platform}: use Linux"
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(FIFO))  # pyright: ignore
    except PermissionError:
        return (
            'no real-time priority: add "@realtime - rtprio 90" to /etc/security/limits.conf '
            "and yourself to that group, or run as root"
        )
    except OSError as error:
        return f"no real-time priority: {error.strerror}"
    return ""


def _memory() -> str:
    try:
        library = ctypes.CDLL(None, use_errno=True)
        answer = library.mlockall(LOCK_ALL)
    except (AttributeError, OSError):
        return f"memory cannot be locked on {sys.platform}: use Linux"
    if answer != 0:
        return (
            'memory is not locked: add "@realtime - memlock unlimited" to '
            "/etc/security/limits.conf and yourself to that group, or run as root"
        )
    return ""


def _core(core: int | None) -> str:
    if core is None:
        return ""
    if not hasattr(os, "sched_setaffinity"):
        return f"threads cannot be pinned on {sys.platform}: use Linux"
    try:
        os.sched_setaffinity(0, {core})
    except OSError:
        allowed = ", ".join(map(str, sorted(os.sched_getaffinity(0))))
        return f"core {core} is not ours: the process may use {allowed}"
    return ""


def check_can_wait(paced: bool) -> None:
    """A DeviceError where a paced loop cannot wait for its next tick: everywhere but on Linux."""
    if paced and sys.platform != "linux":
        raise DeviceError(
            f"a loop waits for its ticks by clock_nanosleep of Linux, and this is {sys.platform}",
            remedy="use Linux, or paced=False with a simulated device",
        )
