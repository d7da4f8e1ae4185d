"""What is computed from a Model and kept with it: one place for all such values.

A Model never changes, so whatever follows from it alone (its posed tree, equations, native code,
tables) is made once and kept until the model itself is deleted. A copy of a model, or one that was
pickled, starts without them. Keys are compared by equality: take the function that makes the value,
or a tuple that begins with a text of its own, so that no two callers share a key by accident.
"""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from hapsis.mechanics.model.model import DERIVED, Model

T = TypeVar("T")


def derived(model: Model, key: Hashable, make: Callable[[], T]) -> T:
    """The value kept with the model under this key; `make` is called on first use.

    If two threads ask at the same time both may make it, and both get the first one finished.
    """
    values: dict[Hashable, Any] = model.__dict__.setdefault(DERIVED, {})
    if key not in values:
        values.setdefault(key, make())
    return values[key]
