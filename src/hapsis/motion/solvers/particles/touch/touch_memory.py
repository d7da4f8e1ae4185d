"""The memory of facets that touch: laws, the tree of boxes, pairs that are near, rows of friction.

Facets are triangles of particles. Each law has LAW numbers, each floor FLOOR, each medium two. Evaluations
write to the `next_` arrays and to the other side of `rows`; an accepted step exchanges them.
"""

from hapsis.compiler.native import Array, Ints, constant, later, record, sized

# a law: λ, μ, static, kinetic, whether within one object, both objects or -1, its limit or 0
LAW = 8
# a floor: normal, level, λ, μ, whether it pulls, static, kinetic
FLOOR = 9
# a row of friction, see `touch_friction`
ROW = 41
NUMBERS = 4  # of a law or floor: force, volume, depth, points
# what a pair of facets is: apart, in contact, one that faces the other from behind, listed just now
APART, ACTIVE, BLOCKED, NEW = 0, 1, 2, 3


@record
class TouchMemory:
    """What touches in one scene."""

    count: int = constant()  # particles
    facet_count: int = constant()
    law_count: int = constant()
    floor_count: int = constant()
    medium_count: int = constant()
    sample_count: int = constant()
    speeds: int = constant()  # of the Model that carries facets; 0: none does
    levels: int = constant()  # of the tree
    node_count: int = constant()
    # facets
    ends: Ints = sized("3 * facet_count + 1")
    owner: Ints = sized("facet_count + 1")
    fixed: Ints = sized("facet_count + 1")  # 1: all of its particles are held
    limit: Array = sized("facet_count + 1")  # the deepest contact, m
    normal: Array = sized("3 * facet_count + 1")
    size: Array = sized("facet_count + 1")  # twice its area; 0: it has none
    laws: Array = sized("8 * law_count + 1")
    floors: Array = sized("9 * floor_count + 1")
    media: Array = sized("2 * medium_count + 1")
    extent: float = 1.0  # mean size of a facet, m
    least: float = 0.0  # the smallest limit of a facet that may touch another, m
    # the tree of boxes
    order: Ints = sized("facet_count + 1")
    boxes: Array = sized("6 * facet_count + 1")
    nodes: Array = sized("6 * node_count + 1")
    stack: Ints = sized("128")
    # pairs that are near, by their first facet; good while nothing moved farther than the margin allows
    built: bool = False
    fresh: bool = True  # the start: what overlaps then, touches
    margin: float = 0.0
    wish: float = 0.0  # the margin of the next list, if it has few pairs
    widest: float = 0.0
    listed: Array = sized("3 * count")  # where particles were
    pairs: int = 0
    room: int = 0
    lack: int = 0  # how many pairs or rows there is no room for
    lists: int = 0
    first: Ints = sized("facet_count + 2")
    other: Ints = later()
    law: Ints = later()
    state: Ints = later()
    next_state: Ints = later()
    old_first: Ints = sized("facet_count + 2")
    old_other: Ints = later()
    old_state: Ints = later()
    grip: Array = later()  # the friction of floors on facets, then of pairs, N
    old_grip: Array = later()
    sharp: Ints = sized("count")  # 1: a particle at a sharp edge of facets
    # contact at particles: depth, bounds of λ and μ
    deep: Array = sized("count")
    next_deep: Array = sized("count")
    stiff: Array = sized("count")
    next_stiff: Array = sized("count")
    damp: Array = sized("count")
    next_damp: Array = sized("count")
    # rows of friction
    now: int = 0  # the side of the state that steps begin with
    rows_room: int = 0
    row_count: Ints = sized("2")
    rows: Array = later()
    row_ends: Ints = later()  # six particles and the place of its grip
    reach: Array = later()  # by speeds of the Model, see `carried_rows`
    answers: Array = later()
    passes: int = 0
    carried: float = 0.0  # work of held particles by friction in this step, J
    # numbers of laws and floors
    numbers: Array = sized("4 * (law_count + floor_count) + 1")
    next_numbers: Array = sized("4 * (law_count + floor_count) + 1")
    samples: Array = sized("4 * (law_count + floor_count) * sample_count + 1")
    # depth by limit: the largest one, and whose facets
    ratio: float = 0.0
    next_ratio: float = 0.0
    next_a: int = 0
    next_b: int = 0
    most: float = 0.0
    most_a: int = -1
    most_b: int = -1
    deepest: float = 0.0  # m, of the accepted state
    next_deepest: float = 0.0
    next_dropped: float = 0.0  # energy of contacts that are too deep, J
    dropped: float = 0.0  # since the start
    travel: float = 0.0  # m, how far particles moved against each other in the step that is tried
    far: bool = False  # it moves farther than contacts can be seen
    far_steps: int = 0
    work: Array = sized("256")
