"""The frame that devices and other machines speak: bytes, little-endian.

    0   A5 5A     where a frame begins
    2   version   1
    3   kind      1 a sample, 2 a command
    4   axes      n, 1 to 16
    5   flags     1 velocities follow, 2 forces follow, 4 the echo is one
    6   status    0 is fine, else a number of the device's own
    7   0
    8   counter   one more with every frame, 32 bits
    12  time      of the sender's clock, microseconds, 32 bits
    16  echo      the time in the newest frame the sender has accepted from the other side
    20  n int32   positions (a sample), or what is commanded; times a scale that both sides know
        n int32   velocities, if flagged
        n int32   forces, if flagged
        crc       16 bits, CRC-16/CCITT-FALSE of all bytes from the version on

The echo tells each side, by its own clock, how old the frame is that the other one answers.
"""

import binascii
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

from hapsis.compiler.native import Array, Ints, byte, isfinite, native, put_byte
from hapsis.errors import DeviceError

SYNC, SECOND, VERSION = 0xA5, 0x5A, 1
SAMPLE, COMMAND = 1, 2
VELOCITIES, FORCES, ECHO = 1, 2, 4
HEAD, TAIL, MOST_AXES = 20, 2, 16
LONGEST = HEAD + 3 * 4 * MOST_AXES + TAIL  # bytes
WORDS = LONGEST // 8 + 2  # of memory for one
WRAP = 1 << 32
# what is wrong with a frame
GOOD, NOT_OURS, WRONG_LENGTH, WRONG_CRC = range(4)
MOST = 2147483647.0


@native
def crc(x: Ints, first: int, last: int) -> int:
    """The check of the bytes from `first` to before `last`."""
    value = 0xFFFF
    for k in range(first, last):
        value = value ^ (byte(x, k) << 8)
        for _ in range(8):
            value = value << 1
            if value & 0x10000:
                value = (value ^ 0x1021) & 0xFFFF
    return value


@native
def get_word(x: Ints, k: int) -> int:
    """Four bytes as an unsigned number."""
    return byte(x, k) | byte(x, k + 1) << 8 | byte(x, k + 2) << 16 | byte(x, k + 3) << 24


@native
def put_word(x: Ints, k: int, value: int) -> None:
    """Writes four bytes."""
    for j in range(4):
        put_byte(x, k + j, value >> (8 * j))


@native
def put_scaled(x: Ints, k: int, value: float, scale: float) -> None:
    """Writes a number in steps of its scale, limited to 32 bits; 0 for what is not finite."""
    steps = value / scale
    if not isfinite(steps):
        steps = 0.0
    put_word(x, k, int(max(-MOST, min(MOST, steps + (0.5 if steps >= 0.0 else -0.5)))))


@native
def get_scaled(x: Ints, k: int, scale: float) -> float:
    """Reads a number in steps of its scale."""
    value = get_word(x, k)
    if value >= 2147483648:
        value -= WRAP
    return float(value) * scale


@native
def length(n: int, flags: int) -> int:
    """Bytes of a frame."""
    parts = 1 + (flags & VELOCITIES) + (flags & FORCES) // FORCES
    return HEAD + 4 * n * parts + TAIL


@native
def can_begin(x: Ints, held: int, kind: int, n: int) -> bool:
    """Whether the bytes held so far can be the beginning of a frame of this kind."""
    good = True
    for k in range(min(held, 6)):
        b = byte(x, k)
        if (
            (k == 0 and b != SYNC)
            or (k == 1 and b != SECOND)
            or (k == 2 and b != VERSION)
            or (k == 3 and b != kind)
            or (k == 4 and b != n)
            or (k == 5 and b > 7)
        ):
            good = False
    return good


@native
def frame_fault(x: Ints, held: int, kind: int, n: int) -> int:
    """GOOD if these bytes are one frame of this kind, else what is wrong with them."""
    if held < HEAD + TAIL or not can_begin(x, held, kind, n):
        return NOT_OURS
    size = length(n, byte(x, 5))
    if held != size:
        return WRONG_LENGTH
    if crc(x, 2, size - TAIL) != byte(x, size - 2) | byte(x, size - 1) << 8:
        return WRONG_CRC
    return GOOD


@native
def put_head(x: Ints, kind: int, n: int, flags: int, status: int, counter: int, time: int, echo: int) -> None:
    """Writes the head of a frame."""
    put_byte(x, 0, SYNC)
    put_byte(x, 1, SECOND)
    put_byte(x, 2, VERSION)
    put_byte(x, 3, kind)
    put_byte(x, 4, n)
    put_byte(x, 5, flags)
    put_byte(x, 6, max(0, min(255, status)))
    put_byte(x, 7, 0)
    put_word(x, 8, counter)
    put_word(x, 12, time)
    put_word(x, 16, echo)


@native
def put_check(x: Ints, size: int) -> None:
    """Writes the check at the end of a frame."""
    value = crc(x, 2, size - TAIL)
    put_byte(x, size - 2, value)
    put_byte(x, size - 1, value >> 8)


@native
def put_values(x: Ints, n: int, first: int, values: Array, scales: Array) -> int:
    """Writes n numbers from byte `first` on; returns the byte behind them."""
    for k in range(n):
        put_scaled(x, first + 4 * k, values[k], scales[k])
    return first + 4 * n


# the same in Python, for tools and tests -------------------------------------------------------


class Frame(NamedTuple):
    """A frame in plain numbers: values in steps, before the scale."""

    kind: int
    values: tuple[int, ...]
    velocities: tuple[int, ...] = ()
    forces: tuple[int, ...] = ()
    counter: int = 0
    time: int = 0
    echo: int | None = None
    status: int = 0


def pack(frame: Frame) -> bytes:
    """The bytes of a frame."""
    n = len(frame.values)
    flags = VELOCITIES * bool(frame.velocities) | FORCES * bool(frame.forces)
    flags |= ECHO * (frame.echo is not None)
    head = struct.pack(
        "<BBBBBBIII",
        VERSION,
        frame.kind,
        n,
        flags,
        frame.status,
        0,
        frame.counter % WRAP,
        frame.time % WRAP,
        (frame.echo or 0) % WRAP,
    )
    numbers: Sequence[int] = (*frame.values, *frame.velocities, *frame.forces)
    body = head + struct.pack(f"<{len(numbers)}i", *numbers)
    return bytes([SYNC, SECOND]) + body + struct.pack("<H", binascii.crc_hqx(body, 0xFFFF))


def unpack(data: bytes) -> Frame:
    """The frame in these bytes, or a DeviceError."""
    if len(data) < HEAD + TAIL or data[:3] != bytes([SYNC, SECOND, VERSION]):
        raise DeviceError(f"{len(data)} bytes are no frame")
    kind, n, flags, status, _, counter, time, echo = struct.unpack_from("<BBBBBIII", data, 3)
    parts = 1 + bool(flags & VELOCITIES) + bool(flags & FORCES)
    if len(data) != HEAD + 4 * n * parts + TAIL:
        raise DeviceError(f"a frame of {n} axes has {HEAD + 4 * n * parts + TAIL} bytes, not {len(data)}")
    if binascii.crc_hqx(data[2:-2], 0xFFFF) != int.from_bytes(data[-2:], "little"):
        raise DeviceError("the check of a frame is wrong")
    numbers: Any = struct.unpack_from(f"<{n * parts}i", data, HEAD)
    velocities = numbers[n : 2 * n] if flags & VELOCITIES else ()
    forces = numbers[-n:] if flags & FORCES else ()
    return Frame(kind, numbers[:n], velocities, forces, counter, time, echo if flags & ECHO else None, status)
