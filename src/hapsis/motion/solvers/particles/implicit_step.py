"""Implicit steps of particles: two stages of backward Euler, of second order and stable for every length.

    V₁ = V + γτ a(P + γτ V₁, V₁)                              γ = 1 - 1/√2
    V* = V + (1-γ)/γ (V₁ - V),   P* = P + (1-γ)τ V₁
    V⁺ = V* + γτ a(P⁺, V⁺),      P⁺ = P* + γτ V⁺

Each stage is solved by Newton's method; its linear equations by conjugate gradients, preconditioned by
blocks, where products of the matrix are differences of all forces along a direction. Friction of planes maps
the velocities of a stage back, positions with them: what sticks does not creep. What a step takes from the
energy beyond dampers and friction is counted as lost, and told in `lost_by_steps`.
"""

from hapsis.compiler.native import isfinite, native, sqrt
from hapsis.motion.solvers.particles.energy_step import LEAST, accept, forces, kinetic_energy, sample_end
from hapsis.motion.solvers.particles.forces.planes import plane_friction
from hapsis.motion.solvers.particles.implicit_blocks import ImplicitMemory, make_blocks, precondition
from hapsis.motion.solvers.particles.particle_memory import DONE, PAUSED, SMALL_STEP, TOO_MANY, UNSOLVED
from hapsis.motion.solvers.particles.stable_step import measure

GAMMA = 0.29289321881345254
ROUNDS = 30  # of Newton's method in a stage
PRODUCTS = 2000  # in one system of linear equations
CLOSE = 1e-9  # of the momentum: where a stage is solved
LINEAR = 1e-4  # of the residual: where linear equations are
TINY = 1e-7  # of the least distance: the way of differences
ROUNDING = 4e-15
GAIN = 1e-4  # of the energy that moves: what a step may create


@native
def residual(it: ImplicitMemory, c: float) -> float:
    """c F - M (V - V*) of the velocities in next_v in `right`; its size as √(2 energy)."""
    scene = it.scene
    x, v, force = scene.next_x, scene.next_v, scene.next_force
    for k in range(it.size):
        x[k] = it.start_x[k] + c * v[k]
    forces(scene, x, v, force)
    total = 0.0
    for i in range(scene.count):
        for k in range(3 * i, 3 * i + 3):
            it.right[k] = 0.0
            if scene.ease[i] > 0.0:
                it.right[k] = c * force[k] - scene.mass[i] * (v[k] - it.start_v[k])
            total += it.right[k] * it.right[k] * scene.ease[i]
    return sqrt(total)


@native
def product(it: ImplicitMemory, c: float) -> float:
    """(M + c D + c² K) way in `image`; way · image."""
    scene = it.scene
    most = 0.0
    for k in range(it.size):
        far = it.way[k] if it.way[k] >= 0.0 else -it.way[k]
        if far > most:
            most = far
    if most == 0.0:
        return 0.0
    e = TINY * it.fine / (c * most)
    for k in range(it.size):
        it.moved_v[k] = scene.next_v[k] + e * it.way[k]
        it.moved_x[k] = scene.next_x[k] + c * e * it.way[k]
    forces(scene, it.moved_x, it.moved_v, it.moved_force)
    it.products += 1
    total = 0.0
    for i in range(scene.count):
        for k in range(3 * i, 3 * i + 3):
            it.image[k] = 0.0
            if scene.ease[i] > 0.0:
                pull = (it.moved_force[k] - scene.next_force[k]) * (c / e)
                it.image[k] = scene.mass[i] * it.way[k] - pull
            total += it.way[k] * it.image[k]
    return total


@native
def linear_change(it: ImplicitMemory, c: float) -> None:
    """`change` with (M + c D + c² K) change = right, until LINEAR or a direction of negative curvature."""
    for k in range(it.size):
        it.change[k], it.left[k] = 0.0, it.right[k]
    size = precondition(it, it.left, it.way)
    enough = LINEAR * LINEAR * size
    for n in range(PRODUCTS):
        if size <= enough:
            return
        curved = product(it, c)
        if not curved > 0.0:
            if n == 0:
                for k in range(it.size):
                    it.change[k] = it.way[k]
            return
        step = size / curved
        for k in range(it.size):
            it.change[k] += step * it.way[k]
            it.left[k] -= step * it.image[k]
        before = size
        size = precondition(it, it.left, it.eased)
        for k in range(it.size):
            it.way[k] = it.eased[k] + size / before * it.way[k]


@native
def rounding(it: ImplicitMemory, c: float) -> float:
    """The size of residuals that rounding alone makes."""
    scene = it.scene
    total = 0.0
    for i in range(scene.count):
        if scene.ease[i] > 0.0:
            total += scene.mass[i] * scene.stiff[i] * scene.stiff[i]
    return ROUNDING * c * it.extent * sqrt(total)


@native
def solve_stage(it: ImplicitMemory, c: float) -> bool:
    """Velocities of a stage in next_v, from the guess there; whether they solve its equations."""
    scene = it.scene
    size = residual(it, c)
    close = CLOSE * (size + sqrt(2.0 * kinetic_energy(scene, scene.next_v))) + rounding(it, c)
    for _ in range(ROUNDS):
        if not isfinite(size):
            return False
        if size <= close:
            return True
        it.rounds += 1
        make_blocks(it, scene.next_x, c)
        linear_change(it, c)
        for k in range(it.size):
            it.old_v[k] = scene.next_v[k]
        part, best = 1.0, size
        for _trial in range(12):
            for k in range(it.size):
                scene.next_v[k] = it.old_v[k] + part * it.change[k]
            best = residual(it, c)
            if best <= (1.0 - 1e-4 * part) * size:
                break
            part *= 0.5
        if not best < size:
            return best <= close
        size = best
    return size <= close


