"""The native side of `Mapped`: a frame's sample from a device's joints, their efforts from its force.

What the guard allows at the frame does not bound the joints: the pose may jump, and the weight is added
here. So the efforts keep limits of their own, of size and of change; they begin with zero and end there.
"""

from math import inf, nan

from hapsis.compiler.native import (
    Array,
    Kernel,
    at,
    clock,
    isfinite,
    native,
    place,
    record,
    sized,
    wait_until,
)
from hapsis.touch.realtime.guard_memory import LARGEST

STEPS = 4  # of Newton
RAMP = 0.02  # s in which the largest effort goes to nothing, and the weight is taken up
PERIOD = 1e-3  # s between two commands, where their times do not tell it
SHORTEST = 0.99e-5  # s, the shortest period that a loop has
FIRST = 10  # commands, by which the period is known


@record
class MappedMemory:
    """The device behind a frame: its Kernels and those of its kinematics."""

    joints: int
    axes: int
    known: bool = False  # whether `angles` holds some
    fresh: bool = False  # a good sample came since the last command
    started: bool = False  # whether `command` holds the last angles (admittance)
    part: float = 0.0  # of the weight that is carried
    time: float = nan  # s, of the last command
    shortest: float = inf  # s between two commands so far
    commands: int = 0  # so far
    period: float = PERIOD  # s, of a step of the slew
    cut: int = 0  # forces reduced
    slowed: int = 0  # changes of efforts reduced
    read: Kernel
    write: Kernel
    forward: Kernel  # (q, v, tau, motion) of the frame
    back: Kernel  # (q, f, efforts) of the joints; or (q, wanted, dq), a Newton step
    most: Array = sized("joints")
    slew: Array = sized("joints")
    sample: Array = sized("3 * joints + 2")
    angles: Array = sized("joints")  # of the last good sample
    motion: Array = sized("3 * axes")
    efforts: Array = sized("2 * joints")
    target: Array = sized("joints")  # efforts, before the limit of their change
    command: Array = sized("joints")  # the last one


@native
def mapped_read(t: Array, sample: Array, own: MappedMemory) -> None:
    """The device's sample as that of its frame; the angles of a good one are kept for the command."""
    m, n, joints = own.joints, own.axes, own.sample
    own.read(t, joints)
    own.fresh = joints[3 * m] == 0.0
    for k in range(m):
        if not abs(joints[k]) <= LARGEST:
            own.fresh = False
    if own.fresh:
        own.known = True
        for k in range(m):
            own.angles[k] = joints[k]
    # positions, velocities, forces of the frame from angles, rates, efforts
    own.forward(joints, at(joints, m), at(joints, 2 * m), own.motion)
    for k in range(3 * n):
        sample[k] = own.motion[k]
    sample[3 * n], sample[3 * n + 1] = joints[3 * m], joints[3 * m + 1]


@native
def learn_period(t: float, own: MappedMemory) -> None:
    """The period of the loop is the shortest time between two commands; until there are some, no
    longer than usual, as the first ones may come late. The first one of all changes nothing."""
    dt = t - own.time
    own.time = t
    if dt >= SHORTEST:  # not the first command, nor one of the supervisor
        own.shortest = min(own.shortest, dt)
    own.commands += 1
    usual = own.commands < FIRST or own.shortest == inf
    own.period = min(PERIOD, own.shortest) if usual else own.shortest
    if own.commands == 1:
        own.period = 0.0


@native
def approach_target(own: MappedMemory) -> bool:
    """Changes the efforts straight towards their target, by a step of the slew; whether they are there."""
    part = 1.0
    for k in range(own.joints):
        change, step = abs(own.target[k] - own.command[k]), own.slew[k] * own.period
        if change * part > step:
            part = step / change
    for k in range(own.joints):
        change = own.target[k] - own.command[k]
        own.command[k] = own.command[k] + part * change if part < 1.0 else own.target[k]
    return part >= 1.0


@native
def write_force(t: Array, command: Array, own: MappedMemory) -> None:
    """Writes a force at the frame as efforts of the joints, within their limits and their slew.

    The weight comes first; its part grows while good samples come, and shrinks without them.
    """
    m, out, most = own.joints, own.efforts, own.most
    learn_period(t[0], own)
    change = own.period / RAMP
    own.part = max(0.0, min(1.0, own.part + (change if own.fresh else -change)))
    own.fresh = False
    own.back(own.angles, command, out)  # weight, then the efforts of the force
    part = 1.0
    for k in range(m):
        out[k] = own.part * out[k]
        room = most[k] - out[k] if out[m + k] > 0.0 else most[k] + out[k]
        if abs(out[m + k]) > max(0.0, room):
            part = min(part, max(0.0, room) / abs(out[m + k]))
    if part < 1.0:
        own.cut += 1
    for k in range(m):
        effort = out[k] + part * out[m + k]
        good = own.known and isfinite(effort)
        own.target[k] = max(-most[k], min(most[k], effort)) if good else 0.0
    if not approach_target(own):
        own.slowed += 1
    own.write(t, own.command)


@native
def let_go(own: MappedMemory) -> None:
    """Takes away what efforts the joints have left, a step in every period."""
    left = False
    for k in range(own.joints):
        own.target[k] = 0.0
        if own.command[k] != 0.0:
            left = True
    while left:
        wait_until(clock() + int(1e9 * own.period))
        left = not approach_target(own)
        own.write(place(own, "time"), own.command)


@native
def write_position(t: Array, command: Array, own: MappedMemory) -> None:
    """Writes a position of the frame as angles of the joints, by Newton's steps from the last ones;
    nothing before the first good sample."""
    m, q, dq = own.joints, own.command, own.efforts
    if not own.known:
        return
    if not own.started:
        own.started = True
        for k in range(m):
            q[k] = own.angles[k]
    for _ in range(STEPS):
        own.back(q, command, dq)
        for k in range(m):
            q[k] += dq[k] if isfinite(dq[k]) else 0.0
    own.write(t, q)
