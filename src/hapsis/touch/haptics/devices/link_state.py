"""The state of one end of a wire: the newest numbers, how fresh they are, and what went wrong."""

from typing import Any

import numpy as np

from hapsis.compiler.native import (
    Array,
    Ints,
    at,
    byte,
    clock,
    constant,
    isfinite,
    native,
    record,
    sized,
    transmit,
)
from hapsis.touch.haptics.devices import wire

# the status of a sample; the device's own number comes after OWN
SILENT, UNPLUGGED, REFUSED, OWN = 1, 2, 3, 100
MALFORMED_MOST = 10  # then the other side is not heard any more
HALF = 1 << 31
RESTART = 1_000_000_000  # ns of silence, after which the other side may count anew
ROOM = 256  # bytes of what comes that are looked at
NOTHING = float("nan")
CLOSED_FILE = -1
COUNTS = {  # fields that count, by the words they are shown with
    "good": "good",
    "old": "old",
    "stale": "stale",
    "lost": "lost",
    "bad check": "bad_check",
    "skipped bytes": "skipped",
    "malformed": "malformed",
    "sent": "sent",
    "unsent": "unsent",
}
HEARD = ("heard", "counter", "time", "fresh", "status", "round_trip", "late", "sequence", "held")


@record
class Link:
    """One end of a wire; `incoming` and `outgoing` are scales of positions, velocities, forces.

    Commands come, or go, in place of positions; `limit` is the greatest command.
    """

    axes: int
    timeout: int  # ns without a frame
    max_age: int = 0  # µs of what a frame answers; 0 for any
    needs_echo: bool = False
    file: int = CLOSED_FILE
    # the other side, as last heard
    heard: bool = False
    counter: int = 0
    time: int = 0
    fresh: int = 0  # clock of the last good frame
    status: int = 0
    round_trip: int = 0  # µs
    # counts
    good: int = 0
    old: int = 0
    stale: int = 0
    lost: int = 0
    bad_check: int = 0
    skipped: int = 0
    malformed: int = 0
    sent: int = 0
    unsent: int = 0
    late: int = 0  # stale frames since the last good one
    gone: bool = False
    closed: bool = False
    sequence: int = 0  # frames sent
    held: int = 0  # bytes of an unfinished frame
    incoming: Array = sized("3 * axes")
    outgoing: Array = sized("3 * axes")
    limit: Array = sized("axes")
    latest: Array = sized("3 * axes")
    room: int = constant(ROOM)
    frame: Ints = sized("room // 8")  # bytes that come
    out: Ints = sized("room // 8")  # bytes that go

    def reset(self, file: int) -> None:
        """Forgets everything heard and counted; silence is measured from now on."""
        for name in (*HEARD, *COUNTS.values(), "gone", "closed"):
            setattr(self, name, type(getattr(self, name))(0))
        self.file, self.fresh = file, clock()

    def counts(self) -> dict[str, int]:
        """Frames and errors so far, by name."""
        return {name: int(getattr(self, field)) for name, field in COUNTS.items()}


