"""Which system wrote which rows of a motion, where the partition changes on the way."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, final

import numpy as np

from hapsis.motion.simulate.equations.system import System

Array = np.ndarray[Any, np.dtype[np.float64]]


class Rows(NamedTuple):
    """Times, states and what was held: one row each."""

    t: Array
    y: Array
    u: Array

    def part(self, where: Any) -> "Rows":
        """Some of the rows."""
        return Rows(self.t[where], self.y[where], self.u[where])


@final
class SystemHistory:
    """The systems of a motion, each from one of its rows on."""

    def __init__(self, system: System) -> None:
        self._turns: list[tuple[System, int]] = [(system, 0)]

    def add(self, system: System, row: int) -> None:
        """From this row on another system."""
        self._turns.append((system, row))

    def __len__(self) -> int:
        return len(self._turns)

    def parts(self, count: int) -> Iterator[tuple[System, slice]]:
        """Each system and its rows, of so many in all; those without rows are left out."""
        ends = [start for _, start in self._turns[1:]] + [count]
        for (system, start), end in zip(self._turns, ends, strict=True):
            if min(end, count) > start:
                yield system, slice(start, min(end, count))

    def evaluate(self, values: Callable[[System, Rows], dict[str, Array]], rows: Rows) -> dict[str, Array]:
        """The values of all rows by name, each by its system."""
        pieces = [values(system, rows.part(some)) for system, some in self.parts(len(rows.t))]
        return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
