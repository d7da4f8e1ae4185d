"""A tank of energy between a force and a hand: only energy taken before can be given back.

All energy that the network and the machine behind it exchange with the hand passes this port, so one
account here is enough, whatever they do: lost, late, doubled forces, a model that is not passive.

    E      energy the hand has put in, less what it was given; exact, for forces are held
    rule   the force changes by no more than the slew S in a second, so a force that is allowed now
           cannot vanish: it is reduced to the one whose way to zero gives no more than E,
               P v + P² / 2 m + A ∫ F t dt <= E,    P = ∫ F dt = F T + F² / 2 S
           with m the least mass that moves, v the speed along the force and A what a hand can add
    E < 0  only if the hand moved faster than that; the motion is then damped until E is 0 again

References: [HannafordRyu], [Franken].
"""

import numpy as np

from hapsis.compiler.native import Array, native, record, sized, sqrt

GRIP = 40.0  # m/s², how fast a hand may change its speed by itself
HALVINGS = 40  # of the part of a force that is allowed


@record
class EnergyTank:
    """The energy, and positions and forces of the tick before.

    largest   N, of each axis
    slew      N/s, of each axis
    """

    axes: int
    energy: float
    most: float
    mass: float
    damping: float
    largest: Array = sized("axes")
    slew: Array = sized("axes")
    started: bool = False
    least: float = 0.0  # energy so far
    given: float = 0.0  # energy to the hand so far
    cut: float = 0.0  # forces reduced
    position: Array = sized("axes")
    force: Array = sized("axes")

    def fill(self, energy: float) -> None:
        """Resets the tank, with this energy in it and no force."""
        self.energy, self.least, self.given, self.cut = energy, np.inf, 0.0, 0.0
        self.started, self.force[:] = False, 0.0


@native
def energy_to_zero(force: float, fall: float, speed: float, dt: float, mass: float) -> float:
    """The most energy that a hand gets from a force which is held for dt and falls to zero in `fall`.

    speed    of the hand along the force; the force and the hand itself make it faster
    """
    held, falling = force * dt, 0.5 * force * fall
    impulse = held + falling
    moment = 1.5 * dt * impulse + falling * fall / 3.0  # ∫ F t dt; the speed is half a period old
    return impulse * speed + impulse * impulse / (2.0 * mass) + GRIP * moment


@native
def allowed_part(dt: float, force: Array, tank: EnergyTank, x: Array) -> float:
    """The greatest part of a force that the tank has the energy for, on its way to zero."""
    work, push, square, fall = 0.0, 0.0, 0.0, 0.0
    for k in range(tank.axes):
        work += force[k] * (x[k] - tank.position[k])
        push += force[k] * tank.force[k] * dt * dt / (2.0 * tank.mass)
        square += force[k] * force[k]
        fall = max(fall, abs(force[k]) / tank.slew[k])
    if square == 0.0:
        return 1.0
    size, most = sqrt(square), max(tank.energy, 0.0)
    speed = (work + max(0.0, push)) / (size * dt)
    if energy_to_zero(size, fall, speed, dt, tank.mass) <= most:
        return 1.0
    tank.cut += 1.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        part = 0.5 * (low + high)
        if energy_to_zero(part * size, part * fall, speed, dt, tank.mass) <= most:
            low = part
        else:
            high = part
    return low


@native
def approach(dt: float, command: Array, tank: EnergyTank) -> None:
    """Changes a command to one within the limits, not further from the last one than the slew allows."""
    part = 1.0
    for k in range(tank.axes):
        command[k] = max(-tank.largest[k], min(tank.largest[k], command[k]))
        change, most = abs(command[k] - tank.force[k]), tank.slew[k] * dt
        if change * part > most:
            part = most / change
    for k in range(tank.axes):
        if part < 1.0:
            command[k] = tank.force[k] + part * (command[k] - tank.force[k])
        tank.force[k] = command[k]


@native
def limit_force(dt: float, x: Array, force: Array, tank: EnergyTank) -> None:
    """Reduces the forces so that the tank never gives energy that it does not hold."""
    if not tank.started:
        tank.started = True
        for k in range(tank.axes):
            tank.position[k] = x[k]
    speed = 0.0
    for k in range(tank.axes):
        moved = x[k] - tank.position[k]
        tank.energy -= tank.force[k] * moved
        tank.given += tank.force[k] * moved
        speed += moved * moved / (dt * dt)
    tank.energy = min(tank.energy, tank.most)
    tank.least = min(tank.least, tank.energy)
    part = allowed_part(dt, force, tank, x)
    # what is owed comes back by damping, no more than is owed and than the mass can take
    loss = 0.0
    if tank.energy < 0.0 and speed > 0.0:
        loss = min(tank.damping, min(0.5 * tank.mass / dt, -tank.energy / (speed * dt)))
    for k in range(tank.axes):
        force[k] = part * force[k] - loss * (x[k] - tank.position[k]) / dt
        tank.position[k] = x[k]
    approach(dt, force, tank)
