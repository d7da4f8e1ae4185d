"""Touch and Phantom devices through OpenHaptics (the HD library), if it is installed.

The library runs a scheduler of its own at 1 kHz; a native function there exchanges positions and
forces with the loop through published words. If the loop does not write for 25 ms, or no force
arrives, the function there sets the force to zero: it outlives a loop that stalls.
"""

import ctypes
import time
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import (
    Array,
    Ints,
    bits,
    clock,
    foreign,
    from_bits,
    isfinite,
    native,
    observe,
    place,
    publish,
    record,
    sized,
)
from hapsis.compiler.native.record.records import block_of
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices.device_base import DeviceBase, each
from hapsis.touch.haptics.devices.libraries import Library
from hapsis.touch.realtime.device import Capabilities

NAMES = ("libHD.so", "libHD.so.3.4", "hd.dll")
REMEDY = "install OpenHaptics and the device's driver, or give library=PATH"
# of <HD/hdDefines.h>
POSITION, VELOCITY, FORCE, OUTPUT, INVALID = 0x2050, 0x2051, 0x2700, 0x4000, 0xFFFFFFFF
PRIORITY, GOES_ON, DONE = 0xFFFF, 1, 0
SILENCE = 25_000_000  # ns
METRE = 1e-3  # positions come in mm
NOTHING = float("nan")


@record
class ServoMemory:
    """Words shared by the loop, the scheduler and Python; floats among them go as their bits."""

    begin: int  # addresses of functions
    get: int
    set: int
    end: int
    device: int = 0
    stop: int = 0
    count: int = 0  # samples so far
    spoken: int = 0  # clock when the loop wrote last
    motion: Ints = sized("6")  # position and velocity
    wish: Ints = sized("3")  # force
    work: Ints = sized("3")
    most: Array = sized("3")


@native
def servo(own: ServoMemory) -> int:
    """Once per tick of the library's scheduler: takes the force, gives the motion."""
    work = own.work
    foreign(own.begin, own.device)
    for part in range(2):
        foreign(own.get, VELOCITY if part == 1 else POSITION, work)
        for k in range(3):
            publish(own.motion, 3 * part + k, work[k])
    silent = clock() - observe(place(own, "spoken"), 0) > SILENCE
    stop = observe(place(own, "stop"), 0) != 0
    for k in range(3):
        work[k] = 0 if silent or stop else observe(own.wish, k)
    foreign(own.set, FORCE, work)
    foreign(own.end, own.device)
    publish(place(own, "count"), 0, own.count + 1)
    return DONE if stop else GOES_ON


@native
def hd_read(t: Array, sample: Array, own: ServoMemory) -> None:
    """The newest motion the scheduler has seen; in m and m/s."""
    counter = observe(place(own, "count"), 0)
    for k in range(6):
        sample[k] = from_bits(observe(own.motion, k)) * METRE
    for k in range(6, 9):
        sample[k] = NOTHING
    sample[9], sample[10] = 0.0, float(counter)


@native
def hd_write(t: Array, command: Array, own: ServoMemory) -> None:
    """The force that the scheduler sets from now on."""
    for k in range(3):
        most = own.most[k]
        value = max(-most, min(most, command[k])) if isfinite(command[k]) else 0.0
        publish(own.wish, k, bits(value))
    publish(place(own, "spoken"), 0, clock())


@verb
class OpenHaptics(DeviceBase):
    """A Touch or Phantom: x, y, z in metres, forces in newtons.

    max_force    N per axis, from its data sheet (3.3 for a Touch)
    device       its name in the driver's settings; the default one if not given
    library      path of the library
    """

    def __init__(
        self,
        *,
        max_force: Any = 3.3,
        device: str | None = None,
        library: str | None = None,
        name: str = "touch",
    ) -> None:
        self.name, self.axes, self._device = name, ("x", "y", "z"), device
        self.library = Library(NAMES, "OpenHaptics", REMEDY, library)
        limits = each(max_force, 3, "max_force")
        self.capabilities = Capabilities(
            "impedance",
            ("position", "velocity"),
            limits,
            ("m",) * 3,
            facts={"library": self.library.path, "rate": 1000.0},
        )
        self.memory = ServoMemory(
            begin=self.library.address("hdBeginFrame"),
            get=self.library.address("hdGetDoublev"),
            set=self.library.address("hdSetDoublev"),
            end=self.library.address("hdEndFrame"),
            most=np.array(limits),
        )
        self._open = False
        self.read = hd_read.bound(vary=("t", "sample"), own=self.memory)
        self.write = hd_write.bound(vary=("t", "command"), own=self.memory)

    def open(self) -> None:
        """Opens it, starts the scheduler and waits for its first sample."""
        if self._open:
            return
        named = None if self._device is None else self._device.encode()
        handle = self.library("hdInitDevice", named, result=ctypes.c_uint)
        if handle == INVALID:
            raise DeviceError(
                f'"{self._device or "the default device"}" cannot be opened by OpenHaptics',
                remedy="run the driver's setup first",
            )
        own = self.memory
        own.device, own.stop, own.spoken, before = handle, 0, 0, own.count
        self.library("hdEnable", OUTPUT, result=None)
        task = ctypes.c_void_p(servo.address), ctypes.c_void_p(block_of(own).address)
        self._handle = self.library("hdScheduleAsynchronous", *task, PRIORITY, result=ctypes.c_ulong)
        self.library("hdStartScheduler", result=None)
        self._open = True
        end = time.monotonic() + 2.0
        while own.count == before:
            if time.monotonic() > end:
                self.close()
                raise DeviceError(f'the scheduler of "{self.name}" does not run')
            time.sleep(0.001)

    def close(self) -> None:
        """No force; the scheduler ends and the device is given back."""
        if self._open:
            self.memory.stop = 1
            time.sleep(0.005)  # one more tick sets the force to zero
            self.library("hdStopScheduler", result=None)
            self.library("hdUnschedule", ctypes.c_ulong(self._handle), result=None)
            self.library("hdDisableDevice", ctypes.c_uint(int(self.memory.device)), result=None)
            self._open = False
