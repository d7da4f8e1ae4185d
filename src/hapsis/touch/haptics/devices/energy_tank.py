"""A tank of energy between a force and a hand: only energy taken before can be given back.

All energy that the network and the machine behind it exchange with the hand passes this port, so one
account here is enough, whatever they do: lost, late, doubled forces, a model that is not passive.

    E      energy the hand has put in, less what it was given; exact, for forces are held
    rule   a force that would give more than E within the next period is reduced:
           F x + F² T² / 2 m <= E, with m the least mass that moves and x the way in one period,
           taken from the last one, the force before, and what a hand can add
    E < 0  only if the hand moved faster than that; the motion is then damped until E is 0 again

References: [HannafordRyu], [Franken].
"""

import numpy as np

from hapsis.compiler.native import Array, native, record, sized, sqrt

GRIP = 40.0  # m/s², how fast a hand may change its speed by itself


@record
class EnergyTank:
    """The energy, and positions and forces of the tick before."""

    axes: int
    energy: float
    most: float
    mass: float
    damping: float
    started: bool = False
    least: float = 0.0  # energy so far
    given: float = 0.0  # energy to the hand so far
    cut: float = 0.0  # forces reduced
    position: Array = sized("axes")
    force: Array = sized("axes")

    def fill(self, energy: float) -> None:
        """Resets the tank, with this energy in it."""
        self.energy, self.least, self.given, self.cut = energy, np.inf, 0.0, 0.0
        self.started = False


@native
def limit_force(dt: float, x: Array, force: Array, tank: EnergyTank) -> None:
    """Reduces the forces so that the tank never gives energy that it does not hold."""
    work, push, square, speed = 0.0, 0.0, 0.0, 0.0
    if not tank.started:
        tank.started = True
        for k in range(tank.axes):
            tank.position[k], tank.force[k] = x[k], 0.0
    energy = tank.energy
    for k in range(tank.axes):
        moved = x[k] - tank.position[k]
        energy -= tank.force[k] * moved
        tank.given += tank.force[k] * moved
        work += force[k] * moved
        push += force[k] * tank.force[k] * dt * dt / (2.0 * tank.mass)
        square += force[k] * force[k]
        speed += moved * moved / (dt * dt)
    energy = min(energy, tank.most)
    tank.energy = energy
    tank.least = min(tank.least, energy)
    # the greatest part s of the force with s b + s² a <= E
    part, most = 1.0, max(energy, 0.0)
    a = square * dt * dt / (2.0 * tank.mass)
    b = work + max(0.0, push) + 1.5 * GRIP * sqrt(square) * dt * dt
    if a + b > most:
        root = sqrt(b * b + 4.0 * a * most)
        part = 2.0 * most / (root + b) if b > 0.0 else (root - b) / (2.0 * a)
        tank.cut += 1.0
    # what is owed comes back by damping, no more than is owed and than the mass can take
    loss = 0.0
    if energy < 0.0 and speed > 0.0:
        loss = min(tank.damping, min(0.5 * tank.mass / dt, -energy / (speed * dt)))
    for k in range(tank.axes):
        moved = x[k] - tank.position[k]
        force[k] = part * force[k] - loss * moved / dt
        tank.position[k], tank.force[k] = x[k], force[k]
