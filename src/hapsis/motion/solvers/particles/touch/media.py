"""Viscosity of what surrounds objects, on facets that face their motion, equation (9) of [Joukhadar].

    F = -k S (V·n) |V|^(p - 1) V / |V|  where V·n > 0

with the velocity V of the facet's centre, its area S and its normal n; p is 1 in air, 2 in liquids.
"""

from hapsis.compiler.native import Array, native, sqrt
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory


@native
def medium_forces(scene: ParticleMemory, v: Array, force: Array) -> None:
    """Adds the forces of all media."""
    touch = scene.touch
    for q in range(touch.medium_count):
        k, quadratic = touch.media[2 * q], touch.media[2 * q + 1] == 2.0
        for f in range(touch.facet_count):
            i = 3 * int(touch.ends[3 * f])
            j = 3 * int(touch.ends[3 * f + 1])
            m = 3 * int(touch.ends[3 * f + 2])
            x = (v[i] + v[j] + v[m]) / 3.0
            y = (v[i + 1] + v[j + 1] + v[m + 1]) / 3.0
            z = (v[i + 2] + v[j + 2] + v[m + 2]) / 3.0
            head = x * touch.normal[3 * f] + y * touch.normal[3 * f + 1] + z * touch.normal[3 * f + 2]
            speed = sqrt(x * x + y * y + z * z)
            if head <= 0.0 or speed == 0.0:
                continue
            drag = 0.5 * k * touch.size[f] * head
            if not quadratic:
                drag /= speed
            scene.next_power += drag * speed * speed
            for e in range(3):
                end = touch.ends[3 * f + e]
                force[3 * end] -= drag * x / 3.0
                force[3 * end + 1] -= drag * y / 3.0
                force[3 * end + 2] -= drag * z / 3.0
                touch.next_damp[end] += 2.0 * drag
