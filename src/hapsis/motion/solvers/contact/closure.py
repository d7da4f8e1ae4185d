"""Loops and drives at the end of a step: the nearest pose that closes them, then the nearest speeds.

    min ½ δᵀ A δ    where g + r δ = 0 for all rigid rows,     q := q + N δ
    min ½ δᵀ A δ    where r (v + δ) + ġ = 0,                  v := v + δ

Rows are springs as stiff as in the step. Nearest speeds lose energy, as those of an inelastic impact do.
Rigid stops that the pose has passed are among the rows, for the speeds where these lead further in. Rows
that contradict each other have no such pose: they stay open, or press a rigid stop in.
"""

from hapsis.compiler.native import Array, at, native
from hapsis.motion.solvers.contact.block_factor import factor, size_of, solve
from hapsis.motion.solvers.contact.contact_matrix import add_row
from hapsis.motion.solvers.contact.contact_memory import HEAD, OPEN, PUSH, SOLVED, ContactScene
from hapsis.motion.solvers.run.run_memory import RunMemory

TWICE, MOST_TIMES = 2, 12  # steps of Newton for the pose: of nearly all, at most
CLOSED = 1e-8  # of units, by the largest coordinate, or by one: loops and drives open by less are met
STOPPED = 1e-6  # the same of rigid stops, which are pressed in a little
FAR = 1e300
PRESSED = 0.1  # of the way of a step: how far a stop may be pressed in besides
CARRIED = 0.999  # of the force of a loop; less than 1, so that forces of redundant rows cannot add up


@native
def close_rows(run: RunMemory, scene: ContactScene) -> int:
    """SOLVED with loops closed and drives met in y_new, or why not."""
    n_q = scene.n_q
    y = run.y_new
    run.clock[0] = run.t_new
    for k in range(scene.row_count):
        scene.row_hit[k] = 0
    if not scene.rigid_rows:
        scene.row_terms(run.clock, y, scene.row_values)
        if not pass_stops(scene, STOPPED * largest_of(scene, y)):
            return SOLVED
    before = energy_of(run, scene)
    answer = factor_rows(run, scene)
    for k in range(MOST_TIMES):
        if answer == SOLVED and k >= TWICE and met(scene, y):
            if not pass_stops(scene, 0.0):
                break
            answer = factor_rows(run, scene)
        if answer != SOLVED:
            break
        gather(scene, True)
        solve(scene, scene.dv)
        for j in range(n_q):
            scene.w[j] = y[j]
        for i in range(scene.n_v):
            scene.w[n_q + scene.order[i]] = scene.dv[i]
        scene.drift(scene.w, scene.slopes)  # q̇ at the speeds δ
        for j in range(n_q):
            y[j] += scene.slopes[j]
        answer = factor_rows(run, scene)
    if answer != SOLVED:
        return answer
    if not met(scene, y):
        return OPEN
    for i in range(scene.n_v):
        scene.v0[i] = y[n_q + scene.order[i]]
    if leave_stops(scene):
        answer = factor_rows(run, scene)
        if answer != SOLVED:
            return answer
    gather(scene, False)
    solve(scene, scene.dv)
    for i in range(scene.n_v):
        y[n_q + scene.order[i]] += scene.dv[i]
    for k in range(scene.row_count):
        if holds(scene, k):
            rate = rate_of(scene, k, False)
            change = rate_of(scene, k, True)
            impulse = -scene.row_u[3 * k + 2] * (rate + change)
            scene.row_force[k] += impulse
            # the next step begins with this force, so that its damper holds only what changes, and what a
            # drive carries does not slip a little in each step
            scene.row_bent[k] = scene.row_carried[k] * scene.row_force[k] / scene.h
            own = scene.row_values[k * (HEAD + scene.row_width) + 1]
            if (scene.row_works[k] != 0) != scene.accounted:
                y[run.size - 1] += (-impulse if scene.accounted else impulse) * (rate - own + 0.5 * change)
    # drives put back what a drift without their forces has left: what loops lose thereby is lost
    y[run.size - 1] += energy_of(run, scene) - before
    return SOLVED


@native
def energy_of(run: RunMemory, scene: ContactScene) -> float:
    """The energy in y_new, where drives do work; else zero."""
    if not scene.accounted:
        return 0.0
    scene.energies(run.clock, run.y_new, scene.energy, at(scene.energy, 1))
    return scene.energy[0] + scene.energy[1]


@native
def largest_of(scene: ContactScene, y: Array) -> float:
    """The largest coordinate in its unit, or one."""
    largest = 1.0
    for j in range(scene.n_q):
        largest = max(largest, abs(y[j]) / scene.place_unit[j])
    return largest


