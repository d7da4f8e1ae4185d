"""Friction of particles on bodies: impulses at each kick, with the mass that each pair has there.

An impulse stops the slip where s N τ/2 suffices, else c N τ/2 along it: the regimes of (8) in [Joukhadar].
The first half of a step gives them the mean velocity of the point of the body in the step, by J̇ u and
ω × (ω × r): what sticks to a body that turns does not creep. Pairs go one after the other until none changes,
from what they had the last time. Friction takes its impulse times the mean of the slip before all forces of
the half step and after: what sticks loses nothing.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.bodies.body_rows import add_turning, moment_of, press_pairs
from hapsis.motion.solvers.particles.bodies.model_memory import LAW, ModelMemory
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory

SWEEPS, FEW = 10, 2
SETTLED = 1e-5  # of the largest impulse: the change in the last sweep


@native
def friction_at_start(scene: ParticleMemory, v0: Array, v: Array, h: float) -> None:
    """Friction on bodies in the first half of a step, from the velocities v0 before it."""
    m = scene.model
    if not m.pairs_known:
        press_pairs(scene, m.poses, m.jacobians, m.mobility, m.push, m.normals, scene.x)
    m.pairs_known = False
    if m.pair_count > 0:
        turn_pairs(scene, h)
        body_friction(scene, SWEEPS, m.push, v0, v, at(m.y, m.n_q), m.half, h)
        count_friction(scene, m.poses, scene.x, v, m.half)
        count_rows(scene, m.lift, m.rows, m.half)


@native
def friction_between(scene: ParticleMemory, v0: Array, v: Array, h: float) -> None:
    """About the same on the velocities that dampers see; it takes no energy."""
    m = scene.model
    u = at(m.next_y, m.n_q)
    if m.pair_count > 0:
        for c in range(2 * m.pair_count):
            m.pair_turn[c] = 0.0
        body_friction(scene, FEW, m.push, v0, v, m.half, u, h)


@native
def friction_at_end(scene: ParticleMemory, v0: Array, v: Array, h: float) -> None:
    """Friction on bodies in the second half of a step."""
    m = scene.model
    u, x = at(m.next_y, m.n_q), scene.next_x
    press_pairs(scene, m.next_poses, m.next_jacobians, m.next_mobility, m.next_push, m.next_normals, x)
    if m.pair_count > 0:
        for c in range(2 * m.pair_count):
            m.pair_turn[c] = 0.0
        body_friction(scene, SWEEPS, m.next_push, v0, v, m.half, u, h)
        count_friction(scene, m.next_poses, x, v, u)
        count_rows(scene, m.next_lift, m.next_rows, u)


@native
def turn_pairs(scene: ParticleMemory, h: float) -> None:
    """The velocities that pairs at the start of a step need to end it together, h being half of it."""
    m = scene.model
    u = at(m.y, m.n_q)
    for c in range(m.pair_count):
        i, axes = int(m.pair_particle[c]), at(m.pair_axes, 6 * c)
        m.point[0], m.point[1], m.point[2] = 0.0, 0.0, 0.0
        add_turning(m, int(m.fixed_to[i]), at(scene.x, 3 * i), u, 1.0, m.point)
        add_turning(m, int(m.piece_body[m.pair_piece[c]]), at(scene.x, 3 * i), u, -1.0, m.point)
        for a in range(2):
            f = at(axes, 3 * a)
            m.pair_turn[2 * c + a] = h * (f[0] * m.point[0] + f[1] * m.point[1] + f[2] * m.point[2])


@native
def body_friction(
    scene: ParticleMemory, sweeps: int, push: Array, v0: Array, v: Array, u0: Array, u: Array, h: float
) -> None:
    """Friction over a time h, on velocities v and speeds u, which were v0 and u0 before all forces."""
    m = scene.model
    count = m.pair_count
    for c in range(count):
        slip_of(scene, c, v0, u0)
        m.pair_slip[2 * c], m.pair_slip[2 * c + 1] = m.slip[0], m.slip[1]
    for c in range(count):
        known_impulse(scene, c, push, h)
        strike(scene, c, m.pair_impulse[2 * c], m.pair_impulse[2 * c + 1], v, u)
    for _ in range(sweeps):
        largest, change = 0.0, 0.0
        for c in range(count):
            slip_of(scene, c, v, u)
            ax, ay = m.pair_impulse[2 * c], m.pair_impulse[2 * c + 1]
            bx = ax - (m.slip[0] + m.pair_turn[2 * c]) / m.pair_ease[c]
            by = ay - (m.slip[1] + m.pair_turn[2 * c + 1]) / m.pair_ease[c]
            keep = kept_part(scene, c, push, sqrt(bx * bx + by * by), h)
            bx, by = keep * bx, keep * by
            size, moved = bx * bx + by * by, (bx - ax) * (bx - ax) + (by - ay) * (by - ay)
            largest = size if size > largest else largest
            change = moved if moved > change else change
            if moved > 0.0:
                m.pair_impulse[2 * c], m.pair_impulse[2 * c + 1] = bx, by
                strike(scene, c, bx - ax, by - ay, v, u)
        if change <= SETTLED * SETTLED * largest:
            break
    for c in range(count):
        axes = at(m.pair_axes, 6 * c)
        known = at(m.rubs, 3 * (int(m.pair_piece[c]) * scene.count + int(m.pair_particle[c])))
        for a in range(3):
            known[a] = (m.pair_impulse[2 * c] * axes[a] + m.pair_impulse[2 * c + 1] * axes[3 + a]) / h


@native
def kept_part(scene: ParticleMemory, c: int, push: Array, size: float, h: float) -> float:
    """The part of an impulse of this size that friction can give."""
    m = scene.model
    k = int(m.pair_piece[c])
    most = h * push[k * scene.count + int(m.pair_particle[c])]
    if size > m.piece_law[LAW * k + 3] * most:
        return m.piece_law[LAW * k + 4] * most / size
    return 1.0


@native
def known_impulse(scene: ParticleMemory, c: int, push: Array, h: float) -> None:
    """The impulse of a pair by its friction the last time, along the shape and not too large."""
    m = scene.model
    force = at(m.rubs, 3 * (int(m.pair_piece[c]) * scene.count + int(m.pair_particle[c])))
    axes = at(m.pair_axes, 6 * c)
    x, y = 0.0, 0.0
    for a in range(3):
        x += h * force[a] * axes[a]
        y += h * force[a] * axes[3 + a]
    keep = kept_part(scene, c, push, sqrt(x * x + y * y), h)
    m.pair_impulse[2 * c], m.pair_impulse[2 * c + 1] = keep * x, keep * y


@native
def slip_of(scene: ParticleMemory, c: int, v: Array, u: Array) -> None:
    """The velocity of a particle along the shape, relative to it, in `slip`."""
    m = scene.model
    i, n = 3 * int(m.pair_particle[c]), m.n_v
    row, second, axes = at(m.pair_rows, 2 * n * c), at(m.pair_rows, 2 * n * c + n), at(m.pair_axes, 6 * c)
    x, y = 0.0, 0.0
    if m.fixed_to[m.pair_particle[c]] < 0:
        x = v[i] * axes[0] + v[i + 1] * axes[1] + v[i + 2] * axes[2]
        y = v[i] * axes[3] + v[i + 1] * axes[4] + v[i + 2] * axes[5]
    # both axes and both halves side by side: four sums that do not wait for each other
    half, x2, y2 = n // 2, 0.0, 0.0
    upper = at(u, half)
    row2, second2 = at(row, half), at(second, half)
    for j in range(half):
        x += row[j] * u[j]
        y += second[j] * u[j]
        x2 += row2[j] * upper[j]
        y2 += second2[j] * upper[j]
    if 2 * half < n:
        x2 += row[n - 1] * u[n - 1]
        y2 += second[n - 1] * u[n - 1]
    m.slip[0], m.slip[1] = x + x2, y + y2


@native
def strike(scene: ParticleMemory, c: int, x: float, y: float, v: Array, u: Array) -> None:
    """An impulse on the particle of a pair along its axes, and its opposite on the body."""
    m = scene.model
    i, n, axes = int(m.pair_particle[c]), m.n_v, at(m.pair_axes, 6 * c)
    for a in range(3):
        v[3 * i + a] += scene.ease[i] * (x * axes[a] + y * axes[3 + a])
    first, second = at(m.pair_answers, 2 * n * c), at(m.pair_answers, 2 * n * c + n)
    for j in range(n):
        u[j] += x * first[j] + y * second[j]


@native
def count_friction(scene: ParticleMemory, poses: Array, x: Array, v: Array, u: Array) -> None:
    """What friction takes, the work of what holds particles, and the impulses on bodies and speeds."""
    m = scene.model
    n = m.n_v
    for j in range(n):
        m.rub[j] = 0.0
    for c in range(m.pair_count):
        i, axes = int(m.pair_particle[c]), at(m.pair_axes, 6 * c)
        px, py = m.pair_impulse[2 * c], m.pair_impulse[2 * c + 1]
        slip_of(scene, c, v, u)
        scene.lost -= 0.5 * px * (m.pair_slip[2 * c] + m.slip[0])
        scene.lost -= 0.5 * py * (m.pair_slip[2 * c + 1] + m.slip[1])
        for a in range(3):
            m.point[a] = px * axes[a] + py * axes[3 + a]
        if scene.ease[i] == 0.0 and m.fixed_to[i] < 0:  # what holds it does this work
            for a in range(3):
                scene.held_work -= m.point[a] * v[3 * i + a]
        first, second = at(m.pair_rows, 2 * n * c), at(m.pair_rows, 2 * n * c + n)
        for j in range(n):
            m.rub[j] += px * first[j] + py * second[j]
        rub_body(m, poses, int(m.fixed_to[i]), at(x, 3 * i), 1.0)
        rub_body(m, poses, int(m.piece_body[m.pair_piece[c]]), at(x, 3 * i), -1.0)


@native
def rub_body(m: ModelMemory, poses: Array, body: int, x: Array, sign: float) -> None:
    """Counts the impulse in `point` on a body."""
    if body >= 0:
        moment_of(m, poses, body, x, m.point)
        for a in range(6):
            m.rub_wrenches[6 * body + a] += sign * m.six[a]


@native
def count_rows(scene: ParticleMemory, lift: Array, rows: Array, u: Array) -> None:
    """The impulses by which loops and drives hold against friction, and the work of drives."""
    m = scene.model
    for r in range(m.row_count):
        force, rate = 0.0, 0.0
        for j in range(m.n_v):
            force -= lift[r * m.n_v + j] * m.rub[j]
            rate += rows[r * m.n_v + j] * u[j]
        m.rub_rows[r] += force
        scene.held_work += force * rate
