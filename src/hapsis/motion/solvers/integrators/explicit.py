"""Explicit Runge-Kutta methods, by their tables, with fixed or adaptive steps.

The last slope of a step is the first of the next, so that a step costs as many evaluations as the
method has stages. Extra slopes of the dense output are computed only for steps that need it.
"""

from typing import Any

from hapsis.compiler.native import Array, Kernel, at, constant, isfinite, native, record, sized
from hapsis.motion.solvers.events.dense_output import hermite, normalised
from hapsis.motion.solvers.events.samples_and_events import make_step, need_with_slopes
from hapsis.motion.solvers.integrators import step_control
from hapsis.motion.solvers.integrators.error_norms import finite, per_tolerance, squares
from hapsis.motion.solvers.integrators.explicit_tables import ExplicitRows, table
from hapsis.motion.solvers.integrators.method import Method, register
from hapsis.motion.solvers.integrators.weighted_sums import moved, total
from hapsis.motion.solvers.run.run_memory import DENSE, NOT_FINITE, PAUSED, STIFF, TOO_LONG, RunMemory

LOOK = 100  # steps between two checks for stiffness
HITS = 15  # steps in a row, nearly, that stability limits: the problem is stiff
MISSES = 6  # steps in a row that it does not: it is not


@record
class ExplicitMemory(RunMemory):
    """The memory of a run, and what an explicit Runge-Kutta method needs besides."""

    table: ExplicitRows
    slope_count: int = constant()
    slopes: Array = sized("slope_count * size")  # of the stages, of the end, of the extra stages


@native
def advance_explicit(f: Kernel, g: Kernel, run: ExplicitMemory) -> int:
    """The answer after at most `budget` tried steps; see `run_memory`."""
    n = run.size
    end = at(run.slopes, run.table.stages * n)
    for _ in range(run.budget):
        answer = step_control.next_step(run)
        if answer != PAUSED:
            return answer
        begin(f, run)
        stages(f, run, run.y, run.y_new)
        normalised(run.quaternion_count, run.quaternions, run.y_new)
        if run.table.uses_end:
            end_slope(f, run, end)
        error = 0.0
        if run.adaptive:
            error = estimate(run)
            if error > 1.0 and isfinite(error):
                step_control.after_rejected(run, error)
                continue
        if not run.table.uses_end:
            end_slope(f, run, end)
        need = NOT_FINITE
        held_back = False
        if isfinite(error) and finite(n, run.y_new) and finite(n, end):
            held_back = stiff(run, end)
            need = need_with_slopes(g, run, run.slopes, end)
        if need == TOO_LONG:
            step_control.after_passed(run)
            continue
        if need == NOT_FINITE:
            answer = step_control.after_trouble(run, NOT_FINITE)
            if answer != PAUSED:
                return answer
            continue
        if run.adaptive:
            step_control.after_accepted(run, error)
        if need == DENSE:
            polynomial(f, run)
        answer = make_step(g, run)
        if answer == TOO_LONG:
            step_control.after_passed(run)
            continue
        if run.fresh:
            for j in range(n):
                run.slopes[j] = end[j]
        if answer != PAUSED:
            return answer
        if held_back:
            return STIFF
    return step_control.ended(run)


@native
def begin(f: Kernel, run: ExplicitMemory) -> None:
    """The first slope, unless it is known from the step before.

    What `prepare` finds may change f, so the slope is computed anew after it.
    """
    step_control.prepared(run)
    if run.prepared:
        run.fresh = False
    if not run.fresh:
        f(run.clock, run.y, run.slopes)
        run.evaluations += 1
        run.fresh = True


@native
def end_slope(f: Kernel, run: ExplicitMemory, end: Array) -> None:
    """f at the end of the step."""
    run.clock[0] = run.t_new
    f(run.clock, run.y_new, end)
    run.evaluations += 1


@native
def stages(f: Kernel, run: ExplicitMemory, y: Array, y_new: Array) -> None:
    """The slopes after the first, and y_new; the state of the last stage stays in `spot`."""
    n, h = run.size, run.dt
    s = run.table.stages
    for i in range(1, s):
        moved(run.table, i - 1, n, h, run.slopes, y, run.spot)
        run.clock[0] = run.t + run.table.nodes[i] * h
        f(run.clock, run.spot, at(run.slopes, i * n))
    run.evaluations += s - 1
    # the new state is rounded once
    total(run.table, s - 1, n, run.slopes, y_new)
    for j in range(n):
        y_new[j] = y[j] + h * y_new[j]


@native
def estimate(run: ExplicitMemory) -> float:
    """The mean square of the error of a step, in tolerances.

    Where a method has two estimates, the second (of low order) damps the first [HNW, II.10].
    """
    n, work = run.size, run.dense
    row = run.table.stages
    scale = run.dt * run.dt * run.mean
    per = at(work, n)
    per_tolerance(run, per)
    total(run.table, row, n, run.slopes, work)
    first = squares(n, work, per)
    if run.table.errors == 1 or first == 0.0:
        return first * scale
    total(run.table, row + 1, n, run.slopes, work)
    return first * (first / (first + 0.01 * squares(n, work, per))) * scale


@native
def stiff(run: ExplicitMemory, end: Array) -> bool:
    """Whether stability has limited the steps for a while [HNW, IV.2].

    The last stage and the new state belong to one time; the quotient of the differences of their
    slopes and of themselves estimates the largest |λ| nearby.
    """
    if not run.adaptive or not run.watch_stiffness:
        return False
    if run.steps % LOOK != 0 and run.stiff_hits == 0:
        return False
    last = at(run.slopes, (run.table.stages - 1) * run.size)
    above, below = 0.0, 0.0
    for j in range(run.size):
        d = end[j] - last[j]
        above += d * d
        d = run.y_new[j] - run.spot[j]
        below += d * d
    if run.dt * run.dt * above > run.stable * run.stable * below:
        run.stiff_misses = 0
        run.stiff_hits += 1
        if run.stiff_hits == HITS:
            run.stiff_hits = 0
            return True
    elif run.stiff_hits > 0:
        run.stiff_misses += 1
        if run.stiff_misses == MISSES:
            run.stiff_hits = 0
            run.stiff_misses = 0
    return False


@native
def polynomial(f: Kernel, run: ExplicitMemory) -> None:
    """The dense output of the step, with its extra slopes."""
    n, h = run.size, run.dt
    s = run.table.stages
    hermite(run, run.slopes, at(run.slopes, s * n))
    row = s + run.table.errors
    for i in range(run.table.extras):
        moved(run.table, row + i, n, h, run.slopes, run.y, run.spot)
        run.clock[0] = run.t + run.table.nodes[s + i] * h
        f(run.clock, run.spot, at(run.slopes, (s + 1 + i) * n))
    run.evaluations += run.table.extras
    row += run.table.extras
    for i in range(run.table.more):
        out = at(run.dense, (3 + i) * n)
        total(run.table, row + i, n, run.slopes, out)
        for j in range(n):
            out[j] *= h


def explicit(name: str) -> Method:
    """One of the methods of `explicit_tables`."""
    method = table(name)

    def fields(options: dict[str, Any], size: int) -> dict[str, Any]:
        return dict(table=method.rows, slope_count=method.slopes)

    keys = ("order", "error", "dense_rows", "exponents", "limits", "stable")
    own: dict[str, Any] = {key: getattr(method, key) for key in keys}
    return Method(name, advance=advance_explicit, memory=ExplicitMemory, fields=fields, **own)


for _name in ("rk4", "order5", "order8"):
    register(explicit(_name))
