"""The functions that the native language adds to Python's, in their Python implementation.

Numbers follow IEEE 754 and raise no exceptions: sqrt(-1) is NaN, as in native code.
"""

import ctypes
import os
import time
from collections.abc import Callable, Sequence
from math import isfinite as _isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

# what a parameter may be, besides int, float, bool and records; Kernels only in records
Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Kernel = Callable[..., None]
Kernels = Sequence[Callable[..., None]]


def at(x: Any, k: int) -> Any:
    """The array x from element k on; the same memory."""
    if k < 0:
        raise IndexError(f"at(x, {k}) begins before the array")
    return x[k:]


def place(record: Any, name: str) -> Any:
    """The memory of a number of a record, as an array of one: an Array, or Ints for an int."""
    block = record.record_block
    if name not in block.layout.fields:
        raise AttributeError(block.layout.unknown(name))
    return block.place(block.layout.fields[name])


def sqrt(x: float) -> float:
    """The correctly rounded square root; NaN below zero."""
    with np.errstate(all="ignore"):
        return np.sqrt(np.float64(x))


def floor(x: float) -> float:
    """The greatest whole number not above x, as a float: `int(floor(x))` is an index."""
    return np.floor(np.float64(x))


def isfinite(x: float) -> bool:
    """Whether x is a number, and not infinite."""
    return _isfinite(x)


def power(x: float, y: float) -> float:
    """x to the real power y, by the compiler's own function: the same bits on every machine."""
    from hapsis.compiler import elementary  # only where Python evaluates one

    return np.float64(elementary.evaluate("pow", np.float64(x), np.float64(y)))  # type: ignore[arg-type]


def clock() -> int:
    """Nanoseconds of the clock that never goes back."""
    return time.monotonic_ns()


def wait_until(moment: int) -> None:
    """Sleeps until the clock reaches that time; returns at once if it has passed."""
    left = moment - time.monotonic_ns()
    if left > 0:
        time.sleep(left * 1e-9)


def publish(x: Ints, k: int, value: int) -> None:
    """x[k] = value, after everything written before: another thread that observes it sees that."""
    x[k] = value


def observe(x: Ints, k: int) -> int:
    """x[k] as another thread has published it; what it wrote before is seen after."""
    return int(x[k])


def claim(x: Ints, k: int) -> bool:
    """Whether x[k] was 0 and is 1 now; of several threads one gets it, until it publishes 0."""
    if x[k] != 0:
        return False
    x[k] = 1
    return True


def byte(x: Ints, k: int) -> int:
    """Byte k of the memory of x, 0 to 255."""
    return int(_bytes(x)[k])


def put_byte(x: Ints, k: int, value: int) -> None:
    """Changes byte k of the memory of x to the lowest eight bits of a value."""
    _bytes(x)[k] = value & 255


def _bytes(x: Ints) -> NDArray[np.uint8]:
    return x.view(np.uint8)


def receive(file: int, x: Ints, count: int) -> int:
    """Reads up to so many bytes of an open file into the memory of x; how many, -1 if none."""
    try:
        data = os.read(file, count)
    except OSError:
        return -1
    _bytes(x)[: len(data)] = np.frombuffer(data, np.uint8)
    return len(data)


def transmit(file: int, x: Ints, count: int) -> int:
    """Writes so many bytes of the memory of x to an open file; how many, -1 if none."""
    try:
        return os.write(file, _bytes(x)[:count].tobytes())
    except OSError:
        return -1


def foreign(address: int, *arguments: Any) -> int:
    """Calls the C function at an address; what it returns, as a C int.

    An int goes as 64 bits (a shorter one is their lower part), a float as a double, an array as a
    pointer. Nothing is checked.
    """
    values, kinds = [], []
    for value in arguments:
        array = isinstance(value, np.ndarray)
        number = value if isinstance(value, float) else 0 if array else int(value)
        values.append(value.ctypes.data if array else number)
        whole = ctypes.c_void_p if array else ctypes.c_int64
        kinds.append(ctypes.c_double if isinstance(value, float) else whole)
    return ctypes.CFUNCTYPE(ctypes.c_int, *kinds)(int(address))(*values)


def bits(x: float) -> int:
    """The 64 bits of a float as an int."""
    return int(np.float64(x).view(np.int64))


def from_bits(x: int) -> float:
    """The float that has these 64 bits."""
    return np.int64(x).view(np.float64)
