"""Lists of names that users give: inputs, outputs, coordinates that lead."""

from collections.abc import Iterable
from typing import Any

from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import described


def distinct_names(entries: Any, what: str) -> tuple[str, ...]:
    """The names, each a text and there once; or an error that says what they are for."""
    if isinstance(entries, str) or not isinstance(entries, Iterable):
        raise ModelError(f"{what} must be names, not {described(entries)}")
    names = tuple(entries)
    for name in names:
        if not isinstance(name, str):
            raise ModelError(f"{what} must be names, not {described(name)}")
    if len(set(names)) < len(names):
        raise ModelError(f"{what} name something twice")
    return names
