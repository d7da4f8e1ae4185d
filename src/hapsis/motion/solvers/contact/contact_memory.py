"""The memory of a scene of contacts: what touches what by which laws, and the work arrays of its solver.

Speeds are in the order of the blocks of the mass matrix (`velocity_terms`); `order` has their places in v.
Bodies carry solids; pairs of solids may touch. A *touch* is a pair that is near in this step, with up to
eight points. All that is written `sized` belongs to this record and never moves.
"""

from hapsis.compiler.native import Array, Ints, Kernel, constant, later, record, sized
from hapsis.motion.solvers.contact.geometry.broad_phase import Sweep
from hapsis.motion.solvers.contact.geometry.solids import Solids

MOST_POINTS = 8  # of a pair
WIDTH = 7  # numbers of a point as `manifold` writes them: place, normal, gap

TABLE = 257  # numbers of a table of restitutions

# laws of the force across the surfaces
LINEAR, HUNT_CROSSLEY = 0, 1
# laws of rows: a spring to both sides, one that only pushes, dry friction
SPRING, PUSH, DRY = 0, 1, 2
HEAD = 2  # numbers of a row before its coefficients: its value, its rate by time
# why a step is not solved
SOLVED, SLOW, SINGULAR, FULL, BAD, OPEN = 0, 1, 2, 3, 4, 5


