"""The motion of a Model among particles, in the same steps: kick, drift, kick.

    u½ = u + τ/2 P (F + Q),   q⁺, u* = drift of q, u½ over τ,   u⁺ = u* + τ/2 P⁺ (F⁺ + Q⁺),   Q = Σ Jᵀ w

F are the forces of the model, w what particles do to its bodies. A tree drifts as it moves without forces, by
a step of fourth order: its momenta are kept. With loops and drives, which P holds, the drift is q + τ N u½,
and F has the terms of Coriolis; then all is closed. Particles that are fixed to a body are where it carries
them; the forces on them act on it, and their masses are part of it.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.model_memory import ModelMemory
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory

SLIGHT = 1e-12  # of the easiest row: what holds a row that others hold already


@native
def invert(n: int, a: Array) -> None:
    """Inverts a symmetric positive matrix in its place."""
    for k in range(n):
        pivot = 1.0 / a[k * n + k]
        a[k * n + k] = 1.0
        for j in range(n):
            a[k * n + j] *= pivot
        for i in range(n):
            f = a[i * n + k]
            if i != k and f != 0.0:
                a[i * n + k] = 0.0
                for j in range(n):
                    a[i * n + j] -= f * a[k * n + j]


@native
def hold_rows(m: ModelMemory) -> None:
    """Takes what loops and drives hold from the mobility: P = M⁻¹ - BᵀS B, B = C M⁻¹, S = (C Bᵀ)⁻¹."""
    n, rows = m.n_v, m.row_count
    largest = 0.0
    for r in range(rows):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += m.next_rows[r * n + k] * m.next_mobility[k * n + j]
            m.eased[r * n + j] = total
    for r in range(rows):
        for s in range(rows):
            total = 0.0
            for k in range(n):
                total += m.eased[r * n + k] * m.next_rows[s * n + k]
            m.small[r * rows + s] = total
            if r == s and total > largest:
                largest = total
    for r in range(rows):
        m.small[r * rows + r] += SLIGHT * largest
    invert(rows, m.small)
    for r in range(rows):
        for j in range(n):
            total = 0.0
            for s in range(rows):
                total += m.small[r * rows + s] * m.eased[s * n + j]
            m.next_lift[r * n + j] = total
    for i in range(n):
        for j in range(n):
            total = 0.0
            for r in range(rows):
                total += m.eased[r * n + i] * m.next_lift[r * n + j]
            m.next_mobility[i * n + j] -= total


@native
def model_terms(m: ModelMemory, t: float) -> None:
    """Rates, mobility, poses and energies of next_y; nothing where only the world is touched."""
    if m.n_v == 0:
        return
    m.clock[0] = t
    if m.closed:
        m.closing(m.clock, m.next_y, m.spare)
        for k in range(m.n_q + m.n_v):
            m.next_y[k] = m.spare[k]
    m.terms(
        m.clock, m.next_y, m.next_dy, m.next_mass, m.next_rows, m.next_poses, m.next_jacobians, m.next_watched
    )
    if not m.closed:
        m.free(m.next_y, m.spare)
        for k in range(m.n_q, m.n_q + m.n_v):
            m.next_dy[k] -= m.spare[k]
    for k in range(m.n_v * m.n_v):
        m.next_mobility[k] = m.next_mass[k]
    invert(m.n_v, m.next_mobility)
    if m.row_count > 0:
        hold_rows(m)


@native
def model_kinetic(m: ModelMemory, mass: Array, v: Array) -> float:
    """½ vᵀ M v."""
    total = 0.0
    for i in range(m.n_v):
        row = 0.0
        for j in range(m.n_v):
            row += mass[i * m.n_v + j] * v[j]
        total += v[i] * row
    return 0.5 * total


@native
def twist_of(m: ModelMemory, jacobians: Array, body: int, v: Array, twist: Array) -> None:
    """The angular velocity of a body, then the velocity of its origin."""
    J = at(jacobians, 6 * m.n_v * body)
    for k in range(6):
        total = 0.0
        for j in range(m.n_v):
            total += J[k * m.n_v + j] * v[j]
        twist[k] = total


@native
def place_anchored(scene: ParticleMemory, x: Array, v: Array, speeds: Array) -> None:
    """Puts fixed particles where their bodies carry them at the end of the step."""
    m = scene.model
    for a in range(m.anchor_count):
        i, pose = 3 * m.anchor_particle[a], at(m.next_poses, 12 * m.anchor_body[a])
        place = at(m.anchor_place, 3 * a)
        for c in range(3):
            x[i + c] = pose[9 + c] + (
                pose[3 * c] * place[0] + pose[3 * c + 1] * place[1] + pose[3 * c + 2] * place[2]
            )
    move_anchored(scene, x, v, speeds)


@native
def move_anchored(scene: ParticleMemory, x: Array, v: Array, speeds: Array) -> None:
    """The velocities of fixed particles by these speeds at the end of the step."""
    m = scene.model
    for b in range(m.body_count):
        twist_of(m, m.next_jacobians, b, speeds, at(m.twists, 6 * b))
    for a in range(m.anchor_count):
        i, b = 3 * m.anchor_particle[a], m.anchor_body[a]
        p, w = at(m.next_poses, 12 * b + 9), at(m.twists, 6 * b)
        rx, ry, rz = x[i] - p[0], x[i + 1] - p[1], x[i + 2] - p[2]
        v[i] = w[3] + w[1] * rz - w[2] * ry
        v[i + 1] = w[4] + w[2] * rx - w[0] * rz
        v[i + 2] = w[5] + w[0] * ry - w[1] * rx


@native
def load(m: ModelMemory, body: int, x: Array, fx: float, fy: float, fz: float) -> None:
    """Adds a force at the point x to the wrench on a body."""
    p, w = at(m.next_poses, 12 * body + 9), at(m.next_wrenches, 6 * body)
    rx, ry, rz = x[0] - p[0], x[1] - p[1], x[2] - p[2]
    w[0] += ry * fz - rz * fy
    w[1] += rz * fx - rx * fz
    w[2] += rx * fy - ry * fx
    w[3] += fx
    w[4] += fy
    w[5] += fz


@native
def take_anchored(scene: ParticleMemory, x: Array, force: Array) -> None:
    """Hands the forces on fixed particles to their bodies, and Q of all wrenches."""
    m = scene.model
    for a in range(m.anchor_count):
        i = 3 * int(m.anchor_particle[a])
        load(m, int(m.anchor_body[a]), at(x, i), force[i], force[i + 1], force[i + 2])
        force[i], force[i + 1], force[i + 2] = 0.0, 0.0, 0.0
    for j in range(m.n_v):
        total = 0.0
        for b in range(m.body_count):
            J = at(m.next_jacobians, 6 * m.n_v * b)
            for k in range(6):
                total += J[k * m.n_v + j] * m.next_wrenches[6 * b + k]
        m.next_loads[j] = total


@native
def kick(m: ModelMemory, dy: Array, mobility: Array, loads: Array, v: Array, out: Array, h: float) -> None:
    """out = v + h (a₀ + P Q)."""
    for i in range(m.n_v):
        a = dy[m.n_q + i]
        for j in range(m.n_v):
            a += mobility[i * m.n_v + j] * loads[j]
        out[i] = v[i] + h * a


@native
def begin_model_step(scene: ParticleMemory) -> None:
    """Nothing is counted of the step that is tried."""
    m = scene.model
    scene.held_work = 0.0
    for k in range(6 * m.body_count):
        m.rub_wrenches[k] = 0.0
    for r in range(m.row_count):
        m.rub_rows[r] = 0.0


@native
def model_half(scene: ParticleMemory, h: float) -> None:
    """The speeds of the model in the middle of the step."""
    m = scene.model
    kick(m, m.dy, m.mobility, m.loads, at(m.y, m.n_q), m.half, 0.5 * h)


@native
def model_drift(scene: ParticleMemory, h: float) -> None:
    """The model's coordinates at the end of the step, and about its speeds."""
    m = scene.model
    if m.closed:
        # N at the middle, with the speeds there
        for k in range(m.size):
            m.middle[k] = m.y[k] + 0.5 * h * m.dy[k]
        copy(m.n_v, m.half, at(m.middle, m.n_q))
        m.clock[0] = scene.t + 0.5 * h
        m.rates(m.clock, m.middle, m.spare)
        for k in range(m.n_q):
            m.next_y[k] = m.y[k] + h * m.spare[k]
    elif m.n_v > 0:
        free_drift(m, h)
    kick(m, m.dy, m.mobility, m.loads, m.half, at(m.next_y, m.n_q), 0.5 * h)
    for k in range(m.n_q + m.n_v, m.size):
        m.next_y[k] = m.y[k] + h * m.dy[k]
    straighten(m)


