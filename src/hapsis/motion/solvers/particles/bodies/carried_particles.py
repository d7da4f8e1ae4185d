"""Particles that are fixed to bodies of a Model: where these carry them, and forces on bodies."""

from hapsis.compiler.native import Array, at, native
from hapsis.motion.solvers.particles.bodies.model_memory import ModelMemory
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory


@native
def twist_of(m: ModelMemory, jacobians: Array, body: int, v: Array, twist: Array) -> None:
    """The angular velocity of a body, then the velocity of its origin."""
    J, n = at(jacobians, 6 * m.n_v * body), m.n_v
    wx, wy, wz, vx, vy, vz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for e in range(m.support_first[body], m.support_first[body + 1]):
        j = int(m.supports[e])
        wx, wy, wz = wx + J[j] * v[j], wy + J[n + j] * v[j], wz + J[2 * n + j] * v[j]
        vx, vy, vz = vx + J[3 * n + j] * v[j], vy + J[4 * n + j] * v[j], vz + J[5 * n + j] * v[j]
    twist[0], twist[1], twist[2] = wx, wy, wz
    twist[3], twist[4], twist[5] = vx, vy, vz


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
    n = m.n_v
    for j in range(n):
        m.next_loads[j] = 0.0
    for b in range(m.body_count):
        J, w = at(m.next_jacobians, 6 * n * b), at(m.next_wrenches, 6 * b)
        for e in range(m.support_first[b], m.support_first[b + 1]):
            j, total = int(m.supports[e]), 0.0
            for k in range(6):
                total += J[k * n + j] * w[k]
            m.next_loads[j] += total
