"""What every device here has: a name, axes, kernels, and `with`."""

import contextlib
import math
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.errors import DeviceError
from hapsis.mechanics.model.values.numbers import number_or_nan
from hapsis.touch.realtime.device import Capabilities, Layout, check_free, in_use


class DeviceBase(ABC):
    """A device that is opened and closed by `with`, or by the loop; both may be done twice."""

    name: str
    axes: tuple[str, ...]
    capabilities: Capabilities
    read: Any
    write: Any
    inner: Any = None  # the device that this one stands before
    _last: Any = None  # the previous sample
    _process: int = 0  # that entered `with`

    @abstractmethod
    def open(self) -> None:
        """Makes it ready."""

    @abstractmethod
    def close(self) -> None:
        """No force, and gives it back."""

    def __enter__(self) -> Self:
        self._process = os.getpid()
        self.open()
        return self

    def __exit__(self, problem: Any, *_: Any) -> None:
        if self._process != os.getpid():
            return  # a process that was forked has the same file or line: it must not write to it
        if problem is None:
            check_free(self)
        elif in_use(self):
            return  # the problem matters more; the loop closes the device when it ends
        self.close()

    def sample(self, t: float = 0.0) -> dict[str, Any]:
        """One sample by name, for use from Python; not while a loop runs."""
        check_free(self)
        layout = Layout(len(self.axes))
        # as in the loop: what a device leaves alone stays as it was
        if self._last is None:
            self._last = np.zeros(layout.size)
        self.read(np.array([float(t)]), self._last)
        n, sample = layout.axes, self._last.copy()
        return {
            "position": sample[:n],
            "velocity": sample[n : 2 * n],
            "force": sample[2 * n : 3 * n],
            "status": int(sample[layout.status]),
            "counter": int(sample[layout.counter]),
        }

    def command(self, values: Any, t: float = 0.0) -> None:
        """One command from Python, which no guard limits; not while a loop runs."""
        check_free(self)
        self.write(np.array([float(t)]), np.array(np.broadcast_to(values, len(self.axes)), float))


def keep_for_us(file: int, path: str) -> None:
    """Locks an open file or line; an error if another device object or process has locked it."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return
    with contextlib.suppress(OSError):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DeviceError("is in use by another device or program", where=path) from None


def names(axes: Sequence[str] | str, most: int = 16) -> tuple[str, ...]:
    """The names of the axes, or what is wrong with them."""
    listed = (axes,) if isinstance(axes, str) else tuple(axes)
    if not 1 <= len(listed) <= most or len(set(listed)) < len(listed) or "" in listed:
        raise DeviceError(f"a device has 1 to {most} axes with different names, not {listed!r:.80}")
    return listed


def each(value: Any, count: int, what: str) -> tuple[float, ...]:
    """One number per axis, from one or from all of them; finite."""
    numbers = float_array(value)
    if numbers is None or numbers.shape not in ((), (1,), (count,)):
        raise DeviceError(f"{what} is {value!r:.40}", expected=f"a number, or {count}")
    values = tuple(float(x) for x in np.broadcast_to(numbers, (count,)))
    if not all(math.isfinite(x) for x in values):
        raise DeviceError(f"{what} must be finite, not {value!r:.40}")
    return values


def number(
    value: Any, what: str, least: float = -math.inf, above: float = -math.inf, most: float = math.inf
) -> float:
    """A finite number, at least or above a limit, and at most another one."""
    x = number_or_nan(value)
    if math.isnan(x):
        raise DeviceError(f"{what} is {value!r:.40}", expected="a number")
    if not (math.isfinite(x) and least <= x <= most and x > above):
        limit = f"above {above:g}" if above > -math.inf else f"at least {least:g}"
        limit = "a number" if least == above else limit
        limit += f" and at most {most:g}" if most < math.inf else ""
        raise DeviceError(f"{what} is {x:g}", expected=limit)
    return x
