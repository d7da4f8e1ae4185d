"""Ports: the named inputs and outputs of Functions."""

import math
from typing import Any, NamedTuple

import numpy as np


class Port(NamedTuple):
    """One named input or output: its shape and, row by row, its references.

    An input that a call may leave out also has its default numbers, row by row.
    """

    name: str
    shape: tuple[int, ...]
    refs: tuple[int, ...]
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
