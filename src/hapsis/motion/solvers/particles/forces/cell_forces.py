"""Forces of cells: four or more particles that have the energy of an elastic material between them.

    F = Σ x gᵀ,   C = FᵀF,   J = det F,   g: ∂/∂X of the mean deformation by each end, Σ g = 0
    ψ = μ/2 (tr C - 3) - μ (J - 1) + (λ + μ)/2 (J - 1)²        J/m³

For small strains this is Hooke's law with Lamé's λ and μ. The damper has the stress τ (2μ Ė + λ tr Ė), with
the rate Ė of Green's strain. ψ is a function of distances, so that linear and angular momentum are kept.
"""

from hapsis.compiler.native import Array, at, native
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory


@native
def deformation(scene: ParticleMemory, n: int, x: Array, F: Array) -> None:
    """Σ x gᵀ of a cell for the positions, by rows; the same of velocities is its rate."""
    for k in range(9):
        F[k] = 0.0
    first = scene.cell_start[n]
    c = 3 * int(scene.cell_ends[first])
    for e in range(first + 1, scene.cell_start[n + 1]):
        a = 3 * int(scene.cell_ends[e])
        u, v, w = scene.cell_slopes[3 * e], scene.cell_slopes[3 * e + 1], scene.cell_slopes[3 * e + 2]
        dx, dy, dz = x[a] - x[c], x[a + 1] - x[c + 1], x[a + 2] - x[c + 2]
        F[0] += dx * u
        F[1] += dx * v
        F[2] += dx * w
        F[3] += dy * u
        F[4] += dy * v
        F[5] += dy * w
        F[6] += dz * u
        F[7] += dz * v
        F[8] += dz * w


@native
def green_strain(F: Array, E: Array) -> None:
    """Green's strain (FᵀF - 1)/2 as xx, yy, zz, yz, xz, xy."""
    E[0] = 0.5 * (F[0] * F[0] + F[3] * F[3] + F[6] * F[6] - 1.0)
    E[1] = 0.5 * (F[1] * F[1] + F[4] * F[4] + F[7] * F[7] - 1.0)
    E[2] = 0.5 * (F[2] * F[2] + F[5] * F[5] + F[8] * F[8] - 1.0)
    E[3] = 0.5 * (F[1] * F[2] + F[4] * F[5] + F[7] * F[8])
    E[4] = 0.5 * (F[0] * F[2] + F[3] * F[5] + F[6] * F[8])
    E[5] = 0.5 * (F[0] * F[1] + F[3] * F[4] + F[6] * F[7])


@native
def cofactor(F: Array, K: Array) -> float:
    """The cofactors of F; its determinant."""
    K[0] = F[4] * F[8] - F[5] * F[7]
    K[1] = F[5] * F[6] - F[3] * F[8]
    K[2] = F[3] * F[7] - F[4] * F[6]
    K[3] = F[2] * F[7] - F[1] * F[8]
    K[4] = F[0] * F[8] - F[2] * F[6]
    K[5] = F[1] * F[6] - F[0] * F[7]
    K[6] = F[1] * F[5] - F[2] * F[4]
    K[7] = F[2] * F[3] - F[0] * F[5]
    K[8] = F[0] * F[4] - F[1] * F[3]
    return F[0] * K[0] + F[1] * K[1] + F[2] * K[2]


@native
def cell_energy(J: float, E: Array, mu: float, lam: float) -> float:
    """ψ by the strain, J/m³, without losing the digits of small strains."""
    t = E[0] + E[1] + E[2]
    if J < 0.5:
        return 0.5 * mu * (2.0 * t - 2.0 * (J - 1.0)) + 0.5 * (lam + mu) * (J - 1.0) * (J - 1.0)
    second = E[0] * E[1] + E[1] * E[2] + E[2] * E[0] - E[3] * E[3] - E[4] * E[4] - E[5] * E[5]
    third = E[0] * (E[1] * E[2] - E[3] * E[3]) - E[5] * (E[5] * E[2] - E[3] * E[4])
    third += E[4] * (E[5] * E[3] - E[1] * E[4])
    # J² - 1 = 2 t + 4 II + 8 III, so that tr C - 3 - 2 (J - 1) is of second order
    grown = (2.0 * t + 4.0 * second + 8.0 * third) / (J + 1.0)
    shear = 2.0 * (t * grown - 4.0 * second - 8.0 * third) / (J + 1.0)
    return 0.5 * mu * shear + 0.5 * (lam + mu) * grown * grown


