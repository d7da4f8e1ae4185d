"""Ports: the named inputs and outputs of Functions."""

import math
from typing import NamedTuple


class Port(NamedTuple):
    """One named input or output: its shape and, row by row, its references."""

    name: str
    shape: tuple[int, ...]
    refs: tuple[int, ...]

    @property
    def label(self) -> str:
        """The name as errors show it."""
        return f'"{self.name[:60]}"'


def size(shape: tuple[int, ...]) -> int:
    """How many scalars a shape holds."""
    return math.prod(shape)
