"""How far a step goes beyond a strain at which something flows or tears: it is seen at the end of steps."""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.forces.cell_flow import deviator
from hapsis.motion.solvers.particles.forces.cell_forces import deformation, green_strain
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory

FLOW, TEAR = 0.05, 0.01  # of the strain: what a step may go beyond


@native
def spring_length(scene: ParticleMemory, s: int, x: Array) -> float:
    """The length of a spring."""
    i, j = 3 * int(scene.spring_ends[2 * s]), 3 * int(scene.spring_ends[2 * s + 1])
    dx, dy, dz = x[i] - x[j], x[i + 1] - x[j + 1], x[i + 2] - x[j + 2]
    return sqrt(dx * dx + dy * dy + dz * dz)


@native
def cell_strain(scene: ParticleMemory, n: int, x: Array) -> float:
    """The strain of a cell, see `cell_flow`."""
    mu, lam = scene.cell_mu[n], scene.cell_lambda[n]
    F, E = scene.cell_work, at(scene.cell_work, 36)
    deformation(scene, n, x, F)
    green_strain(F, E)
    return 2.0 * (lam + mu) / (3.0 * lam + 2.0 * mu) * deviator(E)


@native
def beyond(strain: float, before: float, limit: float, part: float) -> bool:
    """Whether a strain went beyond its limit by more than that part of it, in one step."""
    first = before if before > limit else limit
    return limit > 0.0 and strain - first > part * limit


@native
def oversteps(scene: ParticleMemory) -> bool:
    """Whether the step that was tried goes far beyond the strain at which a connector or cell gives way."""
    for c in range(scene.spring_count):
        flows, breaks = scene.spring_yield[c], scene.spring_break[c]
        if (flows <= 0.0 and breaks <= 0.0) or scene.gain[scene.spring_group[c]] == 0.0:
            continue
        rest, whole = scene.spring_rest[c], scene.spring_whole[c]
        r, before = spring_length(scene, c, scene.next_x), spring_length(scene, c, scene.x)
        if beyond(r / whole - 1.0, before / whole - 1.0, breaks, TEAR):
            return True
        s, t = r / rest - 1.0, before / rest - 1.0
        if beyond(s if s > 0.0 else -s, t if t > 0.0 else -t, flows, FLOW):
            return True
    for n in range(scene.cell_count):
        flows, breaks = scene.cell_yield[n], scene.cell_break[n]
        if scene.cell_volume[n] == 0.0 or (flows <= 0.0 and breaks <= 0.0):
            continue
        strain = cell_strain(scene, n, scene.next_x)
        flowed = scene.cell_flowed[n]
        torn = breaks > 0.0 and strain + flowed > breaks * (1.0 + TEAR)
        if torn or (flows > 0.0 and strain > flows * (1.0 + FLOW)):
            before = cell_strain(scene, n, scene.x)
            if beyond(strain + flowed, before + flowed, breaks, TEAR) or beyond(strain, before, flows, FLOW):
                return True
    return False


@native
def gives_way(scene: ParticleMemory) -> bool:
    """Whether a connector or cell is strained beyond what it bears, where the particles are."""
    for c in range(scene.spring_count):
        flows, breaks = scene.spring_yield[c], scene.spring_break[c]
        r = spring_length(scene, c, scene.x)
        s = r / scene.spring_rest[c] - 1.0
        if flows > 0.0 and (s > flows or -s > flows):
            return True
        if breaks > 0.0 and r / scene.spring_whole[c] - 1.0 > breaks:
            return True
    for n in range(scene.cell_count):
        flows, breaks = scene.cell_yield[n], scene.cell_break[n]
        if flows > 0.0 or breaks > 0.0:
            strain = cell_strain(scene, n, scene.x)
            if (flows > 0.0 and strain > flows) or (breaks > 0.0 and strain > breaks):
                return True
    return False
