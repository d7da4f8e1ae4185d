"""Calls a function before the process ends, so that a loop or a recording is stopped properly.

    SIGTERM, SIGHUP            `stop` first, then the signal has its usual effect
    end of the interpreter     `stop` first, also after an exception

This holds in every thread; in the main thread by handlers of Python, elsewhere by `signal_watch`.
Control-C is an exception in Python already. Against SIGKILL only the device's own watchdog helps.
A process that is forked meanwhile has neither the threads nor the right to stop them: there all
this is undone, and `elsewhere` is true.
"""

import atexit
import contextlib
import os
import signal
import threading
from collections.abc import Callable
from typing import Any

from hapsis.touch.realtime.signal_watch import signal_watch, the_watch

SIGNALS = ("SIGTERM", "SIGHUP")  # SIGHUP: the terminal was closed; not on Windows
_registered: list["Shutdown"] = []  # in this order
_fork = threading.local()  # mask: the signals that were blocked before a fork in this thread


def numbers() -> list[int]:
    """The numbers of the signals that this system has."""
    return [int(getattr(signal, name)) for name in SIGNALS if hasattr(signal, name)]


class Shutdown:
    """Calls `stop` when the process ends, from `register` until `unregister`."""

    def __init__(self, stop: Callable[[], Any]) -> None:
        self.stop = stop
        self._before: dict[int, Any] = {}
        self._process: int | None = None  # that registered

    @property
    def elsewhere(self) -> bool:
        """Whether this process was forked from the one that registered."""
        return self._process not in (None, os.getpid())

    def register(self) -> None:
        """Begins to handle signals and the end of the interpreter."""
        self._process = os.getpid()
        _registered.append(self)
        atexit.register(self._at_exit)
        if threading.current_thread() is not threading.main_thread():
            signal_watch(numbers()).add(self.stop)  # only the main thread may set handlers in Python
            return
        for number in numbers():
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._on_signal)

    def unregister(self) -> None:
        """Restores what was before. A handler that replaced ours meanwhile stays."""
        if not self.elsewhere:
            self._process = None
        if self in _registered:
            _registered.remove(self)
        atexit.unregister(self._at_exit)
        watch = the_watch()
        if watch is not None:
            watch.remove(self.stop)
        for number, before in self._before.items():
            with contextlib.suppress(ValueError):  # not in the main thread
                if signal.getsignal(number) == self._on_signal:
                    signal.signal(number, signal.SIG_DFL if before is None else before)
        if watch is not None:
            watch.install()  # others may still need it

    def _on_signal(self, number: int, frame: Any) -> None:
        watch = the_watch()
        try:
            if watch is not None:
                watch.call_all()
            self.stop()
        finally:
            self.unregister()
            os.kill(os.getpid(), number)

    def _at_exit(self) -> None:
        with contextlib.suppress(Exception):
            self.stop()


def _block_signals() -> None:
    """Lets signals wait during a fork: Python drops those that reach a child before it has begun."""
    _fork.mask = signal.pthread_sigmask(signal.SIG_BLOCK, numbers()) if _registered else None


def _unblock_signals() -> None:
    """Signals arrive again."""
    mask, _fork.mask = _fork.mask, None
    if mask is not None:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _forget_all() -> None:
    """Undoes all registrations, the last one first; called in a process that was forked."""
    for each in reversed(list(_registered)):
        each.unregister()
    _unblock_signals()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(before=_block_signals, after_in_parent=_unblock_signals, after_in_child=_forget_all)
