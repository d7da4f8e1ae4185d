"""Force-feedback wheels through SDL 2, where evdev is not at hand; `pysdl2-dll` has the library.

SDL takes locks of its own and may wait for the driver: prefer `Wheel` on Linux.
"""

import ctypes
import math
import struct
from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, clock, foreign, isfinite, native, put_byte
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices.device_base import DeviceBase, number
from hapsis.touch.haptics.devices.libraries import Library
from hapsis.touch.realtime.device import Capabilities

NAMES = ("libSDL2-2.0.so.0", "libSDL2-2.0.so", "SDL2.dll", "libSDL2.dylib")
REMEDY = 'install SDL 2, or "pysdl2-dll" with pip, or give library=PATH'
# of <SDL_haptic.h>
JOYSTICK, HAPTIC, CONSTANT, CARTESIAN = 0x200, 0x1000, 1, 1
EFFECT = 72  # bytes of the union of effects, rounded up
LEVEL = 30  # where the level of a constant effect stands
STEPS = 32767
# calls: addresses, pointers, what was counted
UPDATE, AXIS, SEND, RUN, ATTACHED, STICK, FEEL, NUMBER = range(8)
LAST, PLAYED, EVERY, COUNTER, ERRORS, SIGN = range(8, 14)
CALLS = 14
GONE = 2  # status
NOTHING = float("nan")


@native
def sdl_read(t: Array, sample: Array, calls: Ints, scale: Array) -> None:
    """Where the wheel is: a signed number of 16 bits."""
    foreign(calls[UPDATE])
    value = foreign(calls[AXIS], calls[STICK], 0) & 0xFFFF
    if value >= 32768:
        value -= 65536
    sample[0] = float(value) / STEPS * scale[0]
    sample[1], sample[2], sample[3] = NOTHING, NOTHING, 0.0
    if foreign(calls[ATTACHED], calls[STICK]) == 0:
        sample[3] = float(GONE)
    else:
        calls[COUNTER] += 1
    sample[4] = float(calls[COUNTER])


@native
def sdl_write(t: Array, command: Array, calls: Ints, scale: Array, effect: Ints) -> None:
    """Changes the level of the effect if it must, and plays it again in time."""
    part = command[0] / scale[1] * float(calls[SIGN])
    level = int(max(-1.0, min(1.0, part)) * STEPS) if isfinite(part) else 0
    if level != calls[LAST]:
        put_byte(effect, LEVEL, level)
        put_byte(effect, LEVEL + 1, level >> 8)
        if foreign(calls[SEND], calls[FEEL], calls[NUMBER], effect) < 0:
            calls[ERRORS] += 1
        else:
            calls[LAST] = level
    now = clock()
    if now - calls[PLAYED] > calls[EVERY]:
        if foreign(calls[RUN], calls[FEEL], calls[NUMBER], 1) < 0:
            calls[ERRORS] += 1
        calls[PLAYED] = now


class SdlWheel(DeviceBase):
    """A steering wheel: one axis, an angle in rad and a torque in N m; arguments as of `Wheel`.

    `index` is its number among the joysticks of SDL.
    """

    def __init__(
        self,
        index: int = 0,
        *,
        turn: float = math.radians(900.0),
        max_torque: float = 2.0,
        reverse: bool = False,
        watchdog: float = 0.05,
        library: str | None = None,
        name: str = "wheel",
    ) -> None:
        self.name, self.axes, self.index = name, ("angle",), index
        self.library = Library(NAMES, "SDL 2", REMEDY, library or _packaged())
        most = number(max_torque, "max_torque", above=0.0)
        self.watchdog = number(watchdog, "watchdog", least=0.005)
        self.capabilities = Capabilities(
            "impedance", ("position",), (most,), ("rad",), facts={"library": self.library.path}
        )
        functions = (
            "SDL_JoystickUpdate",
            "SDL_JoystickGetAxis",
            "SDL_HapticUpdateEffect",
            "SDL_HapticRunEffect",
            "SDL_JoystickGetAttached",
        )
        self._calls, self._open = np.zeros(CALLS, np.int64), False
        self._calls[: len(functions)] = [self.library.address(f) for f in functions]
        self._calls[[EVERY, SIGN]] = round(self.watchdog * 0.4e9), -1 if reverse else 1
        scale = np.array([0.5 * number(turn, "turn", above=0.0), most])
        self._effect = np.zeros(EFFECT // 8, np.int64)
        self.read = sdl_read.bound(vary=("t", "sample"), calls=self._calls, scale=scale)
        self.write = sdl_write.bound(
            vary=("t", "command"), calls=self._calls, scale=scale, effect=self._effect
        )

    def open(self) -> None:
        """Takes the wheel and uploads the effect."""
        if self._open:
            return
        if self.library("SDL_Init", JOYSTICK | HAPTIC) < 0:
            raise DeviceError(f"SDL does not start: {self._why()}")
        self._open = True
        count = self.library("SDL_NumJoysticks")
        if not 0 <= self.index < count:
            self.close()
            raise DeviceError(f"SDL sees {max(0, count)} joysticks; there is no {self.index}")
        pointer: Any = ctypes.c_void_p
        stick = self.library("SDL_JoystickOpen", self.index, result=pointer)
        feel = stick and self.library("SDL_HapticOpenFromJoystick", pointer(stick), result=pointer)
        if not feel:
            why = self._why()
            self.close()
            raise DeviceError(f"joystick {self.index} has no force feedback: {why}")
        self._calls[[STICK, FEEL, LAST, PLAYED]] = stick, feel, 0, 0
        # type; direction: kind and three numbers; length, delay, button, interval; level
        length = round(self.watchdog * 1000)
        head = struct.pack("<HxxBxxxiiiIHHHh", CONSTANT, CARTESIAN, 1, 0, 0, length, 0, 0, 0, 0)
        self._effect.view(np.uint8)[:] = np.frombuffer(head.ljust(EFFECT, b"\0"), np.uint8)
        made = self.library("SDL_HapticNewEffect", pointer(feel), pointer(self._effect.ctypes.data))
        if made < 0:
            why = self._why()
            self.close()
            raise DeviceError(f"joystick {self.index} takes no constant force: {why}")
        self._calls[NUMBER] = made

    def close(self) -> None:
        """No force, and gives it back."""
        if self._open:
            if self._calls[FEEL]:
                self.command(0.0)
                self.library("SDL_HapticClose", ctypes.c_void_p(int(self._calls[FEEL])), result=None)
                self.library("SDL_JoystickClose", ctypes.c_void_p(int(self._calls[STICK])), result=None)
                self._calls[[FEEL, STICK]] = 0
            self.library("SDL_QuitSubSystem", JOYSTICK | HAPTIC, result=None)
            self._open = False

    def _why(self) -> str:
        text = self.library("SDL_GetError", result=ctypes.c_char_p)
        return text.decode(errors="replace") if text else "no reason is given"


def _packaged() -> str | None:
    """The library of the package `pysdl2-dll`, if it is installed."""
    from importlib.util import find_spec
    from pathlib import Path

    spec = find_spec("sdl2dll")
    if spec is None or not spec.submodule_search_locations:
        return None
    for folder in spec.submodule_search_locations:
        for path in sorted(Path(folder).glob("dll/*SDL2*")):
            if "SDL2-2.0.so" in path.name or path.name in ("SDL2.dll", "SDL2"):
                return str(path)
    return None
