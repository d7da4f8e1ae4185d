"""A tank of energy between a force and a hand: what is given was taken before.

The port at the hand holds the network and the machine behind it, so one account here is enough,
whatever they do: lost, late, doubled forces, a model that is not passive.

    E      energy the hand has put in, less what it was given; exact, for forces are held
    rule   a force that would give more than E within the next period is made smaller:
           F x + F² T² / 2 m <= E, with m the least mass that moves and x the way in one period,
           taken from the last one, the force before, and what a hand can add
    E < 0  only if the hand moved faster than that; then the motion is damped until it is paid back

References: [HannafordRyu], [Franken].
"""

from hapsis.compiler.native import Array, native, sqrt

# account: numbers kept; positions and forces of the tick before follow, n each
ENERGY, MOST, MASS, DAMPING, STARTED, LEAST, GIVEN, CUT = range(8)
ACCOUNT = 8  # + 2 n
GRIP = 40.0  # m/s², how fast a hand may change its speed by itself


@native
def allowed(n: int, dt: float, x: Array, force: Array, account: Array) -> None:
    """Makes the forces such that the tank never gives what it has not."""
    work, push, square, speed = 0.0, 0.0, 0.0, 0.0
    if account[STARTED] == 0.0:
        account[STARTED] = 1.0
        for k in range(n):
            account[ACCOUNT + k], account[ACCOUNT + n + k] = x[k], 0.0
    energy = account[ENERGY]
    for k in range(n):
        moved = x[k] - account[ACCOUNT + k]
        energy -= account[ACCOUNT + n + k] * moved
        account[GIVEN] += account[ACCOUNT + n + k] * moved
        work += force[k] * moved
        push += force[k] * account[ACCOUNT + n + k] * dt * dt / (2.0 * account[MASS])
        square += force[k] * force[k]
        speed += moved * moved / (dt * dt)
    energy = min(energy, account[MOST])
    account[ENERGY] = energy
    account[LEAST] = min(account[LEAST], energy)
    # the greatest part s of the force with s b + s² a <= E
    part, most = 1.0, max(energy, 0.0)
    a = square * dt * dt / (2.0 * account[MASS])
    b = work + max(0.0, push) + 1.5 * GRIP * sqrt(square) * dt * dt
    if a + b > most:
        root = sqrt(b * b + 4.0 * a * most)
        part = 2.0 * most / (root + b) if b > 0.0 else (root - b) / (2.0 * a)
        account[CUT] += 1.0
    # what is owed comes back by damping, no more than is owed and than the mass can take
    loss = 0.0
    if energy < 0.0 and speed > 0.0:
        loss = min(account[DAMPING], min(0.5 * account[MASS] / dt, -energy / (speed * dt)))
    for k in range(n):
        moved = x[k] - account[ACCOUNT + k]
        force[k] = part * force[k] - loss * moved / dt
        account[ACCOUNT + k], account[ACCOUNT + n + k] = x[k], force[k]
