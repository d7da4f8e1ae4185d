"""Activities of preparation: writing equations and compiling, with their time and who is told of them.

    with Activity("compiling forward_dynamics"): ...
    preparation_seconds()      how long this thread has prepared so far; activities within others count once
    with told(listener): ...   listener(text) is called when an activity begins or ends in this thread
    advanced(3, 12)            3 of 12 parts of what this thread is doing are done

An interruption by the user gets a note that says what was being done. On a terminal an activity that nobody
listens to shows a bar by itself, after a second.
"""

import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Self

Listener = Callable[[str], None]
Counter = Callable[[int, int], None]


class _Thread(threading.local):
    """What a thread is doing, and has done."""

    def __init__(self) -> None:
        self.texts: list[str] = []  # of the activities under way, the outermost first
        self.began = self.seconds = 0.0
        self.listeners: list[Listener] = []
        self.counters: list[Counter] = []
        self.bar: Any = None  # of an activity that nobody listens to


_thread = _Thread()


class Activity:
    """A context in which this thread prepares something; the text says what."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __enter__(self) -> Self:
        if not _thread.texts:
            _thread.began = time.perf_counter()
            if not _thread.listeners and _is_watched():
                from hapsis.compiler.ir.functions.progress_bar import Bar

                _thread.bar = Bar(None).__enter__()
        _thread.texts.append(self.text)
        try:
            _tell()
        except BaseException as error:  # Ctrl-C also arrives here
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> None:
        _thread.texts.pop()
        if not _thread.texts:
            _thread.seconds += time.perf_counter() - _thread.began
            if _thread.bar is not None:
                _thread.bar.__exit__(kind, error, trace)
                _thread.bar = None
        if isinstance(error, KeyboardInterrupt) and not hasattr(error, "__notes__"):
            error.add_note(f"while {self.text}")
        if error is None:
            _tell()


def preparation_seconds() -> float:
    """How long this thread has prepared so far, s."""
    under_way = time.perf_counter() - _thread.began if _thread.texts else 0.0
    return _thread.seconds + under_way


@contextmanager
def told(listener: Listener, counter: Counter | None = None) -> Generator[None]:
    """A context in which the listener is called with the text of each activity; with "" after the last.

    counter    called with how many parts of an activity are done, and how many there are
    """
    _thread.listeners.append(listener)
    if counter is not None:
        _thread.counters.append(counter)
    try:
        yield
    finally:
        _thread.listeners.remove(listener)
        if counter is not None:
            _thread.counters.remove(counter)


def advanced(done: int, parts: int) -> None:
    """Tells those who count that so many parts of what this thread is doing are done."""
    for counter in _thread.counters:
        counter(done, parts)


def _is_watched() -> bool:
    """Whether this is the main thread of a process with a terminal."""
    if threading.current_thread() is not threading.main_thread():
        return False
    return sys.stderr is not None and sys.stderr.isatty()  # pyright: ignore[reportUnnecessaryComparison]


def _tell() -> None:
    for listener in _thread.listeners:
        listener(_thread.texts[-1] if _thread.texts else "")
