"""Values derived from a Model and stored with it, each computed once.

A Model is immutable, so what follows from it alone (its posed tree, equations, native code, tables) is
computed once and stored until the model is deleted. An unpickled model starts without them. Keys are
compared by equality: use the function that computes the value, or a tuple that begins with a text
unique to the caller, so that two callers never share a key by accident.
"""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from hapsis.mechanics.model.model import DERIVED, Model

T = TypeVar("T")


def derived(model: Model, key: Hashable, make: Callable[[], T]) -> T:
    """The value stored with the model under this key; `make` computes it on first use.

    If two threads ask at the same time, both may compute it, and both get the first one stored.
    """
    values: dict[Hashable, Any] = model.__dict__.setdefault(DERIVED, {})
    if key not in values:
        values.setdefault(key, make())
    return values[key]