@record
class ContactScene:
    """One model's contacts, and where the solver stands."""

    solids: Solids
    sweep: Sweep
    terms: Kernel  # (t, y, h, A, b, X, J)
    drift: Kernel  # (w, dw) of w = q, v
    row_terms: Kernel = later()  # (t, y, values): for each row its value, then its coefficients
    energies: Kernel = later()  # (t, y, kinetic, potential)
    accounted: bool = constant(False)  # whether `energies` is there
    law_slopes: Kernel = later()  # (t, y, J): of the rates of states of laws by these states
    n_q: int = constant()
    n_v: int = constant()
    block_count: int = constant()
    body_count: int = constant()
    pair_count: int = constant()
    support_count: int = constant()
    matrix_size: int = constant()  # numbers of A
    jacobian_size: int = constant()  # numbers of J
    widest: int = constant()  # the most speeds that move one pair
    touch_room: int = constant()
    factor_room: int = constant()  # numbers of the factor of H
    powered: bool = constant(False)  # whether anything does work that is not stored, or laws have states
    # states of laws, see `law_states`
    law_count: int = constant(0)
    law_J: Array = sized("law_count * law_count")
    law_matrix: Array = sized("law_count * law_count")  # the same system to be solved, by columns
    law_pivots: Ints = sized("law_count")
    # speeds by blocks
    order: Ints = sized("n_v")
    turns: Ints = sized("n_v")  # 1: a speed of turning; by places in v
    block_of: Ints = sized("n_v")  # of each speed
    block_first: Ints = sized("block_count + 1")
    block_start: Ints = sized("block_count + 1")  # where its numbers begin in A
    # bodies
    support_first: Ints = sized("body_count + 1")
    supports: Ints = sized("support_count")  # numbers of speeds, by blocks
    body_J: Ints = sized("body_count + 1")  # where its rows begin in J
    body_block: Ints = sized("body_count")
    ease: Array = sized("body_count")  # 1/kg: how easily a force moves it, about
    # free bodies, see `free_bodies`
    free_count: int = constant(0)
    free_q: Ints = sized("free_count")  # where x, y, z and the quaternion begin in y, and the speeds
    free_v: Ints = sized("free_count")
    free_mass: Array = sized("36 * free_count")
    free_inverse: Array = sized("36 * free_count")
    free_center: Array = sized("3 * free_count")
    momenta: Array = sized("9 * free_count")
    turned: Array = sized("9")
    six: Array = sized("6")
    # solids
    solids_count: int = constant()
    solid_body: Ints = sized("solids_count")
    local: Array = sized("12 * solids_count")  # poses on the bodies
    reaches: Array = sized("solids_count + 1")
    thin: Array = sized("solids_count")  # m: half the thickness; 0 of what has none
    # pairs
    swept: bool = constant(False)  # whether near pairs are found by sweeping
    table_size: int = constant(1)
    pair_table: Ints = sized("table_size")  # the pair of two solids, -1: none
    first: Ints = sized("pair_count")
    second: Ints = sized("pair_count")
    law: Ints = sized("pair_count")
    law_numbers: Array = sized("3 * pair_count")  # k, c; or k, n, c
    friction: Array = sized(
        "4 * pair_count"
    )  # mu, static, bristle stiffness (0: as stiff as steps), its damping
    # rows: joint stops, dry friction of joints, drives, loops
    row_count: int = constant(0)
    rigid_rows: bool = constant(False)  # loops or drives
    rigid_stops: bool = constant(False)
    energy: Array = sized("2")  # kinetic and potential
    row_width: int = constant(0)  # coefficients of the longest row
    row_law: Ints = sized("row_count")
    row_numbers: Array = sized("4 * row_count")  # stiffness, damping, largest force, that of breaking loose
    row_size: Ints = sized("row_count")
    row_index: Ints = sized("row_count * row_width")  # numbers of speeds, by blocks
    row_values: Array = sized("row_count * (2 + row_width)")  # value, its rate by time, coefficients
    row_force: Array = sized("row_count")  # impulse over the step
    row_bent: Array = sized("row_count")  # force at the start of the step: of bristles, of what is rigid
    start_force: Array = sized("row_count")  # the impulse of the impact at the start, see `start_impact`
    row_stuck: Ints = sized("row_count")
    row_stribeck: Array = sized("row_count")  # speed at which dry friction has fallen from its static value
    row_slide: Array = sized("row_count")  # largest force of dry friction that slides, at the speed of now
    row_rigid: Ints = sized("row_count")  # 1: it is met by pose and speeds at the end of each step
    row_hit: Ints = sized("row_count")  # 1: a rigid stop that the pose at the end of the step has passed
    row_placed: Ints = sized("row_count")  # 1: it has a value, not only a rate
    row_works: Ints = sized("row_count")  # 1: it does work, as drives, stops and constraints that move do
    row_unit: Array = sized("row_count")  # of its value: that of the model's lengths, or 1
    place_unit: Array = sized("n_q")  # of each coordinate
    row_carried: Array = sized("row_count")  # of its force: with how much the next step begins
    row_factored: Ints = sized("row_count")  # 1: it has a slope in the factor
    row_u: Array = sized("3 * row_count")  # rate, its change along the step of Newton, slope
    # forces with a stiffness, see `positive_part`
    pressed: bool = constant(False)
    stiff_size: int = constant(0)  # numbers of A where they are, else 0
    eigen_size: int = constant(0)  # of the largest block, twice and a row
    masses: Array = sized("stiff_size + 1")  # the masses in A
    pulls: Array = sized("n_v")
    eigen: Array = sized("eigen_size + 1")
    # what the terms write
    A: Array = sized("matrix_size")
    b: Array = sized("n_v")
    X: Array = sized("12 * body_count + 12")
    J: Array = sized("jacobian_size + 1")
    V: Array = sized("6 * body_count + 6")  # velocities of the bodies
    # candidates and touches
    candidate_count: int = 0
    candidates: Ints = sized("pair_count + 1")
    margins: Array = sized("pair_count + 1")
    passing_count: int = 0  # pairs that come near in this step and do not touch in it
    passing: Ints = sized("pair_count + 1")  # their places among the candidates
    passing_gaps: Array = sized("pair_count + 1")
    passed_gap: float = 0.0  # of the last that was looked at
    start_poses: Array = sized("24")  # of the two solids of one of them
    turned_count: int = 0  # points that ellipsoids turn onto in this step, see `turned_points`
    turned_pair: Ints = sized("touch_room")
    turned_points: Array = sized("7 * touch_room")
    hit_time: float = 0.0  # s, from now, of one that touches
    hit_count: int = 0  # its points
    touch_count: int = 0
    touch_pair: Ints = sized("touch_room")
    touch_block: Ints = sized("2 * touch_room")  # of both bodies, -1: it does not move
    touch_first: Ints = sized("touch_room + 1")  # its first point
    touch_size: Ints = sized("2 * touch_room")  # speeds that move the first body, and the second
    touch_index: Ints = sized("touch_room * widest")
    touch_P: Array = sized("touch_room * 6 * widest")  # relative velocity by these speeds, column by column
    touch_at: Array = sized("3 * touch_room")  # the point that it is taken at
    touch_V: Array = sized("6 * touch_room")
    touch_dV: Array = sized("6 * touch_room")
    # points
    point_count: int = 0
    found: Array = sized("8 * 7 + 7")  # of one pair
    place: Array = sized("8 * 3 * touch_room")
    axes: Array = sized("8 * 9 * touch_room")  # two tangents, then the normal
    gap: Array = sized("8 * touch_room")
    share: Array = sized("8 * touch_room")  # of the stiffness of its law
    limit: Array = sized("8 * touch_room")  # mu, or static where it stuck
    stiff: Array = sized("8 * touch_room")  # stiffness of its bristles
    bent: Array = sized("8 * 2 * touch_room")  # force of its bristles at the start of the step
    u: Array = sized("8 * 3 * touch_room")  # velocity along the tangents and the normal
    du: Array = sized("8 * 3 * touch_room")
    gamma: Array = sized("8 * 3 * touch_room")  # impulse
    slope: Array = sized("8 * 4 * touch_room")  # -dγ/du: 11, 12, 22 of the tangents, then the normal
    radius: Array = sized("8 * touch_room")  # largest impulse of friction
    last_radius: Array = sized("8 * touch_room")  # of the iteration before, and what it was drawn to
    last_limit: Array = sized("8 * touch_room")
    stuck: Ints = sized("8 * touch_room")
    rebound: Array = sized("8 * touch_room")  # the speed that it leaves an impact with, see `rebounds`
    firm: Array = sized("8 * touch_room")  # kg: impulse by missing speed in such an impact
    start_rate: Array = sized("8 * touch_room")  # its velocity along the normal before the kick
    fresh: Ints = sized("8 * touch_room")  # 1: it did not push in the step before
    resolved: Ints = sized("8 * touch_room")  # 1: in an impact of many steps, see `mean_forces`
    bounces: Array = sized("514")  # two tables of restitutions
    slow: float = 0.0  # m/s: slower impacts have none
    # points of the step before, by pairs
    old_first: Ints = sized("pair_count")
    old_count: Ints = sized("pair_count")
    old_place: Array = sized("8 * 3 * touch_room")
    old_force: Array = sized("8 * 3 * touch_room")  # of the bristles, in world axes
    old_normal: Array = sized("8 * 3 * touch_room")
    old_rate: Array = sized("8 * 3 * touch_room")  # velocities after the kick, in world axes
    carried: Array = sized("3")  # the force of the bristles of one of them, where its point is now
    spin: Array = sized("3")  # rad/s, that they turn with
    rate: Array = sized("6")
    old_stuck: Ints = sized("8 * touch_room")
    old_pushed: Ints = sized("8 * touch_room")
    old_resolved: Ints = sized("8 * touch_room")
    old_used: Ints = sized("8 * touch_room")
    old_touches: int = 0
    old_pair: Ints = sized("touch_room")
    # Newton's method
    v: Array = sized("n_v")
    v0: Array = sized("n_v")
    dv: Array = sized("n_v")
    Adv: Array = sized("n_v")
    rest: Array = sized("n_v")  # A (v - v0) - b
    gradient: Array = sized("n_v")
    left: Array = sized("n_v")  # the gradient that the step before left, which this one takes along
    scale: Array = sized("n_v")
    pushes: Array = sized("block_count")  # the squares of impulses on each block
    phi: Array = sized("36")
    small: Array = sized("6 * widest + 36")
    column: Array = sized("widest")
    # the factor of H, see `block_factor`
    link: Ints = sized("block_count * block_count")
    picked: Ints = sized("block_count")
    sequence: Ints = sized("block_count")
    position: Ints = sized("block_count")
    degree: Ints = sized("block_count")
    row_first: Ints = sized("block_count + 1")
    rows: Ints = sized("block_count * block_count + 1")
    slot: Ints = sized("block_count * block_count")
    factor_size: int = 0
    planned: bool = False
    factored: bool = False  # whether the factor is one of H, of this step or an earlier one
    factors: int = 0  # of all steps
    stiffest: float = 0.0  # the sum of the slopes of all points now
    factored_for: float = 0.0  # and where the factor was made
    old_points: int = 0
    H: Array = sized("factor_room")
    # the step, and what it took
    begun: bool = False  # whether a step has been made
    h: float = 0.0
    length: float = 0.0  # of the steps of the run: h is half of it in an impact at the start
    tolerance: float = 1e-9
    most: int = 400  # iterations; few steps need more than fifty
    lagging: int = 90  # iterations after which limits of friction are held, and only fall
    above: float = 0.0  # the same of limits that are too high
    missed: float = 0.0  # by the limits of friction, relative to the largest impulse across surfaces
    status: int = 0
    iterations: int = 0  # of all steps
    worst: float = 0.0  # largest relative residual that was left
    worst_iterations: int = 0
    loose: int = 0  # steps that were made with a residual above the tolerance
    lagged: int = 0  # steps whose friction stays below its limits where it slides
    fast: int = 0  # half steps in which something turned too far for its contacts
    residual: float = 0.0
    deepest: float = 0.0
    sunk: float = (
        0.0  # the largest depth, by half the thickness of the thinner solid, how deep, and of which pair
    )
    sunk_depth: float = 0.0
    sunk_pair: int = 0
    inside: float = 0.0  # the largest depth at the start, by the smaller solid, and of which pair
    inside_pair: int = 0
    w: Array = sized("n_q + n_v")
    slopes: Array = sized("5 * (n_q + n_v)")
    # the log of contacts, see `contact_log`
    logged: int = 0
    log_room: int = 0
    log: Array = later()
    logged_steps: int = 0
    step_room: int = 0
    step_log: Array = later()  # the time, mean accelerations by the order of v, forces of all rows
    impulse: Array = sized("3 * pair_count + 3")  # of each pair on its first body since the start, N s
    changed: Ints = sized("pair_count + 1")  # 1: its impulse has changed since it was logged
    changed_pairs: Ints = sized("pair_count + 1")
    changed_count: int = 0
