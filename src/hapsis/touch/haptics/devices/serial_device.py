"""Self-built devices on a serial line; `docs/devices.md` has the frame and a firmware."""

import os
from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import Array, Ints, byte, native, put_byte, receive, record, sized
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices import link_state, wire
from hapsis.touch.haptics.devices.device_base import keep_for_us, number
from hapsis.touch.haptics.devices.link_device import POSITION_SCALE, SCALE, LinkDevice
from hapsis.touch.haptics.devices.link_state import Link

CHUNK = 512  # bytes taken in one tick, at most
FIRST = 2.0  # s to wait for the first frame


@record
class SerialMemory:
    """A link and the bytes that came in one tick."""

    link: Link
    bytes: int
    chunk: Ints = sized("bytes // 8")


@native
def drop_byte(link: Link) -> None:
    """Drops the first byte held, and more until the rest can be the beginning of a frame."""
    held = link.held
    while held > 0:
        for k in range(1, held):
            put_byte(link.frame, k - 1, byte(link.frame, k))
        held -= 1
        link.skipped += 1
        if held == 0 or wire.can_begin(link.frame, held, wire.SAMPLE, link.axes):
            break
    link.held = held


@native
def take_byte(b: int, link: Link) -> None:
    """Takes one more byte of the stream; the numbers of a whole good frame are taken over."""
    n, frame = link.axes, link.frame
    put_byte(frame, link.held, b)
    link.held += 1
    if not wire.can_begin(frame, link.held, wire.SAMPLE, n):
        drop_byte(link)
    # after a wrong check a whole frame may be among the bytes that are left
    while link.held > 5:
        size = wire.length(n, byte(frame, 5))
        if link.held < size:
            break
        if wire.frame_fault(frame, size, wire.SAMPLE, n) == wire.GOOD:
            if link_state.is_stale(link):
                link.stale += 1
            else:
                link_state.accept(link)
            for k in range(size, link.held):
                put_byte(frame, k - size, byte(frame, k))
            link.held -= size
            if link.held > 0 and not wire.can_begin(frame, link.held, wire.SAMPLE, n):
                drop_byte(link)
        else:
            link.bad_check += 1
            drop_byte(link)


@native
def serial_read(t: Array, sample: Array, own: SerialMemory) -> None:
    """Takes the bytes that have come; the newest whole frame counts."""
    count = receive(own.link.file, own.chunk, CHUNK)
    if count == 0:  # end of file: hung up
        own.link.gone = True
    for k in range(count):
        take_byte(byte(own.chunk, k), own.link)
    link_state.fill_sample(own.link, sample)


@native
def serial_write(t: Array, command: Array, link: Link) -> None:
    """Sends one command."""
    link_state.send_command(command, link)


@verb
class SerialDevice(LinkDevice):
    """A device that speaks our frame on a serial line.

        path             of the line, such as a USB serial port
        axes             their names
        max_force        N or N m, per axis; the device gets no larger command
        baud             bits per second
        unit             of its positions: "m" or "rad"
        causality        "impedance": it takes forces; "admittance": positions
        position_scale   metres or radians per step of its positions; likewise velocity_scale,
                         force_scale, command_scale
        measures         what its samples hold
        timeout          s without a frame, after which a sample has the status 1
        rate             frames it sends in a second
        name             of the device, in reports

    It must drop its force by itself when no command comes for 25 ms.
    """

    def __init__(
        self,
        path: str,
        *,
        axes: Sequence[str] | str = "x",
        max_force: Any,
        baud: int = 921600,
        unit: str = "rad",
        causality: str = "impedance",
        measures: Sequence[str] = ("position",),
        timeout: float = 0.025,
        rate: float = 1000.0,
        name: str = "knob",
        position_scale: Any = POSITION_SCALE,
        velocity_scale: Any = SCALE,
        force_scale: Any = SCALE,
        command_scale: Any = SCALE,
    ) -> None:
        self.path, self.baud = str(path), baud
        rate = number(rate, "rate", above=0.0)
        can = {"causality": causality, "measures": measures, "max_force": max_force, "unit": unit}
        can["facts"] = {"path": self.path, "baud": baud, "rate": rate}
        scales = (position_scale, velocity_scale, force_scale, command_scale)
        super().__init__(name, axes, can, scales, timeout)
        memory = SerialMemory(link=self.link, bytes=CHUNK)
        self.read = serial_read.bound(vary=("t", "sample"), own=memory)
        self.write = serial_write.bound(vary=("t", "command"), link=self.link)

    def open(self) -> None:
        """Opens the line and waits for the first frame."""
        if self.link.file >= 0:
            return
        self.link.reset(_line(self.path, self.baud))
        if not self.wait_for_frame(FIRST):
            skipped, wrong = self.link.skipped, self.link.bad_check
            self.close()
            raise DeviceError(
                f"no frame came in {FIRST:g} s ({skipped} other bytes, {wrong} wrong checks)",
                where=self.path,
                remedy="check the device, its speed and its number of axes",
            )

    def close(self) -> None:
        """No force, and closes the line."""
        file = int(self.link.file)
        if file >= 0:
            self.let_go()
            os.close(file)


def _line(path: str, baud: int) -> int:
    """An open line without any editing, that never blocks."""
    try:
        import termios
        import tty
    except ImportError:
        raise DeviceError("serial devices need Linux or macOS", where=path) from None
    speed = getattr(termios, f"B{baud}", None)
    if speed is None:
        known = sorted(int(x[1:]) for x in dir(termios) if x[0] == "B" and x[1:].isdigit())
        raise DeviceError(
            f"{baud!r:.40} baud cannot be set", expected=", ".join(str(x) for x in known if x >= 9600)
        )
    try:
        file = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError as problem:
        remedy = "is it plugged in, and are you in its group?"
        what = f"cannot be opened: {problem.strerror}"
        raise DeviceError(what, where=path, remedy=remedy) from None
    try:
        keep_for_us(file, path)
        tty.setraw(file)
        settings = termios.tcgetattr(file)
        settings[2] |= termios.CLOCAL | termios.CREAD
        settings[4] = settings[5] = speed
        settings[6][termios.VMIN], settings[6][termios.VTIME] = 1, 0
        termios.tcsetattr(file, termios.TCSANOW, settings)
        termios.tcflush(file, termios.TCIOFLUSH)
    except DeviceError:
        os.close(file)
        raise
    except termios.error as problem:
        os.close(file)
        raise DeviceError(f"is no serial line: {problem.args[-1]}", where=path) from None
    return file
