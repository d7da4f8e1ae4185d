"""Force-feedback wheels of Linux, by the kernel's own interface (evdev).

The angle comes from one ioctl a tick (EVIOCGABS), the force goes as one constant effect that is
changed while it plays (EVIOCSFF). The effect lasts 50 ms and is played again in time: a loop that
stalls lets go by itself, and the kernel erases the effect when the process ends.

No package is needed. An ioctl on a wheel waits for its driver: most queue the change and return at
once, some wait for USB; `counts["slowest"]` tells what was met.
"""

import contextlib
import ctypes
import glob
import math
import os
import struct
from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, byte, clock, foreign, isfinite, native, put_byte, transmit
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices.device_base import DeviceBase, number
from hapsis.touch.haptics.devices.wire import word
from hapsis.touch.realtime.device import Capabilities

# numbers of <linux/input.h>
EV_ABS, EV_FF, FF_CONSTANT, FF_GAIN, FF_AUTOCENTER, ABS_X = 0x03, 0x15, 0x52, 0x60, 0x61, 0x00
GET_ABS, SEND_EFFECT, REMOVE_EFFECT = 0x80184540, 0x40304580, 0x40044581
GET_NAME, GET_BITS = 0x80004506, 0x80004520  # + size << 16, + kind
RIGHT = 0xC000
EFFECT, EVENT, ABSOLUTE = 48, 24, 24  # bytes of the kernel's structures
LEVEL = 16  # where the level of a constant effect stands
STEPS = 32767
# counts
FILE, IOCTL, COUNTER, LAST, PLAYED, EVERY, ERRORS, SENT, SLOWEST, SIGN = range(10)
COUNTS = 10
# scale
CENTRE, RADIANS, MOST = range(3)
GONE = 2  # status
NOTHING = float("nan")


@native
def wheel_read(t: Array, sample: Array, counts: Ints, scale: Array, absolute: Ints) -> None:
    """Where the wheel is, as the kernel knows it."""
    answer = foreign(counts[IOCTL], counts[FILE], GET_ABS, absolute)
    value = word(absolute, 0)
    if value >= 2147483648:
        value -= 4294967296
    sample[0] = (float(value) - scale[CENTRE]) * scale[RADIANS]
    sample[1], sample[2] = NOTHING, NOTHING
    sample[3] = 0.0 if answer >= 0 else float(GONE)
    if answer >= 0:
        counts[COUNTER] += 1
    sample[4] = float(counts[COUNTER])


@native
def wheel_write(t: Array, command: Array, counts: Ints, scale: Array, effect: Ints, event: Ints) -> None:
    """Changes the level of the effect if it must, and plays it again in time."""
    part = command[0] / scale[MOST] * float(counts[SIGN])
    level = int(max(-1.0, min(1.0, part)) * STEPS) if isfinite(part) else 0
    now = clock()
    if level != counts[LAST]:
        put_byte(effect, LEVEL, level)
        put_byte(effect, LEVEL + 1, level >> 8)
        if foreign(counts[IOCTL], counts[FILE], SEND_EFFECT, effect) < 0:
            counts[ERRORS] += 1
        else:
            counts[LAST] = level
            counts[SENT] += 1
    if now - counts[PLAYED] > counts[EVERY]:
        if transmit(counts[FILE], event, EVENT) != EVENT:
            counts[ERRORS] += 1
        counts[PLAYED] = now
    counts[SLOWEST] = max(counts[SLOWEST], clock() - now)


