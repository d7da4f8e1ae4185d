"""Force-feedback wheels through SDL 2, where evdev is not at hand; `pysdl2-dll` has the library.

SDL takes locks of its own and may wait for the driver: prefer `Wheel` on Linux.
"""

import ctypes
import math
import struct
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import Array, Ints, clock, foreign, native, record, sized
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices.device_base import DeviceBase, number
from hapsis.touch.haptics.devices.libraries import Library
from hapsis.touch.haptics.devices.wheel import STEPS, put_level, torque_level
from hapsis.touch.realtime.device import Capabilities

NAMES = ("libSDL2-2.0.so.0", "libSDL2-2.0.so", "SDL2.dll", "libSDL2.dylib")
REMEDY = 'install SDL 2, or "pysdl2-dll" with pip, or give library=PATH'
# of <SDL_haptic.h>
JOYSTICK, HAPTIC, CONSTANT, CARTESIAN = 0x200, 0x1000, 1, 1
EFFECT = 72  # bytes of the union of effects, rounded up
LEVEL = 30  # where the level of a constant effect stands
GONE = 2  # status
NOTHING = float("nan")


@record
class SdlMemory:
    """Addresses of the library's functions, its objects, and the level that plays."""

    update: int
    get_axis: int
    send: int
    run: int
    attached: int
    stick: int = 0
    haptic: int = 0
    number: int = 0  # of the effect
    level: int = 0
    played: int = 0  # clock when it was last started
    every: int  # ns between two starts
    counter: int = 0
    errors: int = 0
    sign: float
    half_turn: float  # rad
    most: float  # N m
    effect: Ints = sized("9")


@native
def sdl_read(t: Array, sample: Array, own: SdlMemory) -> None:
    """The angle of the wheel: a signed number of 16 bits."""
    foreign(own.update)
    value = foreign(own.get_axis, own.stick, 0) & 0xFFFF
    if value >= 32768:
        value -= 65536
    sample[0] = float(value) / STEPS * own.half_turn
    sample[1], sample[2], sample[3] = NOTHING, NOTHING, 0.0
    if foreign(own.attached, own.stick) == 0:
        sample[3] = float(GONE)
    else:
        own.counter += 1
    sample[4] = float(own.counter)


@native
def sdl_write(t: Array, command: Array, own: SdlMemory) -> None:
    """Changes the level of the effect if it must, and plays it again in time."""
    level = torque_level(command[0] / own.most * own.sign)
    if level != own.level:
        put_level(own.effect, LEVEL, level)
        if foreign(own.send, own.haptic, own.number, own.effect) < 0:
            own.errors += 1
        else:
            own.level = level
    now = clock()
    if now - own.played > own.every:
        if foreign(own.run, own.haptic, own.number, 1) < 0:
            own.errors += 1
        own.played = now


@verb
class SdlWheel(DeviceBase):
    """A steering wheel: one axis, an angle in rad and a torque in N m; found by SDL.

    index        its number among the joysticks of SDL
    library      path of the library

    The others (turn, max_torque, reverse, watchdog, name) are those of `Wheel`.
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
        address, self._open = self.library.address, False
        self.memory = SdlMemory(
            update=address("SDL_JoystickUpdate"),
            get_axis=address("SDL_JoystickGetAxis"),
            send=address("SDL_HapticUpdateEffect"),
            run=address("SDL_HapticRunEffect"),
            attached=address("SDL_JoystickGetAttached"),
            every=round(self.watchdog * 0.4e9),
            sign=-1.0 if reverse else 1.0,
            half_turn=0.5 * number(turn, "turn", above=0.0),
            most=most,
        )
        self.read = sdl_read.bound(vary=("t", "sample"), own=self.memory)
        self.write = sdl_write.bound(vary=("t", "command"), own=self.memory)

    def open(self) -> None:
        """Takes the wheel and uploads the effect."""
        if self._open:
            return
        if self.library("SDL_Init", JOYSTICK | HAPTIC) < 0:
            raise DeviceError(f"SDL does not start: {self.library.text('SDL_GetError')}")
        self._open = True
        count = self.library("SDL_NumJoysticks")
        if not 0 <= self.index < count:
            self.close()
            raise DeviceError(f"SDL sees {max(0, count)} joysticks; there is no {self.index}")
        pointer: Any = ctypes.c_void_p
        stick = self.library("SDL_JoystickOpen", self.index, result=pointer)
        haptic = stick and self.library("SDL_HapticOpenFromJoystick", pointer(stick), result=pointer)
        if not haptic:
            raise self._closed(f"joystick {self.index} has no force feedback")
        own = self.memory
        own.stick, own.haptic, own.level, own.played = stick, haptic, 0, 0
        # type; direction: kind and three numbers; length, delay, button, interval; level
        length = round(self.watchdog * 1000)
        head = struct.pack("<HxxBxxxiiiIHHHh", CONSTANT, CARTESIAN, 1, 0, 0, length, 0, 0, 0, 0)
        own.effect.view(np.uint8)[:] = np.frombuffer(head.ljust(EFFECT, b"\0"), np.uint8)
        effect = self.library("SDL_HapticNewEffect", pointer(haptic), pointer(own.effect.ctypes.data))
        if effect < 0:
            raise self._closed(f"joystick {self.index} takes no constant force")
        own.number = effect

    def close(self) -> None:
        """No force, and gives it back."""
        if self._open:
            own = self.memory
            if own.haptic:
                self.command(0.0)
                self.library("SDL_HapticClose", ctypes.c_void_p(int(own.haptic)), result=None)
                self.library("SDL_JoystickClose", ctypes.c_void_p(int(own.stick)), result=None)
                own.haptic = own.stick = 0
            self.library("SDL_QuitSubSystem", JOYSTICK | HAPTIC, result=None)
            self._open = False

    def _closed(self, what: str) -> DeviceError:
        """Closes it; the error with the reason that SDL gives."""
        why = self.library.text("SDL_GetError")
        self.close()
        return DeviceError(f"{what}: {why}")


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
