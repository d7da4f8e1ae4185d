"""Garbage collection held back while nodes and texts are made by the hundred thousand."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Generator[None]:
    """No garbage collection inside: a compile makes many objects and hardly any cycle."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
