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

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import DeviceError

CAUSALITIES = ("impedance", "admittance")
MEASURES = ("position", "velocity", "force")
UNITS = ("m", "rad")
_users: dict[int, tuple[Any, str]] = {}  # the device and who uses it, by its identity
_lock = threading.Lock()


@verb
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


# --- a device has one writer, or its limits of force mean nothing ---


def take(device: Any, user: str) -> None:
    """Notes that a device, and what it stands before, is used from now on; an error if one is."""
    chain = behind(device)
    with _lock:
        for one in chain:
            if id(one) in _users:
                raise _in_use(one)
        for one in chain:
            _users[id(one)] = one, user


def give_back(device: Any) -> None:
    """Notes that a device is free again."""
    with _lock:
        for one in behind(device):
            _users.pop(id(one), None)


def in_use(device: Any) -> bool:
    """Whether a device, or one that it stands before, is in use."""
    with _lock:
        return any(id(one) in _users for one in behind(device))


def check_free(device: Any) -> None:
    """An error if a device is in use."""
    with _lock:
        for one in behind(device):
            if id(one) in _users:
                raise _in_use(one)


def behind(device: Any) -> list[Any]:
    """The device and those that it stands before: `inner` names the next one, or several."""
    chain: list[Any] = []
    waiting = [device]
    while waiting:
        one = waiting.pop(0)
        if any(one is other for other in chain):
            continue
        chain.append(one)
        inner = getattr(one, "inner", None)
        waiting += inner if isinstance(inner, tuple) else [] if inner is None else [inner]
    return chain


def _in_use(device: Any) -> DeviceError:
    """The error that names who uses a device."""
    user = _users[id(device)][1]
    return DeviceError(f'"{device.name}" is in use by {user}', remedy="stop that first")
