"""Forces of all facets that touch: pairs, floors and media.

A pair whose parts overlap has the force -∂U/∂x and that of a damper along n, w μ ḋ on each part of the area,
with ḋ the speed of X against Y there. Spring and damper together pull nowhere.

Whether an overlap is a contact is decided when it appears, where U = 0: it is one if its depth then is not
more than what moved in this step, and the depth around; at the start see `start_contacts`. Else the facets
face each other from behind, as the top of a box and the bottom of another on which it stands, and stay
without force until they are apart.
A contact that gets deeper than its limit lets go: its energy counts as dissipated, and the run reports it.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory
from hapsis.motion.solvers.particles.touch.facet_pairs import FRAME, GRADIENT, RATES, gradient, overlap
from hapsis.motion.solvers.particles.touch.facet_tree import farthest, renew_pairs
from hapsis.motion.solvers.particles.touch.floor_facets import floor_forces
from hapsis.motion.solvers.particles.touch.friction_rows import keep_row
from hapsis.motion.solvers.particles.touch.media import medium_forces
from hapsis.motion.solvers.particles.touch.overlap import (
    AREAS,
    DEEPEST,
    ENERGY,
    POWER,
    PUSHES,
    SPEEDS,
    TOTAL,
    VOLUME,
    damp,
)
from hapsis.motion.solvers.particles.touch.start_contacts import start_depths
from hapsis.motion.solvers.particles.touch.swept_boxes import sweeps_meet
from hapsis.motion.solvers.particles.touch.touch_memory import (
    ACTIVE,
    APART,
    BLOCKED,
    LAW,
    NEW,
    NUMBERS,
    TouchMemory,
)

FACING = 0.5  # -n_X·n_Y of pairs whose depth is reported
SEEN = 0.5  # of the smallest limit: the longest way of particles against each other in a step


@native
def normals(touch: TouchMemory, x: Array) -> None:
    """The normal and twice the area of each facet; size 0 if it has none."""
    for f in range(touch.facet_count):
        p = 3 * int(touch.ends[3 * f])
        q = 3 * int(touch.ends[3 * f + 1])
        r = 3 * int(touch.ends[3 * f + 2])
        ax, ay, az = x[q] - x[p], x[q + 1] - x[p + 1], x[q + 2] - x[p + 2]
        bx, by, bz = x[r] - x[p], x[r + 1] - x[p + 1], x[r + 2] - x[p + 2]
        cx, cy, cz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
        size = sqrt(cx * cx + cy * cy + cz * cz)
        longest = ax * ax + ay * ay + az * az + bx * bx + by * by + bz * bz
        over = 0.0
        if size > 1e-12 * longest:
            over = 1.0 / size
        touch.size[f] = size if over > 0.0 else 0.0
        touch.normal[3 * f], touch.normal[3 * f + 1], touch.normal[3 * f + 2] = (
            cx * over,
            cy * over,
            cz * over,
        )


@native
def allowed_depth(touch: TouchMemory, a: int, b: int, law: int) -> float:
    """How deep a contact of two facets may be, m."""
    own = touch.laws[LAW * law + 7]
    if own > 0.0:
        return own
    return touch.limit[a] if touch.limit[a] < touch.limit[b] else touch.limit[b]


@native
def judged(touch: TouchMemory, k: int, a: int, b: int, depth: float, limit: float) -> int:
    """What a pair is whose parts overlap by this depth."""
    state = touch.state[k]
    if state == ACTIVE or state == BLOCKED:
        return state
    if state == NEW:
        return BLOCKED
    around = 0.0
    for m in range(3):
        p, q = touch.deep[touch.ends[3 * a + m]], touch.deep[touch.ends[3 * b + m]]
        around = p if p > around else around
        around = q if q > around else around
    reach = 1.5 * (around if touch.fresh else touch.travel + around)
    return ACTIVE if depth <= limit and depth <= reach else BLOCKED


@native
def pair_forces(scene: ParticleMemory, v: Array, force: Array, a: int, b: int, law: int, u: float) -> float:
    """Adds the forces of a pair after `gradient` and `overlap`; that of its damper along n."""
    touch = scene.touch
    work = touch.work
    g, n, row = at(work, GRADIENT), at(work, FRAME), at(touch.laws, LAW * law)
    weight = work[RATES + 2]
    for m in range(6):
        i = 3 * touch.ends[3 * (a if m < 3 else b) + m % 3]
        work[SPEEDS + m] = n[0] * v[i] + n[1] * v[i + 1] + n[2] * v[i + 2]
    damp(work, 6, row[0], row[1], False)
    scene.next_potential += u
    scene.next_power += weight * work[POWER]
    for m in range(6):
        i = 3 * touch.ends[3 * (a if m < 3 else b) + m % 3]
        push = weight * (work[PUSHES + m] if m < 3 else -work[PUSHES + m])
        for c in range(3):
            force[i + c] -= g[3 * m + c] + push * n[c]
    return weight * work[TOTAL]


@native
def count_contact(touch: TouchMemory, law: int, force: float, volume: float, depth: float) -> None:
    """Adds a contact to the numbers of its law."""
    numbers = at(touch.next_numbers, NUMBERS * law)
    numbers[0] += force
    numbers[1] += volume
    numbers[2] = depth if depth > numbers[2] else numbers[2]
    numbers[3] += 1.0


@native
def contact(scene: ParticleMemory, x: Array, v: Array, force: Array, k: int, a: int, b: int) -> None:
    """Adds what pair k does after `overlap`, and what friction and steps need of it."""
    touch = scene.touch
    work, law = touch.work, touch.law[k]
    row, depth = at(touch.laws, LAW * law), work[DEEPEST]
    limit = allowed_depth(touch, a, b, law)
    touch.next_state[k] = judged(touch, k, a, b, depth, limit)
    if touch.next_state[k] != ACTIVE:
        return
    u = gradient(touch, x, a, b, row[0])
    if not u > 0.0:
        return
    damper = pair_forces(scene, v, force, a, b, law, u)
    weight = u / work[ENERGY]  # λ w
    for m in range(6):
        i = touch.ends[3 * (a if m < 3 else b) + m % 3]
        touch.next_deep[i] = depth if depth > touch.next_deep[i] else touch.next_deep[i]
        touch.next_stiff[i] += 2.0 * weight * work[AREAS + m]
        touch.next_damp[i] += 2.0 * weight * work[AREAS + m] * row[1] / row[0]
    if depth > limit:  # it lets go when the step is accepted
        touch.next_state[k] = BLOCKED
        touch.next_dropped += u
    push = damper + weight * work[VOLUME]
    count_contact(touch, law, push, work[VOLUME], depth)
    if depth > touch.next_ratio * limit and work[RATES] > FACING:
        touch.next_ratio, touch.next_a, touch.next_b = depth / limit, touch.owner[a], touch.owner[b]
    if depth > touch.next_deepest:
        touch.next_deepest = depth
    if row[2] > 0.0 and push > 0.0:
        keep_row(scene, x, a, b, push, row[2], row[3], touch.floor_count * touch.facet_count + k)


@native
def clear(touch: TouchMemory) -> None:
    """What an evaluation adds up, at zero."""
    for i in range(touch.count):
        touch.next_deep[i], touch.next_stiff[i], touch.next_damp[i] = 0.0, 0.0, 0.0
    for k in range(NUMBERS * (touch.law_count + touch.floor_count)):
        touch.next_numbers[k] = 0.0
    touch.next_ratio, touch.next_deepest, touch.next_dropped = 0.0, 0.0, 0.0
    touch.next_a, touch.next_b = -1, -1
    touch.row_count[1 - touch.now] = 0
    touch.lack = 0


@native
def touch_forces(scene: ParticleMemory, x: Array, v: Array, force: Array) -> None:
    """Adds the forces of all facets that touch."""
    touch = scene.touch
    if touch.facet_count == 0:
        return
    clear(touch)
    normals(touch, x)
    if touch.law_count > 0:
        touch.travel = farthest(touch, x, scene.x)
        touch.far = touch.travel > SEEN * touch.least and not touch.fresh
        if not touch.built or farthest(touch, x, touch.listed) > touch.margin:
            renew_pairs(touch, x)
        touch.far = touch.far and (touch.pairs > 0 or sweeps_meet(touch, scene.x, x))
        if touch.fresh:
            start_depths(touch, x)
        for a in range(touch.facet_count):
            if touch.size[a] == 0.0:
                continue
            for k in range(touch.first[a], touch.first[a + 1]):
                touch.next_state[k] = APART
                b = touch.other[k]
                if touch.size[b] > 0.0 and overlap(touch, x, a, b):
                    contact(scene, x, v, force, k, a, b)
    floor_forces(scene, x, v, force)
    medium_forces(scene, v, force)
