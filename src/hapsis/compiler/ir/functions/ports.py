"""Ports: the named inputs and outputs of Functions."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, overload

import numpy as np


class UnwrittenRefs(Sequence[int]):
    """The references of a port whose graph is not written yet: their number is known, they are not.

    Reading one writes the graph.
    """

    __slots__ = ("_count", "_read")

    def __init__(self, count: int, read: Callable[[], Sequence[int]]) -> None:
        self._count, self._read = count, read

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        return self._read()[index]

    def __iter__(self) -> Iterator[int]:
        return iter(self._read())


class Port(NamedTuple):
    """One named input or output: its shape and, row by row, its references.

    An input that a call may leave out also has its default numbers, row by row.
    """

    name: str
    shape: tuple[int, ...]
    refs: Sequence[int]
    default: tuple[float, ...] | None = None

    @property
    def label(self) -> str:
        """The name as errors show it."""
        return f'"{self.name[:60]}"'

    @property
    def stand_in(self) -> Any:
        """The default in the port's shape: an array, or for a scalar a number; None for none."""
        if self.default is None:
            return None
        return np.array(self.default).reshape(self.shape) if self.shape else self.default[0]


def size(shape: tuple[int, ...]) -> int:
    """How many scalars a shape holds."""
    return math.prod(shape)
