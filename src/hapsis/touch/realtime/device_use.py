"""Which devices are in use: a device has one writer, or its limits of force mean nothing."""

import threading
from typing import Any

from hapsis.errors import DeviceError

_users: dict[int, tuple[Any, str]] = {}  # the device and who uses it, by its identity
_lock = threading.Lock()


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
    """The device and those that it stands before, one behind the other: `inner` names the next."""
    chain = [device]
    while (device := getattr(device, "inner", None)) is not None:
        if any(device is one for one in chain):
            break
        chain.append(device)
    return chain


def _in_use(device: Any) -> DeviceError:
    """The error that names who uses a device."""
    user = _users[id(device)][1]
    return DeviceError(f'"{device.name}" is in use by {user}', remedy="stop that first")
