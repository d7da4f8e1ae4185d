"""Facets below floors: the energy λ/2 ∫ s² dA of the depth s, over the area along the floor's normal.

Those that face the floor count. Their force is λ V, V the volume between them and the floor, at its centre;
the energy is that of a pair of facets one of which is the floor, and its gradient is exact, too.
"""

from hapsis.compiler.native import Array, at, native
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory
from hapsis.motion.solvers.particles.touch.facet_pairs import FRAME, frame, project
from hapsis.motion.solvers.particles.touch.friction_rows import (
    NORMAL_X,
    PUSH,
    T1,
    T2,
    TURN1,
    TURN2,
    space,
    weigh,
)
from hapsis.motion.solvers.particles.touch.overlap import (
    AREAS,
    CUT,
    DEEPEST,
    DEPTH,
    EDGES,
    ENERGY,
    PLACES,
    POWER,
    PUSHES,
    SECOND,
    SHARES,
    SPEEDS,
    TOTAL,
    VOLUME,
    WEIGHTS,
    clip,
    damp,
    integrals,
    triangle,
    weights,
)
from hapsis.motion.solvers.particles.touch.touch_memory import FLOOR, NUMBERS, ROW, TouchMemory


@native
def submerged(touch: TouchMemory, x: Array, plane: Array, f: int) -> bool:
    """Whether a part of facet f is below a floor; then all integrals are in `work`, without λ."""
    n, work = at(touch.normal, 3 * f), touch.work
    if n[0] * plane[0] + n[1] * plane[1] + n[2] * plane[2] >= 0.0:
        return False
    base = touch.ends[3 * f]
    depth = plane[3] - plane[0] * x[3 * base] - plane[1] * x[3 * base + 1] - plane[2] * x[3 * base + 2]
    # along -n, so that the facet looks forwards
    frame(work, -plane[0], -plane[1], -plane[2])
    most = -1e300
    for k in range(3):
        project(work, x, base, at(work, FRAME), k, touch.ends[3 * f + k])
        d = depth + work[PLACES + 3 * k + 2]
        most = d if d > most else most
    if most <= 0.0 or not weights(work, 0):
        return False
    for k in range(3):
        total = depth if k == 0 else 0.0
        for m in range(3):
            total += work[PLACES + 3 * m + 2] * work[WEIGHTS + 3 * m + k]
        work[DEPTH + k] = total
    triangle(work)
    return integrals(work, SECOND, clip(work, 0, 3, DEPTH, CUT), 3)


@native
def floor_push(scene: ParticleMemory, plane: Array, v: Array, force: Array, f: int) -> float:
    """Adds the forces of a floor on a facet after `submerged`; its normal force."""
    touch = scene.touch
    work, normal = touch.work, at(touch.normal, 3 * f)
    r, k = at(work, FRAME), plane[4]
    lean = normal[0] * r[0] + normal[1] * r[1] + normal[2] * r[2]
    for m in range(3):
        i = 3 * touch.ends[3 * f + m]
        work[SPEEDS + m] = r[0] * v[i] + r[1] * v[i + 1] + r[2] * v[i + 2]
    damp(work, 3, k, plane[5], plane[6] != 0.0)
    scene.next_potential += k * work[ENERGY]
    scene.next_power += work[POWER]
    for m in range(3):
        i = 3 * touch.ends[3 * f + m]
        for c in range(3):
            edge = work[EDGES + 2 * m] * r[3 + c] + work[EDGES + 2 * m + 1] * r[6 + c]
            force[i + c] -= k * (work[SHARES + m] * normal[c] / lean + edge) + work[PUSHES + m] * r[c]
    return k * work[VOLUME] + work[TOTAL]


@native
def floor_row(scene: ParticleMemory, x: Array, plane: Array, f: int, push: float, place: int) -> None:
    """The row of friction of a facet on a floor."""
    touch = scene.touch
    r = space(touch)
    if r < 0:
        return
    work, row, ends = touch.work, at(touch.rows, ROW * r), at(touch.row_ends, 7 * r)
    for m in range(6):
        row[m] = work[SHARES + m] / work[VOLUME] if m < 3 else 0.0
        row[TURN1 + m], row[TURN2 + m] = 0.0, 0.0
        ends[m] = touch.ends[3 * f + m % 3]
    for c in range(3):
        row[T1 + c], row[T2 + c] = work[FRAME + 3 + c], work[FRAME + 6 + c]
        row[NORMAL_X + c], row[NORMAL_X + 3 + c] = plane[c], plane[c]
    row[PUSH], row[PUSH + 1], row[PUSH + 2] = push, plane[7], plane[8]
    ends[6] = place
    weigh(scene, x, r)


@native
def floor_forces(scene: ParticleMemory, x: Array, v: Array, force: Array) -> None:
    """Adds the forces of all floors on facets."""
    touch = scene.touch
    work = touch.work
    for p in range(touch.floor_count):
        plane = at(touch.floors, FLOOR * p)
        numbers = at(touch.next_numbers, NUMBERS * (touch.law_count + p))
        for f in range(touch.facet_count):
            if touch.fixed[f] == 1 or touch.size[f] == 0.0 or not submerged(touch, x, plane, f):
                continue
            push = floor_push(scene, plane, v, force, f)
            for m in range(3):
                i = touch.ends[3 * f + m]
                touch.next_stiff[i] += plane[4] * work[AREAS + m]
                touch.next_damp[i] += plane[5] * work[AREAS + m]
            depth = work[DEEPEST]
            numbers[0] += push
            numbers[1] += work[VOLUME]
            numbers[2] = depth if depth > numbers[2] else numbers[2]
            numbers[3] += 1.0
            if depth > touch.next_ratio * touch.limit[f]:
                touch.next_ratio = depth / touch.limit[f]
                touch.next_a, touch.next_b = touch.owner[f], -1 - p
            if plane[7] > 0.0 and push > 0.0:
                floor_row(scene, x, plane, f, push, p * touch.facet_count + f)
