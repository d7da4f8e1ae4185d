"""The memory of a Model in a scene of particles: its state, its mobility, and what particles do to bodies.

Arrays with `next_` belong to the end of the step that is tried. The mobility P gives accelerations for forces
on the speeds, with loops and drives held: a = a₀ + P Q, Q = Σ Jᵀ w over the bodies.
"""

from hapsis.compiler.native import Array, Ints, Kernel, Kernels, constant, later, record, sized

SPHERE, BOX, CAPSULE, CYLINDER, PLANE, HEIGHTFIELD = 0, 1, 2, 3, 4, 5
LAW = 6  # numbers of the law of a contact: λ, μ, whether it pulls, static and kinetic friction, margin
WATCHED = 3  # potential energy, power of what works on the model, power lost


@record
class ModelMemory:
    """One Model; without one, all sizes are zero.

    terms    (t, y, dy, M, C, X, J, energy): rates, mass matrix, rows of loops and drives, poses (R by rows,
             then p) and Jacobians (ω, then velocity) of the bodies, and the numbers of WATCHED
    rates    (t, y, dy): those of the coordinates alone
    closing  (t, y, y): closes loops, and puts drives where they are
    free     (w, dw) of w = q, v: the motion of a tree without forces
    """

    terms: Kernel = later()
    closing: Kernel = later()
    rates: Kernel = later()
    free: Kernel = later()
    closed: bool = constant(False)
    n_q: int = constant()
    n_v: int = constant()
    size: int = constant()  # numbers of y
    row_count: int = constant()  # of loops and drives
    body_count: int = constant()
    anchor_count: int = constant()
    piece_count: int = constant()  # shapes that particles touch
    particle_count: int = constant()
    quaternion_count: int = constant()
    quaternions: Ints = sized("quaternion_count + 1")
    clock: Array = sized("1")
    y: Array = sized("size + 1")
    next_y: Array = sized("size + 1")
    half: Array = sized("n_v + 1")
    dy: Array = sized("size + 1")
    next_dy: Array = sized("size + 1")
    middle: Array = sized("size + 1")
    stage: Array = sized("4 * size + 1")
    spare: Array = sized("size + 1")
    mass: Array = sized("n_v * n_v + 1")
    next_mass: Array = sized("n_v * n_v + 1")
    mobility: Array = sized("n_v * n_v + 1")
    next_mobility: Array = sized("n_v * n_v + 1")
    rows: Array = sized("row_count * n_v + 1")
    lift: Array = sized("row_count * n_v + 1")  # forces of rows for forces on the speeds, λ = -lift Q
    next_lift: Array = sized("row_count * n_v + 1")
    next_rows: Array = sized("row_count * n_v + 1")
    small: Array = sized("row_count * row_count + 1")
    eased: Array = sized("row_count * n_v + 1")
    poses: Array = sized("12 * body_count + 1")
    next_poses: Array = sized("12 * body_count + 1")
    jacobians: Array = sized("6 * body_count * n_v + 1")
    next_jacobians: Array = sized("6 * body_count * n_v + 1")
    twists: Array = sized("6 * body_count + 1")  # scratch: ω, velocity of the origin
    bias: Array = sized("6 * body_count + 1")  # J̇ u of bodies at the start of a step, by the step before
    wrenches: Array = sized("6 * body_count + 1")  # moment about the origin of the body, force
    next_wrenches: Array = sized("6 * body_count + 1")
    loads: Array = sized("n_v + 1")  # Q
    next_loads: Array = sized("n_v + 1")
    watched: Array = sized("4")
    next_watched: Array = sized("4")
    kinetic: float = 0.0
    next_kinetic: float = 0.0
    # particles that are fixed to bodies
    anchor_particle: Ints = sized("anchor_count + 1")
    anchor_body: Ints = sized("anchor_count + 1")
    anchor_place: Array = sized("3 * anchor_count + 1")  # on the body, m
    fixed_to: Ints = sized("particle_count + 1")  # the body of each particle, -1: none
    # shapes that particles touch
    piece_kind: Ints = sized("piece_count + 1")
    piece_body: Ints = sized("piece_count + 1")  # -1: the world
    piece_size: Array = sized("3 * piece_count + 1")
    piece_place: Array = sized("12 * piece_count + 1")  # the pose on the body
    piece_law: Array = sized("6 * piece_count + 1")
    piece_reach: Array = sized("piece_count + 1")  # of a ball around the shape
    piece_half: Array = sized("piece_count + 1")  # half of its least thickness, grown; 0 of grounds
    piece_surface: Ints = sized("piece_count + 1")
    grounds: Kernels = later()
    touches: Ints = sized("piece_count * particle_count + 1")  # whether the pair may touch
    pose: Array = sized("12 * piece_count + 1")  # in the world
    # what each pair is: 0 apart, 1 in contact, 2 in contact since the start; see `body_passage`
    within: Ints = sized("piece_count * particle_count + 1")
    next_within: Ints = sized("piece_count * particle_count + 1")
    begun: bool = False
    passed_piece: int = -1  # the first shape that a particle went through
    passed_particle: int = -1
    skipped: int = 0  # steps that may have skipped a contact
    old_pose: Array = sized("12")
    way_start: Array = sized("3")
    way_end: Array = sized("3")
    push: Array = sized("piece_count * particle_count + 1")  # normal forces
    next_push: Array = sized("piece_count * particle_count + 1")
    normals: Array = sized("3 * piece_count * particle_count + 1")
    next_normals: Array = sized("3 * piece_count * particle_count + 1")
    rubs: Array = sized("3 * piece_count * particle_count + 1")  # friction of each pair the last time, N
    # friction: the pairs that press, two axes along the shape, the velocities along them by speeds
    # of the model, its answers to impulses there, impulses, slips before all forces
    pair_piece: Ints = sized("piece_count * particle_count + 1")
    pair_particle: Ints = sized("piece_count * particle_count + 1")
    pair_axes: Array = sized("6 * piece_count * particle_count + 1")
    pair_rows: Array = sized("2 * n_v * piece_count * particle_count + 1")
    pair_answers: Array = sized("2 * n_v * piece_count * particle_count + 1")
    pair_impulse: Array = sized("2 * piece_count * particle_count + 1")
    pair_slip: Array = sized("2 * piece_count * particle_count + 1")
    pair_turn: Array = sized(
        "2 * piece_count * particle_count + 1"
    )  # what the drift of a step makes of slips
    pair_ease: Array = sized("piece_count * particle_count + 1")
    slip: Array = sized("2")
    pair_count: int = 0
    pairs_known: bool = False  # whether the pairs are those of the start of the step
    support_first: Ints = sized("body_count + 1")  # the speeds that move a body
    supports: Ints = sized("body_count * n_v + 1")
    point: Array = sized("3")
    gap: Array = sized("4")  # signed distance, normal
    ground: Array = sized("5")
    six: Array = sized("6")
    rub: Array = sized("n_v + 1")  # impulses of friction on the speeds, in half a step
    rub_wrenches: Array = sized("6 * body_count + 1")  # on the bodies in this step
    rub_rows: Array = sized("row_count + 1")  # of loops and drives that hold them
    shake: Array = sized("n_v + 1")
    # bounds of ω², 1/s², and of rates of damping, 1/s, by contacts of bodies, see `body_calm`
    body_stiff: float = 0.0
    body_damp: float = 0.0
    contact_stiff: Array = sized("n_v * n_v + 1")
    contact_damp: Array = sized("n_v * n_v + 1")
    swing: Array = sized("2 * n_v + 1")
    swung: Array = sized("n_v + 1")
    # samples of y and of the wrenches on bodies
    sample_count: int = constant()
    sample_y: Array = sized("sample_count * size + 1")
    sample_wrenches: Array = sized("6 * sample_count * body_count + 1")
    sample_rows: Array = sized("sample_count * row_count + 1")
