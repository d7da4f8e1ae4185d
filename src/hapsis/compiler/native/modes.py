"""Modes of native functions: interpreted in this thread or not, with or without checked indices.

`HAPSIS_NATIVE=checked` makes every function check its indices in machine code too (see `faults`).
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from hapsis.compiler.backends.environment import choice

checked = choice("HAPSIS_NATIVE") == "checked"  # for the whole process

_thread = threading.local()


def as_python() -> bool:
    """Whether a native function runs as Python in this thread now."""
    return getattr(_thread, "python", False)


@contextmanager
def interpreted() -> Iterator[None]:
    """A context in which native functions run as Python in this thread."""
    before = as_python()
    _thread.python = True
    try:
        yield
    finally:
        _thread.python = before
