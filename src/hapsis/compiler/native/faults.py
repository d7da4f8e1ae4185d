"""The record of the first index out of range in checked machine code.

A function continues after a fault with a meaningless element; the IndexError is raised when it returns
to Python. For a thread that does not return, `fault` reads the record.
"""

import ctypes
from typing import NamedTuple

import numpy as np

CELL = "hs_fault"  # the symbol of the cell in machine code
UNKNOWN = (1 << 60) - 1  # the length of an array that comes without one
NOT_GIVEN = -1  # in place of an index: a Kernel that was never given

_cell = np.zeros(3, np.int64)  # address of the text that names the position; index; length


class Fault(NamedTuple):
    """The function, line and array as text, the index and the length of the array."""

    place: str
    index: int
    length: int

    def __str__(self) -> str:
        if self.index == NOT_GIVEN == self.length:
            return f"{self.place} is not given"
        return f"{self.place}: index {self.index} is outside of its {self.length} elements"


def cell_address() -> int:
    """The address at which machine code records a fault."""
    return _cell.ctypes.data


def fault() -> Fault | None:
    """The first fault since the last `clear_fault`; None if there was none."""
    if not _cell[0]:
        return None
    return Fault(ctypes.string_at(int(_cell[0])).decode(), int(_cell[1]), int(_cell[2]))


def clear_fault() -> None:
    """Clears the record, so that the next fault is recorded."""
    _cell[:] = 0


def raise_fault() -> None:
    """Raises IndexError if there was a fault, and clears the record."""
    first = fault()
    if first is not None:
        clear_fault()
        raise IndexError(str(first))


# hs_note records the first fault; hs_place returns the address of an element, or of a meaningless one
HELPERS = f"""\
@{CELL} = external global [3 x i64]
@hs_scratch = internal global i64 0
define internal void @hs_note(ptr %text, i64 %index, i64 %length) noinline #0 {{
  %address = ptrtoint ptr %text to i64
  %swap = cmpxchg ptr @{CELL}, i64 0, i64 %address seq_cst seq_cst
  %first = extractvalue {{ i64, i1 }} %swap, 1
  br i1 %first, label %note, label %done
note:
  %a = getelementptr i64, ptr @{CELL}, i64 1
  store i64 %index, ptr %a
  %b = getelementptr i64, ptr @{CELL}, i64 2
  store i64 %length, ptr %b
  br label %done
done:
  ret void
}}
define internal ptr @hs_place(ptr %x, i64 %index, i64 %length, i64 %bytes, ptr %text) #0 {{
  %good = icmp ult i64 %index, %length
  br i1 %good, label %inside, label %outside
inside:
  %offset = mul i64 %index, %bytes
  %place = getelementptr i8, ptr %x, i64 %offset
  ret ptr %place
outside:
  call void @hs_note(ptr %text, i64 %index, i64 %length)
  ret ptr @hs_scratch
}}
"""
