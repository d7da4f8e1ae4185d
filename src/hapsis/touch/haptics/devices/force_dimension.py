"""Devices of Force Dimension (omega, delta, sigma), through their library, if it is installed.

Its functions are called from the loop's own thread, as their manual means it. The device's watchdog
is set to 25 ms: its motors go off when the loop does not speak to it any more.
"""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, at, foreign, isfinite, native
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices.device_base import DeviceBase, each, number
from hapsis.touch.haptics.devices.libraries import Library
from hapsis.touch.realtime.device import Capabilities

NAMES = ("libdhd.so", "libdhd.so.3", "libdrd.so", "libdrd.so.3", "dhd64.dll", "libdhd.dylib")
REMEDY = "install the Force Dimension SDK, or give library=PATH"
WATCHDOG = 200  # of 125 microseconds
# calls: addresses, the number of the device, what was counted
POSITION, VELOCITY, FORCE, DEVICE, COUNTER, ERRORS = range(6)
FAILED = 1  # status


@native
def dhd_read(t: Array, sample: Array, calls: Ints) -> None:
    """Position and velocity; 0 and 1 are good answers, below is an error."""
    device = calls[DEVICE]
    a = foreign(calls[POSITION], sample, at(sample, 1), at(sample, 2), device)
    b = foreign(calls[VELOCITY], at(sample, 3), at(sample, 4), at(sample, 5), device)
    for k in range(6, 9):
        sample[k] = NOTHING
    sample[9] = 0.0
    if a < 0 or b < 0:
        sample[9] = float(FAILED)
        calls[ERRORS] += 1
    else:
        calls[COUNTER] += 1
    sample[10] = float(calls[COUNTER])


@native
def dhd_write(t: Array, command: Array, calls: Ints, most: Array, force: Array) -> None:
    """Forces, within their limits."""
    for k in range(3):
        force[k] = max(-most[k], min(most[k], command[k])) if isfinite(command[k]) else 0.0
    if foreign(calls[FORCE], force[0], force[1], force[2], calls[DEVICE]) < 0:
        calls[ERRORS] += 1


NOTHING = float("nan")


class ForceDimension(DeviceBase):
    """A device of Force Dimension: x, y, z in metres, forces in newtons.

    max_force    N per axis, from its data sheet (12 for an omega)
    device       its number, if there are several
    library      path of the library
    """

    def __init__(
        self,
        *,
        max_force: Any = 12.0,
        device: int = -1,
        library: str | None = None,
        name: str = "force dimension",
    ) -> None:
        self.name, self.axes = name, ("x", "y", "z")
        self.library = Library(NAMES, "Force Dimension", REMEDY, library)
        limits = each(max_force, 3, "max_force")
        self.capabilities = Capabilities(
            "impedance", ("position", "velocity"), limits, ("m",) * 3, facts={"library": self.library.path}
        )
        self._wanted, self._open = int(number(device, "device", least=-1)), False
        functions = ("dhdGetPosition", "dhdGetLinearVelocity", "dhdSetForce")
        self._calls = np.array([*(self.library.address(f) for f in functions), -1, 0, 0])
        self.read = dhd_read.bound(vary=("t", "sample"), calls=self._calls)
        self.write = dhd_write.bound(
            vary=("t", "command"), calls=self._calls, most=np.array(limits), force=np.zeros(3)
        )

    def open(self) -> None:
        """Opens it, sets its watchdog and lets forces pass."""
        if self._open:
            return
        wanted = self._wanted
        found = self.library("dhdOpen") if wanted < 0 else self.library("dhdOpenID", wanted)
        if found < 0:
            raise DeviceError(f"no device of Force Dimension can be opened: {self._why()}")
        self._calls[DEVICE] = found
        self._open = True
        if not self.library.has("dhdSetWatchdog") or (self.library("dhdSetWatchdog", WATCHDOG, found) < 0):
            self.close()
            raise DeviceError(
                f'the watchdog of "{self.name}" cannot be set: {self._why()}',
                remedy="its motors would go on when the loop stops",
            )
        if self.library("dhdEnableForce", 1, found) < 0:
            self.close()
            raise DeviceError(f'"{self.name}" gives no force: {self._why()}')

    def close(self) -> None:
        """No force, and closes it."""
        if self._open:
            self.command(0.0)
            self.library("dhdEnableForce", 0, int(self._calls[DEVICE]))
            self.library("dhdClose", int(self._calls[DEVICE]))
            self._open = False

    def _why(self) -> str:
        """The library's own words."""
        import ctypes

        text = self.library("dhdErrorGetLastStr", result=ctypes.c_char_p)
        return text.decode(errors="replace") if text else "no reason is given"
