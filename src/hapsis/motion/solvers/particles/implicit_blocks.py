"""Blocks of 3 × 3 on the diagonal of M + c D + c² K, without parts that may be negative.

They precondition the conjugate gradients of an implicit step: a block is factored as L D Lᵀ, where no pivot
is below the mass of its particle.
"""

from hapsis.compiler.native import Array, at, constant, native, record, sized
from hapsis.motion.solvers.particles.forces.cell_forces import cofactor, deformation
from hapsis.motion.solvers.particles.particle_memory import NUMBERS, ParticleMemory
from hapsis.motion.solvers.particles.stable_step import distance


@record
class ImplicitMemory:
    """What an implicit step needs besides the memory of its scene; see `implicit_step`."""

    scene: ParticleMemory
    size: int = constant()  # coordinates
    blocks: Array = sized("3 * size")  # a b c d e f . . . of [a b c; b d e; c e f], then of its factors
    work: Array = sized("18")
    # of a stage
    start_x: Array = sized("size")
    start_v: Array = sized("size")
    first_v: Array = sized("size")  # velocities of the first stage
    # of Newton's method and the conjugate gradients
    right: Array = sized("size")  # the residual at the velocities
    change: Array = sized("size")
    left: Array = sized("size")  # the residual of the linear equations
    eased: Array = sized("size")
    way: Array = sized("size")
    image: Array = sized("size")
    moved_x: Array = sized("size")
    moved_v: Array = sized("size")
    moved_force: Array = sized("size")
    old_v: Array = sized("size")
    fine: float = 1.0  # m: the least distance of connected particles
    extent: float = 1.0  # m: of the scene
    moved: float = 0.0  # J: the most kinetic energy, or change of the potential one in a step, so far
    # counts
    lost_by_steps: float = 0.0  # J
    rounds: int = 0  # of Newton's method
    products: int = 0  # of the matrix and a vector


@native
def add_block(blocks: Array, i: int, g: Array, along: float, around: float) -> None:
    """Adds along g gᵀ + around 1 to the block of particle i."""
    block = at(blocks, 9 * i)
    block[0] += along * g[0] * g[0] + around
    block[1] += along * g[0] * g[1]
    block[2] += along * g[0] * g[2]
    block[3] += along * g[1] * g[1] + around
    block[4] += along * g[1] * g[2]
    block[5] += along * g[2] * g[2] + around


@native
def spring_blocks(it: ImplicitMemory, x: Array, c: float) -> None:
    """Those of linear springs."""
    scene, g = it.scene, it.work
    for n in range(scene.spring_count):
        gain = scene.gain[scene.spring_group[n]]
        i, j = int(scene.spring_ends[2 * n]), int(scene.spring_ends[2 * n + 1])
        r = distance(x, i, j)
        for m in range(3):
            g[m] = (x[3 * i + m] - x[3 * j + m]) / r
        k = gain * c * c * scene.spring_stiffness[n]
        across = k * (1.0 - scene.spring_rest[n] / r)
        if across < 0.0:
            across = 0.0
        along = k + gain * c * scene.spring_damping[n] - across
        add_block(it.blocks, i, g, along, across)
        add_block(it.blocks, j, g, along, across)


@native
def angle_block(it: ImplicitMemory, x: Array, a: int, e: int, b: int, k: float) -> None:
    """That of an angle at e between a and b, the same in all directions."""
    ga, gb = 1.0 / distance(x, a, e), 1.0 / distance(x, b, e)
    add_block(it.blocks, a, it.work, 0.0, k * ga * ga)
    add_block(it.blocks, b, it.work, 0.0, k * gb * gb)
    add_block(it.blocks, e, it.work, 0.0, k * (ga + gb) * (ga + gb))


