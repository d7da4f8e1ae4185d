"""Where the steps of a Model begin and end: its start, the state after a step, and samples in between."""

from hapsis.compiler.native import at, native
from hapsis.motion.solvers.particles.bodies.carried_particles import place_anchored
from hapsis.motion.solvers.particles.bodies.model_memory import ModelMemory
from hapsis.motion.solvers.particles.bodies.model_terms import copy, model_kinetic, model_terms
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory


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
    for k in range(pairs):
        m.within[k] = m.next_within[k]
    copy(pairs, m.next_push, m.push)
    copy(3 * pairs, m.next_normals, m.normals)
    m.kinetic = m.next_kinetic
    m.pairs_known, m.begun = True, True


@native
def begin_model(scene: ParticleMemory) -> None:
    """Poses and forces of the start; `accept_model` follows when the forces of particles are known."""
    m = scene.model
    m.pairs_known, m.begun = False, False
    copy(m.size, m.y, m.next_y)
    model_terms(m, scene.t)
    place_anchored(scene, scene.x, scene.v, at(m.next_y, m.n_q))
    m.next_kinetic = model_kinetic(m, m.next_mass, at(m.next_y, m.n_q))
