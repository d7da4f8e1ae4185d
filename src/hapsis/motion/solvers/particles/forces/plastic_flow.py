"""Linear springs that flow beyond a strain, and those that are torn."""

from hapsis.compiler.native import native, sqrt
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory


@native
def flow(scene: ParticleMemory) -> bool:
    """Whether any spring flowed or was torn; what its energy lost counts as dissipated.

    A spring whose strain |r - r₀| / r₀ is above its yield strain gets the rest length at which its strain is
    that. One that is longer than its first rest length by the other strain is torn: it is gone, and its gain
    that of the last group, 0.
    """
    changed = False
    for c in range(scene.spring_count):
        group = scene.spring_group[c]
        if scene.gain[group] == 0.0:
            continue
        i = 3 * int(scene.spring_ends[2 * c])
        j = 3 * int(scene.spring_ends[2 * c + 1])
        limit = scene.spring_yield[c]
        breaks = scene.spring_break[c]
        if limit <= 0.0 and breaks <= 0.0:
            continue
        dx = scene.x[i] - scene.x[j]
        dy = scene.x[i + 1] - scene.x[j + 1]
        dz = scene.x[i + 2] - scene.x[j + 2]
        r = sqrt(dx * dx + dy * dy + dz * dz)
        rest = scene.spring_rest[c]
        k = scene.gain[group] * scene.spring_stiffness[c]
        stretch = r - rest
        whole = scene.spring_whole[c]
        if breaks > 0.0 and r - whole > breaks * whole:
            scene.torn += 0.5 * k * stretch * stretch
            scene.dissipated += 0.5 * k * stretch * stretch
            scene.torn_count += 1
            scene.spring_group[c] = scene.group_count
            changed = True
        elif limit > 0.0 and (stretch > limit * rest or -stretch > limit * rest):
            new = r / (1.0 + limit) if stretch > 0.0 else r / (1.0 - limit)
            left = r - new
            scene.dissipated += 0.5 * k * (stretch * stretch - left * left)
            scene.spring_rest[c] = new
            changed = True
    return changed
