"""The far end of a `UdpDevice`: a device here, its model on another machine."""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices import wire
from hapsis.touch.haptics.devices.device_base import each, number
from hapsis.touch.haptics.devices.link_device import POSITION_SCALE, SCALE
from hapsis.touch.haptics.devices.link_state import new_link
from hapsis.touch.haptics.devices.native_relay import RAMP, RelayMemory, relay
from hapsis.touch.haptics.devices.udp_device import connect
from hapsis.touch.haptics.energy_tank import EnergyTank
from hapsis.touch.realtime.device import check_free, checked, give_back, take
from hapsis.touch.realtime.ring import Ring
from hapsis.touch.realtime.shutdown import Shutdown

SLEW = 2000.0  # N/s, or what a ramp from the largest force needs
PACE = 1.0  # m/s or rad/s, of positions that a device of admittance takes


@verb
class Relay:
    """Serves a device to a `UdpDevice` on another machine, in a native thread.

        device, here, peer     what is served, this end, the only end that is heard
        rate                   per second
        max_age                s: a command that answers an older sample is rejected
        hold                   s a command is held when none follows; then it goes to 0 in 20 ms.
                               The first one, and one that comes again, sets in within 20 ms
        slew                   N/s, the fastest change of the force: 2000, or what a ramp of 20 ms
                               from the largest force needs; 1 m/s where commands are positions
        energy                 J the hand may be given beyond what it has put in
        store                  J the tank holds at most
        mass                   kg (or kg m²), the least that moves at the device
        damping                N s/m, by which the force gives way where the tank is empty
        position_scale         metres or radians per step of positions; likewise velocity_scale,
                               force_scale, command_scale

    `with Relay(...)` runs it; `rows()` are time, positions, forces and the energy left, by ticks.
    It ends with the program, also by SIGTERM: the force goes to zero at the slew before. A device
    that takes positions stays where it was told last.
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
        slew: Any = None,
        position_scale: Any = POSITION_SCALE,
        velocity_scale: Any = SCALE,
        force_scale: Any = SCALE,
        command_scale: Any = SCALE,
    ) -> None:
        self.device, self.here, self.peer = checked(device), here, peer
        n, can = len(device.axes), device.capabilities
        scales = (position_scale, velocity_scale, force_scale, command_scale)
        rows = [each(row, n, "a scale") for row in scales]
        forces = can.causality == "impedance"
        rate = number(rate, "rate", least=1.0, most=1e5)
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
            largest=np.array(limit, float),
            slew=_slews(slew, limit, forces),
        )
        velocities, measured = wire.VELOCITIES * ("velocity" in can.measures), "force" in can.measures
        self.ring = Ring(1 << 15, 2 * n + 2)
        self.memory = RelayMemory(
            axes=n,
            period=round(1e9 / rate),
            flags=velocities | wire.FORCES * measured,
            forces=forces,
            hold=number(hold, "hold", least=0.0),
            read=device.read,
            write=device.write,
            link=self.link,
            tank=self.tank,
            ring=self.ring.memory,
        )
        self._socket, self._thread = None, None
        self._shutdown = Shutdown(self.stop)

    def start(self) -> None:
        """Opens the device and begins."""
        if self._shutdown.elsewhere:
            raise DeviceError("the relay runs in another process", remedy="make another one in this process")
        if self._thread is not None:
            raise DeviceError("the relay runs already")
        check_free(self.device)
        self._socket = connect(self.here, self.peer)
        try:
            self.device.open()
            take(self.device, "a relay that runs")
        except BaseException:
            self._socket.close()
            raise
        self.link.reset(self._socket.fileno())
        self.tank.fill(self._energy)
        self.memory.stop, self.memory.sample[:] = 0, np.nan
        self.memory.part, self.memory.placed = 0.0, False
        _ = relay.address  # compiled before the first deadline
        self._thread = threading.Thread(target=relay, args=(self.memory,), name="hapsis relay", daemon=True)
        self._shutdown.register()
        self._thread.start()

    def stop(self) -> None:
        """Ends it: the force goes to zero at the slew, and the device is given back.

        In a process that was forked from that of the relay it does nothing.
        """
        if self._thread is not None and not self._shutdown.elsewhere:
            self.memory.stop = 1
            self._thread.join()
            self._thread = None
            self._shutdown.unregister()
            give_back(self.device)
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


def _slews(given: Any, limit: Sequence[float], forces: bool) -> Any:
    """The fastest change of each axis, per second."""
    largest = np.array(limit, float)
    if given is None:
        return np.maximum(SLEW, largest / RAMP) if forces else np.full(len(largest), PACE)
    slews = np.array(each(given, len(largest), "slew"))
    least = largest / RAMP if forces else np.zeros(len(largest))
    if not (slews > 0.0).all() or (slews < least * (1.0 - 1e-9)).any():
        raise DeviceError(
            f"slew is {given!r:.40}",
            expected=f"{least.max():.6g} or more, to take the largest force away in {RAMP:g} s",
        )
    return slews
