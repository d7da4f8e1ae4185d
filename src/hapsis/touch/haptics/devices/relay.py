"""The far end of a `UdpDevice`: a device here, its model on another machine."""

import threading
from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, Kernel, clock, isfinite, native, observe, wait_until
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices import energy_tank as tank
from hapsis.touch.haptics.devices import link_state as peers
from hapsis.touch.haptics.devices import wire
from hapsis.touch.haptics.devices.device_base import each, number
from hapsis.touch.haptics.devices.udp_device import ROOM, connected, listened
from hapsis.touch.realtime.device import Layout, checked
from hapsis.touch.realtime.ring import Ring, RingMemory, push

# facts
STOP, PERIOD, TICKS, FLAGS, BOUNDED = range(5)
HOLD = 0  # times: s a command is held, then the ramp to nothing
RAMP = 1
TOO_LATE = 10  # commands in a row: then the other side is told
COMMANDS_LATE, NO_NUMBER = 251, 252  # the status it gets


@native
def kept(link: Ints, times: Array) -> float:
    """The part of the last command that still counts: all, less and less, nothing."""
    if link[peers.HEARD] == 0 or link[peers.CLOSED] != 0:
        return 0.0
    age = float(clock() - link[peers.FRESH]) * 1e-9
    return max(0.0, min(1.0, 1.0 - (age - times[HOLD]) / times[RAMP]))


@native
def relay(
    read: Kernel,
    write: Kernel,
    facts: Ints,
    link: Ints,
    scales: Array,
    latest: Array,
    times: Array,
    account: Array,
    t: Array,
    sample: Array,
    command: Array,
    frame: Ints,
    out: Ints,
    row: Array,
    ring: RingMemory,
) -> int:
    """Samples go there, commands come here, until it is told to stop; how many ticks."""
    n, dt = link[peers.AXES], float(facts[PERIOD]) * 1e-9
    first = clock()
    deadline = first
    while observe(facts, STOP) == 0:
        wait_until(deadline)
        t[0] = float(deadline - first) * 1e-9
        read(t, sample)
        status = int(sample[3 * n])
        for k in range(n):
            if not isfinite(sample[k]):
                status = NO_NUMBER
        good = status == 0
        if link[peers.LATE] >= TOO_LATE:
            status = COMMANDS_LATE
        peers.sent(wire.SAMPLE, facts[FLAGS], status, sample, link, scales, out)
        listened(wire.COMMAND, link, scales, latest, frame)
        part = kept(link, times)
        for k in range(n):
            most = scales[4 * n + k]
            value = part * latest[k] if part > 0.0 else 0.0
            command[k] = max(-most, min(most, value)) if isfinite(value) else 0.0
        if facts[BOUNDED] != 0 and good:
            tank.allowed(n, dt, sample, command, account)
        elif facts[BOUNDED] != 0:
            for k in range(n):
                command[k] = 0.0
                account[tank.ACCOUNT + n + k] = 0.0
        write(t, command)
        row[0] = t[0]
        for k in range(n):
            row[1 + k], row[1 + n + k] = sample[k], command[k]
        row[1 + 2 * n] = account[tank.ENERGY]
        push(ring, row)
        facts[TICKS] += 1
        deadline += facts[PERIOD]
        now = clock()
        if now > deadline:  # skip whole periods
            deadline += ((now - deadline) // facts[PERIOD] + 1) * facts[PERIOD]
    for k in range(n):
        command[k] = 0.0
    write(t, command)
    return facts[TICKS]


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
        position_scale: Any = 1e-7,
        velocity_scale: Any = 1e-6,
        force_scale: Any = 1e-6,
        command_scale: Any = 1e-6,
        max_age: float = 0.05,
        hold: float = 0.025,
        energy: float = 5e-4,
        store: float = 1.0,
        mass: float = 0.05,
        damping: float = 20.0,
    ) -> None:
        self.device, self.here, self.peer = checked(device), here, peer
        n, can = len(device.axes), device.capabilities
        rows = (position_scale, velocity_scale, force_scale, command_scale)
        forces = can.causality == "impedance"
        limits = can.max_force if forces else (np.inf,) * n
        rate = number(rate, "rate", least=1.0)
        self._memory = peers.memory(
            n,
            1.0,
            number(max_age, "max_age", above=0.0),
            [*(each(row, n, "a scale") for row in rows), limits],
        )
        self._link = self._memory["link"]
        self._link[[peers.NEEDS_ECHO, peers.SCALE]] = 1, 3  # commands come, with their scale
        flags = wire.VELOCITIES * ("velocity" in can.measures)
        flags |= wire.FORCES * ("force" in can.measures)
        self.ring = Ring(1 << 15, 2 * n + 2)
        self._facts = np.array([0, round(1e9 / rate), 0, flags, int(forces)])
        self._account = np.zeros(tank.ACCOUNT + 2 * n)
        self._start = np.zeros(tank.ACCOUNT + 2 * n)
        self._start[[tank.ENERGY, tank.MOST, tank.MASS, tank.DAMPING, tank.LEAST]] = (
            number(energy, "energy", least=0.0),
            number(store, "store", above=0.0),
            number(mass, "mass", above=0.0),
            number(damping, "damping", least=0.0),
            np.inf,
        )
        self._times = np.array([number(hold, "hold", least=0.0), 0.02])
        self._socket, self._thread = None, None

    def start(self) -> None:
        """Opens the device and begins."""
        if self._thread is not None:
            raise DeviceError("the relay runs already")
        self._socket = connected(self.here, self.peer)
        try:
            self.device.open()
        except BaseException:
            self._socket.close()
            raise
        peers.reset(self._link, self._socket.fileno())
        self._facts[STOP], self._account[:] = 0, self._start
        layout = Layout(len(self.device.axes))
        n = layout.axes
        arrays = (
            self._facts,
            self._link,
            self._memory["scales"],
            self._memory["latest"],
            self._times,
            self._account,
            np.zeros(1),
            np.full(layout.size, np.nan),
            np.zeros(n),
            np.zeros(ROOM // 8, np.int64),
            np.zeros(wire.WORDS, np.int64),
            np.zeros(2 * n + 2),
            self.ring.memory,
        )
        _ = relay.address  # compiled before the first deadline
        self._thread = threading.Thread(
            target=relay, args=(self.device.read, self.device.write, *arrays), name="hapsis relay"
        )
        self._thread.start()

    def stop(self) -> None:
        """Ends it: no force, and the device is given back."""
        if self._thread is not None:
            self._facts[STOP] = 1
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
        return peers.counted(self._link)

    @property
    def given(self) -> float:
        """Energy given to the hand so far, less what it put in, J."""
        return float(self._account[tank.GIVEN])
