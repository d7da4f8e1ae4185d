"""Touch and Phantom devices through OpenHaptics (the HD library), if it is installed.

The library runs a scheduler of its own at 1 kHz; a native function there exchanges positions and
forces with the loop through published words. If the loop does not write for 25 ms, or no force
arrives, the function there sets the force to zero: it outlives a loop that stalls.
"""

import ctypes
import time
from typing import Any

import numpy as np

from hapsis.compiler.native import (
    Array,
    Ints,
    at,
    bits,
    clock,
    foreign,
    from_bits,
    isfinite,
    native,
    observe,
    publish,
)
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices.device_base import DeviceBase, each
from hapsis.touch.haptics.devices.libraries import Library
from hapsis.touch.realtime.device import Capabilities

NAMES = ("libHD.so", "libHD.so.3.4", "hd.dll")
REMEDY = "install OpenHaptics and the device's driver, or give library=PATH"
# of <HD/hdDefines.h>
POSITION, VELOCITY, FORCE, OUTPUT, INVALID = 0x2050, 0x2051, 0x2700, 0x4000, 0xFFFFFFFF
PRIORITY, GOES_ON, DONE = 0xFFFF, 1, 0
# words shared by the loop, the scheduler and Python; the loop looks at `COUNT` of samples
BEGIN, GET, SET, END, DEVICE, STOP = range(6)
COUNT, SPOKEN = 6, 7  # samples made; when the loop wrote last, ns
SAMPLE, WISH, SCRATCH = 8, 14, 17  # 6 + 3 words as bits of floats, 3 more to work in
WORDS = 20
SILENCE = 25_000_000  # ns
METRE = 1e-3  # positions come in mm
NOTHING = float("nan")


@native
def servo(words: Ints) -> int:
    """Once per tick of the library's scheduler: takes the force, gives the motion."""
    device, scratch = words[DEVICE], SCRATCH
    foreign(words[BEGIN], device)
    for part in range(2):
        foreign(words[GET], VELOCITY if part == 1 else POSITION, at(words, scratch))
        for k in range(3):
            publish(words, SAMPLE + 3 * part + k, words[scratch + k])
    silent = clock() - observe(words, SPOKEN) > SILENCE
    stop = observe(words, STOP) != 0
    for k in range(3):
        words[scratch + k] = 0 if silent or stop else observe(words, WISH + k)
    foreign(words[SET], FORCE, at(words, scratch))
    foreign(words[END], device)
    publish(words, COUNT, words[COUNT] + 1)
    return DONE if stop else GOES_ON


@native
def hd_read(t: Array, sample: Array, words: Ints) -> None:
    """The newest motion the scheduler has seen; in m and m/s."""
    counter = observe(words, COUNT)
    for k in range(6):
        sample[k] = from_bits(observe(words, SAMPLE + k)) * METRE
    for k in range(6, 9):
        sample[k] = NOTHING
    sample[9], sample[10] = 0.0, float(counter)


@native
def hd_write(t: Array, command: Array, words: Ints, most: Array) -> None:
    """The force the scheduler shall set from now on."""
    for k in range(3):
        value = max(-most[k], min(most[k], command[k])) if isfinite(command[k]) else 0.0
        publish(words, WISH + k, bits(value))
    publish(words, SPOKEN, clock())


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
        functions = ("hdBeginFrame", "hdGetDoublev", "hdSetDoublev", "hdEndFrame")
        self._words = np.zeros(WORDS, np.int64)
        self._words[:4] = [self.library.address(f) for f in functions]
        self._open = False
        self.read = hd_read.bound(vary=("t", "sample"), words=self._words)
        self.write = hd_write.bound(vary=("t", "command"), words=self._words, most=np.array(limits))

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
        self._words[DEVICE], self._words[STOP], self._words[SPOKEN] = handle, 0, 0
        before = int(self._words[COUNT])
        self.library("hdEnable", OUTPUT, result=None)
        schedule = ctypes.c_void_p(servo.address), ctypes.c_void_p(self._words.ctypes.data)
        self._handle = self.library("hdScheduleAsynchronous", *schedule, PRIORITY, result=ctypes.c_ulong)
        self.library("hdStartScheduler", result=None)
        self._open = True
        end = time.monotonic() + 2.0
        while self._words[COUNT] == before:
            if time.monotonic() > end:
                self.close()
                raise DeviceError(f'the scheduler of "{self.name}" does not run')
            time.sleep(0.001)

    def close(self) -> None:
        """No force; the scheduler ends and the device is given back."""
        if self._open:
            self._words[STOP] = 1
            time.sleep(0.005)  # one more tick sets the force to zero
            self.library("hdStopScheduler", result=None)
            self.library("hdUnschedule", ctypes.c_ulong(self._handle), result=None)
            self.library("hdDisableDevice", ctypes.c_uint(int(self._words[DEVICE])), result=None)
            self._open = False
