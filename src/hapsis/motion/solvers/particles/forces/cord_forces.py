"""Cords between particles: they pull when they are taut, softly at first, and never push.

    F = k l₀ g(ε),   ε = l / l₀ - 1,   g = 0 | ε² / 4τ | ε - τ    for ε < 0 | < 2τ | beyond; τ is the toe

The damper acts while the cord is taut, and the force ends at zero. References: [Blankevoort].
"""

from hapsis.compiler.native import Array, native, sqrt
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory


@native
def cord_forces(scene: ParticleMemory, x: Array, v: Array, force: Array) -> None:
    """Adds the forces of cords; their tensions stay in `cord_tension`."""
    energy, power = 0.0, 0.0
    for c in range(scene.cord_count):
        i, j = 3 * int(scene.cord_ends[2 * c]), 3 * int(scene.cord_ends[2 * c + 1])
        dx, dy, dz = x[i] - x[j], x[i + 1] - x[j + 1], x[i + 2] - x[j + 2]
        length = sqrt(dx * dx + dy * dy + dz * dz)
        rest, toe, k = scene.cord_rest[c], scene.cord_toe[c], scene.cord_stiffness[c]
        strain = length / rest - 1.0
        scene.cord_tension[c] = 0.0
        if strain <= 0.0:
            continue
        share, stored = strain - toe, 0.5 * (strain - toe) * (strain - toe) + toe * toe / 6.0
        if strain < 2.0 * toe:
            share = 0.25 * strain * strain / toe
            stored = strain * strain * strain / (12.0 * toe)
        spring = k * rest * share
        energy += k * rest * rest * stored
        rate = (dx * (v[i] - v[j]) + dy * (v[i + 1] - v[j + 1]) + dz * (v[i + 2] - v[j + 2])) / length
        pull = spring + scene.cord_damping[c] * rate
        if pull < 0.0:
            pull = 0.0
        power += (pull - spring) * rate
        scene.cord_tension[c] = pull
        pull /= length
        force[i] -= pull * dx
        force[i + 1] -= pull * dy
        force[i + 2] -= pull * dz
        force[j] += pull * dx
        force[j + 1] += pull * dy
        force[j + 2] += pull * dz
    scene.next_potential += energy
    scene.next_power += power


@native
def cord_rows(scene: ParticleMemory) -> None:
    """Adds the rows of cords to the bounds of a calm step."""
    for c in range(scene.cord_count):
        for e in range(2):
            i = int(scene.cord_ends[2 * c + e])
            scene.stiff[i] += 2.0 * scene.cord_stiffness[c]
            scene.damp[i] += 2.0 * scene.cord_damping[c]
