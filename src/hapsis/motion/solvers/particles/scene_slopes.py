"""The slopes of a scene without friction as a Kernel, for the integrators of Models.

y = positions, velocities, what dampers took, work of forces from outside
"""

from hapsis.compiler.native import Array, at, native
from hapsis.motion.solvers.particles.energy_step import forces
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory


@native
def scene_slopes(t: Array, y: Array, dy: Array, scene: ParticleMemory) -> None:
    """dy = V, F/m, the power of dampers, the power from outside and of what holds particles that move."""
    size = 3 * scene.count
    scene.moment = t[0]
    v, force = at(y, size), scene.next_force
    forces(scene, y, v, force)
    worked = 0.0
    for i in range(scene.count):
        for k in range(3 * i, 3 * i + 3):
            dy[k] = v[k]
            dy[size + k] = force[k] * scene.ease[i]
            worked += scene.push[k] * v[k]
            if scene.ease[i] == 0.0:
                worked -= force[k] * v[k]
    dy[2 * size] = scene.next_power
    dy[2 * size + 1] = worked