@native
def microseconds() -> int:
    """The clock of this side, as frames carry it."""
    return (clock() // 1000) & 0xFFFFFFFF


@native
def is_stale(link: Link) -> bool:
    """Whether the frame answers something too long ago; sets the round trip."""
    if byte(link.frame, 5) & wire.ECHO == 0:
        return link.needs_echo
    age = (microseconds() - wire.get_word(link.frame, 16)) & 0xFFFFFFFF
    if age < HALF:  # else an echo of the future, or of very long ago
        link.round_trip = age
    return link.max_age > 0 and age > link.max_age


@native
def is_old(link: Link) -> bool:
    """Whether a newer frame, or this one, has come before; after a long silence none is old."""
    ahead = (wire.get_word(link.frame, 8) - link.counter) & 0xFFFFFFFF
    again = ahead == 0 or ahead >= HALF
    return link.heard and again and clock() - link.fresh < RESTART


@native
def accept(link: Link) -> None:
    """Takes over the numbers of a good frame."""
    x, n = link.frame, link.axes
    counter = wire.get_word(x, 8)
    ahead = (counter - link.counter) & 0xFFFFFFFF
    if link.heard and 1 < ahead < HALF:
        link.lost += ahead - 1
    link.counter, link.time, link.status = counter, wire.get_word(x, 12), byte(x, 6)
    link.heard, link.fresh, link.late = True, clock(), 0
    link.good += 1
    flags, first = byte(x, 5), wire.HEAD
    for part in range(3):
        there = part == 0 or flags & part != 0
        for k in range(n):
            link.latest[part * n + k] = NOTHING
            if there:
                scale = link.incoming[part * n + k]
                link.latest[part * n + k] = wire.get_scaled(x, first + 4 * k, scale)
        if there:
            first += 4 * n


@native
def fill_sample(link: Link, sample: Array) -> None:
    """The sample for the loop: the newest numbers, and the state of the other side."""
    n = link.axes
    for k in range(3 * n):
        sample[k] = link.latest[k]
    status = OWN + link.status if link.status != 0 else 0
    if link.gone:
        status = UNPLUGGED
    elif link.closed:
        status = REFUSED
    elif clock() - link.fresh > link.timeout:
        status = SILENT
    sample[3 * n], sample[3 * n + 1] = float(status), float(link.good)


@native
def start_frame(link: Link, kind: int, flags: int, status: int) -> int:
    """Writes the head of the next frame; returns its flags."""
    if link.heard and clock() - link.fresh < RESTART:
        flags = flags | wire.ECHO
    link.sequence += 1
    wire.put_head(link.out, kind, link.axes, flags, status, link.sequence, microseconds(), link.time)
    return flags


@native
def transmit_frame(link: Link, size: int) -> None:
    """Ends a frame of so many bytes and sends it."""
    wire.put_check(link.out, size)
    if transmit(link.file, link.out, size) == size:
        link.sent += 1
    else:
        link.unsent += 1


@native
def send_command(command: Array, link: Link) -> None:
    """Sends a command within its limits; 0 for what is not finite."""
    start_frame(link, wire.COMMAND, 0, 0)
    for k in range(link.axes):
        most = link.limit[k]
        value = max(-most, min(most, command[k])) if isfinite(command[k]) else 0.0
        wire.put_scaled(link.out, wire.HEAD + 4 * k, value, link.outgoing[k])
    transmit_frame(link, wire.HEAD + 4 * link.axes + wire.TAIL)


@native
def send_sample(flags: int, status: int, sample: Array, link: Link) -> None:
    """Sends a sample: positions, and velocities and forces as flagged."""
    n, scales = link.axes, link.outgoing
    flags = start_frame(link, wire.SAMPLE, flags, status)
    end = wire.put_values(link.out, n, wire.HEAD, sample, scales)
    if flags & wire.VELOCITIES != 0:
        end = wire.put_values(link.out, n, end, at(sample, n), at(scales, n))
    if flags & wire.FORCES != 0:
        end = wire.put_values(link.out, n, end, at(sample, 2 * n), at(scales, 2 * n))
    transmit_frame(link, end + wire.TAIL)


def new_link(timeout: float, incoming: Any, outgoing: Any, limit: Any, max_age: float = 0.0) -> Link:
    """A link that has heard nothing; scales are rows by kind, each with a number for every axis."""
    n = len(limit)
    link = Link(axes=n, timeout=round(timeout * 1e9), max_age=round(max_age * 1e6))
    for scales, rows in ((link.incoming, incoming), (link.outgoing, outgoing)):
        flat = np.concatenate([np.asarray(row, float) for row in rows])
        scales[: len(flat)] = flat
    link.limit[:], link.latest[:] = limit, np.nan
    return link