@native
def met(scene: ContactScene, y: Array) -> bool:
    """Whether loops are closed, drives met, and stops among the rows passed no further than they may be."""
    largest = largest_of(scene, y)
    fastest = 0.0
    for k in range(scene.row_count):
        row = at(scene.row_values, k * (HEAD + scene.row_width))
        index = at(scene.row_index, k * scene.row_width)
        rate = abs(row[1])
        for j in range(scene.row_size[k]):
            rate += abs(row[HEAD + j] * y[scene.n_q + scene.order[index[j]]])
        fastest = max(fastest, rate / scene.row_unit[k])
    for k in range(scene.row_count):
        if scene.row_placed[k] != 0:
            value = scene.row_values[k * (HEAD + scene.row_width)] / scene.row_unit[k]
            if scene.row_law[k] != PUSH:
                if not abs(value) <= CLOSED * largest:
                    return False
            elif scene.row_hit[k] != 0 and not -value <= STOPPED * largest + PRESSED * scene.h * fastest:
                return False
    return True


@native
def holds(scene: ContactScene, k: int) -> bool:
    """Whether a row is rigid: a loop, a drive, or a rigid stop that was passed in this step."""
    return scene.row_rigid[k] != 0 or scene.row_hit[k] != 0


@native
def pass_stops(scene: ContactScene, least: float) -> bool:
    """Whether the pose has passed more rigid stops by more than that, in units; they are rows from now on."""
    some = False
    for k in range(scene.row_count):
        if scene.row_law[k] == PUSH and scene.row_placed[k] != 0 and scene.row_hit[k] == 0:
            if scene.row_values[k * (HEAD + scene.row_width)] < -least * scene.row_unit[k]:
                scene.row_hit[k] = 1
                some = True
    return some


@native
def leave_stops(scene: ContactScene) -> bool:
    """Whether stops hold the pose but not the speeds v0, which lead away from them; they hold no more."""
    some = False
    for k in range(scene.row_count):
        if scene.row_hit[k] != 0 and rate_of(scene, k, False) >= 0.0:
            scene.row_hit[k] = 0
            some = True
    return some


@native
def wait_for_stops(scene: ContactScene) -> None:
    """Leaves rigid stops that did not hold at the end of the last step out of the kick.

    They look ahead along straight lines, from a pose to which a drift has gone without the forces of loops
    and drives. What a loop turns back before it gets there would be stopped, or get speed from what only the
    drift has passed. Where the closed pose has passed a stop, the end of the step stops it.
    """
    for k in range(scene.row_count):
        if scene.row_law[k] == PUSH and scene.row_placed[k] != 0:
            value = at(scene.row_values, k * (HEAD + scene.row_width))
            if scene.row_force[k] > 0.0:
                value[0] = max(value[0], -scene.row_force[k] / (scene.h * scene.row_numbers[4 * k]))
            else:
                value[0] = FAR


@native
def rate_of(scene: ContactScene, k: int, change: bool) -> float:
    """ġ of a row at the speeds v0; with `change` what it changes by at dv."""
    row = at(scene.row_values, k * (HEAD + scene.row_width))
    index = at(scene.row_index, k * scene.row_width)
    total = 0.0
    for j in range(scene.row_size[k]):
        total += row[HEAD + j] * (scene.dv[index[j]] if change else scene.v0[index[j]])
    return total if change else total + row[1]


@native
def factor_rows(run: RunMemory, scene: ContactScene) -> int:
    """SOLVED, with the factor of A + Σ k rᵀ r over rigid rows, at the pose in y_new."""
    scene.factored = False
    scene.row_terms(run.clock, run.y_new, scene.row_values)
    n = scene.block_count
    for i in range(scene.factor_size):
        scene.H[i] = 0.0
    for k in range(n):
        size = size_of(scene, k)
        D = at(scene.H, int(scene.slot[k * n + k]))
        A = at(scene.A, int(scene.block_start[k]))
        for i in range(size * size):
            D[i] = A[i]
    for k in range(scene.row_count):
        if holds(scene, k):
            numbers = at(scene.row_numbers, 4 * k)
            scene.row_u[3 * k + 2] = scene.h * (scene.h * numbers[0] + numbers[1])
            add_row(scene, k, scene.row_u[3 * k + 2])
    return factor(scene)


@native
def gather(scene: ContactScene, pose: bool) -> None:
    """dv = -Σ rᵀ k g of the rows that have a value, or -Σ rᵀ k ġ."""
    for i in range(scene.n_v):
        scene.dv[i] = 0.0
    for k in range(scene.row_count):
        if not holds(scene, k) or (pose and scene.row_placed[k] == 0):
            continue
        row = at(scene.row_values, k * (HEAD + scene.row_width))
        index = at(scene.row_index, k * scene.row_width)
        error = row[0] if pose else rate_of(scene, k, False)
        for j in range(scene.row_size[k]):
            scene.dv[index[j]] -= scene.row_u[3 * k + 2] * error * row[HEAD + j]
