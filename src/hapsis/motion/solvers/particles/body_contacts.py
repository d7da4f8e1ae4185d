"""Particles that touch the shapes of bodies: normal forces, and the three regimes of friction, both ways.

    F = -(λ d + μ ḋ) n  where the signed distance d < 0;  ḋ = n · (v - v_body),  -F on the body there

Friction is an impulse at each kick, with the mass that the pair has there: it stops the slip where s N τ/2
suffices, else it takes c N τ/2. Pairs go one after the other, until none of them changes.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.model_memory import HEIGHTFIELD, LAW, PLANE, ModelMemory
from hapsis.motion.solvers.particles.model_motion import load, place_anchored, twist_of
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory
from hapsis.motion.solvers.particles.shape_distance import shape_distance

SWEEPS = 20
SETTLED = 1e-10  # of the largest impulse: the change in the last sweep


@native
def place_pieces(m: ModelMemory) -> None:
    """Puts the shapes where their bodies are."""
    for k in range(m.piece_count):
        place, out, b = at(m.piece_place, 12 * k), at(m.pose, 12 * k), m.piece_body[k]
        if b < 0:
            for c in range(12):
                out[c] = place[c]
            continue
        body = at(m.next_poses, 12 * b)
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
            if m.touches[k * n + i] == 0:
                continue
            dx, dy, dz = x[3 * i] - pose[9], x[3 * i + 1] - pose[10], x[3 * i + 2] - pose[11]
            if bounded and dx * dx + dy * dy + dz * dz > reach * reach:
                continue
            for c in range(3):
                m.point[c] = pose[c] * dx + pose[3 + c] * dy + pose[6 + c] * dz
            shape_distance(m, k, m.point, m.gap)
            if m.gap[0] < 0.0:
                press(scene, k, i, x, v, force, law)


@native
def press(scene: ParticleMemory, k: int, i: int, x: Array, v: Array, force: Array, law: Array) -> None:
    """The normal force of a pair that touches, by the gap in `gap`."""
    m = scene.model
    pose, out = at(m.pose, 12 * k), at(m.next_normals, 3 * (k * scene.count + i))
    for c in range(3):
        out[c] = pose[3 * c] * m.gap[1] + pose[3 * c + 1] * m.gap[2] + pose[3 * c + 2] * m.gap[3]
    b, d = m.piece_body[k], m.gap[0]
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
    m.next_push[k * scene.count + i] = f
    force[3 * i] += f * out[0]
    force[3 * i + 1] += f * out[1]
    force[3 * i + 2] += f * out[2]
    if b >= 0:
        load(m, b, at(x, 3 * i), -f * out[0], -f * out[1], -f * out[2])


@native
def answer(m: ModelMemory, poses: Array, J: Array, mobility: Array, body: int, x: Array, f: Array) -> None:
    """The change of the speeds by an impulse f on a body at x, to `response`."""
    impulse_on(m, poses, J, body, x, f)
    n = m.n_v
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += mobility[i * n + j] * m.shake[j]
        m.response[i] = total


@native
def friction_at_start(scene: ParticleMemory, v0: Array, v: Array, h: float) -> None:
    """Friction on bodies in the first half of a step, from the velocities v0 before it."""
    m = scene.model
    u0, u = at(m.y, m.n_q), m.half
    count = body_friction(
        scene, m.poses, m.jacobians, m.mobility, m.push, m.normals, scene.x, v0, v, u0, u, h
    )
    count_friction(scene, count, m.poses, m.jacobians, m.normals, scene.x, v)
    count_rows(scene, m.lift, m.rows, u)


@native
def friction_between(scene: ParticleMemory, v0: Array, v: Array, h: float) -> None:
    """The same on the velocities that dampers see; it takes no energy."""
    m = scene.model
    u0, u, x = m.half, at(m.next_y, m.n_q), scene.next_x
    P, J = m.next_mobility, m.next_jacobians
    body_friction(scene, m.next_poses, J, P, m.push, m.normals, x, v0, v, u0, u, h)
    place_anchored(scene, x, v, u)


@native
def friction_at_end(scene: ParticleMemory, v0: Array, v: Array, h: float) -> None:
    """Friction on bodies in the second half of a step."""
    m = scene.model
    u0, u, x = m.half, at(m.next_y, m.n_q), scene.next_x
    P, J = m.next_mobility, m.next_jacobians
    count = body_friction(scene, m.next_poses, J, P, m.next_push, m.next_normals, x, v0, v, u0, u, h)
    count_friction(scene, count, m.next_poses, J, m.next_normals, x, v)
    count_rows(scene, m.next_lift, m.next_rows, u)


@native
def body_friction(
    scene: ParticleMemory,
    poses: Array,
    J: Array,
    P: Array,
    push: Array,
    normals: Array,
    x: Array,
    v0: Array,
    v: Array,
    u0: Array,
    u: Array,
    h: float,
) -> int:
    """Friction between particles and bodies over a time h, on the velocities v and the speeds u.

    How many pairs press; their impulses, and slips before all forces, of v0 and u0, stay in the memory.
    """
    m = scene.model
    count = gather_pairs(scene, poses, J, P, push, normals, x)
    if count == 0:
        return 0
    all_twists(m, J, u0)
    for c in range(count):
        slip_of(m, poses, int(m.pair_piece[c]), int(m.pair_particle[c]), normals, x, v0, scene.count)
        for a in range(3):
            m.pair_slip[3 * c + a] = m.gap[a]
    all_twists(m, J, u)
    for _ in range(SWEEPS):
        largest, change = 0.0, 0.0
        for c in range(count):
            k, i = int(m.pair_piece[c]), int(m.pair_particle[c])
            slip_of(m, poses, k, i, normals, x, v, scene.count)
            most = h * push[k * scene.count + i]
            size = wanted_impulse(m, c, at(m.piece_law, LAW * k), most)
            moved = sqrt(m.point[0] * m.point[0] + m.point[1] * m.point[1] + m.point[2] * m.point[2])
            largest = size if size > largest else largest
            change = moved if moved > change else change
            if moved > 0.0:
                strike(scene, poses, J, P, k, i, x, v, u)
        if change <= SETTLED * largest:
            break
    return count


@native
def count_friction(
    scene: ParticleMemory, count: int, poses: Array, J: Array, normals: Array, x: Array, v: Array
) -> None:
    """What friction takes: its impulses times the mean of the slip before all forces and after."""
    m = scene.model
    for j in range(m.n_v):
        m.rub[j] = 0.0
    for c in range(count):
        k, i, p = int(m.pair_piece[c]), int(m.pair_particle[c]), at(m.pair_impulse, 3 * c)
        slip_of(m, poses, k, i, normals, x, v, scene.count)
        for a in range(3):
            scene.lost -= 0.5 * p[a] * (m.pair_slip[3 * c + a] + m.gap[a])
            if scene.ease[i] == 0.0:  # what holds it does this work
                scene.held_work -= p[a] * v[3 * i + a]
        if m.piece_body[k] >= 0:
            b = int(m.piece_body[k])
            m.point[0], m.point[1], m.point[2] = -p[0], -p[1], -p[2]
            impulse_on(m, poses, J, b, at(x, 3 * i), m.point)
            for j in range(m.n_v):
                m.rub[j] += m.shake[j]
            for a in range(6):
                m.rub_wrenches[6 * b + a] += m.six[a]


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


@native
def impulse_on(m: ModelMemory, poses: Array, J: Array, body: int, x: Array, f: Array) -> None:
    """An impulse f on a body at x as moment and force, to `six`, and on the speeds, to `shake`."""
    p = at(poses, 12 * body + 9)
    rx, ry, rz = x[0] - p[0], x[1] - p[1], x[2] - p[2]
    six, n = m.six, m.n_v
    six[0], six[1], six[2] = ry * f[2] - rz * f[1], rz * f[0] - rx * f[2], rx * f[1] - ry * f[0]
    six[3], six[4], six[5] = f[0], f[1], f[2]
    rows = at(J, 6 * n * body)
    for j in range(n):
        total = 0.0
        for k in range(6):
            total += rows[k * n + j] * six[k]
        m.shake[j] = total


@native
def all_twists(m: ModelMemory, J: Array, u: Array) -> None:
    """The velocities of all bodies at the speeds u."""
    for b in range(m.body_count):
        twist_of(m, J, b, u, at(m.twists, 6 * b))


@native
def wanted_impulse(m: ModelMemory, c: int, law: Array, most: float) -> float:
    """The change of the impulse of a pair, to `point`, by the slip in `gap`; the size of all of it."""
    old, ease, size = at(m.pair_impulse, 3 * c), m.pair_ease[c], 0.0
    for a in range(3):
        m.point[a] = old[a] - m.gap[a] / ease
        size += m.point[a] * m.point[a]
    size = sqrt(size)
    keep = 1.0
    if size > law[3] * most:
        keep = law[4] * most / size
    for a in range(3):
        full = keep * m.point[a]
        m.point[a] = full - old[a]
        old[a] = full
    return keep * size


@native
def slip_of(
    m: ModelMemory, poses: Array, k: int, i: int, normals: Array, x: Array, v: Array, count: int
) -> None:
    """The velocity of a particle along the shape, relative to it, in `gap`[0:3]."""
    n, b = at(normals, 3 * (k * count + i)), m.piece_body[k]
    m.point[0], m.point[1], m.point[2] = 0.0, 0.0, 0.0
    if b >= 0:
        body_speed(m, poses, b, at(x, 3 * i), m.point)
    across = 0.0
    for a in range(3):
        m.gap[a] = v[3 * i + a] - m.point[a]
        across += n[a] * m.gap[a]
    for a in range(3):
        m.gap[a] = m.gap[a] - across * n[a]


@native
def strike(
    scene: ParticleMemory, poses: Array, J: Array, P: Array, k: int, i: int, x: Array, v: Array, u: Array
) -> None:
    """An impulse `point` on a particle and its opposite on the body."""
    m = scene.model
    b, px, py, pz = m.piece_body[k], m.point[0], m.point[1], m.point[2]
    v[3 * i] += scene.ease[i] * px
    v[3 * i + 1] += scene.ease[i] * py
    v[3 * i + 2] += scene.ease[i] * pz
    if b >= 0:
        m.point[0], m.point[1], m.point[2] = -px, -py, -pz
        answer(m, poses, J, P, b, at(x, 3 * i), m.point)
        for j in range(m.n_v):
            u[j] += m.response[j]
        all_twists(m, J, u)


@native
def gather_pairs(
    scene: ParticleMemory, poses: Array, J: Array, mobility: Array, push: Array, normals: Array, x: Array
) -> int:
    """The pairs that press with friction, and how easily each slips."""
    m, n, count = scene.model, scene.count, 0
    for k in range(m.piece_count):
        law, b = at(m.piece_law, LAW * k), int(m.piece_body[k])
        if law[3] == 0.0:
            continue
        for i in range(n):
            if push[k * n + i] <= 0.0 or m.fixed_to[i] >= 0:
                continue
            ease = scene.ease[i]
            if b >= 0:
                ease += looseness(m, poses, J, mobility, b, at(x, 3 * i), at(normals, 3 * (k * n + i)))
            if ease <= 0.0:
                continue
            m.pair_piece[count], m.pair_particle[count], m.pair_ease[count] = k, i, ease
            for a in range(3):
                m.pair_impulse[3 * count + a] = 0.0
            count += 1
    return count


@native
def looseness(m: ModelMemory, poses: Array, J: Array, mobility: Array, b: int, x: Array, n: Array) -> float:
    """How easily a body moves along the shape at x: the sum over two directions, no less than either."""
    f, total = m.point, 0.0
    for direction in range(2):
        tangent(n, direction, f)
        answer(m, poses, J, mobility, b, x, f)
        for j in range(m.n_v):
            total += m.response[j] * m.shake[j]
    return total


@native
def tangent(n: Array, direction: int, out: Array) -> None:
    """One of two unit vectors across n."""
    least = 0
    for a in range(1, 3):
        if n[a] * n[a] < n[least] * n[least]:
            least = a
    x = 1.0 if least == 0 else 0.0
    y = 1.0 if least == 1 else 0.0
    z = 1.0 if least == 2 else 0.0
    ax, ay, az = n[1] * z - n[2] * y, n[2] * x - n[0] * z, n[0] * y - n[1] * x
    size = sqrt(ax * ax + ay * ay + az * az)
    ax, ay, az = ax / size, ay / size, az / size
    if direction == 1:
        bx, by, bz = n[1] * az - n[2] * ay, n[2] * ax - n[0] * az, n[0] * ay - n[1] * ax
        ax, ay, az = bx, by, bz
    out[0], out[1], out[2] = ax, ay, az


@native
def rigidity(scene: ParticleMemory, i: int, which: int) -> float:
    """The sum of λ (0) or μ (1) of the shapes that a particle touches, over its mass."""
    m, total = scene.model, 0.0
    for k in range(m.piece_count):
        if m.push[k * scene.count + i] > 0.0:
            total += m.piece_law[LAW * k + which]
    return total * scene.ease[i]