class Wheel(DeviceBase):
    """A steering wheel: one axis, an angle in rad and a torque in N m.

    path         of its event device; the first one with constant forces if not given
    turn         rad from lock to lock
    max_torque   N m at full level, from its data sheet: the kernel does not know it
    reverse      if it pushes the wrong way
    """

    def __init__(
        self,
        path: str | None = None,
        *,
        turn: float = math.radians(900.0),
        max_torque: float = 2.0,
        reverse: bool = False,
        watchdog: float = 0.05,
        name: str = "wheel",
    ) -> None:
        self.name, self.axes, self.path = name, ("angle",), path
        most = number(max_torque, "max_torque", above=0.0)
        self.turn = number(turn, "turn", above=0.0)
        self.watchdog = number(watchdog, "watchdog", least=0.005)
        self.capabilities = Capabilities("impedance", ("position",), (most,), ("rad",))
        self._counts, self._scale = np.zeros(COUNTS, np.int64), np.array([0.0, 1.0, most])
        self._counts[[FILE, SIGN]] = -1, -1 if reverse else 1
        self._counts[EVERY] = round(self.watchdog * 0.4e9)
        self._effect, self._event = np.zeros(EFFECT // 8, np.int64), np.zeros(EVENT // 8, np.int64)
        shared = {"counts": self._counts, "scale": self._scale}
        self.read = wheel_read.bound(
            vary=("t", "sample"), absolute=np.zeros(ABSOLUTE // 8, np.int64), **shared
        )
        self.write = wheel_write.bound(
            vary=("t", "command"), effect=self._effect, event=self._event, **shared
        )

    def open(self) -> None:
        """Takes the wheel, switches its own centring off, and uploads the effect."""
        if self._counts[FILE] >= 0:
            return
        self.path = self.path or found()
        file = _opened(self.path)
        try:
            low, high = _range(file, self.path)
            self._scale[[CENTRE, RADIANS]] = 0.5 * (low + high), self.turn / (high - low)
            self._counts[[FILE, IOCTL, LAST, PLAYED]] = file, ioctl_address(), 0, 0
            for code, value in ((FF_GAIN, 0xFFFF), (FF_AUTOCENTER, 0)):
                with contextlib.suppress(OSError):  # not every wheel has them
                    os.write(file, _event(code, value))
            length = round(self.watchdog * 1000)
            head = struct.pack("<HhHHHHHxxh", FF_CONSTANT, -1, RIGHT, 0, 0, length, 0, 0)
            self._effect.view(np.uint8)[:] = np.frombuffer(head.ljust(EFFECT, b"\0"), np.uint8)
            if _ioctl(file, SEND_EFFECT, self._effect) < 0:
                raise DeviceError("takes no constant force", where=self.path)
            number_of_it = byte(self._effect, 2) | byte(self._effect, 3) << 8
            self._event.view(np.uint8)[:] = np.frombuffer(_event(number_of_it, 1), np.uint8)
        except BaseException:
            self._counts[FILE] = -1
            os.close(file)
            raise

    def close(self) -> None:
        """No force, and gives it back; the kernel erases the effect."""
        file = int(self._counts[FILE])
        if file >= 0:
            self.command(0.0)
            self._counts[FILE] = -1
            os.close(file)

    @property
    def counts(self) -> dict[str, Any]:
        """Effects sent, errors, and the slowest command in seconds."""
        slowest = int(self._counts[SLOWEST]) * 1e-9
        return {"sent": int(self._counts[SENT]), "errors": int(self._counts[ERRORS]), "slowest": slowest}


def found() -> str:
    """The first event device that knows constant forces and an axis."""
    for path in sorted(glob.glob("/dev/input/event*")):
        with contextlib.suppress(OSError, DeviceError):
            file = _opened(path)
            try:
                if _has(file, EV_FF, FF_CONSTANT) and _has(file, EV_ABS, ABS_X):
                    return path
            finally:
                os.close(file)
    raise DeviceError(
        "there is no wheel with force feedback here",
        remedy="plug it in, or give the path of its event device",
    )


def ioctl_address() -> int:
    """Where the system's ioctl lies."""
    function = ctypes.CDLL(None, use_errno=True).ioctl
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _ioctl(file: int, request: int, memory: Any) -> int:
    return foreign(ioctl_address(), file, request, memory)


def _opened(path: str) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_NONBLOCK)
    except OSError as problem:
        raise DeviceError(
            f"cannot be opened: {problem.strerror}", where=path, remedy='are you in the group "input"?'
        ) from None


def _has(file: int, kind: int, code: int) -> bool:
    """Whether a device knows this code of this kind."""
    bits = np.zeros(16, np.int64)
    answer = _ioctl(file, GET_BITS + kind + (128 << 16), bits)
    return answer >= 0 and bool(byte(bits, code // 8) >> (code % 8) & 1)


def _range(file: int, path: str) -> tuple[int, int]:
    """Least and greatest value of the axis."""
    absolute = np.zeros(ABSOLUTE // 8, np.int64)
    if _ioctl(file, GET_ABS, absolute) < 0:
        raise DeviceError("is no input device with an axis", where=path)
    low, high = (int(x) for x in absolute.view(np.int32)[1:3])
    if high <= low:
        raise DeviceError(f"has an axis from {low} to {high}", where=path)
    return low, high


def _event(code: int, value: int) -> bytes:
    """An input_event: two words of time, then kind, code, value."""
    return struct.pack("<qqHHi", 0, 0, EV_FF, code, value)
