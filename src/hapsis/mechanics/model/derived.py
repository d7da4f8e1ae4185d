"""What is computed from a Model and kept with it: one place for all such values.

A Model never changes, so whatever follows from it alone (its equations, native code, tables) is
made once and kept until the model itself is deleted. Keys are compared by equality: take the
function that makes the value, or a tuple that begins with a text of its own, so that no two
callers share a key by accident.
"""

from collections.abc import Callable, Hashable
from typing import TypeVar

from hapsis.mechanics.model.model import Model

T = TypeVar("T")


def derived(model: Model, key: Hashable, make: Callable[[], T]) -> T:
    """The value kept with the model under this key; `make` is called on first use."""
    values = model.__dict__.setdefault("_derived", {})
    if key not in values:
        values[key] = make()
    return values[key]
