"""Calls a function before the process ends, so that a loop or a recording is stopped properly.

    SIGTERM, SIGHUP            `stop` first, then the signal has its usual effect
    end of the interpreter     `stop` first, also after an exception

This holds in every thread; in the main thread by handlers of Python, elsewhere by `signal_watch`.
Control-C is an exception in Python already. Against SIGKILL only the device's own watchdog helps.
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


def numbers() -> list[int]:
    """The numbers of the signals that this system has."""
    return [int(getattr(signal, name)) for name in SIGNALS if hasattr(signal, name)]


class Shutdown:
    """Calls `stop` when the process ends, from `register` until `unregister`."""

    def __init__(self, stop: Callable[[], Any]) -> None:
        self.stop = stop
        self._before: dict[int, Any] = {}

    def register(self) -> None:
        """Begins to handle signals and the end of the interpreter."""
        atexit.register(self._at_exit)
        if threading.current_thread() is not threading.main_thread():
            signal_watch(numbers()).add(self.stop)  # only the main thread may set handlers in Python
            return
        for number in numbers():
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._on_signal)

    def unregister(self) -> None:
        """Restores what was before. A handler that replaced ours meanwhile stays."""
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
