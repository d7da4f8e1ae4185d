"""Immutable: the base of objects that never change, so that a copy of one is the object itself."""

from typing import Any, Self


class Immutable:
    """An object that never changes: `copy.copy` and `copy.deepcopy` return it as it is."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self
