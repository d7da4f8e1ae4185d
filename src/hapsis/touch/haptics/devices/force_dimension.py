"""Devices of Force Dimension (omega, delta, sigma), through their library, if it is installed.

Its functions are called from the loop's own thread, as their manual means it. The device's watchdog
is set to 25 ms: its motors go off when the loop does not speak to it any more.
"""

from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import Array, at, foreign, isfinite, native, record, sized
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices.device_base import DeviceBase, each, number
from hapsis.touch.haptics.devices.libraries import Library
from hapsis.touch.realtime.device import Capabilities

NAMES = ("libdhd.so", "libdhd.so.3", "libdrd.so", "libdrd.so.3", "dhd64.dll", "libdhd.dylib")
REMEDY = "install the Force Dimension SDK, or give library=PATH"
WATCHDOG = 200  # of 125 microseconds
FAILED = 1  # status
NOTHING = float("nan")


@record
class DhdMemory:
    """Addresses of the library's functions, the number of the device, and counts."""

    get_position: int
    get_velocity: int
    set_force: int
    device: int = -1
    counter: int = 0
    errors: int = 0
    most: Array = sized("3")
    force: Array = sized("3")


@native
def dhd_read(t: Array, sample: Array, own: DhdMemory) -> None:
    """Position and velocity; 0 and 1 are good answers, below is an error."""
    a = foreign(own.get_position, sample, at(sample, 1), at(sample, 2), own.device)
    b = foreign(own.get_velocity, at(sample, 3), at(sample, 4), at(sample, 5), own.device)
    for k in range(6, 9):
        sample[k] = NOTHING
    sample[9] = 0.0
    if a < 0 or b < 0:
        sample[9] = float(FAILED)
        own.errors += 1
    else:
        own.counter += 1
    sample[10] = float(own.counter)


@native
def dhd_write(t: Array, command: Array, own: DhdMemory) -> None:
    """Sets the forces, within their limits."""
    force, most = own.force, own.most
    for k in range(3):
        force[k] = max(-most[k], min(most[k], command[k])) if isfinite(command[k]) else 0.0
    if foreign(own.set_force, force[0], force[1], force[2], own.device) < 0:
        own.errors += 1


@verb
class ForceDimension(DeviceBase):
    """A device of Force Dimension: x, y, z in metres, forces in newtons.

    max_force    N per axis, from its data sheet (12 for an omega)
    device       its number, if there are several
    library      path of the library
        name         of the device, in reports
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
        self._number, self._open = int(number(device, "device", least=-1)), False
        self.memory = DhdMemory(
            get_position=self.library.address("dhdGetPosition"),
            get_velocity=self.library.address("dhdGetLinearVelocity"),
            set_force=self.library.address("dhdSetForce"),
            most=np.array(limits),
        )
        self.read = dhd_read.bound(vary=("t", "sample"), own=self.memory)
        self.write = dhd_write.bound(vary=("t", "command"), own=self.memory)

    def open(self) -> None:
        """Opens it, sets its watchdog and lets forces pass."""
        if self._open:
            return
        call, number = self.library, self._number
        device = call("dhdOpen") if number < 0 else call("dhdOpenID", number)
        if device < 0:
            raise DeviceError(f"no device of Force Dimension can be opened: {self._why()}")
        self.memory.device, self._open = device, True
        if not call.has("dhdSetWatchdog") or call("dhdSetWatchdog", WATCHDOG, device) < 0:
            self.close()
            raise DeviceError(
                f'the watchdog of "{self.name}" cannot be set: {self._why()}',
                remedy="its motors would go on when the loop stops",
            )
        if call("dhdEnableForce", 1, device) < 0:
            self.close()
            raise DeviceError(f'"{self.name}" gives no force: {self._why()}')

    def close(self) -> None:
        """No force, and closes it."""
        if self._open:
            self.command(0.0)
            self.library("dhdEnableForce", 0, int(self.memory.device))
            self.library("dhdClose", int(self.memory.device))
            self._open = False

    def _why(self) -> str:
        """The reason that the library gives."""
        return self.library.text("dhdErrorGetLastStr")
