"""The motion of a Model among particles, in the same steps: kick, drift, kick.

    u½ = u + τ/2 P (F + Q),   q⁺, u* = drift of q, u½ over τ,   u⁺ = u* + τ/2 P⁺ (F⁺ + Q⁺),   Q = Σ Jᵀ w

F are the forces of the model, w what particles do to its bodies. A tree drifts as it moves without forces, by
a step of fourth order: its momenta are kept. With loops and drives, which P holds, the drift is q + τ N u½,
and F has the terms of Coriolis; then all is closed. Particles that are fixed to a body are where it carries
them; the forces on them act on it, and their masses are part of it.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.bodies.carried_particles import move_anchored, place_anchored
from hapsis.motion.solvers.particles.bodies.model_memory import ModelMemory
from hapsis.motion.solvers.particles.bodies.model_terms import copy, model_kinetic, model_terms
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory


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
