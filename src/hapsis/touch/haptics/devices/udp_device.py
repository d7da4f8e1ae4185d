"""A device on another machine: the frames of `wire`, one in each datagram.

The other end is a `Relay`, or any program that speaks the frame. Datagrams may be lost, late, twice
or in another order: a frame counts only if its counter is newer than all before and what it answers
is not too long ago. What is no frame is counted; after ten of them the peer is not heard any more.
"""

import os
import socket
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, native, receive
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices import link_state as peers
from hapsis.touch.haptics.devices import wire
from hapsis.touch.haptics.devices.device_base import DeviceBase, each, names, number
from hapsis.touch.realtime.device import Capabilities

ROOM = 256  # bytes of a datagram that are looked at: longer ones are cut, and so malformed
AT_ONCE = 32  # datagrams in one tick, at most
FIRST = 2.0  # s to wait for the first frame


@native
def listened(kind: int, link: Ints, scales: Array, latest: Array, frame: Ints) -> None:
    """Takes what has come, the newest last; ten that are no frames close the ear."""
    n = link[peers.AXES]
    for _ in range(AT_ONCE):
        count = receive(link[peers.FILE], frame, ROOM)
        if count < 0:
            break
        if link[peers.CLOSED] != 0:
            continue
        if wire.judged(frame, count, kind, n) != wire.GOOD:
            link[peers.MALFORMED] += 1
            if link[peers.MALFORMED] >= peers.MALFORMED_MOST:
                link[peers.CLOSED] = 1
            continue
        if peers.is_old(frame, link):
            link[peers.OLD] += 1
        elif peers.is_stale(frame, link):
            link[peers.STALE] += 1
            link[peers.LATE] += 1
        else:
            peers.heard(frame, n, link, scales, latest)


@native
def udp_read(t: Array, sample: Array, link: Ints, scales: Array, latest: Array, frame: Ints) -> None:
    """The newest sample of the other machine."""
    listened(wire.SAMPLE, link, scales, latest, frame)
    peers.told(link, latest, sample)


@native
def udp_write(t: Array, command: Array, link: Ints, scales: Array, out: Ints) -> None:
    """One command."""
    peers.sent(wire.COMMAND, 0, 0, command, link, scales, out)


class UdpDevice(DeviceBase):
    """A device on another machine.

        peer       (host, port) of the other end: nobody else is heard
        here       (host, port) of this end; only this machine unless you say otherwise
        max_age    s: a sample that answers an older command is rejected
        timeout    s without a good sample, after which a sample has the status 1
        rate       samples it sends in a second

    Both ends must name the same number of axes and the same scales.
    """

    def __init__(
        self,
        peer: tuple[str, int],
        here: tuple[str, int] = ("127.0.0.1", 0),
        *,
        axes: Sequence[str] | str = "x",
        max_force: Any,
        unit: str = "m",
        causality: str = "impedance",
        measures: Sequence[str] = ("position", "velocity"),
        position_scale: Any = 1e-7,
        velocity_scale: Any = 1e-6,
        force_scale: Any = 1e-6,
        command_scale: Any = 1e-6,
        max_age: float = 0.05,
        timeout: float = 0.025,
        rate: float = 1000.0,
        hardware: bool = True,
        name: str = "remote",
    ) -> None:
        self.name, self.axes, self.peer, self.here = name, names(axes), peer, here
        n = len(self.axes)
        limits = each(max_force, n, "max_force")
        self.capabilities = Capabilities(
            causality,
            tuple(measures),
            limits,
            (unit,) * n,
            hardware=hardware,
            facts={
                "peer": f"{peer[0]}:{peer[1]}",
                "max age": max_age,
                "rate": number(rate, "rate", above=0.0),
            },
        )
        rows = (position_scale, velocity_scale, force_scale, command_scale)
        most = limits if causality == "impedance" else (np.inf,) * n
        self._memory = peers.memory(
            n,
            number(timeout, "timeout", above=0.0),
            number(max_age, "max_age", above=0.0),
            [*(each(row, n, "a scale") for row in rows), most],
        )
        self._link, self._socket = self._memory["link"], None
        frame = np.zeros(ROOM // 8, np.int64)
        self.read = udp_read.bound(vary=("t", "sample"), frame=frame, **self._memory)
        self.write = udp_write.bound(
            vary=("t", "command"),
            link=self._link,
            scales=self._memory["scales"],
            out=np.zeros(wire.WORDS, np.int64),
        )

    def open(self, wait: float = FIRST) -> None:
        """Binds this end and waits for the first sample."""
        if self._socket is not None:
            return
        self._socket = connected(self.here, self.peer)
        peers.reset(self._link, self._socket.fileno())
        end = time.monotonic() + wait
        while wait > 0.0 and self._link[peers.GOOD] == 0:
            self.sample()
            if time.monotonic() > end or self._link[peers.CLOSED]:
                counts = self.counts
                self.close()
                raise DeviceError(
                    f"no sample came from {self.peer[0]}:{self.peer[1]} in {wait:g} s"
                    f" ({counts['malformed']} other datagrams)",
                    remedy="start the relay there first",
                )
            time.sleep(0.001)

    def close(self) -> None:
        """No force, and closes this end."""
        if self._socket is not None:
            if self.capabilities.causality == "impedance":
                self.command(0.0)
            self._link[peers.FILE] = -1
            self._socket.close()
            self._socket = None

    @property
    def counts(self) -> dict[str, int]:
        """Frames and errors so far, by name."""
        return peers.counted(self._link)

    @property
    def round_trip(self) -> float:
        """Seconds from a command to the newest sample that answers it."""
        return int(self._link[peers.ROUND_TRIP]) * 1e-6


def connected(here: tuple[str, int], peer: tuple[str, int]) -> socket.socket:
    """A socket that hears one peer only and never blocks."""
    for address in (here, peer):
        if not (
            isinstance(address, tuple)
            and len(address) == 2
            and isinstance(address[0], str)
            and isinstance(address[1], int)
            and 0 <= address[1] < 65536
        ):
            raise DeviceError(f"an address is (host, port), not {address!r:.60}")
    family = socket.AF_INET6 if ":" in peer[0] else socket.AF_INET
    found = socket.socket(family, socket.SOCK_DGRAM)
    try:
        found.bind(here)
        found.connect(peer)
        found.setblocking(False)
        os.set_inheritable(found.fileno(), False)
    except OSError as problem:
        found.close()
        raise DeviceError(
            f"{here[0]}:{here[1]} to {peer[0]}:{peer[1]} cannot be opened: {problem.strerror or problem}"
        ) from None
    return found
