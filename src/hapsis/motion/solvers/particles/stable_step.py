"""The longest step at which explicit steps of particles stay calm.

By Gershgorin's theorem no ω² of the connectors is above max_i Σ_c λ_c |g_i| Σ_j |g_j| / m_i, with g = ∂s/∂x
of each connector c; the same of dampers bounds their rates. What touches a plane adds its λ and μ.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.bodies.body_contacts import rigidity
from hapsis.motion.solvers.particles.forces.cord_forces import cord_rows
from hapsis.motion.solvers.particles.particle_memory import NUMBERS, ParticleMemory


@native
def distance(x: Array, i: int, j: int) -> float:
    """The distance of two particles, or a very small one."""
    a, b, c = x[3 * i] - x[3 * j], x[3 * i + 1] - x[3 * j + 1], x[3 * i + 2] - x[3 * j + 2]
    return sqrt(a * a + b * b + c * c) + 1e-12


@native
def add(scene: ParticleMemory, i: int, own: float, others: float, k: float, d: float) -> None:
    """Adds the row of a particle."""
    scene.stiff[i] += k * own * others
    scene.damp[i] += d * own * others


@native
def measure(scene: ParticleMemory) -> None:
    """The sums of all connectors at each particle, in the present state."""
    for i in range(scene.count):
        scene.stiff[i], scene.damp[i] = 0.0, 0.0
    for c in range(scene.spring_count):
        gain = scene.gain[scene.spring_group[c]]
        k, d = gain * scene.spring_stiffness[c], gain * scene.spring_damping[c]
        for e in range(2):
            add(scene, int(scene.spring_ends[2 * c + e]), 1.0, 2.0, k, d)
    for c in range(scene.torsion_count):
        gain = scene.gain[scene.torsion_group[c]]
        k, d = gain * scene.torsion_stiffness[c], gain * scene.torsion_damping[c]
        ends = scene.torsion_ends
        turned(scene, int(ends[3 * c]), int(ends[3 * c + 1]), int(ends[3 * c + 2]), k, d)
    for c in range(scene.joint_count):
        gain = scene.gain[scene.joint_group[c]]
        k, d = gain * scene.joint_stiffness[c], gain * scene.joint_damping[c]
        ends = scene.joint_ends
        turned(scene, int(ends[4 * c]), int(ends[4 * c + 1]), int(ends[4 * c + 2]), k, d)
    for n in range(scene.cell_count):
        strained(scene, n)
    cord_rows(scene)
    for i in range(scene.count):
        scene.stiff[i] *= scene.ease[i]
        scene.damp[i] *= scene.ease[i]


@native
def length(g: Array) -> float:
    """That of a vector."""
    return sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])


@native
def strained(scene: ParticleMemory, n: int) -> None:
    """Adds the rows of a cell: those of V (λ + 2μ) with the gradients of its strain."""
    total = 0.0
    for e in range(scene.cell_start[n], scene.cell_start[n + 1]):
        total += length(at(scene.cell_slopes, 3 * e))
    k = scene.cell_volume[n] * (scene.cell_lambda[n] + 2.0 * scene.cell_mu[n])
    for e in range(scene.cell_start[n], scene.cell_start[n + 1]):
        own = length(at(scene.cell_slopes, 3 * e))
        add(scene, int(scene.cell_ends[e]), own, total, k, k * scene.cell_damping[n])


@native
def turned(scene: ParticleMemory, a: int, c: int, b: int, k: float, d: float) -> None:
    """Adds the rows of an angle."""
    ga, gb = 1.0 / distance(scene.x, a, c), 1.0 / distance(scene.x, b, c)
    gc = ga + gb
    add(scene, a, ga, ga + gb + gc, k, d)
    add(scene, b, gb, ga + gb + gc, k, d)
    add(scene, c, gc, ga + gb + gc, k, d)


@native
def stable_step(scene: ParticleMemory) -> float:
    """The longest calm step, s, with what touches now."""
    shortest = 1e300
    if scene.modelled:
        # eigenvalues themselves: kicks at both ends damp fastest at h d = 1, and still well at 1.5
        shortest = calm(scene.model.body_stiff, scene.model.body_damp)
    for i in range(scene.count):
        k, d = scene.stiff[i], scene.damp[i]
        for p in range(scene.plane_count):
            if scene.normal[p * scene.count + i] > 0.0:
                k += scene.planes[NUMBERS * p + 6] * scene.ease[i]
                d += scene.planes[NUMBERS * p + 7] * scene.ease[i]
        if scene.modelled:
            k += rigidity(scene, i, 0)
            d += rigidity(scene, i, 1)
        if scene.touch.facet_count > 0:
            k += scene.touch.stiff[i] * scene.ease[i]
            d += scene.touch.damp[i] * scene.ease[i]
        if k > 0.0 or d > 0.0:
            h = calm(k, d)
            if h < shortest:
                shortest = h
    return shortest


@native
def calm(k: float, d: float) -> float:
    """The longest calm step of ω² = k with the rate d of damping."""
    return 1.0 / (0.5 * d + sqrt(0.25 * d * d + 0.3 * k)) if k > 0.0 or d > 0.0 else 1e300
