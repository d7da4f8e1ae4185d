"""Signals for what runs outside of the main thread.

Python lets only the main thread set handlers, and calls them there, between two of its instructions. So
here the handler is native: it writes the number of the signal into a pipe. A thread reads the pipe, calls
what shall be called before the process ends, and lets the signal have the effect that it had before.

Linux only, as the loop is. A process that is forked meanwhile has its handlers as they were before.
"""

import contextlib
import ctypes
import os
import signal
import threading
from collections.abc import Callable, Sequence
from typing import Any

from hapsis.compiler.backends.llvm.llvm_jit import cached_function

HANDLER = """\
declare i64 @write(i32, ptr, i64)
declare ptr @__errno_location()
define void @hs_signal(i32 %number) {{
  %where = call ptr @__errno_location()
  %before = load i32, ptr %where
  %memory = alloca i8
  %byte = trunc i32 %number to i8
  store i8 %byte, ptr %memory
  %written = call i64 @write(i32 {file}, ptr %memory, i64 1)
  store i32 %before, ptr %where
  ret void
}}
"""
IGNORED = 1  # SIG_IGN
ACTION = 64  # words, more than a struct sigaction has; its first one is the handler
FLAGS, RESTART = 17, 0x10000000  # the word of its flags; calls of the system go on behind the handler


class SignalWatch:
    """Calls functions when one of the signals comes, from a thread of its own."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = numbers
        self._calls: list[Callable[[], Any]] = []
        self._before: dict[int, Any] = {}  # struct sigaction
        self._lock = threading.RLock()
        self._file, write_end = os.pipe()
        os.set_blocking(write_end, False)
        self._code, self._handler = cached_function(HANDLER.format(file=write_end), "hs_signal")
        self._library = ctypes.CDLL(None, use_errno=True)
        threading.Thread(target=self._serve, name="hapsis signals", daemon=True).start()

    def add(self, call: Callable[[], Any]) -> None:
        """From now on calls this before a signal takes effect."""
        with self._lock:
            self._calls.append(call)
            self.install()

    def remove(self, call: Callable[[], Any]) -> None:
        """No longer; after the last one the handlers are as before."""
        with self._lock:
            if call in self._calls:
                self._calls.remove(call)
            if not self._calls:
                self.uninstall()

    def install(self) -> None:
        """Sets the native handler where it is not set, as long as there is something to call. A signal
        that is ignored stays so."""
        with self._lock:
            for number in self.numbers if self._calls else ():
                now = self._action(number)
                if now[0] not in (IGNORED, self._handler):
                    self._before[number] = now
                    ours = (ctypes.c_uint64 * ACTION)(self._handler)
                    ours[FLAGS] = RESTART
                    self._library.sigaction(number, ours, None)

    def uninstall(self) -> None:
        """Sets the handlers that were before. One that replaced ours meanwhile stays."""
        with self._lock:
            self.restore()

    def restore(self) -> None:
        """The same for a process that has one thread only."""
        for number, before in self._before.items():
            if self._action(number)[0] == self._handler:
                self._library.sigaction(number, before, None)
        self._before.clear()

    def _action(self, number: int) -> Any:
        """The struct sigaction of a signal."""
        action = (ctypes.c_uint64 * ACTION)()
        self._library.sigaction(number, None, action)
        return action

    def _serve(self) -> None:
        """Waits for signals; the target of the thread."""
        while number := os.read(self._file, 1)[0]:
            self.end(number)

    def end(self, number: int) -> None:
        """Calls everything, the last one first, and then lets the signal have its effect."""
        self.call_all()
        self.uninstall()
        os.kill(os.getpid(), number)

    def call_all(self) -> None:
        """Calls everything, the last one first; what one of them raises does not keep the others."""
        with self._lock:
            calls = self._calls[::-1]
        for call in calls:
            with contextlib.suppress(Exception):
                call()


_watch: list[SignalWatch] = []  # at most one


def signal_watch(numbers: Sequence[int]) -> SignalWatch:
    """The watch of this process."""
    if not _watch:
        _watch.append(SignalWatch(numbers))
    return _watch[0]


def the_watch() -> SignalWatch | None:
    """The watch of this process, if there is one."""
    return _watch[0] if _watch else None


def _forget() -> None:
    """In a forked process: the thread that reads the pipe is not there."""
    if _watch:
        _watch.pop().restore()


if hasattr(signal, "pthread_sigmask"):
    os.register_at_fork(after_in_child=_forget)
