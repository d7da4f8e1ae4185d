"""Activities of preparation: writing equations and compiling, with their time and who is told of them.

    with Activity("compiling forward_dynamics"): ...
    preparation_seconds()      how long this thread has prepared so far; activities within others count once
    with told(listener): ...   listener(text) is called when an activity begins or ends in this thread

An interruption by the user gets a note that says what was being done.
"""

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Self

Listener = Callable[[str], None]


class _Thread(threading.local):
    """What a thread is doing, and has done."""

    def __init__(self) -> None:
        self.texts: list[str] = []  # of the activities under way, the outermost first
        self.began = self.seconds = 0.0
        self.listeners: list[Listener] = []


_thread = _Thread()


class Activity:
    """A context in which this thread prepares something; the text says what."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __enter__(self) -> Self:
        if not _thread.texts:
            _thread.began = time.perf_counter()
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
        if isinstance(error, KeyboardInterrupt) and not hasattr(error, "__notes__"):
            error.add_note(f"while {self.text}")
        if error is None:
            _tell()


def preparation_seconds() -> float:
    """How long this thread has prepared so far, s."""
    under_way = time.perf_counter() - _thread.began if _thread.texts else 0.0
    return _thread.seconds + under_way


@contextmanager
def told(listener: Listener) -> Generator[None]:
    """A context in which the listener is called with the text of each activity; with "" after the last."""
    _thread.listeners.append(listener)
    try:
        yield
    finally:
        _thread.listeners.remove(listener)


def _tell() -> None:
    for listener in _thread.listeners:
        listener(_thread.texts[-1] if _thread.texts else "")
