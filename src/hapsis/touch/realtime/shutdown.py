"""What runs is ended softly when the process is told to end, or ends by itself.

    SIGTERM, SIGHUP    first `stop`, then the signal does what it would have done
    the interpreter    `stop` before it goes, after an exception too

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


class Ending:
    """Calls `stop` when the end comes, from `begin` until `end`."""

    def __init__(self, stop: Callable[[], Any]) -> None:
        self.stop = stop
        self._before: dict[int, Any] = {}

    def begin(self) -> None:
        """From now on."""
        atexit.register(self._last)
        if threading.current_thread() is not threading.main_thread():
            return  # only the main thread may say what a signal does
        for name in SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._told)

    def end(self) -> None:
        """No longer. A handler that somebody put over ours stays, and finds nothing to stop."""
        atexit.unregister(self._last)
        for number, before in self._before.items():
            with contextlib.suppress(ValueError):  # not in the main thread
                if signal.getsignal(number) == self._told:
                    signal.signal(number, signal.SIG_DFL if before is None else before)

    def _told(self, number: int, frame: Any) -> None:
        try:
            self.stop()
        finally:
            self.end()
            os.kill(os.getpid(), number)

    def _last(self) -> None:
        with contextlib.suppress(Exception):
            self.stop()
