"""What both ends of a wire keep: the newest numbers, how fresh they are, and what went wrong.

Memory is `link` (ints), `scales` (of positions, velocities, forces, commands; n each, then n limits
of commands) and `latest` (positions, velocities, forces).
"""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, at, byte, clock, isfinite, native, transmit
from hapsis.touch.haptics.devices import wire

# link: what stays
FILE, AXES, TIMEOUT, MAX_AGE, NEEDS_ECHO, SCALE = range(6)
# the other side, as last heard
HEARD, COUNTER, TIME, FRESH, STATUS, ROUND_TRIP = range(6, 12)
# counted
GOOD, OLD, STALE, LOST, BAD_CRC, SKIPPED, MALFORMED, SENT, UNSENT, LATE = range(12, 22)
# facts
GONE, CLOSED, SEQUENCE, HELD = range(22, 26)
LINK = 26
COUNTED = {
    "good": GOOD,
    "old": OLD,
    "stale": STALE,
    "lost": LOST,
    "bad check": BAD_CRC,
    "skipped bytes": SKIPPED,
    "malformed": MALFORMED,
    "sent": SENT,
    "unsent": UNSENT,
}
# the status of a sample; the device's own number comes after OWN
SILENT, UNPLUGGED, REFUSED, OWN = 1, 2, 3, 100
MEANING = {
    SILENT: "nothing came for too long",
    UNPLUGGED: "the device is gone",
    REFUSED: "the other side sent too much that is no frame, and is not listened to any more",
}
MALFORMED_MOST = 10
HALF = 1 << 31
RESTART = 1_000_000_000  # ns of silence, after which the other side may count anew
NOTHING = float("nan")


@native
def microseconds() -> int:
    """The clock of this side, as frames carry it."""
    return (clock() // 1000) & 0xFFFFFFFF


@native
def is_stale(x: Ints, link: Ints) -> bool:
    """Whether what the frame answers is too long ago; sets the round trip."""
    if byte(x, 5) & wire.ECHO == 0:
        return link[NEEDS_ECHO] != 0
    age = (microseconds() - wire.word(x, 16)) & 0xFFFFFFFF
    if age < HALF:  # else an echo of the future, or of very long ago
        link[ROUND_TRIP] = age
    return link[MAX_AGE] > 0 and age > link[MAX_AGE]


@native
def is_old(x: Ints, link: Ints) -> bool:
    """Whether a newer frame, or this one, has come before; after a long silence none is old."""
    ahead = (wire.word(x, 8) - link[COUNTER]) & 0xFFFFFFFF
    again = ahead == 0 or ahead >= HALF
    return link[HEARD] != 0 and again and clock() - link[FRESH] < RESTART


@native
def heard(x: Ints, n: int, link: Ints, scales: Array, latest: Array) -> None:
    """Takes over a good frame."""
    counter = wire.word(x, 8)
    ahead = (counter - link[COUNTER]) & 0xFFFFFFFF
    if link[HEARD] != 0 and 1 < ahead < HALF:
        link[LOST] += ahead - 1
    link[COUNTER], link[TIME], link[STATUS] = counter, wire.word(x, 12), byte(x, 6)
    link[HEARD], link[FRESH], link[LATE] = 1, clock(), 0
    link[GOOD] += 1
    flags, place = byte(x, 5), wire.HEAD
    for part in range(3):
        there = part == 0 or flags & part != 0
        for k in range(n):
            latest[part * n + k] = NOTHING
            if there:
                scale = scales[(part if part > 0 else link[SCALE]) * n + k]
                latest[part * n + k] = wire.scaled(x, place + 4 * k, scale)
        if there:
            place += 4 * n


@native
def told(link: Ints, latest: Array, sample: Array) -> None:
    """The sample for the loop: the newest numbers, and how it stands with the other side."""
    n = link[AXES]
    for k in range(3 * n):
        sample[k] = latest[k]
    status = OWN + link[STATUS] if link[STATUS] != 0 else 0
    if link[GONE] != 0:
        status = UNPLUGGED
    elif link[CLOSED] != 0:
        status = REFUSED
    elif clock() - link[FRESH] > link[TIMEOUT]:
        status = SILENT
    sample[3 * n], sample[3 * n + 1] = float(status), float(link[GOOD])


@native
def sent(kind: int, flags: int, status: int, values: Array, link: Ints, scales: Array, out: Ints) -> None:
    """Sends a frame; a command is n numbers within their limits, a sample 3 n."""
    n = link[AXES]
    if link[HEARD] != 0 and clock() - link[FRESH] < RESTART:
        flags = flags | wire.ECHO
    link[SEQUENCE] += 1
    wire.begun(out, kind, n, flags, status, link[SEQUENCE], microseconds(), link[TIME])
    place = wire.HEAD
    if kind == wire.COMMAND:
        for k in range(n):
            most = scales[4 * n + k]
            value = max(-most, min(most, values[k])) if isfinite(values[k]) else 0.0
            wire.put_scaled(out, place + 4 * k, value, scales[3 * n + k])
        place += 4 * n
    else:
        place = wire.put_values(out, n, place, values, scales)
        if flags & wire.VELOCITIES != 0:
            place = wire.put_values(out, n, place, at(values, n), at(scales, n))
        if flags & wire.FORCES != 0:
            place = wire.put_values(out, n, place, at(values, 2 * n), at(scales, 2 * n))
    wire.ended(out, place + wire.TAIL)
    if transmit(link[FILE], out, place + wire.TAIL) == place + wire.TAIL:
        link[SENT] += 1
    else:
        link[UNSENT] += 1


def counted(link: Any) -> dict[str, int]:
    """What has been counted, by name."""
    return {name: int(link[place]) for name, place in COUNTED.items()}


def memory(n: int, timeout: float, max_age: float, scales: Any) -> dict[str, Any]:
    """The arrays of one end."""
    link = np.zeros(LINK, np.int64)
    link[[FILE, AXES, TIMEOUT, MAX_AGE]] = -1, n, round(timeout * 1e9), round(max_age * 1e6)
    return {
        "link": link,
        "scales": np.concatenate([np.asarray(x, float) for x in scales]),
        "latest": np.full(3 * n, np.nan),
    }


def reset(link: Any, file: int) -> None:
    """As nothing was ever heard; the time of silence counts from now."""
    link[HEARD:] = 0
    link[FILE], link[FRESH] = file, clock()
