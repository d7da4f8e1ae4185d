"""The memory of a scene of particles: masses, connectors, planes, the state, and where its run stands.

Coordinates are x y z of each particle in turn. Connectors of a kind are rows of particle numbers with a rest
value, a stiffness and a damping; each belongs to a group, whose gain scales it: 0 switches it off.
"""

from hapsis.compiler.native import Array, Ints, constant, inside, record, sized
from hapsis.motion.solvers.particles.bodies.model_memory import ModelMemory
from hapsis.motion.solvers.particles.forces.hand_memory import HandMemory
from hapsis.motion.solvers.particles.touch.touch_memory import TouchMemory

# what `advance` answers
PAUSED, DONE, SMALL_STEP, NOT_FINITE, TOO_MANY, UNSOLVED = 0, 1, 2, 3, 4, 5
NUMBERS = 11  # of a plane, see `planes`


@record
class ParticleMemory:
    """One scene of particles."""

    count: int = constant()  # particles
    spring_count: int = constant()
    torsion_count: int = constant()
    joint_count: int = constant()
    cell_count: int = constant()
    cell_end_count: int = constant()
    plane_count: int = constant()
    group_count: int = constant()
    cord_count: int = constant()
    sample_count: int = constant()
    touch: TouchMemory  # facets that touch, see `touch`
    hand_count: int = constant(0)
    object_count: int = constant(0)
    facet_count: int = constant(0)
    # a Model in the scene, see `model_motion`
    modelled: bool = constant(False)
    limited: bool = constant(False)  # whether anything flows or tears
    model: ModelMemory = inside()
    held_work: float = 0.0  # J by what holds particles, against friction in this step
    # particles
    mass: Array = sized("count")
    ease: Array = sized("count")  # 1 / mass; 0: it is held
    push: Array = sized("3 * count")  # force from outside, N
    gravity: Array = sized("3")
    # connectors
    gain: Array = sized("group_count + 1")
    spring_ends: Ints = sized("2 * spring_count")
    spring_group: Ints = sized("spring_count")
    spring_rest: Array = sized("spring_count")  # m
    spring_stiffness: Array = sized("spring_count")  # N/m
    spring_damping: Array = sized("spring_count")  # N s/m
    spring_yield: Array = sized("spring_count")  # strain beyond which it flows
    spring_break: Array = sized("spring_count")  # strain beyond which it is torn
    spring_whole: Array = sized("spring_count")  # its rest length at first, m
    torsion_ends: Ints = sized("3 * torsion_count")  # end, centre, end
    torsion_group: Ints = sized("torsion_count")
    torsion_rest: Array = sized("torsion_count")  # rad
    torsion_stiffness: Array = sized("torsion_count")  # N m/rad
    torsion_damping: Array = sized("torsion_count")
    joint_ends: Ints = sized("4 * joint_count")  # end, centre, end, and the one that tells the positive side
    joint_group: Ints = sized("joint_count")
    joint_rest: Array = sized("joint_count")
    joint_stiffness: Array = sized("joint_count")
    joint_damping: Array = sized("joint_count")
    cell_start: Ints = sized("cell_count + 1")  # where the ends of each cell begin
    cell_ends: Ints = sized("cell_end_count")
    cell_slopes: Array = sized("3 * cell_end_count")  # g of each end, 1/m
    cell_volume: Array = sized("cell_count")  # m³; 0: it is torn
    cell_mu: Array = sized("cell_count")  # Lamé's moduli, Pa
    cell_lambda: Array = sized("cell_count")
    cell_damping: Array = sized("cell_count")  # τ, s
    cell_yield: Array = sized("cell_count")
    cell_break: Array = sized("cell_count")
    cell_flowed: Array = sized("cell_count")  # strain that flowed so far
    cell_work: Array = sized("42")
    # cords, see `cord_forces`
    cord_ends: Ints = sized("2 * cord_count + 1")
    cord_rest: Array = sized("cord_count + 1")
    cord_stiffness: Array = sized("cord_count + 1")
    cord_damping: Array = sized("cord_count + 1")
    cord_toe: Array = sized("cord_count + 1")
    cord_tension: Array = sized("cord_count + 1")  # N at the end of the step that is tried
    sample_tensions: Array = sized("cord_count * sample_count + 1")
    # planes, and the normal forces on particles, plane by plane
    planes: Array = sized("11 * plane_count + 1")
    normal: Array = sized("count * plane_count + 1")
    next_normal: Array = sized("count * plane_count + 1")
    # what moves particles from outside
    hands: HandMemory = inside(count="hand_count", objects="object_count", facets="facet_count")
    moment: float = 0.0  # the time of forces
    # the state, and that at the end of the step which is tried
    t: float = 0.0
    t_end: float = 0.0
    x: Array = sized("3 * count")
    v: Array = sized("3 * count")
    force: Array = sized("3 * count")
    potential: float = 0.0
    power: float = 0.0  # of all dampers, W
    next_x: Array = sized("3 * count")
    next_v: Array = sized("3 * count")
    next_force: Array = sized("3 * count")
    next_potential: float = 0.0
    next_power: float = 0.0
    half: Array = sized("3 * count")
    # in ticks of a loop: the part of the forces that callers do not change, of the state and of the last step
    inner_count: int = constant(0)  # 3 × particles, or 0 where there are no ticks
    inner: Array = sized("inner_count + 1")
    inner_potential: float = 0.0
    inner_power: float = 0.0
    inner_gain: Array = sized("group_count + 1")  # with which they were computed
    next_inner: Array = sized("inner_count + 1")
    next_inner_potential: float = 0.0
    next_inner_power: float = 0.0
    stiff: Array = sized("count")  # bounds of ω², 1/s², and of rates of damping, 1/s, see `stable_step`
    damp: Array = sized("count")
    turn_work: Array = sized("9")
    before: Array = sized("3 * count")  # accelerations at the start of the step before
    before_h: float = 0.0
    # the step
    h: float = 0.0  # the next one to try
    longest: float = 0.0
    scale: float = 1.0  # s: times near zero are resolved like this one
    allowed: float = 0.0  # J a step may create or lose; infinite: steps have one length
    scheme: int = 0  # 0: velocities by both ends of the step; 1: by its start, with alpha and beta
    alpha: float = 0.0
    beta: float = 0.0
    created: float = 0.0  # J by the step that is tried
    lost: float = 0.0  # J to friction and dampers in it
    worked: float = 0.0  # J by forces from outside
    # the account, J since the start
    dissipated: float = 0.0
    work: float = 0.0
    error: float = 0.0  # created by all steps, with its sign
    largest_error: float = 0.0
    torn: float = 0.0  # energy of connectors that were torn
    torn_count: int = 0
    # counts
    budget: int = 0
    halved: int = 0  # whether the step in work has been
    limit: int = 2**62
    steps: int = 0
    rejected: int = 0
    shortest: float = 0.0
    # samples: times, positions and velocities, then kinetic, potential, dissipated, work, step
    sampled: int = 0
    sample_times: Array = sized("sample_count + 1")
    sample_x: Array = sized("3 * count * sample_count + 1")
    sample_v: Array = sized("3 * count * sample_count + 1")
    sample_numbers: Array = sized("5 * sample_count + 1")
