"""Time stepping with contacts: all drifts without forces, and velocities jump in the middle of a step.

    drift   q̇ = N v,  M v̇ = -C v             over half the step, at constant energy
    kick    A (v⁺ - v) = b + Jᵀ γ(J v⁺)      contacts, friction, stops, loops and stiff forces, implicit
    drift   from v⁺ over the other half
    close   loops and drives are met by the nearest pose and the nearest speeds

Order 2 where nothing touches (a throw is exact), order 1 with contacts. The length of a step does not depend
on how stiff contacts are: for a linear spring, q and v go as by the implicit Euler method, half a step apart.
Impulses solve one convex problem a step, see `newton`. Reference: [Moreau] for the drifts.
"""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Kernel, at, native, record, sized
from hapsis.errors import SolveError
from hapsis.motion.solvers.contact.bristles import keep_points
from hapsis.motion.solvers.contact.closure import close_rows, wait_for_stops
from hapsis.motion.solvers.contact.contact_log import log_full, log_touches
from hapsis.motion.solvers.contact.contact_memory import BAD, FULL, SLOW, SOLVED, ContactScene
from hapsis.motion.solvers.contact.drift import drift
from hapsis.motion.solvers.contact.impulse_laws import bend_rows, keep_rows
from hapsis.motion.solvers.contact.law_states import advance_laws
from hapsis.motion.solvers.contact.momentum_balance import keep_left, take_left, work_of_impulses
from hapsis.motion.solvers.contact.newton import LOOSE
from hapsis.motion.solvers.contact.positive_part import keep_positive
from hapsis.motion.solvers.contact.start_impact import start_impact
from hapsis.motion.solvers.contact.step_solution import solve_step
from hapsis.motion.solvers.contact.touches import catch_passing, catch_turned, find_touches
from hapsis.motion.solvers.events.dense_output import normalised
from hapsis.motion.solvers.events.samples_and_events import make_step, need_of_step
from hapsis.motion.solvers.integrators.method import Method, register
from hapsis.motion.solvers.integrators.step_control import after_trouble, ended, next_step
from hapsis.motion.solvers.run.run_memory import DENSE, NOT_CONVERGED, NOT_FINITE, PAUSED, RunMemory

CATCHES = 6  # times in a step that what is turned aside is looked after


@record
class ContactMemory(RunMemory):
    """The memory of a run, and its scene of contacts."""

    scene: ContactScene
    slopes: Array = sized("2 * size")


@native
def advance_contact(f: Kernel, g: Kernel, run: ContactMemory) -> int:
    """The answer after at most `budget` steps; see `run_memory`."""
    scene = run.scene
    for _ in range(run.budget):
        answer = next_step(run)
        if answer != PAUSED:
            return answer
        if log_full(scene):
            return PAUSED  # Python takes the log
        status = contact_step(f, run)
        scene.status = status
        if status == SLOW and scene.residual <= LOOSE:
            scene.loose += 1
            status = SOLVED
        if status != SOLVED:
            return NOT_CONVERGED
        need = need_of_step(g, run)
        if need == NOT_FINITE:
            return after_trouble(run, NOT_FINITE)
        if need == DENSE:
            for j in range(run.size):
                run.dense[j] = run.y_new[j] - run.y[j]
        log_touches(run, scene, need == DENSE)
        answer = make_step(g, run)
        if answer != PAUSED:
            return answer
    return ended(run)


@native
def contact_step(f: Kernel, run: ContactMemory) -> int:
    """SOLVED with a step from y to y_new, or why there is none."""
    scene = run.scene
    n_q = scene.n_q
    n_v = scene.n_v
    y = run.y_new
    h = run.dt
    begins = not scene.begun
    scene.length = h
    for j in range(run.size):
        y[j] = run.y[j]
    if begins:
        status = start_impact(run, scene)
        if status != SOLVED and status != SLOW:
            return status
    scene.h = h
    drift(run, scene, 0.5 * h)
    run.clock[0] = run.t + 0.5 * h
    run.clock[1] = h
    for i in range(n_v):
        scene.v0[i] = y[n_q + scene.order[i]]
    scene.terms(run.clock, y, at(run.clock, 1), scene.A, scene.b, scene.X, scene.J)
    if scene.pressed:
        run.clock[1] = 0.0  # the masses alone
        scene.terms(run.clock, y, at(run.clock, 1), scene.masses, scene.pulls, scene.X, scene.J)
        run.clock[1] = h
        keep_positive(scene)
    take_left(scene)
    if scene.row_count > 0:
        run.clock[0] = run.t_new  # drives are met where the step ends
        scene.row_terms(run.clock, y, scene.row_values)
        run.clock[0] = run.t + 0.5 * h
        if scene.rigid_rows:
            wait_for_stops(scene)
        bend_rows(scene)
    scene.turned_count = 0
    status = find_touches(scene)
    if status == SOLVED:
        status = solve_step(scene)
    for _ in range(CATCHES):
        more = catch_passing(scene) if status == SOLVED and scene.passing_count > 0 else 0
        if more == 0 and status == SOLVED:
            more = catch_turned(scene)
        if more == 0:
            break
        status = solve_step(scene) if more > 0 else FULL
    if status != SOLVED and status != SLOW:
        return status
    keep_left(scene)
    keep_points(scene)
    keep_rows(scene)
    y[run.size - 1] += work_of_impulses(scene)
    if scene.powered:
        # states of laws and the work of what stores no energy, at the mean of the speeds
        for i in range(n_v):
            y[n_q + scene.order[i]] = 0.5 * (scene.v0[i] + scene.v[i])
        if not advance_laws(f, scene, run.clock, h, y, run.slopes):
            return BAD
    for i in range(n_v):
        y[n_q + scene.order[i]] = scene.v[i]
    drift(run, scene, 0.5 * h)
    if scene.rigid_rows or scene.rigid_stops:
        status = max(status, close_rows(run, scene))
        normalised(run.quaternion_count, run.quaternions, y)
    if begins:
        for k in range(scene.row_count):
            scene.row_force[k] += scene.start_force[k]
    run.evaluations += 1
    return status


def fields(options: dict[str, Any], size: int) -> dict[str, Any]:
    """What the memory has besides: the scene."""
    scene = options.get("scene")
    if scene is None or scene.n_q + scene.n_v >= size:
        raise SolveError('"contact" needs a scene of contacts', expected="scene=")
    return dict(scene=scene)


def trial(run: ContactMemory) -> None:
    """Calls the kernels of the scene."""
    scene = run.scene
    clock = np.array([0.0, 1e-3])
    scene.terms(clock[:1], run.y, clock[1:], scene.A, scene.b, scene.X, scene.J)
    scene.drift(scene.w, scene.slopes)
    if scene.row_count:
        scene.row_terms(clock[:1], run.y, scene.row_values)
    if scene.law_count:
        scene.law_slopes(clock[:1], run.y, scene.law_J)


register(Method("contact", 1, 0, 1, advance_contact, ContactMemory, ("scene",), fields, trial))