@native
def balance(it: ImplicitMemory) -> None:
    """Gives what is left of the residual to all particles alike: the momentum changes by forces alone.

    Forces between particles do not see it. Where particles are held, momentum is not kept anyway.
    """
    scene = it.scene
    mass, x, y, z = 0.0, 0.0, 0.0, 0.0
    for i in range(scene.count):
        if scene.ease[i] == 0.0:
            return
        mass += scene.mass[i]
        x, y, z = x + it.right[3 * i], y + it.right[3 * i + 1], z + it.right[3 * i + 2]
    for i in range(scene.count):
        scene.next_v[3 * i] += x / mass
        scene.next_v[3 * i + 1] += y / mass
        scene.next_v[3 * i + 2] += z / mass


@native
def rub(it: ImplicitMemory, c: float) -> float:
    """Friction of planes on the velocities of a stage; what it takes over its time c, J.

    Positions move with the velocities after it: what sticks loses nothing.
    """
    scene = it.scene
    for k in range(it.size):
        it.old_v[k] = scene.next_v[k]
    plane_friction(scene, scene.next_normal, scene.next_v, scene.next_v, c)
    taken = 0.0
    for i in range(scene.count):
        for k in range(3 * i, 3 * i + 3):
            taken += scene.mass[i] * (it.old_v[k] - scene.next_v[k]) * scene.next_v[k]
    return taken


@native
def implicit_trial(it: ImplicitMemory, h: float) -> bool:
    """One step of length h to next_x, next_v, next_force, and its account; whether it was solved."""
    scene = it.scene
    c, ratio = GAMMA * h, (1.0 - GAMMA) / GAMMA
    scene.moment = scene.t + h
    for k in range(it.size):
        it.start_x[k], it.start_v[k], scene.next_v[k] = scene.x[k], scene.v[k], scene.v[k]
    if not solve_stage(it, c):
        return False
    balance(it)
    scene.lost = (h - c) * scene.next_power + ratio * rub(it, c)
    for k in range(it.size):
        first = scene.next_v[k]
        it.first_v[k] = first
        it.start_v[k] = scene.v[k] + ratio * (first - scene.v[k])
        it.start_x[k] = scene.x[k] + (h - c) * first
    if not solve_stage(it, c):
        return False
    balance(it)
    scene.lost += c * scene.next_power + rub(it, c)
    for k in range(it.size):
        scene.next_x[k] = it.start_x[k] + c * scene.next_v[k]
    forces(scene, scene.next_x, scene.next_v, scene.next_force)
    worked = 0.0
    for i in range(scene.count):
        for k in range(3 * i, 3 * i + 3):
            way = scene.next_x[k] - scene.x[k]
            worked += scene.push[k] * way
            if scene.ease[i] == 0.0:
                worked -= 0.5 * (scene.force[k] + scene.next_force[k]) * way
    scene.worked = worked
    gained = kinetic_energy(scene, scene.next_v) - kinetic_energy(scene, scene.v)
    scene.created = gained + scene.next_potential - scene.potential + scene.lost - worked
    return isfinite(scene.created)


@native
def within(it: ImplicitMemory) -> bool:
    """Whether the step creates or takes no more than it may; one of fixed length hardly creates any.

    Long steps of bodies that turn, and of what they touch, would: they are halved.
    """
    scene = it.scene
    size, change = kinetic_energy(scene, scene.next_v), scene.next_potential - scene.potential
    change = change if change > 0.0 else -change
    size = change if change > size else size
    size = it.moved if it.moved > size else size
    if scene.created > GAIN * size:
        return False
    it.moved = size
    return scene.created <= scene.allowed and -scene.created <= scene.allowed


@native
def advance_implicit(it: ImplicitMemory) -> int:
    """Steps until t_end, or until the budget of this call is used up; PAUSED, DONE or what went wrong."""
    scene = it.scene
    while scene.t < scene.t_end:
        if scene.budget <= 0:
            return PAUSED
        if scene.steps + scene.rejected >= scene.limit:
            return TOO_MANY
        h = scene.h if scene.h < scene.longest else scene.longest
        last = scene.t + h * (1.0 + 1e-9) >= scene.t_end
        if last:
            h = scene.t_end - scene.t
        scene.budget -= 1
        solved = implicit_trial(it, h)
        if not solved or not within(it):
            scene.halved = 1
            scene.rejected += 1
            scene.h = 0.5 * h
            if scene.h <= LEAST * (1.0 + scene.t) * scene.scale:
                return SMALL_STEP if solved else UNSOLVED
            continue
        if scene.created < 0.0:
            it.lost_by_steps -= scene.created
            scene.lost -= scene.created
            scene.created = 0.0
        accept(scene, h)
        scene.t = scene.t_end if last else scene.t + h
        if scene.halved != 0:
            scene.h = h
        elif not last or scene.h <= h:
            scene.h = 1.5 * h
        scene.halved = 0
        if scene.steps % 64 == 0:
            measure(scene)
    sample_end(it.scene)
    return DONE