@native
def damper_stress(scene: ParticleMemory, n: int, F: Array, rate: Array, P: Array) -> float:
    """Adds F S of the damper's stress S = τ (2μ Ė + λ tr Ė) to P; its power, W/m³."""
    mu, lam = scene.cell_mu[n], scene.cell_lambda[n]
    slow = scene.cell_damping[n]
    xx = F[0] * rate[0] + F[3] * rate[3] + F[6] * rate[6]
    yy = F[1] * rate[1] + F[4] * rate[4] + F[7] * rate[7]
    zz = F[2] * rate[2] + F[5] * rate[5] + F[8] * rate[8]
    yz = F[1] * rate[2] + F[4] * rate[5] + F[7] * rate[8] + F[2] * rate[1] + F[5] * rate[4] + F[8] * rate[7]
    xz = F[0] * rate[2] + F[3] * rate[5] + F[6] * rate[8] + F[2] * rate[0] + F[5] * rate[3] + F[8] * rate[6]
    xy = F[0] * rate[1] + F[3] * rate[4] + F[6] * rate[7] + F[1] * rate[0] + F[4] * rate[3] + F[7] * rate[6]
    push = lam * (xx + yy + zz)
    sx, sy, sz = slow * (2.0 * mu * xx + push), slow * (2.0 * mu * yy + push), slow * (2.0 * mu * zz + push)
    tx, ty, tz = slow * mu * yz, slow * mu * xz, slow * mu * xy
    for i in range(0, 9, 3):
        P[i] += F[i] * sx + F[i + 1] * tz + F[i + 2] * ty
        P[i + 1] += F[i] * tz + F[i + 1] * sy + F[i + 2] * tx
        P[i + 2] += F[i] * ty + F[i + 1] * tx + F[i + 2] * sz
    return sx * xx + sy * yy + sz * zz + tx * yz + ty * xz + tz * xy


@native
def cell_forces(scene: ParticleMemory, x: Array, v: Array, force: Array) -> None:
    """Adds the forces of all cells, -V P g at each end with the stress P = ∂ψ/∂F."""
    F, K, P, rate = scene.cell_work, at(scene.cell_work, 9), at(scene.cell_work, 18), at(scene.cell_work, 27)
    E = at(scene.cell_work, 36)
    for n in range(scene.cell_count):
        volume, mu, lam = scene.cell_volume[n], scene.cell_mu[n], scene.cell_lambda[n]
        if volume == 0.0:
            continue  # it is torn
        deformation(scene, n, x, F)
        J = cofactor(F, K)
        green_strain(F, E)
        scene.next_potential += volume * cell_energy(J, E, mu, lam)
        push = (lam + mu) * (J - 1.0) - mu
        for i in range(9):
            P[i] = mu * F[i] + push * K[i]
        if scene.cell_damping[n] > 0.0:
            deformation(scene, n, v, rate)
            scene.next_power += volume * damper_stress(scene, n, F, rate, P)
        for k in range(9):
            P[k] *= volume
        first = scene.cell_start[n]
        c = 3 * int(scene.cell_ends[first])
        for e in range(first + 1, scene.cell_start[n + 1]):
            a = 3 * int(scene.cell_ends[e])
            p, q, r = scene.cell_slopes[3 * e], scene.cell_slopes[3 * e + 1], scene.cell_slopes[3 * e + 2]
            fx = P[0] * p + P[1] * q + P[2] * r
            fy = P[3] * p + P[4] * q + P[5] * r
            fz = P[6] * p + P[7] * q + P[8] * r
            force[a] -= fx
            force[a + 1] -= fy
            force[a + 2] -= fz
            force[c] += fx
            force[c + 1] += fy
            force[c + 2] += fz