@native
def model_arrival(scene: ParticleMemory, h: float, x: Array, v: Array) -> None:
    """The terms of the model at the end of the step, and the particles that it carries."""
    m = scene.model
    model_terms(m, scene.t + h)
    place_anchored(scene, x, v, at(m.next_y, m.n_q))


@native
def free_drift(m: ModelMemory, h: float) -> None:
    """The coordinates and the speeds after a time h without forces, to next_y and `half` (Runge-Kutta)."""
    n = m.n_q + m.n_v
    copy(m.n_q, m.y, m.middle)
    copy(m.n_v, m.half, at(m.middle, m.n_q))
    for k in range(n):
        m.next_y[k] = m.middle[k]
        m.spare[k] = m.middle[k]
    for stage in range(4):
        rate = at(m.stage, n * stage)
        m.free(m.spare, rate)
        reach = h if stage == 2 else 0.5 * h
        weight = h / 6.0 if stage == 0 or stage == 3 else h / 3.0
        for k in range(n):
            m.next_y[k] += weight * rate[k]
            m.spare[k] = m.middle[k] + reach * rate[k]
    copy(m.n_v, at(m.next_y, m.n_q), m.half)


@native
def straighten(m: ModelMemory) -> None:
    """Makes quaternions of next_y unit ones."""
    for k in range(m.quaternion_count):
        q = at(m.next_y, m.quaternions[k])
        size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
        for c in range(4):
            q[c] = q[c] / size


