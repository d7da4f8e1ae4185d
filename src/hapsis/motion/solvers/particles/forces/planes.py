"""Particles that touch planes: the normal force (7) and the three regimes of friction (8) of [Joukhadar].

    F = -(λ d + μ ḋ) n  where d < 0; d is the height above the plane

A plane has eleven numbers: its normal n, a point, λ, μ, whether it may pull, static and kinetic friction.
Those with friction leave particles that bodies carry to `body_contacts`: there it acts on the bodies.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.particle_memory import NUMBERS, ParticleMemory


@native
def plane_forces(scene: ParticleMemory, x: Array, v: Array, force: Array) -> None:
    """Adds the normal forces of all planes, and keeps them for friction."""
    for p in range(scene.plane_count):
        plane = at(scene.planes, NUMBERS * p)
        normal = at(scene.next_normal, p * scene.count)
        nx, ny, nz = plane[0], plane[1], plane[2]
        k, d, pulls = plane[6], plane[7], plane[8]
        level = nx * plane[3] + ny * plane[4] + nz * plane[5]
        for i in range(scene.count):
            height = nx * x[3 * i] + ny * x[3 * i + 1] + nz * x[3 * i + 2] - level
            normal[i] = 0.0
            if height < 0.0 and not (plane[9] > 0.0 and scene.modelled and scene.model.fixed_to[i] >= 0):
                rate = nx * v[3 * i] + ny * v[3 * i + 1] + nz * v[3 * i + 2]
                f = -k * height - d * rate
                if f < 0.0 and pulls == 0.0:
                    # it does not pull: the damper takes what the spring gives
                    f = 0.0
                    scene.next_power += -k * height * rate
                else:
                    scene.next_power += d * rate * rate
                scene.next_potential += 0.5 * k * height * height
                normal[i] = f
                force[3 * i] += f * nx
                force[3 * i + 1] += f * ny
                force[3 * i + 2] += f * nz


@native
def plane_friction(scene: ParticleMemory, normal: Array, v0: Array, v: Array, h: float) -> float:
    """Friction of all planes over a time h, by the normal forces; the energy that it takes, J.

    Speeds along a plane stop where the impulse s N h suffices for it (sticking), else they lose c N h. The
    work of that impulse is at the mean of the velocity before all forces of this time, v0, and the one after:
    what sticks loses nothing.
    """
    taken = 0.0
    for p in range(scene.plane_count):
        plane = at(scene.planes, NUMBERS * p)
        static, kinetic = plane[9], plane[10]
        if static == 0.0:
            continue
        for i in range(scene.count):
            f = normal[p * scene.count + i]
            if f > 0.0 and scene.ease[i] > 0.0:
                speed = plane[0] * v[3 * i] + plane[1] * v[3 * i + 1] + plane[2] * v[3 * i + 2]
                tx = v[3 * i] - speed * plane[0]
                ty = v[3 * i + 1] - speed * plane[1]
                tz = v[3 * i + 2] - speed * plane[2]
                slip = sqrt(tx * tx + ty * ty + tz * tz)
                reach = h * f * scene.ease[i]
                left = 0.0
                if slip > static * reach:
                    left = slip - kinetic * reach
                keep = left / slip if slip > 0.0 else 0.0
                v[3 * i] = speed * plane[0] + keep * tx
                v[3 * i + 1] = speed * plane[1] + keep * ty
                v[3 * i + 2] = speed * plane[2] + keep * tz
                mean = 0.5 * (tx * v0[3 * i] + ty * v0[3 * i + 1] + tz * v0[3 * i + 2] + keep * slip * slip)
                taken += scene.mass[i] * (1.0 - keep) * mean
    return taken
