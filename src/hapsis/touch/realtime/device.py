"""A device as the loop sees it: two kernels, and its capabilities.

    read(t, sample)      once per tick: gives the sample
    write(t, command)    once per tick: takes the command

Both are native: they run in the loop's thread, without the interpreter. `t` holds the seconds since
the start. With n axes a sample has 3 n + 2 numbers (see `Layout`):

    positions, velocities, forces    NaN for what the device does not measure
    status                           0 if all is well; else a number of the device's own
    counter                          changes with every fresh sample

A command has n numbers: forces for a device of impedance (it measures motion and takes forces),
positions for one of admittance (it measures forces and takes positions).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from hapsis.errors import DeviceError

CAUSALITIES = ("impedance", "admittance")
MEASURES = ("position", "velocity", "force")
UNITS = ("m", "rad")


@dataclass(frozen=True)
class Capabilities:
    """What a device can do.

        causality   "impedance" or "admittance"
        measures    which of position, velocity, force its samples hold
        max_force   per axis, N or N m: no command is larger
        units       per axis, "m" or "rad"
        hardware    whether a person can be hurt by it: it is not armed in soft real time

    Other properties stand in `facts`, by name.
    """

    causality: str
    measures: tuple[str, ...]
    max_force: tuple[float, ...]
    units: tuple[str, ...]
    hardware: bool = True
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.causality not in CAUSALITIES:
            raise DeviceError(f'there is no causality "{self.causality}"', expected=" or ".join(CAUSALITIES))
        unknown = set(self.measures) - set(MEASURES)
        if unknown or not self.measures:
            raise DeviceError(
                f"a device measures {', '.join(self.measures) or 'nothing'}",
                expected=f"some of {', '.join(MEASURES)}",
            )
        if not self.max_force or not all(0.0 < x < float("inf") for x in self.max_force):
            raise DeviceError("the greatest force of each axis must be positive and finite")
        if len(self.units) != len(self.max_force) or set(self.units) - set(UNITS):
            raise DeviceError(f"an axis is in {' or '.join(UNITS)}, one unit for each")


@runtime_checkable
class Device(Protocol):
    """Any object with these attributes; the loop calls `open` and `close` once each."""

    name: str
    axes: tuple[str, ...]
    capabilities: Capabilities
    read: Any  # a Kernel (t, sample)
    write: Any  # a Kernel (t, command)

    def open(self) -> None:
        """Makes the device ready: after this samples are fresh."""
        ...

    def close(self) -> None:
        """Sets the force to zero and releases the device."""
        ...


class Layout:
    """The places of the numbers in the sample of a device with n axes."""

    def __init__(self, axes: int) -> None:
        self.axes = axes
        self.position, self.velocity, self.force = 0, axes, 2 * axes
        self.status, self.counter = 3 * axes, 3 * axes + 1
        self.size = 3 * axes + 2


def checked(device: Any) -> Device:
    """The device; an error if it lacks an attribute."""
    for name in ("name", "axes", "capabilities", "read", "write", "open", "close"):
        if not hasattr(device, name):
            raise DeviceError(f'{type(device).__name__} has no "{name}": it is no device')
    if len(device.capabilities.max_force) != len(device.axes):
        raise DeviceError(
            f'"{device.name}" has {len(device.axes)} axes and '
            f"{len(device.capabilities.max_force)} greatest forces"
        )
    return device