@native
def model_end(scene: ParticleMemory, h: float) -> None:
    """The speeds of the model at the end of the step, before friction, and states of its laws."""
    m = scene.model
    kick(m, m.next_dy, m.next_mobility, m.next_loads, m.half, at(m.next_y, m.n_q), 0.5 * h)
    for k in range(m.n_q + m.n_v, m.size):
        m.next_y[k] = m.y[k] + 0.5 * h * (m.dy[k] + m.next_dy[k])


@native
def model_energy(scene: ParticleMemory, h: float, v: Array) -> float:
    """Puts what the model lost and what worked on it into the account; the change of its energy."""
    m = scene.model
    if m.closed:
        m.clock[0] = scene.t + h
        m.closing(m.clock, m.next_y, m.spare)
        for k in range(m.n_q, m.n_q + m.n_v):
            m.next_y[k] = m.spare[k]
    move_anchored(scene, scene.next_x, v, at(m.next_y, m.n_q))
    m.next_kinetic = model_kinetic(m, m.next_mass, at(m.next_y, m.n_q))
    scene.lost += 0.5 * h * (m.watched[2] + m.next_watched[2])
    scene.worked += 0.5 * h * (m.watched[1] + m.next_watched[1])
    scene.worked -= 0.5 * h * (row_power(m, m.lift, m.rows, m.loads, m.y))
    scene.worked -= 0.5 * h * (row_power(m, m.next_lift, m.next_rows, m.next_loads, m.next_y))
    return m.next_kinetic - m.kinetic + m.next_watched[0] - m.watched[0]


@native
def row_power(m: ModelMemory, lift: Array, rows: Array, loads: Array, y: Array) -> float:
    """What the forces of drives take, by which they hold what particles do: λ · C u."""
    total = 0.0
    for r in range(m.row_count):
        force, rate = 0.0, 0.0
        for j in range(m.n_v):
            force += lift[r * m.n_v + j] * loads[j]
            rate += rows[r * m.n_v + j] * y[m.n_q + j]
        total += force * rate
    return total


@native
def sample_model(scene: ParticleMemory, h: float, s: float) -> None:
    """A row at the part s of the step: y by the cubic of both ends in q, the rest in proportion."""
    m = scene.model
    row = at(m.sample_y, m.size * scene.sampled)
    p, bend = s * s * (3.0 - 2.0 * s), s * (1.0 - s)
    for k in range(m.size):
        row[k] = m.y[k] + s * (m.next_y[k] - m.y[k])
    for k in range(m.n_q):
        row[k] = m.y[k] + p * (m.next_y[k] - m.y[k])
        row[k] += h * bend * ((1.0 - s) * m.dy[k] - s * m.next_dy[k])
    wrenches = at(m.sample_wrenches, 6 * m.body_count * scene.sampled)
    for k in range(6 * m.body_count):
        wrenches[k] = m.wrenches[k] + s * (m.next_wrenches[k] - m.wrenches[k]) + m.rub_wrenches[k] / h
    forces = at(m.sample_rows, m.row_count * scene.sampled)
    for r in range(m.row_count):
        a, b = 0.0, 0.0
        for j in range(m.n_v):
            a -= m.lift[r * m.n_v + j] * m.loads[j]
            b -= m.next_lift[r * m.n_v + j] * m.next_loads[j]
        forces[r] = a + s * (b - a) + m.rub_rows[r] / h


@native
def copy(count: int, source: Array, goal: Array) -> None:
    """goal = source."""
    for k in range(count):
        goal[k] = source[k]


@native
def accept_model(m: ModelMemory) -> None:
    """Goes on from the end of the step."""
    n = m.n_v
    copy(m.size, m.next_y, m.y)
    copy(m.size, m.next_dy, m.dy)
    copy(n * n, m.next_mass, m.mass)
    copy(n * n, m.next_mobility, m.mobility)
    copy(m.row_count * n, m.next_rows, m.rows)
    copy(m.row_count * n, m.next_lift, m.lift)
    copy(12 * m.body_count, m.next_poses, m.poses)
    copy(6 * m.body_count * n, m.next_jacobians, m.jacobians)
    copy(6 * m.body_count, m.next_wrenches, m.wrenches)
    copy(n, m.next_loads, m.loads)
    copy(3, m.next_watched, m.watched)
    pairs = m.piece_count * m.particle_count
    copy(pairs, m.next_push, m.push)
    copy(3 * pairs, m.next_normals, m.normals)
    m.kinetic = m.next_kinetic
    m.pairs_known = True


@native
def begin_model(scene: ParticleMemory) -> None:
    """Poses and forces of the start; `accept_model` follows when the forces of particles are known."""
    m = scene.model
    m.pairs_known = False
    copy(m.size, m.y, m.next_y)
    model_terms(m, scene.t)
    place_anchored(scene, scene.x, scene.v, at(m.next_y, m.n_q))
    m.next_kinetic = model_kinetic(m, m.next_mass, at(m.next_y, m.n_q))
