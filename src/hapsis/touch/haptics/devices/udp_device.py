"""A device on another machine: the frames of `wire`, one in each datagram.

The other end is a `Relay`, or any program that speaks the frame. Datagrams may be lost, late, twice
or in another order: a frame counts only if its counter is newer than all before and what it answers
is not too long ago. What is no frame is counted; after ten of them the peer is not heard any more.
"""

import os
import socket
from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import Array, native, receive
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices import link_state, wire
from hapsis.touch.haptics.devices.device_base import number
from hapsis.touch.haptics.devices.link_device import POSITION_SCALE, SCALE, LinkDevice
from hapsis.touch.haptics.devices.link_state import MALFORMED_MOST, ROOM, Link

AT_ONCE = 32  # datagrams in one tick, at most
FIRST = 2.0  # s to wait for the first frame


@native
def listen(kind: int, link: Link) -> None:
    """Takes the datagrams that have come, the newest last; ten that are no frames close the link."""
    for _ in range(AT_ONCE):
        count = receive(link.file, link.frame, ROOM)  # longer ones are cut, and so malformed
        if count < 0:
            break
        if link.closed:
            continue
        if wire.frame_fault(link.frame, count, kind, link.axes) != wire.GOOD:
            link.malformed += 1
            if link.malformed >= MALFORMED_MOST:
                link.closed = True
            continue
        if link_state.is_old(link):
            link.old += 1
        elif link_state.is_stale(link):
            link.stale += 1
            link.late += 1
        else:
            link_state.accept(link)


@native
def udp_read(t: Array, sample: Array, link: Link) -> None:
    """The newest sample of the other machine."""
    listen(wire.SAMPLE, link)
    link_state.fill_sample(link, sample)


@native
def udp_write(t: Array, command: Array, link: Link) -> None:
    """Sends one command."""
    link_state.send_command(command, link)


@verb
class UdpDevice(LinkDevice):
    """A device on another machine.

        peer       (host, port) of the other end: nobody else is heard
        here       (host, port) of this end; only this machine unless you say otherwise
        max_age    s: a sample that answers an older command is rejected
        timeout    s without a good sample, after which a sample has the status 1
        rate       samples it sends in a second
        axes       their names
        max_force  N or N m, per axis; the device gets no larger command
        unit       of its positions: "m" or "rad"
        causality  "impedance": it takes forces; "admittance": positions
        measures   what its samples hold: "position", "velocity", "force"
        hardware   whether a real device is at the other end
        name       of the device, in reports
        position_scale  metres or radians per step of its positions; likewise velocity_scale,
                   force_scale, command_scale

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
        max_age: float = 0.05,
        timeout: float = 0.025,
        rate: float = 1000.0,
        hardware: bool = True,
        name: str = "remote",
        position_scale: Any = POSITION_SCALE,
        velocity_scale: Any = SCALE,
        force_scale: Any = SCALE,
        command_scale: Any = SCALE,
    ) -> None:
        self.peer, self.here, self._socket = peer, here, None
        facts = {"peer": f"{peer[0]}:{peer[1]}", "max age": max_age}
        facts["rate"] = number(rate, "rate", above=0.0)
        can = {"causality": causality, "measures": measures, "max_force": max_force, "unit": unit}
        can |= {"hardware": hardware, "facts": facts}
        scales = (position_scale, velocity_scale, force_scale, command_scale)
        super().__init__(name, axes, can, scales, timeout, number(max_age, "max_age", above=0.0))
        self.read = udp_read.bound(vary=("t", "sample"), link=self.link)
        self.write = udp_write.bound(vary=("t", "command"), link=self.link)

    def open(self, wait: float = FIRST) -> None:
        """Binds this end and waits for the first sample."""
        if self._socket is not None:
            return
        self._socket = connect(self.here, self.peer)
        self.link.reset(self._socket.fileno())
        if wait > 0.0 and not self.wait_for_frame(wait):
            malformed = self.link.malformed
            self.close()
            raise DeviceError(
                f"no sample came from {self.peer[0]}:{self.peer[1]} in {wait:g} s"
                f" ({malformed} other datagrams)",
                remedy="start the relay there first",
            )

    def close(self) -> None:
        """No force, and closes this end."""
        if self._socket is not None:
            self.let_go()
            self._socket.close()
            self._socket = None


def connect(here: tuple[str, int], peer: tuple[str, int]) -> socket.socket:
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
    end = socket.socket(family, socket.SOCK_DGRAM)
    try:
        end.bind(here)
        end.connect(peer)
        end.setblocking(False)
        os.set_inheritable(end.fileno(), False)
    except OSError as problem:
        end.close()
        raise DeviceError(
            f"{here[0]}:{here[1]} to {peer[0]}:{peer[1]} cannot be opened: {problem.strerror or problem}"
        ) from None
    return end
