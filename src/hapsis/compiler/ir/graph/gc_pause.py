"""A pause of garbage collection, for code that creates hundreds of thousands of nodes and texts."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Generator[None]:
    """A context without garbage collection: compilation creates many objects and hardly any cycles."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
