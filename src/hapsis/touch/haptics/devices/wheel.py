"""Force-feedback wheels of Linux, by the kernel's own interface (evdev).

The angle comes from one ioctl a tick (EVIOCGABS), the force goes as one constant effect that is
changed while it plays (EVIOCSFF). The effect lasts 50 ms and is played again in time: a loop that
stalls lets go by itself, and the kernel erases the effect when the process ends.

No package is needed. An ioctl on a wheel waits for its driver: most queue the change and return at
once, some wait for USB; `counts["slowest"]` has the longest time measured.
"""

import contextlib
import ctypes
import glob
import math
import os
import struct
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import (
    Array,
    Ints,
    byte,
    clock,
    foreign,
    isfinite,
    native,
    put_byte,
    record,
    sized,
    transmit,
)
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices.device_base import DeviceBase, keep_for_us, number
from hapsis.touch.haptics.devices.wire import get_word
from hapsis.touch.realtime.device import Capabilities

# numbers of <linux/input.h>
EV_ABS, EV_FF, FF_CONSTANT, FF_GAIN, FF_AUTOCENTER, ABS_X = 0x03, 0x15, 0x52, 0x60, 0x61, 0x00
GET_ABS, SEND_EFFECT, REMOVE_EFFECT = 0x80184540, 0x40304580, 0x40044581
GET_NAME, GET_BITS = 0x80004506, 0x80004520  # + size << 16, + kind
RIGHT = 0xC000
EFFECT, EVENT, ABSOLUTE = 48, 24, 24  # bytes of the kernel's structures
LEVEL = 16  # where the level of a constant effect stands
STEPS = 32767
GONE = 2  # status
CLOSED = -1  # in place of a file
NOTHING = float("nan")


@record
class WheelMemory:
    """The open file, the level that plays, and counts."""

    file: int = CLOSED
    ioctl: int = 0  # address
    counter: int = 0
    level: int = 0
    played: int = 0  # clock when it was last started
    every: int  # ns between two starts
    errors: int = 0
    sent: int = 0
    slowest: int = 0  # ns of a command
    sign: float
    centre: float = 0.0  # the value in the middle
    radians: float = 1.0  # of one step
    most: float  # N m
    absolute: Ints = sized("3")
    effect: Ints = sized("6")
    event: Ints = sized("3")


@native
def torque_level(part: float) -> int:
    """The level of an effect for a part of the greatest torque, -1 to 1."""
    return int(max(-1.0, min(1.0, part)) * STEPS) if isfinite(part) else 0


@native
def put_level(effect: Ints, first: int, level: int) -> None:
    """Writes the two bytes of a level."""
    put_byte(effect, first, level)
    put_byte(effect, first + 1, level >> 8)


@native
def wheel_read(t: Array, sample: Array, own: WheelMemory) -> None:
    """The angle of the wheel, as the kernel knows it."""
    answer = foreign(own.ioctl, own.file, GET_ABS, own.absolute)
    value = get_word(own.absolute, 0)
    if value >= 2147483648:
        value -= 4294967296
    sample[0] = (float(value) - own.centre) * own.radians
    sample[1], sample[2] = NOTHING, NOTHING
    sample[3] = 0.0 if answer >= 0 else float(GONE)
    if answer >= 0:
        own.counter += 1
    sample[4] = float(own.counter)


@native
def wheel_write(t: Array, command: Array, own: WheelMemory) -> None:
    """Changes the level of the effect if it must, and plays it again in time."""
    level = torque_level(command[0] / own.most * own.sign)
    now = clock()
    if level != own.level:
        put_level(own.effect, LEVEL, level)
        if foreign(own.ioctl, own.file, SEND_EFFECT, own.effect) < 0:
            own.errors += 1
        else:
            own.level = level
            own.sent += 1
    if now - own.played > own.every:
        if transmit(own.file, own.event, EVENT) != EVENT:
            own.errors += 1
        own.played = now
    own.slowest = max(own.slowest, clock() - now)


@verb
class Wheel(DeviceBase):
    """A steering wheel: one axis, an angle in rad and a torque in N m.

    path         of its event device; the first one with constant forces if not given
    turn         rad from lock to lock
    max_torque   N m at full level, from its data sheet: the kernel does not know it
    reverse      if it pushes the wrong way
        watchdog     s without a command, after which the wheel lets go by itself
        name         of the device, in reports
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
        self.watchdog = number(watchdog, "watchdog", least=0.005, most=60.0)
        self.capabilities = Capabilities("impedance", ("position",), (most,), ("rad",))
        self.memory = WheelMemory(
            every=round(self.watchdog * 0.4e9), sign=-1.0 if reverse else 1.0, most=most
        )
        self.read = wheel_read.bound(vary=("t", "sample"), own=self.memory)
        self.write = wheel_write.bound(vary=("t", "command"), own=self.memory)

    def open(self) -> None:
        """Takes the wheel, switches its own centring off, and uploads the effect."""
        own = self.memory
        if own.file >= 0:
            return
        self.path = self.path or find_wheel()
        file = _open_event(self.path)
        try:
            keep_for_us(file, self.path)
            low, high = _range(file, self.path)
            own.centre, own.radians = 0.5 * (low + high), self.turn / (high - low)
            own.file, own.ioctl, own.level, own.played = file, ioctl_address(), 0, 0
            for code, value in ((FF_GAIN, 0xFFFF), (FF_AUTOCENTER, 0)):
                with contextlib.suppress(OSError):  # not every wheel has them
                    os.write(file, _event(code, value))
            length = round(self.watchdog * 1000)
            head = struct.pack("<HhHHHHHxxh", FF_CONSTANT, -1, RIGHT, 0, 0, length, 0, 0)
            own.effect.view(np.uint8)[:] = np.frombuffer(head.ljust(EFFECT, b"\0"), np.uint8)
            if _ioctl(file, SEND_EFFECT, own.effect) < 0:
                raise DeviceError("takes no constant force", where=self.path)
            effect = byte(own.effect, 2) | byte(own.effect, 3) << 8
            own.event.view(np.uint8)[:] = np.frombuffer(_event(effect, 1), np.uint8)
        except BaseException:
            own.file = CLOSED
            os.close(file)
            raise

    def close(self) -> None:
        """No force, and gives it back; the kernel erases the effect."""
        file = int(self.memory.file)
        if file >= 0:
            self.command(0.0)
            self.memory.file = CLOSED
            os.close(file)

    @property
    def counts(self) -> dict[str, Any]:
        """Effects sent, errors, and the slowest command in seconds."""
        own = self.memory
        return {"sent": int(own.sent), "errors": int(own.errors), "slowest": int(own.slowest) * 1e-9}


def find_wheel() -> str:
    """The path of the first event device that knows constant forces and an axis."""
    for path in sorted(glob.glob("/dev/input/event*")):
        with contextlib.suppress(OSError, DeviceError):
            file = _open_event(path)
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
    """The address of the system's ioctl."""
    function = ctypes.CDLL(None, use_errno=True).ioctl
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _ioctl(file: int, request: int, memory: Any) -> int:
    return foreign(ioctl_address(), file, request, memory)


def _open_event(path: str) -> int:
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
