"""Two devices as one, for two hands at one model: axes of the first, then those of the second.

A sample is as good as the worse of both: the trouble of one is that of the pair, and its counter moves when
both have given a fresh sample. So the guard takes the force from both hands if one device fails.
"""

from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import Array, Kernel, at, native, record, sized
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices.device_base import DeviceBase
from hapsis.touch.realtime.device import MEASURES, Capabilities, checked


@record
class PairMemory:
    """The two devices, their last samples, and the counters of those that counted."""

    first_axes: int
    second_axes: int
    first_count: float = -1.0
    second_count: float = -1.0
    counter: int = 0
    read_first: Kernel
    read_second: Kernel
    write_first: Kernel
    write_second: Kernel
    first: Array = sized("3 * first_axes + 2")
    second: Array = sized("3 * second_axes + 2")


@native
def pair_read(t: Array, sample: Array, own: PairMemory) -> None:
    """Reads both."""
    m, n = own.first_axes, own.second_axes
    first, second, both = own.first, own.second, m + n
    own.read_first(t, first)
    own.read_second(t, second)
    for level in range(3):
        for k in range(m):
            sample[level * both + k] = first[level * m + k]
        for k in range(n):
            sample[level * both + m + k] = second[level * n + k]
    sample[3 * both] = first[3 * m] if first[3 * m] != 0.0 else second[3 * n]
    if first[3 * m + 1] != own.first_count and second[3 * n + 1] != own.second_count:
        own.first_count, own.second_count = first[3 * m + 1], second[3 * n + 1]
        own.counter += 1
    sample[3 * both + 1] = float(own.counter)


@native
def pair_write(t: Array, command: Array, own: PairMemory) -> None:
    """Writes to both."""
    own.write_first(t, command)
    own.write_second(t, at(command, own.first_axes))


@verb
class DevicePair(DeviceBase):
    """Two devices of impedance as one, for a loop with two hands.

    first, second   the devices
    names           of the hands: the axis x of the first is "left.x" by default
    name            of the pair, in reports
    """

    def __init__(
        self, first: Any, second: Any, *, names: tuple[str, str] = ("left", "right"), name: str = "hands"
    ) -> None:
        self.first, self.second, self.name = checked(first), checked(second), name
        if first is second:
            raise DeviceError("a pair is of two devices, and both are the same")
        labels = tuple(map(str, names))
        if len(labels) != 2 or labels[0] == labels[1] or "" in labels:
            raise DeviceError(f"names are {names!r:.60}", expected="two different ones")
        self.inner = (self.first, self.second)
        devices = dict(zip(labels, self.inner, strict=True))
        for label, device in devices.items():
            if device.capabilities.causality != "impedance":
                raise DeviceError(f'"{device.name}", {label} of the pair, takes no forces but positions')
        self.axes = tuple(f"{label}.{axis}" for label, device in devices.items() for axis in device.axes)
        one, other = (device.capabilities for device in self.inner)
        self.capabilities = Capabilities(
            "impedance",
            tuple(x for x in MEASURES if x in one.measures and x in other.measures),
            (*one.max_force, *other.max_force),
            (*one.units, *other.units),
            one.hardware or other.hardware,
            {label: device.name for label, device in devices.items()},
        )
        self.memory = PairMemory(
            first_axes=len(self.first.axes),
            second_axes=len(self.second.axes),
            read_first=self.first.read,
            read_second=self.second.read,
            write_first=self.first.write,
            write_second=self.second.write,
        )
        self.read = pair_read.bound(vary=("t", "sample"), own=self.memory)
        self.write = pair_write.bound(vary=("t", "command"), own=self.memory)

    def open(self) -> None:
        """Opens both; if the second does not open, the first is closed again."""
        self.first.open()
        try:
            self.second.open()
        except BaseException:
            self.first.close()
            raise

    def close(self) -> None:
        """Closes both, also if one of them cannot."""
        try:
            self.first.close()
        finally:
            self.second.close()
