"""Calls a function before the process ends, so that a loop or a recording is stopped properly.

    SIGTERM, SIGHUP            `stop` first, then the signal has its usual effect
    end of the interpreter     `stop` first, also after an exception

This holds in every thread. Python lets only the main thread set handlers, and calls them there, between
two of its instructions. For other threads `SignalWatch` has a native handler: it writes the number of the
signal into a pipe. A thread reads the pipe, calls what shall be called before the process ends, and
lets the signal have the effect that it had before. That is so on Linux, where loops run; elsewhere signals
do not stop what was started outside of the main thread.

Control-C is an exception in Python already. Against SIGKILL only the device's own watchdog helps.
A process that is forked meanwhile has neither the threads nor the right to stop them: there all
this is undone, and `elsewhere` is true.
"""

import atexit
import contextlib
import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from hapsis.compiler.backends.llvm.small_functions import small_function

SIGNALS = ("SIGTERM", "SIGHUP")  # SIGHUP: the terminal was closed; not on Windows
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
_registered: list["Shutdown"] = []  # in this order
_watch: list["SignalWatch"] = []  # at most one
_fork = threading.local()  # mask: the signals that were blocked before a fork in this thread


def numbers() -> list[int]:
    """The numbers of the signals that this system has."""
    return [int(getattr(signal, name)) for name in SIGNALS if hasattr(signal, name)]


def _address(library: ctypes.CDLL, name: str) -> int:
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0


class SignalWatch:
    """Calls functions when one of the signals comes, from a thread of its own."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = numbers
        self._calls: list[Callable[[], Any]] = []
        self._before: dict[int, Any] = {}  # struct sigaction
        self._lock = threading.RLock()
        self._file, write_end = os.pipe()
        os.set_blocking(write_end, False)
        self._library = ctypes.CDLL(None, use_errno=True)
        text = HANDLER.format(file=write_end)
        imports = {name: _address(self._library, name) for name in ("write", "__errno_location")}
        self._code, self._handler = small_function("hs_signal", lambda: text, text, imports=imports)
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


def signal_watch(numbers: Sequence[int]) -> SignalWatch:
    """The watch of this process."""
    if not _watch:
        _watch.append(SignalWatch(numbers))
    return _watch[0]


def the_watch() -> SignalWatch | None:
    """The watch of this process, if there is one."""
    return _watch[0] if _watch else None


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
            if sys.platform == "linux":
                signal_watch(numbers()).add(self.stop)
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
    """Undoes all registrations, the last one first; called in a process that was forked, where the
    thread that reads the pipe is not."""
    if _watch:
        _watch.pop().restore()
    for each in reversed(list(_registered)):
        each.unregister()
    _unblock_signals()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(before=_block_signals, after_in_parent=_unblock_signals, after_in_child=_forget_all)
