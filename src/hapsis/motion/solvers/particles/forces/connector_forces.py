"""Forces of linear (LS), torsion (TS) and joint (JS) spring/dampers between particles [Joukhadar].

Each is F = -(λ Δs + μ ds/dt) ∂s/∂x of a scalar s, a length or an angle: the spring part has the energy
λ Δs² / 2, the damper takes μ (ds/dt)², and linear and angular momentum are kept.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory

PI = 3.141592653589793
SMALL = 1e-9  # sine of an angle below which its plane is unknown


@native
def angle(sine: float, cosine: float) -> float:
    """The angle in [0, π] with this sine and cosine, times any positive number."""
    # tan of an eighth of the angle to the nearer axis, then the series of the arc tangent
    side = cosine if cosine >= 0.0 else -cosine
    length = sqrt(sine * sine + side * side)
    if length == 0.0:
        return 0.0
    half = sine / (length + side)
    quarter = half / (1.0 + sqrt(1.0 + half * half))
    x = quarter / (1.0 + sqrt(1.0 + quarter * quarter))
    square = x * x
    total = 0.0
    for k in range(12):
        n = 23.0 - 2.0 * k
        total = 1.0 / n - square * total
    acute = 8.0 * x * total
    return acute if cosine >= 0.0 else PI - acute


@native
def spring_forces(scene: ParticleMemory, x: Array, v: Array, force: Array) -> None:
    """Adds the forces of linear springs, F = -(λ (r - r₀) + μ dr/dt) along the line of both particles."""
    energy, power = 0.0, 0.0
    for c in range(scene.spring_count):
        gain = scene.gain[scene.spring_group[c]]
        if gain == 0.0:
            continue
        i = 3 * int(scene.spring_ends[2 * c])
        j = 3 * int(scene.spring_ends[2 * c + 1])
        dx = x[i] - x[j]
        dy = x[i + 1] - x[j + 1]
        dz = x[i + 2] - x[j + 2]
        r = sqrt(dx * dx + dy * dy + dz * dz)
        over = 1.0 / r if r > 0.0 else 0.0
        stretch = r - scene.spring_rest[c]
        rate = (dx * (v[i] - v[j]) + dy * (v[i + 1] - v[j + 1]) + dz * (v[i + 2] - v[j + 2])) * over
        k = gain * scene.spring_stiffness[c]
        d = gain * scene.spring_damping[c]
        f = -(k * stretch + d * rate) * over
        energy += 0.5 * k * stretch * stretch
        power += d * rate * rate
        force[i] += f * dx
        force[i + 1] += f * dy
        force[i + 2] += f * dz
        force[j] -= f * dx
        force[j + 1] -= f * dy
        force[j + 2] -= f * dz
    scene.next_potential += energy
    scene.next_power += power


@native
def turn(
    scene: ParticleMemory,
    ends: Array,
    axis: Array,
    k: float,
    d: float,
    bend: float,
    v: Array,
    force: Array,
    a: int,
    c: int,
    b: int,
) -> None:
    """Adds the forces of an angle between the arms `ends` (from c to a and to b) about the unit `axis`.

    ∂θ/∂a = -u × i / |i|², ∂θ/∂b = u × j / |j|², with θ from i to j about u
    """
    ii = ends[0] * ends[0] + ends[1] * ends[1] + ends[2] * ends[2]
    jj = ends[3] * ends[3] + ends[4] * ends[4] + ends[5] * ends[5]
    ax = -(axis[1] * ends[2] - axis[2] * ends[1]) / ii
    ay = -(axis[2] * ends[0] - axis[0] * ends[2]) / ii
    az = -(axis[0] * ends[1] - axis[1] * ends[0]) / ii
    bx = (axis[1] * ends[5] - axis[2] * ends[4]) / jj
    by = (axis[2] * ends[3] - axis[0] * ends[5]) / jj
    bz = (axis[0] * ends[4] - axis[1] * ends[3]) / jj
    rate = ax * (v[a] - v[c]) + ay * (v[a + 1] - v[c + 1]) + az * (v[a + 2] - v[c + 2])
    rate += bx * (v[b] - v[c]) + by * (v[b + 1] - v[c + 1]) + bz * (v[b + 2] - v[c + 2])
    f = -(k * bend + d * rate)
    scene.next_potential += 0.5 * k * bend * bend
    scene.next_power += d * rate * rate
    force[a] += f * ax
    force[a + 1] += f * ay
    force[a + 2] += f * az
    force[b] += f * bx
    force[b + 1] += f * by
    force[b + 2] += f * bz
    force[c] -= f * (ax + bx)
    force[c + 1] -= f * (ay + by)
    force[c + 2] -= f * (az + bz)


@native
def arms(x: Array, a: int, c: int, b: int, work: Array) -> float:
    """The arms from c to a and to b in work[0:6], their cross product in work[6:9]; its length."""
    for m in range(3):
        work[m] = x[a + m] - x[c + m]
        work[3 + m] = x[b + m] - x[c + m]
    work[6] = work[1] * work[5] - work[2] * work[4]
    work[7] = work[2] * work[3] - work[0] * work[5]
    work[8] = work[0] * work[4] - work[1] * work[3]
    return sqrt(work[6] * work[6] + work[7] * work[7] + work[8] * work[8])


@native
def across(work: Array, nx: float, ny: float, nz: float) -> None:
    """The part of n across the first arm, a unit vector in work[6:9]; any direction where n is along it."""
    ii = work[0] * work[0] + work[1] * work[1] + work[2] * work[2]
    along = (nx * work[0] + ny * work[1] + nz * work[2]) / ii
    work[6] = nx - along * work[0]
    work[7] = ny - along * work[1]
    work[8] = nz - along * work[2]
    length = sqrt(work[6] * work[6] + work[7] * work[7] + work[8] * work[8])
    if length <= SMALL * sqrt(nx * nx + ny * ny + nz * nz):
        # no direction is told: one across the arm
        if work[0] * work[0] < 0.5 * ii:
            work[6], work[7], work[8] = 0.0, work[2], -work[1]
        else:
            work[6], work[7], work[8] = -work[2], 0.0, work[0]
        length = sqrt(work[6] * work[6] + work[7] * work[7] + work[8] * work[8])
    for m in range(6, 9):
        work[m] = work[m] / length


@native
def torsion_forces(scene: ParticleMemory, x: Array, v: Array, force: Array, work: Array) -> None:
    """Adds the forces of torsion springs: the angle θ in [0, π] at the centre of three particles."""
    for n in range(scene.torsion_count):
        gain = scene.gain[scene.torsion_group[n]]
        if gain == 0.0:
            continue
        a = 3 * scene.torsion_ends[3 * n]
        c = 3 * scene.torsion_ends[3 * n + 1]
        b = 3 * scene.torsion_ends[3 * n + 2]
        cross = arms(x, a, c, b, work)
        dot = work[0] * work[3] + work[1] * work[4] + work[2] * work[5]
        bend = angle(cross, dot) - scene.torsion_rest[n]
        if cross > SMALL * (dot if dot > 0.0 else -dot):
            for m in range(6, 9):
                work[m] = work[m] / cross
        elif cross == 0.0 and dot == 0.0:
            continue  # two particles in one place
        else:
            across(work, 0.0, 0.0, 1.0)
            if bend * bend < 1e-16:
                bend = 0.0
        k = gain * scene.torsion_stiffness[n]
        d = gain * scene.torsion_damping[n]
        turn(scene, work, at(work, 6), k, d, bend, v, force, a, c, b)


@native
def joint_forces(scene: ParticleMemory, x: Array, v: Array, force: Array, work: Array) -> None:
    """Adds the forces of joint springs: the angle from the first arm to the second about the axis that
    points from the centre to the fourth particle, less its rest value, in (-π, π]."""
    for n in range(scene.joint_count):
        gain = scene.gain[scene.joint_group[n]]
        if gain == 0.0:
            continue
        a = 3 * scene.joint_ends[4 * n]
        c = 3 * scene.joint_ends[4 * n + 1]
        b = 3 * scene.joint_ends[4 * n + 2]
        o = 3 * scene.joint_ends[4 * n + 3]
        cross = arms(x, a, c, b, work)
        dot = work[0] * work[3] + work[1] * work[4] + work[2] * work[5]
        if cross == 0.0 and dot == 0.0:
            continue  # two particles in one place
        nx = x[o] - x[c]
        ny = x[o + 1] - x[c + 1]
        nz = x[o + 2] - x[c + 2]
        side = 1.0 if work[6] * nx + work[7] * ny + work[8] * nz >= 0.0 else -1.0
        bend = side * angle(cross, dot) - scene.joint_rest[n]
        if bend > PI:
            bend -= 2.0 * PI
        if bend <= -PI:
            bend += 2.0 * PI
        if cross > SMALL * (dot if dot > 0.0 else -dot):
            for m in range(6, 9):
                work[m] = side * work[m] / cross
        else:
            across(work, nx, ny, nz)
        k = gain * scene.joint_stiffness[n]
        d = gain * scene.joint_damping[n]
        turn(scene, work, at(work, 6), k, d, bend, v, force, a, c, b)
