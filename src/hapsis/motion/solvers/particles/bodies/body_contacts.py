"""Particles that touch the shapes of bodies: normal forces, both ways; friction is in `body_friction`.

F = -(λ d + μ ḋ) n  where the signed distance less the margin d < 0;  ḋ = n · (v - v_body)
"""

from hapsis.compiler.native import Array, at, native
from hapsis.motion.solvers.particles.bodies.carried_particles import load
from hapsis.motion.solvers.particles.bodies.model_memory import HEIGHTFIELD, LAW, PLANE, ModelMemory
from hapsis.motion.solvers.particles.bodies.shape_distance import shape_distance
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory


@native
def place_pieces(m: ModelMemory) -> None:
    """Puts the shapes where their bodies are."""
    for k in range(m.piece_count):
        place_piece(m, k, m.next_poses, at(m.pose, 12 * k))


@native
def place_piece(m: ModelMemory, k: int, poses: Array, out: Array) -> None:
    """The pose of a shape in the world, by these poses of the bodies."""
    place, b = at(m.piece_place, 12 * k), m.piece_body[k]
    if b < 0:
        for c in range(12):
            out[c] = place[c]
        return
    body = at(poses, 12 * b)
    for i in range(3):
        for j in range(3):
            out[3 * i + j] = (
                body[3 * i] * place[j] + body[3 * i + 1] * place[3 + j] + body[3 * i + 2] * place[6 + j]
            )
        out[9 + i] = body[9 + i] + (
            body[3 * i] * place[9] + body[3 * i + 1] * place[10] + body[3 * i + 2] * place[11]
        )


@native
def body_speed(m: ModelMemory, poses: Array, body: int, x: Array, out: Array) -> None:
    """The velocity of the point x of a body, by the twists."""
    p, w = at(poses, 12 * body + 9), at(m.twists, 6 * body)
    rx, ry, rz = x[0] - p[0], x[1] - p[1], x[2] - p[2]
    out[0] = w[3] + w[1] * rz - w[2] * ry
    out[1] = w[4] + w[2] * rx - w[0] * rz
    out[2] = w[5] + w[0] * ry - w[1] * rx


@native
def body_contact_forces(scene: ParticleMemory, x: Array, v: Array, force: Array) -> None:
    """Adds the normal forces between particles and shapes; twists and poses are those of the state."""
    m = scene.model
    place_pieces(m)
    n = scene.count
    for k in range(6 * m.body_count):
        m.next_wrenches[k] = 0.0
    for k in range(m.piece_count):
        pose, law, reach = at(m.pose, 12 * k), at(m.piece_law, LAW * k), m.piece_reach[k]
        bounded = m.piece_kind[k] != PLANE and m.piece_kind[k] != HEIGHTFIELD
        for i in range(n):
            m.next_push[k * n + i] = 0.0
            m.next_within[k * n + i] = 0
            if m.touches[k * n + i] == 0:
                continue
            dx, dy, dz = x[3 * i] - pose[9], x[3 * i + 1] - pose[10], x[3 * i + 2] - pose[11]
            far = reach + law[5]
            if bounded and dx * dx + dy * dy + dz * dz > far * far:
                continue
            for c in range(3):
                m.point[c] = pose[c] * dx + pose[3 + c] * dy + pose[6 + c] * dz
            shape_distance(m, k, m.point, m.gap)
            m.gap[0] -= law[5]
            if m.gap[0] < 0.0:
                press(scene, k, i, x, v, force, law)


@native
def press(scene: ParticleMemory, k: int, i: int, x: Array, v: Array, force: Array, law: Array) -> None:
    """The normal force of a pair that touches, by the gap in `gap`."""
    m, pair = scene.model, k * scene.count + i
    pose, out = at(m.pose, 12 * k), at(m.next_normals, 3 * pair)
    for c in range(3):
        out[c] = pose[3 * c] * m.gap[1] + pose[3 * c + 1] * m.gap[2] + pose[3 * c + 2] * m.gap[3]
    b, d = m.piece_body[k], m.gap[0]
    m.next_within[pair] = 1 if m.begun and m.within[pair] != 2 else 2
    m.point[0], m.point[1], m.point[2] = 0.0, 0.0, 0.0
    if b >= 0:
        body_speed(m, m.next_poses, b, at(x, 3 * i), m.point)
    rate = out[0] * (v[3 * i] - m.point[0]) + out[1] * (v[3 * i + 1] - m.point[1])
    rate += out[2] * (v[3 * i + 2] - m.point[2])
    f = -law[0] * d - law[1] * rate
    if f < 0.0 and law[2] == 0.0:
        f = 0.0
        scene.next_power += -law[0] * d * rate
    else:
        scene.next_power += law[1] * rate * rate
    scene.next_potential += 0.5 * law[0] * d * d
    m.next_push[pair] = f
    force[3 * i] += f * out[0]
    force[3 * i + 1] += f * out[1]
    force[3 * i + 2] += f * out[2]
    if b >= 0:
        load(m, b, at(x, 3 * i), -f * out[0], -f * out[1], -f * out[2])


@native
def rigidity(scene: ParticleMemory, i: int, which: int) -> float:
    """The sum of λ (0) or μ (1) of the shapes that a particle touches, over its mass."""
    m, total = scene.model, 0.0
    for k in range(m.piece_count):
        if m.push[k * scene.count + i] > 0.0:
            total += m.piece_law[LAW * k + which]
    return total * scene.ease[i]
