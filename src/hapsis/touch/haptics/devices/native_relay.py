"""The relay in native code: a sample to the other machine, its command to the device, at a fixed rate.

What reaches the device is finite, within its limits, and changes no faster than the slew: whatever
comes, does not come, comes late or comes again. The ramp begins anew after every silence.
"""

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
from hapsis.touch.haptics.devices import link_state, wire
from hapsis.touch.haptics.devices.link_state import Link
from hapsis.touch.haptics.devices.udp_device import listen
from hapsis.touch.haptics.energy_tank import EnergyTank, approach, limit_force
from hapsis.touch.realtime.ring import RingMemory, push

RAMP = 0.02  # s in which a command that was held goes to nothing, and one that comes again to itself
MOST_LATE = 25_000_000  # ns: later than that the relay begins anew, on its ramp
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
    forces: bool  # whether commands are forces; positions otherwise
    hold: float  # s a command is held
    part: float = 0.0  # of the command that counts
    placed: bool = False  # whether there is a position to begin with
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
def kept_part(link: Link, hold: float, now: int) -> float:
    """The factor of the last command: 1 while it is held, then falling to 0."""
    if not link.heard or link.closed:
        return 0.0
    age = float(now - link.fresh) * 1e-9
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
def decide_force(good: bool, now: int, own: RelayMemory) -> None:
    """The force: what was heard last, as long as it counts, within limit, slew and energy."""
    command, link, dt = own.command, own.link, float(own.period) * 1e-9
    good = good and observe(place(own, "stop"), 0) == 0
    part = kept_part(link, own.hold, now) if good else 0.0
    own.part = min(part, own.part + dt / RAMP)
    for k in range(own.axes):
        value = own.part * link.latest[k] if own.part > 0.0 else 0.0
        command[k] = value if isfinite(value) else 0.0
    if good:
        limit_force(dt, own.sample, command, own.tank)
    else:
        approach(dt, command, own.tank)


@native
def decide_position(own: RelayMemory) -> None:
    """The position: what was heard last, however long ago; where the device is before that."""
    command, link, last = own.command, own.link, own.tank.force
    for k in range(own.axes):
        if not own.placed:
            last[k] = own.sample[k] if isfinite(own.sample[k]) else link.latest[k]
        command[k] = link.latest[k] if link.heard and isfinite(link.latest[k]) else last[k]
    own.placed = True
    for k in range(own.axes):
        if not isfinite(last[k]):
            own.placed = False
    approach(float(own.period) * 1e-9, command, own.tank)


@native
def has_ended(own: RelayMemory) -> bool:
    """Whether it was stopped and its force is gone."""
    if observe(place(own, "stop"), 0) == 0:
        return False
    if own.forces:
        for k in range(own.axes):
            if own.tank.force[k] != 0.0:
                return False
    return True


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
def tick(own: RelayMemory) -> None:
    """One sample out, the commands that came in, one command to the device."""
    own.read(own.t, own.sample)
    good = send(own)
    listen(wire.COMMAND, own.link)
    if own.forces:
        decide_force(good, clock(), own)
    else:
        decide_position(own)
    if own.forces or own.placed:
        own.write(own.t, own.command)
    note(own)
    own.ticks += 1


@native
def relay(own: RelayMemory) -> int:
    """Samples go out, commands come in, until it is stopped; returns the number of ticks."""
    first = clock()
    deadline = first
    while not has_ended(own):
        wait_until(deadline)
        own.t[0] = float(deadline - first) * 1e-9
        tick(own)
        deadline += own.period
        now = clock()
        if now > deadline:  # skip whole periods
            behind = (now - deadline) // own.period + 1
            deadline += behind * own.period
            if behind * own.period >= MOST_LATE:
                own.part = 0.0
    return own.ticks
