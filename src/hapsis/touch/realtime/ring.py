"""Rings: rows of numbers from one thread to another, without a lock.

The writer never waits: it writes over the oldest rows, and says after each how many it has written.
The reader copies what is new and looks again: rows that were written over meanwhile are counted as
lost. One writer, one reader.
"""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, native, observe, publish

WRITTEN = 0  # rows written so far


@native
def push(data: Array, head: Ints, capacity: int, width: int, row: Array) -> None:
    """One more row."""
    written = head[WRITTEN]
    place = (written % capacity) * width
    for k in range(width):
        data[place + k] = row[k]
    publish(head, WRITTEN, written + 1)


@native
def written(head: Ints) -> int:
    """How many rows there have been."""
    return observe(head, WRITTEN)


class Ring:
    """A ring of `capacity` rows of `width` numbers; `data` and `head` are the writer's."""

    def __init__(self, capacity: int, width: int) -> None:
        self.capacity, self.width = capacity, width
        # full, not zeros: memory that was written once does not fault when the loop first writes it
        self.data, self.head = np.full(capacity * width, 0.0), np.zeros(1, np.int64)
        self.read = self.lost = 0

    def take(self) -> Any:
        """The rows since the last call, oldest first, and how many were lost before them."""
        end = written(self.head)
        start = max(self.read, end - self.capacity)
        places = np.arange(start, end) % self.capacity
        rows = self.data.reshape(self.capacity, self.width)[places]
        # what was written over while it was read; one more row may be half written
        safe = written(self.head) - self.capacity + 1
        if safe > start:
            rows, start = rows[safe - start :], safe
        lost = max(0, min(start, end) - self.read)
        self.read, self.lost = end, self.lost + lost
        return rows, lost