@native
def angle_blocks(it: ImplicitMemory, x: Array, c: float) -> None:
    """Those of torsion and joint springs."""
    scene = it.scene
    for n in range(scene.torsion_count):
        k = c * c * scene.torsion_stiffness[n] + c * scene.torsion_damping[n]
        k *= scene.gain[scene.torsion_group[n]]
        ends = at(scene.torsion_ends, 3 * n)
        angle_block(it, x, int(ends[0]), int(ends[1]), int(ends[2]), k)
    for n in range(scene.joint_count):
        k = c * c * scene.joint_stiffness[n] + c * scene.joint_damping[n]
        k *= scene.gain[scene.joint_group[n]]
        ends = at(scene.joint_ends, 4 * n)
        angle_block(it, x, int(ends[0]), int(ends[1]), int(ends[2]), k)


@native
def cell_blocks(it: ImplicitMemory, x: Array, c: float) -> None:
    """Those of cells: V (μ |g|² + (λ + μ) (K g) (K g)ᵀ), K the cofactors of F."""
    scene = it.scene
    F, K, g = scene.cell_work, at(scene.cell_work, 9), it.work
    for n in range(scene.cell_count):
        volume = scene.cell_volume[n]
        if volume == 0.0:
            continue
        deformation(scene, n, x, F)
        cofactor(F, K)
        w = volume * (c * c + c * scene.cell_damping[n])
        mu, lam = scene.cell_mu[n], scene.cell_lambda[n]
        for e in range(scene.cell_start[n], scene.cell_start[n + 1]):
            s = at(scene.cell_slopes, 3 * e)
            for m in range(3):
                g[m] = K[3 * m] * s[0] + K[3 * m + 1] * s[1] + K[3 * m + 2] * s[2]
            size = s[0] * s[0] + s[1] * s[1] + s[2] * s[2]
            add_block(it.blocks, int(scene.cell_ends[e]), g, w * (lam + mu), w * mu * size)


@native
def make_blocks(it: ImplicitMemory, x: Array, c: float) -> None:
    """All blocks at these positions, factored."""
    scene = it.scene
    for k in range(9 * scene.count):
        it.blocks[k] = 0.0
    for i in range(scene.count):
        add_block(it.blocks, i, it.work, 0.0, scene.mass[i])
    spring_blocks(it, x, c)
    angle_blocks(it, x, c)
    cell_blocks(it, x, c)
    for p in range(scene.plane_count):
        plane = at(scene.planes, NUMBERS * p)
        for i in range(scene.count):
            if scene.next_normal[p * scene.count + i] > 0.0:
                add_block(it.blocks, i, plane, c * c * plane[6] + c * plane[7], 0.0)
    for i in range(scene.count):
        factor(at(it.blocks, 9 * i), scene.mass[i])


@native
def factor(block: Array, least: float) -> None:
    """[a b c; b d e; c e f] as pivots in 0, 3, 5 and the numbers of L in 1, 2, 4."""
    a = block[0] if block[0] > least else least
    b, c = block[1] / a, block[2] / a
    d = block[3] - b * b * a
    if d < least:
        d = least
    e = (block[4] - b * c * a) / d
    f = block[5] - c * c * a - e * e * d
    block[0], block[1], block[2], block[3], block[4] = a, b, c, d, e
    block[5] = f if f > least else least


@native
def precondition(it: ImplicitMemory, r_all: Array, out: Array) -> float:
    """out = the blocks' inverse times a vector; their product."""
    scene = it.scene
    total = 0.0
    for i in range(scene.count):
        block, r, z = at(it.blocks, 9 * i), at(r_all, 3 * i), at(out, 3 * i)
        if scene.ease[i] == 0.0:
            z[0], z[1], z[2] = 0.0, 0.0, 0.0
            continue
        u = r[0]
        v = r[1] - block[1] * u
        w = r[2] - block[2] * u - block[4] * v
        z[2] = w / block[5]
        z[1] = v / block[3] - block[4] * z[2]
        z[0] = u / block[0] - block[1] * z[1] - block[2] * z[2]
        total += r[0] * z[0] + r[1] * z[1] + r[2] * z[2]
    return total
