"""Cells that flow beyond a strain, and those that are torn.

The strain is von Mises' stress over Young's modulus, that of a bar in traction with the same stress. What
flowed adds to it before a cell tears:

    e = √(3/2 dev E : dev E) 2μ / E_Young,   E_Young = μ (3λ + 2μ)/(λ + μ)
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.forces.cell_forces import (
    cell_energy,
    cofactor,
    deformation,
    green_strain,
)
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory

MOST = 8  # corrections of a rest shape in one step


@native
def deviator(E: Array) -> float:
    """Takes the mean from a strain; √(3/2 E:E) of what is left."""
    mean = (E[0] + E[1] + E[2]) / 3.0
    E[0], E[1], E[2] = E[0] - mean, E[1] - mean, E[2] - mean
    total = E[0] * E[0] + E[1] * E[1] + E[2] * E[2] + 2.0 * (E[3] * E[3] + E[4] * E[4] + E[5] * E[5])
    return sqrt(1.5 * total)


@native
def cube_root(x: float) -> float:
    """The cube root of a number near 1, by Newton's method."""
    y = 1.0
    for _ in range(8):
        y = (2.0 * y + x / (y * y)) / 3.0
    return y


@native
def give_way(scene: ParticleMemory, n: int, E: Array, part: float, S: Array) -> None:
    """Turns the part of a strain E without mean into a new rest shape of the same volume: g ← S g."""
    S[0], S[4], S[8] = 1.0 - part * E[0], 1.0 - part * E[1], 1.0 - part * E[2]
    S[1], S[2], S[5] = -part * E[5], -part * E[4], -part * E[3]
    S[3], S[6], S[7] = S[1], S[2], S[5]
    det = S[0] * (S[4] * S[8] - S[5] * S[7]) - S[1] * (S[3] * S[8] - S[5] * S[6])
    det += S[2] * (S[3] * S[7] - S[4] * S[6])
    size = 1.0 / cube_root(det)
    for e in range(scene.cell_start[n], scene.cell_start[n + 1]):
        g = at(scene.cell_slopes, 3 * e)
        p, q, r = size * g[0], size * g[1], size * g[2]
        for j in range(3):
            g[j] = p * S[j] + q * S[3 + j] + r * S[6 + j]


@native
def cell_flow(scene: ParticleMemory) -> bool:
    """Whether any cell flowed or was torn; the energy that it lost counts as dissipated."""
    changed = False
    F, K, S, E = scene.cell_work, at(scene.cell_work, 9), at(scene.cell_work, 18), at(scene.cell_work, 36)
    for n in range(scene.cell_count):
        limit, breaks, volume = scene.cell_yield[n], scene.cell_break[n], scene.cell_volume[n]
        if volume == 0.0 or (limit <= 0.0 and breaks <= 0.0):
            continue
        mu, lam = scene.cell_mu[n], scene.cell_lambda[n]
        over = 2.0 * (lam + mu) / (3.0 * lam + 2.0 * mu)  # 2μ over Young's modulus
        deformation(scene, n, scene.x, F)
        J = cofactor(F, K)
        green_strain(F, E)
        before = volume * cell_energy(J, E, mu, lam)
        strain = over * deviator(E)
        if breaks > 0.0 and strain + scene.cell_flowed[n] > breaks:
            scene.torn += before
            scene.dissipated += before
            scene.torn_count += 1
            scene.cell_volume[n] = 0.0
            changed = True
        elif limit > 0.0 and strain > limit:
            first = strain
            for _ in range(MOST):
                if strain <= limit * (1.0 + 1e-9):
                    break
                part = 1.0 - limit / strain
                # not more than a fifth of the shape at once
                most = 0.2 / (strain / over)
                give_way(scene, n, E, part if part < most else most, S)
                deformation(scene, n, scene.x, F)
                J = cofactor(F, K)
                green_strain(F, E)
                strain = over * deviator(E)
            scene.cell_flowed[n] += first - strain
            green_strain(F, E)
            scene.dissipated += before - volume * cell_energy(J, E, mu, lam)
            changed = True
    return changed
