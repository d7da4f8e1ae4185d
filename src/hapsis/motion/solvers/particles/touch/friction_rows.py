"""Friction between facets: one point of contact for each pair, where its pressure has its centre.

The speed along the surface is J v: with weights φ of the six corners, α_m = ∫ d φ_m / ∫ d,

    v_t = Σ α_m v_m (X) - Σ α_m v_m (Y) - d ṅ

where ṅ is the rate of the common normal and d the depth at the centre. J v = 0 for all motions of both
facets together, so that forces -Jᵀ p keep momentum and angular momentum. A row has the weights (those of Y
negative), t1, t2, n_X, n_Y, the parts of ṅ along t1 and t2, J J ᵀ / m (11, 12, 22, a bound), the normal
force, static and kinetic friction, the impulse, and what the drift of a step makes of slips on bodies.

Particles that a body carries move with it: `carried_rows` has the parts of J along the speeds u of the Model,
C = Jᵃ ∂v/∂u, and P Cᵀ with its mobility P, so that impulses change u by -P Cᵀ p.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.bodies.body_friction import count_rows, rub_body
from hapsis.motion.solvers.particles.bodies.body_rows import add_row, add_turning
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory
from hapsis.motion.solvers.particles.touch.facet_pairs import FRAME, RATES, SLOPES
from hapsis.motion.solvers.particles.touch.overlap import PLACES, SHARES
from hapsis.motion.solvers.particles.touch.touch_memory import ROW, TouchMemory

T1, T2, NORMAL_X, TURN1, TURN2, MASS, PUSH, IMPULSE, DRIFT = 6, 9, 12, 18, 24, 30, 34, 37, 39
PASSES = 30
ENOUGH = 1e-8  # of the speeds that friction changes: what a pass may leave


@native
def space(touch: TouchMemory) -> int:
    """The number of a new row on the side that is evaluated; -1: there is no room."""
    side = 1 - touch.now
    r = touch.row_count[side]
    touch.row_count[side] = r + 1
    if r >= touch.rows_room:
        touch.lack = r + 1 if r + 1 > touch.lack else touch.lack
        return -1
    return side * touch.rows_room + r


@native
def keep_row(
    scene: ParticleMemory, x: Array, a: int, b: int, push: float, static: float, kinetic: float, place: int
) -> None:
    """A row of the pair that `overlap` and `gradient` have just measured."""
    touch = scene.touch
    r = space(touch)
    if r < 0:
        return
    work, row, ends = touch.work, at(touch.rows, ROW * r), at(touch.row_ends, 7 * r)
    total = work[SHARES] + work[SHARES + 1] + work[SHARES + 2]
    depth = 0.0
    for m in range(6):
        share = work[SHARES + m] / total
        row[m] = share if m < 3 else -share
        depth += row[m] * work[PLACES + 3 * m + 2]
        ends[m] = touch.ends[3 * (a if m < 3 else b) + m % 3]
    f = at(work, FRAME)
    over = depth / work[RATES + 1]
    for k in range(3):
        row[T1 + k], row[T2 + k] = f[3 + k], f[6 + k]
        row[NORMAL_X + k], row[NORMAL_X + 3 + k] = touch.normal[3 * a + k], touch.normal[3 * b + k]
    for m in range(6):
        s = at(work, SLOPES + 3 * m)
        lean = over if m < 3 else -over
        row[TURN1 + m] = lean * (f[3] * s[0] + f[4] * s[1] + f[5] * s[2])
        row[TURN2 + m] = lean * (f[6] * s[0] + f[7] * s[1] + f[8] * s[2])
    row[PUSH], row[PUSH + 1], row[PUSH + 2] = push, static, kinetic
    ends[6] = place
    weigh(scene, x, r)


@native
def along(row: Array, m: int, p1: float, p2: float, out: Array) -> None:
    """Jᵀ p at the corner m, in out[0:3]."""
    n = NORMAL_X if m < 3 else NORMAL_X + 3
    turn = p1 * row[TURN1 + m] + p2 * row[TURN2 + m]
    for c in range(3):
        out[c] = row[m] * (p1 * row[T1 + c] + p2 * row[T2 + c]) + turn * row[n + c]


@native
def carried_rows(scene: ParticleMemory, x: Array, r: int) -> None:
    """C and P Cᵀ of the particles that bodies carry, at the state of `next_poses`."""
    touch, model, n = scene.touch, scene.model, scene.touch.speeds
    row, ends = at(touch.rows, ROW * r), at(touch.row_ends, 7 * r)
    reach, answer, push = at(touch.reach, 2 * n * r), at(touch.answers, 2 * n * r), model.point
    for j in range(2 * n):
        reach[j], answer[j] = 0.0, 0.0
    for m in range(6):
        i = ends[m]
        body = model.fixed_to[i]
        if body >= 0:
            along(row, m, 1.0, 0.0, push)
            add_row(model, model.next_poses, model.next_jacobians, body, at(x, 3 * i), push, 1.0, reach)
            along(row, m, 0.0, 1.0, push)
            add_row(
                model, model.next_poses, model.next_jacobians, body, at(x, 3 * i), push, 1.0, at(reach, n)
            )
    for j in range(n):
        mine = at(model.next_mobility, n * j)
        for c in range(n):
            answer[c] += mine[c] * reach[j]
            answer[n + c] += mine[c] * reach[n + j]


@native
def weigh(scene: ParticleMemory, x: Array, r: int) -> None:
    """What impulses change along t1 and t2, and a bound of it."""
    touch, speeds = scene.touch, scene.touch.speeds
    row, ends = at(touch.rows, ROW * r), at(touch.row_ends, 7 * r)
    e11, e12, e22 = 0.0, 0.0, 0.0
    if speeds > 0:
        carried_rows(scene, x, r)
        reach, answer = at(touch.reach, 2 * speeds * r), at(touch.answers, 2 * speeds * r)
        for j in range(speeds):
            e11 += reach[j] * answer[j]
            e12 += reach[j] * answer[speeds + j]
            e22 += reach[speeds + j] * answer[speeds + j]
    for m in range(6):
        ease = scene.ease[ends[m]]
        n = NORMAL_X if m < 3 else NORMAL_X + 3
        for c in range(3):
            j1 = row[m] * row[T1 + c] + row[TURN1 + m] * row[n + c]
            j2 = row[m] * row[T2 + c] + row[TURN2 + m] * row[n + c]
            e11 += ease * j1 * j1
            e12 += ease * j1 * j2
            e22 += ease * j2 * j2
    spread = 0.5 * (e11 - e22)
    row[MASS], row[MASS + 1], row[MASS + 2] = e11, e12, e22
    row[MASS + 3] = 0.5 * (e11 + e22) + sqrt(spread * spread + e12 * e12)


@native
def slip(scene: ParticleMemory, r: int, v: Array, u: Array, held: bool, out: Array) -> None:
    """J v in out[0:2], with what bodies carry by the speeds u; of held particles alone if `held`."""
    touch, speeds = scene.touch, scene.touch.speeds
    row, ends = at(touch.rows, ROW * r), at(touch.row_ends, 7 * r)
    s1, s2 = 0.0, 0.0
    for m in range(6):
        i = 3 * ends[m]
        if held and scene.ease[ends[m]] > 0.0:
            continue
        if speeds > 0 and scene.model.fixed_to[ends[m]] >= 0:
            continue
        n = NORMAL_X if m < 3 else NORMAL_X + 3
        up = row[n] * v[i] + row[n + 1] * v[i + 1] + row[n + 2] * v[i + 2]
        s1 += (
            row[m] * (row[T1] * v[i] + row[T1 + 1] * v[i + 1] + row[T1 + 2] * v[i + 2]) + row[TURN1 + m] * up
        )
        s2 += (
            row[m] * (row[T2] * v[i] + row[T2 + 1] * v[i + 1] + row[T2 + 2] * v[i + 2]) + row[TURN2 + m] * up
        )
    if speeds > 0 and not held:
        reach = at(touch.reach, 2 * speeds * r)
        for j in range(speeds):
            s1 += reach[j] * u[j]
            s2 += reach[speeds + j] * u[j]
    out[0], out[1] = s1, s2


@native
def give(scene: ParticleMemory, r: int, v: Array, u: Array, p1: float, p2: float, out: Array) -> float:
    """Changes velocities by -Jᵀ p / m, speeds by -P Cᵀ p; what that takes, with J v before in `out`."""
    touch, speeds = scene.touch, scene.touch.speeds
    row, ends = at(touch.rows, ROW * r), at(touch.row_ends, 7 * r)
    for m in range(6):
        ease = scene.ease[ends[m]]
        n = NORMAL_X if m < 3 else NORMAL_X + 3
        turn = p1 * row[TURN1 + m] + p2 * row[TURN2 + m]
        for c in range(3):
            share = row[m] * (p1 * row[T1 + c] + p2 * row[T2 + c])
            v[3 * ends[m] + c] -= ease * (share + turn * row[n + c])
    answer = at(touch.answers, 2 * speeds * r)
    for j in range(speeds):
        u[j] -= p1 * answer[j] + p2 * answer[speeds + j]
    row[IMPULSE] += p1
    row[IMPULSE + 1] += p2
    square = row[MASS] * p1 * p1 + 2.0 * row[MASS + 1] * p1 * p2 + row[MASS + 2] * p2 * p2
    return p1 * out[0] + p2 * out[1] - 0.5 * square


@native
def begin_impulses(scene: ParticleMemory, base: int, v: Array, u: Array, h: float, warm: bool) -> float:
    """Impulses like those of the step before, within what may stick; what they take."""
    touch, taken = scene.touch, 0.0
    out = at(touch.work, 200)
    for r in range(base, base + touch.row_count[base // touch.rows_room]):
        row = at(touch.rows, ROW * r)
        row[IMPULSE], row[IMPULSE + 1] = 0.0, 0.0
        if warm:
            g = at(touch.grip, 3 * touch.row_ends[7 * r + 6])
            p1 = h * (row[T1] * g[0] + row[T1 + 1] * g[1] + row[T1 + 2] * g[2])
            p2 = h * (row[T2] * g[0] + row[T2 + 1] * g[1] + row[T2 + 2] * g[2])
            size, most = sqrt(p1 * p1 + p2 * p2), row[PUSH + 1] * row[PUSH] * h
            if size > most:
                p1, p2 = p1 * most / size, p2 * most / size
            if size > 0.0:
                slip(scene, r, v, u, False, out)
                taken += give(scene, r, v, u, p1, p2, out)
    return taken


@native
def sweep(
    scene: ParticleMemory, base: int, count: int, v: Array, u: Array, h: float, back: bool, alike: bool
) -> float:
    """One pass over all points; what it takes. work[202]: the most it changes; work[203]: of how much."""
    touch, taken = scene.touch, 0.0
    out = at(touch.work, 200)
    out[2], out[3] = 0.0, 0.0
    for k in range(count):
        r = base + (count - 1 - k if back else k)
        row = at(touch.rows, ROW * r)
        bound = row[MASS + 3]
        if bound == 0.0:
            continue
        slip(scene, r, v, u, False, out)
        p1, p2 = (
            row[IMPULSE] + (out[0] + row[DRIFT]) / bound,
            row[IMPULSE + 1] + (out[1] + row[DRIFT + 1]) / bound,
        )
        size, reach = sqrt(p1 * p1 + p2 * p2), row[PUSH] * h
        if size > (row[PUSH + 2] if alike else row[PUSH + 1]) * reach:
            p1, p2 = p1 * row[PUSH + 2] * reach / size, p2 * row[PUSH + 2] * reach / size
        d1, d2 = p1 - row[IMPULSE], p2 - row[IMPULSE + 1]
        taken += give(scene, r, v, u, d1, d2, out)
        change = bound * sqrt(d1 * d1 + d2 * d2)
        out[2] = change if change > out[2] else out[2]
        out[3] = bound * size if bound * size > out[3] else out[3]
    return taken


@native
def turn_rows(scene: ParticleMemory, base: int, count: int, u: Array, h: float) -> None:
    """The slips that rows at the start of a step need to end it together, see `body_friction.turn_pairs`."""
    touch, m = scene.touch, scene.model
    for r in range(base, base + count):
        row, ends = at(touch.rows, ROW * r), at(touch.row_ends, 7 * r)
        row[DRIFT], row[DRIFT + 1] = 0.0, 0.0
        for k in range(6):
            body = m.fixed_to[ends[k]]
            if body < 0 or h == 0.0:
                continue
            m.gap[0], m.gap[1], m.gap[2] = 0.0, 0.0, 0.0
            add_turning(m, body, at(scene.x, 3 * ends[k]), u, h, m.gap)
            for a in range(2):
                along(row, k, 1.0 if a == 0 else 0.0, 1.0 if a == 1 else 0.0, m.point)
                row[DRIFT + a] += m.point[0] * m.gap[0] + m.point[1] * m.gap[1] + m.point[2] * m.gap[2]


@native
def touch_friction(
    scene: ParticleMemory, side: int, v0: Array, v: Array, u0: Array, u: Array, h: float, first: bool
) -> float:
    """Friction of all facets over a time h by the forces of one side; the energy that it takes, J.

    Each point in turn gets the impulse that stops it, if static friction allows that much, else kinetic
    friction. With one coefficient no pass can add energy; where all together do, they begin again from zero.
    The work of an impulse is at the mean of the velocities before all forces of this time, v0, and after;
    u0 and u are the speeds of the Model. `first` is the first half of a step.
    """
    touch = scene.touch
    count = touch.row_count[side]
    if touch.rows_room == 0 or count == 0 or touch.lack > 0:
        return 0.0
    base = side * touch.rows_room
    if touch.speeds > 0:
        turn_rows(scene, base, count, u0, h if first else 0.0)
    taken = 0.0
    for attempt in range(3):
        taken = begin_impulses(scene, base, v, u, h, attempt == 0)
        for k in range(PASSES):
            taken += sweep(scene, base, count, v, u, h, k % 2 == 1, attempt == 2)
            touch.passes += 1
            if touch.work[202] <= ENOUGH * touch.work[203]:
                break
        if taken >= 0.0 or attempt == 2:
            break
        for k in range(count):  # undo
            row = at(touch.rows, ROW * (base + k))
            give(scene, base + k, v, u, -row[IMPULSE], -row[IMPULSE + 1], at(touch.work, 200))
    return keep_grip(scene, base, count, v0, v, u0, u, h)


@native
def keep_grip(
    scene: ParticleMemory, base: int, count: int, v0: Array, v: Array, u0: Array, u: Array, h: float
) -> float:
    """Keeps the forces for the next step, and adds up the work of held particles; what friction takes."""
    touch, taken = scene.touch, 0.0
    out = at(touch.work, 200)
    for k in range(count):
        row, ends = at(touch.rows, ROW * (base + k)), at(touch.row_ends, 7 * (base + k))
        slip(scene, base + k, v, u, True, out)
        touch.carried += row[IMPULSE] * out[0] + row[IMPULSE + 1] * out[1]
        for c in range(3):
            push = row[IMPULSE] * row[T1 + c] + row[IMPULSE + 1] * row[T2 + c]
            touch.grip[3 * ends[6] + c] = push / h if h > 0.0 else 0.0
        slip(scene, base + k, v0, u0, False, out)
        taken += 0.5 * (row[IMPULSE] * out[0] + row[IMPULSE + 1] * out[1])
        slip(scene, base + k, v, u, False, out)
        taken += 0.5 * (row[IMPULSE] * out[0] + row[IMPULSE + 1] * out[1])
    return taken


@native
def count_carried(
    scene: ParticleMemory, side: int, poses: Array, x: Array, lift: Array, rows: Array, u: Array
) -> None:
    """Counts the impulses of friction on bodies, and those by which loops and drives hold against them."""
    touch, m, n = scene.touch, scene.model, scene.touch.speeds
    if n == 0 or touch.row_count[side] == 0 or touch.lack > 0:
        return
    for j in range(n):
        m.rub[j] = 0.0
    base = side * touch.rows_room
    for r in range(base, base + touch.row_count[side]):
        row, ends, reach = at(touch.rows, ROW * r), at(touch.row_ends, 7 * r), at(touch.reach, 2 * n * r)
        p1, p2 = row[IMPULSE], row[IMPULSE + 1]
        for j in range(n):
            m.rub[j] -= p1 * reach[j] + p2 * reach[n + j]
        for k in range(6):
            if m.fixed_to[ends[k]] >= 0:
                along(row, k, p1, p2, m.point)
                rub_body(m, poses, m.fixed_to[ends[k]], at(x, 3 * ends[k]), -1.0)
    count_rows(scene, lift, rows, u)
