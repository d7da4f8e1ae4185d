"""Rows of pairs of a particle and a body that press: the velocity between them along an axis by the speeds
of the model, and its answers to impulses there."""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.bodies.model_memory import LAW, ModelMemory
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory


@native
def press_pairs(
    scene: ParticleMemory, poses: Array, J: Array, P: Array, push: Array, normals: Array, x: Array
) -> None:
    """The pairs that press with friction, their axes, rows and answers."""
    m, n, count = scene.model, scene.count, 0
    for k in range(m.piece_count):
        if m.piece_law[LAW * k + 3] == 0.0:
            continue
        for i in range(n):
            if push[k * n + i] <= 0.0:
                continue
            axes = at(m.pair_axes, 6 * count)
            tangents(at(normals, 3 * (k * n + i)), axes)
            ease = scene.ease[i] + pair_rows(m, poses, J, P, k, i, at(x, 3 * i), axes, count)
            if ease > 0.0:
                m.pair_piece[count], m.pair_particle[count], m.pair_ease[count] = k, i, ease
                count += 1
    m.pair_count = count


@native
def pair_rows(
    m: ModelMemory, poses: Array, J: Array, P: Array, k: int, i: int, x: Array, axes: Array, pair: int
) -> float:
    """The rows and the answers of a pair along both axes; how easily the bodies slip there."""
    n = m.n_v
    row, second = at(m.pair_rows, 2 * n * pair), at(m.pair_rows, 2 * n * pair + n)
    answer, other = at(m.pair_answers, 2 * n * pair), at(m.pair_answers, 2 * n * pair + n)
    for j in range(n):
        row[j], second[j], answer[j], other[j] = 0.0, 0.0, 0.0, 0.0
    add_rows(m, poses, J, int(m.fixed_to[i]), x, axes, 1.0, row, second)
    add_rows(m, poses, J, int(m.piece_body[k]), x, axes, -1.0, row, second)
    for j in range(n):
        f, g = row[j], second[j]
        if f != 0.0 or g != 0.0:
            mine = at(P, n * j)  # P is symmetric
            for c in range(n):
                answer[c] += mine[c] * f
                other[c] += mine[c] * g
    total, more = 0.0, 0.0
    for j in range(n):
        total += row[j] * answer[j]
        more += second[j] * other[j]
    return total + more


@native
def add_rows(
    m: ModelMemory,
    poses: Array,
    J: Array,
    body: int,
    x: Array,
    axes: Array,
    sign: float,
    row: Array,
    second: Array,
) -> None:
    """`add_row` for both axes of a pair."""
    if body < 0:
        return
    p, n = at(poses, 12 * body + 9), m.n_v
    rx, ry, rz = x[0] - p[0], x[1] - p[1], x[2] - p[2]
    ax, ay, az = sign * axes[0], sign * axes[1], sign * axes[2]
    bx, by, bz = sign * axes[3], sign * axes[4], sign * axes[5]
    # moments about the origin of the body
    alx, aly, alz = ry * az - rz * ay, rz * ax - rx * az, rx * ay - ry * ax
    blx, bly, blz = ry * bz - rz * by, rz * bx - rx * bz, rx * by - ry * bx
    first = at(J, 6 * n * body)
    for e in range(m.support_first[body], m.support_first[body + 1]):
        j = int(m.supports[e])
        wx, wy, wz = first[j], first[n + j], first[2 * n + j]
        vx, vy, vz = first[3 * n + j], first[4 * n + j], first[5 * n + j]
        row[j] += alx * wx + aly * wy + alz * wz + ax * vx + ay * vy + az * vz
        second[j] += blx * wx + bly * wy + blz * wz + bx * vx + by * vy + bz * vz


@native
def add_row(
    m: ModelMemory, poses: Array, J: Array, body: int, x: Array, f: Array, sign: float, row: Array
) -> None:
    """Adds the impulse on the speeds by one, f, on a body at x: the row of its velocity along f."""
    if body < 0:
        return
    moment_of(m, poses, body, x, f)
    n = m.n_v
    rows = at(J, 6 * n * body)
    for e in range(m.support_first[body], m.support_first[body + 1]):
        j, total = m.supports[e], 0.0
        for k in range(6):
            total += m.six[k] * rows[k * n + j]
        row[j] += sign * total


@native
def moment_of(m: ModelMemory, poses: Array, body: int, x: Array, f: Array) -> None:
    """An impulse at x as moment about the origin of a body, and force, in `six`."""
    p, six = at(poses, 12 * body + 9), m.six
    rx, ry, rz = x[0] - p[0], x[1] - p[1], x[2] - p[2]
    six[0], six[1], six[2] = ry * f[2] - rz * f[1], rz * f[0] - rx * f[2], rx * f[1] - ry * f[0]
    six[3], six[4], six[5] = f[0], f[1], f[2]


@native
def tangents(n: Array, out: Array) -> None:
    """Two unit vectors across n and each other."""
    least = 0
    for a in range(1, 3):
        if n[a] * n[a] < n[least] * n[least]:
            least = a
    x = 1.0 if least == 0 else 0.0
    y = 1.0 if least == 1 else 0.0
    z = 1.0 if least == 2 else 0.0
    ax, ay, az = n[1] * z - n[2] * y, n[2] * x - n[0] * z, n[0] * y - n[1] * x
    size = sqrt(ax * ax + ay * ay + az * az)
    out[0], out[1], out[2] = ax / size, ay / size, az / size
    out[3] = n[1] * out[2] - n[2] * out[1]
    out[4] = n[2] * out[0] - n[0] * out[2]
    out[5] = n[0] * out[1] - n[1] * out[0]


@native
def keep_bias(m: ModelMemory, h: float) -> None:
    """J̇ u at the end of a step, by the Jacobians of both ends."""
    n = m.n_v
    u = at(m.next_y, m.n_q)
    for b in range(m.body_count):
        before, after = at(m.jacobians, 6 * n * b), at(m.next_jacobians, 6 * n * b)
        for k in range(6):
            total = 0.0
            for e in range(m.support_first[b], m.support_first[b + 1]):
                j = int(m.supports[e])
                total += (after[k * n + j] - before[k * n + j]) * u[j]
            m.bias[6 * b + k] = total / h


@native
def add_turning(m: ModelMemory, body: int, x: Array, u: Array, sign: float, out: Array) -> None:
    """Adds the acceleration of the point x of a body that speeds alone make: J̇ u and ω × (ω × r)."""
    if body < 0:
        return
    p, n, w = at(m.poses, 12 * body + 9), m.n_v, m.six
    J, bias = at(m.jacobians, 6 * n * body), at(m.bias, 6 * body)
    for k in range(3):
        w[k] = 0.0
        for e in range(m.support_first[body], m.support_first[body + 1]):
            j = int(m.supports[e])
            w[k] += J[k * n + j] * u[j]
    rx, ry, rz = x[0] - p[0], x[1] - p[1], x[2] - p[2]
    along = w[0] * rx + w[1] * ry + w[2] * rz
    square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    out[0] += sign * (bias[3] + bias[1] * rz - bias[2] * ry + along * w[0] - square * rx)
    out[1] += sign * (bias[4] + bias[2] * rx - bias[0] * rz + along * w[1] - square * ry)
    out[2] += sign * (bias[5] + bias[0] * ry - bias[1] * rx + along * w[2] - square * rz)
