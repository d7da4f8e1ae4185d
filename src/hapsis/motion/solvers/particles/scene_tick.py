"""A step of a scene as a loop calls it: as many steps that follow the energy as the interval takes, within a
bound [Joukhadar, 4.3.2]. What the bound leaves undone is told: the scene is `behind`."""

from hapsis.compiler.native import Array, Ints, constant, later, native, record, sized
from hapsis.motion.solvers.particles.energy_step import advance, begin_forces
from hapsis.motion.solvers.particles.forces.hand_forces import keep_hands
from hapsis.motion.solvers.particles.particle_memory import DONE, PAUSED, ParticleMemory
from hapsis.motion.solvers.particles.stable_step import measure
from hapsis.motion.solvers.particles.trial_step import kinetic_energy, outer_forces

# outputs
FORCE, PLACE, SPEED, DEPTH, KINETIC, POTENTIAL, ENERGY, STEPS, SHORTEST, BEHIND, CREATED, LOST, WORK = range(
    13
)
BROKEN = 1e300  # a state that no loop takes: its square is not finite
NONE = -1.0  # m: the depth of a probe that touches nothing


@record
class SceneTick:
    """What a step keeps between calls besides the memory of the scene."""

    scene: ParticleMemory
    dt: float = constant()
    most: int = constant()  # evaluations of forces in a tick
    inputs: int = constant()
    outputs: int = constant()
    input_hand: Ints = sized("inputs + 1")  # 3 × its hand + its axis
    output_kind: Ints = sized("outputs + 1")
    output_place: Ints = sized("outputs + 1")
    share: Array = later()  # of each particle in the centre of its object
    before: float = 0.0  # energy created until the tick before
    done_before: int = 0
    behind: float = 0.0  # s that were left out so far
    failures: int = 0
    ticks: int = 0
    known: bool = False  # whether the scene has the forces of the state in which the tick before ended


@native
def move_hands(tick: SceneTick, u: Array) -> None:
    """Hands go on from where they are to the places in u, within the tick."""
    hands = tick.scene.hands
    since = tick.scene.t - hands.t0
    for m in range(3 * hands.count):
        hands.place[m] += hands.pace[m] * since
        hands.pace[m], hands.impulse[m] = 0.0, 0.0
    hands.t0 = tick.scene.t
    for k in range(tick.inputs):
        m = int(tick.input_hand[k])
        if hands.fresh != 0:
            hands.place[m] = u[k]
        else:
            hands.pace[m] = (u[k] - hands.place[m]) / tick.dt
    hands.fresh = 0


@native
def scene_tick(y: Array, u: Array, live: Array, y_new: Array, out: Array, tick: SceneTick) -> None:
    """A tick from y to y_new, where y is the positions, the velocities and the time of the scene."""
    scene = tick.scene
    size = 3 * scene.count
    known = tick.known and goes_on(scene, y)
    for c in range(size):
        scene.x[c], scene.v[c] = y[c], y[size + c]
    scene.t = y[2 * size]
    move_hands(tick, u)
    scene.t_end = scene.t + tick.dt
    scene.budget = tick.most
    tick.before, tick.done_before = scene.error, scene.steps + scene.rejected
    scene.halved = 0
    if known:
        resume_forces(scene)
    else:
        begin_forces(scene)
    if tick.ticks % 64 == 0:
        measure(scene)
    tick.ticks += 1
    answer = advance(scene)
    tick.known = answer == DONE or answer == PAUSED
    scene.sampled = 0
    if answer == DONE or answer == PAUSED:
        tick.behind += scene.t_end - scene.t
        for c in range(size):
            y_new[c], y_new[size + c] = scene.x[c], scene.v[c]
    else:
        tick.failures += 1
        scene.h = tick.dt
        for c in range(2 * size):
            y_new[c] = BROKEN * BROKEN
    y_new[2 * size] = scene.t
    for k in range(tick.outputs):
        out[k] = output(tick, int(tick.output_kind[k]), int(tick.output_place[k]), y[2 * size])


@native
def goes_on(scene: ParticleMemory, y: Array) -> bool:
    """Whether y is the state in which the tick before ended, and its connectors are as they were."""
    size = 3 * scene.count
    other = 0
    for c in range(size):
        if y[c] != scene.x[c] or y[size + c] != scene.v[c]:
            other += 1
    for g in range(scene.group_count + 1):
        if scene.gain[g] != scene.inner_gain[g]:
            other += 1
    return other == 0 and y[2 * size] == scene.t


@native
def resume_forces(scene: ParticleMemory) -> None:
    """The forces of a state whose inner ones are known: gravity, pushes and hands are those of now."""
    scene.moment = scene.t
    for c in range(scene.inner_count):
        scene.force[c] = scene.inner[c]
    scene.next_potential, scene.next_power = scene.inner_potential, scene.inner_power
    outer_forces(scene, scene.x, scene.v, scene.force)
    keep_hands(scene.hands)
    scene.potential, scene.power = scene.next_potential, scene.next_power


@native
def output(tick: SceneTick, kind: int, place: int, start: float) -> float:
    """One output at the end of a tick that began at `start`."""
    scene = tick.scene
    hands = scene.hands
    if kind == FORCE:
        passed = scene.t - start
        return hands.impulse[place] / passed if passed > 0.0 else hands.force[place]
    if kind == PLACE or kind == SPEED:
        return center(tick, place, scene.x if kind == PLACE else scene.v)
    if kind == DEPTH:
        deepest = NONE
        for row in range(place * hands.objects, (place + 1) * hands.objects):
            deepest = max(deepest, hands.depth[row])
        return deepest
    if kind == POTENTIAL:
        return scene.potential
    if kind == KINETIC or kind == ENERGY:
        return kinetic_energy(scene, scene.v) + (scene.potential if kind == ENERGY else 0.0)
    if kind == STEPS:
        return float(scene.steps + scene.rejected - tick.done_before)
    if kind == SHORTEST:
        return scene.shortest
    if kind == BEHIND:
        return tick.behind
    if kind == CREATED:
        return scene.error - tick.before
    return scene.dissipated if kind == LOST else scene.work


@native
def center(tick: SceneTick, place: int, x: Array) -> float:
    """A coordinate of the centre of mass of an object; `place` is 3 × its number + its axis."""
    hands = tick.scene.hands
    total = 0.0
    for i in range(hands.first[place // 3], hands.first[place // 3 + 1]):
        total += tick.share[i] * x[3 * i + place % 3]
    return total
