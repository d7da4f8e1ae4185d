"""Calls a function before the process ends, so that a loop or a recording is stopped properly.

    SIGTERM, SIGHUP            `stop` first, then the signal has its usual effect
    end of the interpreter     `stop` first, also after an exception

Control-C is an exception in Python already. Against SIGKILL only the device's own watchdog helps.
"""

import atexit
import contextlib
import os
import signal
import threading
from collections.abc import Callable
from typing import Any

SIGNALS = ("SIGTERM", "SIGHUP")  # SIGHUP: the terminal was closed; not on Windows


class Shutdown:
    """Calls `stop` when the process ends, from `register` until `unregister`."""

    def __init__(self, stop: Callable[[], Any]) -> None:
        self.stop = stop
        self._before: dict[int, Any] = {}

    def register(self) -> None:
        """Begins to handle signals and the end of the interpreter."""
        atexit.register(self._at_exit)
        if threading.current_thread() is not threading.main_thread():
            return  # only the main thread may set signal handlers
        for name in SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._on_signal)

    def unregister(self) -> None:
        """Restores what was before. A handler that replaced ours meanwhile stays."""
        atexit.unregister(self._at_exit)
        for number, before in self._before.items():
            with contextlib.suppress(ValueError):  # not in the main thread
                if signal.getsignal(number) == self._on_signal:
                    signal.signal(number, signal.SIG_DFL if before is None else before)

    def _on_signal(self, number: int, frame: Any) -> None:
        try:
            self.stop()
        finally:
            self.unregister()
            os.kill(os.getpid(), number)

    def _at_exit(self) -> None:
        with contextlib.suppress(Exception):
            self.stop()
