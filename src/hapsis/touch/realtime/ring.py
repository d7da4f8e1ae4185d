"""Rings: rows of numbers from one thread to another, without a lock.

The writer never waits: it overwrites the oldest rows, and publishes how many it has written. A reader
copies the new rows and looks again: rows that were overwritten meanwhile count as lost. One writer;
any number of readers.
"""

import copy
from typing import Any

import numpy as np

from hapsis.compiler.native import Array, native, observe, place, publish, record, sized


@record
class RingMemory:
    """The memory of a ring; `written` is published: the number of rows so far."""

    capacity: int
    width: int
    written: int = 0
    data: Array = sized("capacity * width")


@native
def push(ring: RingMemory, row: Array) -> None:
    """Writes one more row."""
    written = ring.written
    start = (written % ring.capacity) * ring.width
    for k in range(ring.width):
        ring.data[start + k] = row[k]
    publish(place(ring, "written"), 0, written + 1)


@native
def written_rows(ring: RingMemory) -> int:
    """The number of rows that have been written."""
    return observe(place(ring, "written"), 0)


class Ring:
    """A ring of `capacity` rows of `width` numbers, and one reader of it; `memory` is the writer's."""

    def __init__(self, capacity: int, width: int) -> None:
        self.capacity, self.width = capacity, width
        self.memory = RingMemory(capacity=capacity, width=width)
        self.memory.data[:] = 0.0  # a page that was written once does not fault in the loop
        self.read = self.lost = 0

    @property
    def written(self) -> int:
        """The number of rows that have been written."""
        return written_rows(self.memory)

    def reader(self, start: int) -> "Ring":
        """Another reader of the same rows, from row `start` on."""
        ring = copy.copy(self)
        ring.read, ring.lost = start, 0
        return ring

    def take(self) -> tuple[Any, int]:
        """The rows since the last call, oldest first, and how many were lost before them."""
        end = self.written
        start = max(self.read, end - self.capacity)
        rows = self.memory.data.reshape(self.capacity, self.width)[np.arange(start, end) % self.capacity]
        # what was overwritten while it was read; one more row may be half written
        safe = self.written - self.capacity + 1
        if safe > start:
            rows, start = rows[safe - start :], safe
        lost = max(0, min(start, end) - self.read)
        self.read, self.lost = end, self.lost + lost
        return rows, lost
