"""The impact at the start of a run: what touches and moves in is stopped before the first drift.

Steps keep gaps by g_m + h u ≥ 0, g_m that in the middle of the step: so no drift leads into what is rigid.
A run may start at a stop or a surface and move into it. Its first half drift would, and the step would push
it out with half of the speed. There a kick without forces comes first,

    M (v⁺ - v) = Jᵀ γ(J v⁺)      with h / 2 and the gaps max(g, 0) of the start,

which leaves g + h u / 2 ≥ 0. Soft laws change speeds in it by less than the square of the step.
"""

from hapsis.compiler.native import at, native
from hapsis.motion.solvers.contact.contact_memory import HEAD, PUSH, SLOW, SOLVED, ContactScene
from hapsis.motion.solvers.contact.momentum_balance import velocities_of_points, work_of_impulses
from hapsis.motion.solvers.contact.step_solution import solve_step
from hapsis.motion.solvers.contact.touches import find_touches
from hapsis.motion.solvers.run.run_memory import RunMemory


@native
def start_impact(run: RunMemory, scene: ContactScene) -> int:
    """SOLVED with the speeds after the impact in y_new, or why not."""
    y = run.y_new
    scene.begun = True
    for k in range(scene.row_count):
        scene.start_force[k] = 0.0
    scene.h = 0.5 * run.dt
    run.clock[0] = run.t
    run.clock[1] = 0.0  # the masses alone
    for i in range(scene.n_v):
        scene.v0[i] = y[scene.n_q + scene.order[i]]
    scene.terms(run.clock, y, at(run.clock, 1), scene.A, scene.b, scene.X, scene.J)
    for i in range(scene.n_v):
        scene.b[i] = 0.0
    if scene.row_count > 0:
        scene.row_terms(run.clock, y, scene.row_values)
    scene.turned_count = 0
    status = find_touches(scene)
    if status != SOLVED or not moves_in(scene):
        return status
    leave_resolved(scene)
    status = solve_step(scene)
    if status == SOLVED or status == SLOW:
        take_speeds(run, scene)
    return status


@native
def moves_in(scene: ContactScene) -> bool:
    """Whether a point or a stop would be passed in half a step; gaps below zero are zero from here on."""
    some = False
    for i in range(scene.n_v):
        scene.v[i] = scene.v0[i]
    velocities_of_points(scene, False)
    for p in range(scene.point_count):
        scene.gap[p] = max(scene.gap[p], 0.0)
        if scene.resolved[p] != 0:
            continue
        some = some or scene.gap[p] + scene.h * scene.u[3 * p + 2] < 0.0
    for k in range(scene.row_count):
        if scene.row_law[k] == PUSH:
            value = at(scene.row_values, k * (HEAD + scene.row_width))
            value[0] = max(value[0], 0.0)
            some = some or value[0] + scene.h * (value[1] + scene.row_u[3 * k]) < 0.0
    return some


@native
def leave_resolved(scene: ContactScene) -> None:
    """Takes the force from points whose impact takes many steps: these begin with the first drift."""
    for p in range(scene.point_count):
        if scene.resolved[p] != 0:
            scene.share[p] = 0.0


@native
def take_speeds(run: RunMemory, scene: ContactScene) -> None:
    """Gives y_new the speeds after the impact; impulses are added to those of contacts and rows."""
    for i in range(scene.n_v):
        run.y_new[scene.n_q + scene.order[i]] = scene.v[i]
    run.y_new[run.size - 1] += work_of_impulses(scene)
    for k in range(scene.row_count):
        scene.start_force[k] = scene.row_force[k]
    for k in range(scene.touch_count):
        pair = int(scene.touch_pair[k])
        impulse = at(scene.impulse, 3 * pair)
        if scene.changed[pair] == 0:  # so that it is logged where the pair does not touch in the first step
            scene.changed[pair] = 1
            scene.changed_pairs[scene.changed_count] = pair
            scene.changed_count += 1
        for p in range(scene.touch_first[k], scene.touch_first[k + 1]):
            axes = at(scene.axes, 9 * p)
            gamma = at(scene.gamma, 3 * p)
            for i in range(3):
                impulse[i] += axes[i] * gamma[0] + axes[3 + i] * gamma[1] + axes[6 + i] * gamma[2]
