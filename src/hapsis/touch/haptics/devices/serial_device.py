"""Self-built devices on a serial line; `docs/devices.md` has the frame and a firmware."""

import os
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, byte, native, put_byte, receive
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices import link_state as peers
from hapsis.touch.haptics.devices import wire
from hapsis.touch.haptics.devices.device_base import DeviceBase, each, names, number
from hapsis.touch.realtime.device import Capabilities

CHUNK = 512  # bytes taken in one tick, at most
FIRST = 2.0  # s to wait for the first frame


@native
def resume(frame: Ints, link: Ints, kind: int) -> None:
    """Drops the first byte, and more until what is left can be the beginning of a frame."""
    held = link[peers.HELD]
    while held > 0:
        for k in range(1, held):
            put_byte(frame, k - 1, byte(frame, k))
        held -= 1
        link[peers.SKIPPED] += 1
        if held == 0 or wire.fits(frame, held, kind, link[peers.AXES]):
            break
    link[peers.HELD] = held


@native
def swallowed(b: int, kind: int, frame: Ints, link: Ints, scales: Array, latest: Array) -> None:
    """One more byte of the stream; a whole and good frame is taken over."""
    n = link[peers.AXES]
    put_byte(frame, link[peers.HELD], b)
    link[peers.HELD] += 1
    if not wire.fits(frame, link[peers.HELD], kind, n):
        resume(frame, link, kind)
    # after a wrong check a whole frame may be among the bytes that are left
    while link[peers.HELD] > 5:
        size = wire.length(n, byte(frame, 5))
        if link[peers.HELD] < size:
            break
        if wire.judged(frame, size, kind, n) == wire.GOOD:
            if peers.is_stale(frame, link):
                link[peers.STALE] += 1
            else:
                peers.heard(frame, n, link, scales, latest)
            for k in range(size, link[peers.HELD]):
                put_byte(frame, k - size, byte(frame, k))
            link[peers.HELD] -= size
            if link[peers.HELD] > 0 and not wire.fits(frame, link[peers.HELD], kind, n):
                resume(frame, link, kind)
        else:
            link[peers.BAD_CRC] += 1
            resume(frame, link, kind)


@native
def serial_read(
    t: Array, sample: Array, link: Ints, scales: Array, latest: Array, chunk: Ints, frame: Ints
) -> None:
    """Takes what has come; the newest whole frame counts."""
    count = receive(link[peers.FILE], chunk, CHUNK)
    if count == 0:  # end of file: hung up
        link[peers.GONE] = 1
    for k in range(count):
        swallowed(byte(chunk, k), wire.SAMPLE, frame, link, scales, latest)
    peers.told(link, latest, sample)


@native
def serial_write(t: Array, command: Array, link: Ints, scales: Array, out: Ints) -> None:
    """One command."""
    peers.sent(wire.COMMAND, 0, 0, command, link, scales, out)


class SerialDevice(DeviceBase):
    """A device that speaks our frame on a serial line.

        path             of the line, such as a USB serial port
        axes             their names
        max_force        per axis; the device gets no larger command
        baud             bits per second
        position_scale   metres or radians per step of its positions; likewise velocity_scale,
                         force_scale, command_scale
        measures         what its samples hold
        timeout          s without a frame, after which a sample has the status 1
        rate             frames it sends in a second

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
        position_scale: Any = 1e-7,
        velocity_scale: Any = 1e-6,
        force_scale: Any = 1e-6,
        command_scale: Any = 1e-6,
        timeout: float = 0.025,
        rate: float = 1000.0,
        name: str = "knob",
    ) -> None:
        self.name, self.axes, self.path, self.baud = name, names(axes), str(path), baud
        n = len(self.axes)
        limits = each(max_force, n, "max_force")
        self.capabilities = Capabilities(
            causality,
            tuple(measures),
            limits,
            (unit,) * n,
            facts={"path": self.path, "baud": baud, "rate": number(rate, "rate", above=0.0)},
        )
        scales = {"position_scale": position_scale, "velocity_scale": velocity_scale}
        scales |= {"force_scale": force_scale, "command_scale": command_scale}
        rows = [each(value, n, what) for what, value in scales.items()]
        if any(x == 0.0 for row in rows for x in row):
            raise DeviceError("a scale of 0 has no inverse")
        # where positions are commanded, the greatest force says nothing about them
        most = limits if causality == "impedance" else (np.inf,) * n
        shared = peers.memory(n, number(timeout, "timeout", above=0.0), 0.0, [*rows, most])
        self._link = shared["link"]
        self.read = serial_read.bound(
            vary=("t", "sample"),
            chunk=np.zeros(CHUNK // 8, np.int64),
            frame=np.zeros(wire.WORDS, np.int64),
            **shared,
        )
        self.write = serial_write.bound(
            vary=("t", "command"),
            link=self._link,
            scales=shared["scales"],
            out=np.zeros(wire.WORDS, np.int64),
        )

    def open(self) -> None:
        """Opens the line and waits for the first frame."""
        if self._link[peers.FILE] >= 0:
            return
        peers.reset(self._link, _line(self.path, self.baud))
        end = time.monotonic() + FIRST
        while self._link[peers.GOOD] == 0:
            self.sample()
            if time.monotonic() > end or self._link[peers.GONE]:
                skipped, wrong = int(self._link[peers.SKIPPED]), int(self._link[peers.BAD_CRC])
                self.close()
                raise DeviceError(
                    f"no frame came in {FIRST:g} s ({skipped} other bytes, {wrong} wrong checks)",
                    where=self.path,
                    remedy="check the device, its speed and its number of axes",
                )
            time.sleep(0.001)

    def close(self) -> None:
        """No force, and closes the line."""
        file = int(self._link[peers.FILE])
        if file >= 0:
            if self.capabilities.causality == "impedance":
                self.command(0.0)
            self._link[peers.FILE] = -1
            os.close(file)

    @property
    def counts(self) -> dict[str, int]:
        """Frames and errors so far, by name."""
        return peers.counted(self._link)

    @property
    def round_trip(self) -> float:
        """Seconds from a command to the newest sample that answers it."""
        return int(self._link[peers.ROUND_TRIP]) * 1e-6


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
        tty.setraw(file)
        settings = termios.tcgetattr(file)
        settings[2] |= termios.CLOCAL | termios.CREAD
        settings[4] = settings[5] = speed
        settings[6][termios.VMIN], settings[6][termios.VTIME] = 1, 0
        termios.tcsetattr(file, termios.TCSANOW, settings)
        termios.tcflush(file, termios.TCIOFLUSH)
    except termios.error as problem:
        os.close(file)
        raise DeviceError(f"is no serial line: {problem.args[-1]}", where=path) from None
    return file
