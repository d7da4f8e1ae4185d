"""The far end of a `UdpDevice`: a device here, its model on another machine."""

import threading
from typing import Any, Unpack

import numpy as np

from hapsis.compiler.native import (
    Array,
    Kernel,
    clock,
    isfinite,
    native,
    observe,
    place,
    record,
    sized,
    wait_until,
)
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices import link_state, wire
from hapsis.touch.haptics.devices.device_base import each, number
from hapsis.touch.haptics.devices.energy_tank import EnergyTank, limit_force
from hapsis.touch.haptics.devices.link_device import Scales, all_scales
from hapsis.touch.haptics.devices.link_state import Link, new_link
from hapsis.touch.haptics.devices.udp_device import connect, listen
from hapsis.touch.realtime.device import checked
from hapsis.touch.realtime.ring import Ring, RingMemory, push

RAMP = 0.02  # s in which a command that was held goes to nothing
TOO_LATE = 10  # commands in a row: then the other side is notified
COMMANDS_LATE, NO_NUMBER = 251, 252  # the status it gets


@record
class RelayMemory:
    """The relay between two ticks."""

    axes: int
    stop: int = 0  # set from another thread
    period: int  # ns
    ticks: int = 0
    flags: int  # of the frames it sends
    bounded: bool  # whether the tank limits forces
    hold: float  # s a command is held
    read: Kernel
    write: Kernel
    link: Link
    tank: EnergyTank
    ring: RingMemory
    t: Array = sized("1")
    sample: Array = sized("3 * axes + 2")
    command: Array = sized("axes")
    row: Array = sized("2 * axes + 2")


@native
def kept_part(link: Link, hold: float) -> float:
    """The factor of the last command: 1 while it is held, then falling to 0."""
    if not link.heard or link.closed:
        return 0.0
    age = float(clock() - link.fresh) * 1e-9
    return max(0.0, min(1.0, 1.0 - (age - hold) / RAMP))


@native
def send(own: RelayMemory) -> bool:
    """Sends the sample with its status; returns whether it was good."""
    status = int(own.sample[3 * own.axes])
    for k in range(own.axes):
        if not isfinite(own.sample[k]):
            status = NO_NUMBER
    good = status == 0
    if own.link.late >= TOO_LATE:
        status = COMMANDS_LATE
    link_state.send_sample(own.flags, status, own.sample, own.link)
    return good


@native
def decide(good: bool, own: RelayMemory) -> None:
    """The command: what was heard last, as long as it counts, within limit and energy."""
    command, link = own.command, own.link
    part = kept_part(link, own.hold)
    for k in range(own.axes):
        most = link.limit[k]
        value = part * link.latest[k] if part > 0.0 else 0.0
        command[k] = max(-most, min(most, value)) if isfinite(value) else 0.0
    if own.bounded and good:
        limit_force(float(own.period) * 1e-9, own.sample, command, own.tank)
    elif own.bounded:
        for k in range(own.axes):
            command[k] = 0.0
            own.tank.force[k] = 0.0


@native
def note(own: RelayMemory) -> None:
    """A row of the ring: time, positions, forces, energy."""
    n, row = own.axes, own.row
    row[0] = own.t[0]
    for k in range(n):
        row[1 + k], row[1 + n + k] = own.sample[k], own.command[k]
    row[1 + 2 * n] = own.tank.energy
    push(own.ring, row)


@native
def relay(own: RelayMemory) -> int:
    """Samples go out, commands come in, until it is stopped; returns the number of ticks."""
    first = clock()
    deadline = first
    while observe(place(own, "stop"), 0) == 0:
        wait_until(deadline)
        own.t[0] = float(deadline - first) * 1e-9
        own.read(own.t, own.sample)
        good = send(own)
        listen(wire.COMMAND, own.link)
        decide(good, own)
        own.write(own.t, own.command)
        note(own)
        own.ticks += 1
        deadline += own.period
        now = clock()
        if now > deadline:  # skip whole periods
            deadline += ((now - deadline) // own.period + 1) * own.period
    for k in range(own.axes):
        own.command[k] = 0.0
    own.write(own.t, own.command)
    return own.ticks


class Relay:
    """Serves a device to a `UdpDevice` on another machine, in a native thread.

        device, here, peer     what is served, this end, the only end that is heard
        rate                   per second
        max_age                s: a command that answers an older sample is rejected
        hold                   s a command is held when none follows; then it goes to 0 in 20 ms
        energy                 J the hand may be given beyond what it has put in
        store                  J the tank holds at most
        mass                   kg (or kg m²), the least that moves at the device

    `with Relay(...)` runs it; `rows()` are time, positions, forces and the energy left, by ticks.
    """

    def __init__(
        self,
        device: Any,
        here: tuple[str, int],
        peer: tuple[str, int],
        *,
        rate: float = 1000.0,
        max_age: float = 0.05,
        hold: float = 0.025,
        energy: float = 5e-4,
        store: float = 1.0,
        mass: float = 0.05,
        damping: float = 20.0,
        **scales: Unpack[Scales],
    ) -> None:
        self.device, self.here, self.peer = checked(device), here, peer
        n, can = len(device.axes), device.capabilities
        rows = [each(row, n, "a scale") for row in all_scales(scales).values()]
        forces = can.causality == "impedance"
        rate = number(rate, "rate", least=1.0)
        max_age = number(max_age, "max_age", above=0.0)
        limit = can.max_force if forces else (np.inf,) * n
        self.link = new_link(1.0, rows[3:], rows[:3], limit, max_age)
        self.link.needs_echo = True
        self._energy = number(energy, "energy", least=0.0)
        self.tank = EnergyTank(
            axes=n,
            energy=self._energy,
            most=number(store, "store", above=0.0),
            mass=number(mass, "mass", above=0.0),
            damping=number(damping, "damping", least=0.0),
        )
        velocities, measured = wire.VELOCITIES * ("velocity" in can.measures), "force" in can.measures
        self.ring = Ring(1 << 15, 2 * n + 2)
        self.memory = RelayMemory(
            axes=n,
            period=round(1e9 / rate),
            flags=velocities | wire.FORCES * measured,
            bounded=forces,
            hold=number(hold, "hold", least=0.0),
            read=device.read,
            write=device.write,
            link=self.link,
            tank=self.tank,
            ring=self.ring.memory,
        )
        self._socket, self._thread = None, None

    def start(self) -> None:
        """Opens the device and begins."""
        if self._thread is not None:
            raise DeviceError("the relay runs already")
        self._socket = connect(self.here, self.peer)
        try:
            self.device.open()
        except BaseException:
            self._socket.close()
            raise
        self.link.reset(self._socket.fileno())
        self.tank.fill(self._energy)
        self.memory.stop, self.memory.sample[:] = 0, np.nan
        _ = relay.address  # compiled before the first deadline
        self._thread = threading.Thread(target=relay, args=(self.memory,), name="hapsis relay")
        self._thread.start()

    def stop(self) -> None:
        """Ends it: no force, and the device is given back."""
        if self._thread is not None:
            self.memory.stop = 1
            self._thread.join()
            self._thread = None
            self.device.close()
            assert self._socket is not None
            self._socket.close()

    def __enter__(self) -> "Relay":
        self.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()

    def rows(self) -> Any:
        """The rows since the last call."""
        return self.ring.take()[0]

    @property
    def counts(self) -> dict[str, int]:
        """Frames and errors so far, by name."""
        return self.link.counts()

    @property
    def given(self) -> float:
        """Energy given to the hand so far, less what it put in, J."""
        return float(self.tank.given)
