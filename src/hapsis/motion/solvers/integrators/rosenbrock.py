"""A Rosenbrock method for stiff problems: Rodas5P of Steinebach, order 5(4), stiffly accurate.

With W = 1/(γ h) - ∂f/∂y, each of eight stages is one linear solve, and no iteration can fail:

    W uᵢ = f(t + cᵢ h, y + Σ aᵢⱼ uⱼ) + Σ Cᵢⱼ uⱼ / h + dᵢ h ∂f/∂t,    y new = y + Σ mⱼ uⱼ

The last three stages each start where the one before ends, and u₈ is the error. On very stiff
problems u₈ is small even for steps that are too long to see what happens inside; so the dense
output is put into the equation halfway, and W⁻¹ times what is left over is an error too. One
Jacobian per step made, one factorisation per step tried. Where W is singular, a shorter step is
tried.
Reference: that of `rodas5p_table`.
"""

from functools import cache
from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, Kernel, at, constant, isfinite, native, record, sized
from hapsis.errors import SolveError
from hapsis.motion.solvers.events.dense_output import normalised
from hapsis.motion.solvers.events.samples_and_events import make_step, need_with_slopes
from hapsis.motion.solvers.integrators import step_control
from hapsis.motion.solvers.integrators.error_norms import finite, per_tolerance, squares
from hapsis.motion.solvers.integrators.method import Method, register
from hapsis.motion.solvers.integrators.rodas5p_table import DENSE_OUTPUT, GAMMA, NODES, TIMES, A, C
from hapsis.motion.solvers.integrators.weighted_sums import WeightedRows, flat_rows, total
from hapsis.motion.solvers.linear.partial_pivot_lu import factored, solve_factored
from hapsis.motion.solvers.run.run_memory import DENSE, NOT_CONVERGED, NOT_FINITE, PAUSED, TOO_LONG, RunMemory

STAGES = 8
ROWED = 6  # stages up to here have rows of their own; the others start where the one before ends
C_ROWS = len(A)  # rows of C start here, those of the dense output here:
DENSE_ROWS = len(A) + len(C)


@record
class RosenbrockMemory(RunMemory):
    """The memory of a run, and what the Rosenbrock method needs besides."""

    jacobian: Kernel  # jacobian(t, y, J, ft)
    table: WeightedRows
    error: float = 0.0  # of the step that is tried: the mean square, in tolerances
    stage_count: int = constant(STAGES)
    timed: int = constant(ROWED - 1)  # stages that have a time of their own
    nodes: Array = sized("timed")  # c
    time_parts: Array = sized("timed")  # d
    stages: Array = sized("stage_count * size")  # u
    slope: Array = sized("size")  # f at the start
    slope_t: Array = sized("size")  # ∂f/∂t
    slope_stage: Array = sized("size")  # f at a stage; later the defect; later f at the end
    middle: Array = sized("size")  # the state halfway
    J: Array = sized("size * size")  # ∂f/∂y, by rows
    W: Array = sized("size * size")  # by columns, factored
    pivots: Ints = sized("size")


@native
def advance_rosenbrock(f: Kernel, g: Kernel, run: RosenbrockMemory) -> int:
    """The answer after at most `budget` tried steps; see `run_memory`."""
    for _ in range(run.budget):
        answer = step_control.next_step(run)
        if answer != PAUSED:
            return answer
        linearised(f, run)
        why = tried(f, run)
        if why == PAUSED and run.adaptive and run.error > 1.0:
            step_control.after_rejected(run, run.error)
            continue
        need = why
        if why == PAUSED:
            if run.event_count > 0:
                run.clock[0] = run.t_new
                f(run.clock, run.y_new, run.slope_stage)
                run.evaluations += 1
            need = need_with_slopes(g, run, run.slope, run.slope_stage)
        if need == TOO_LONG:
            step_control.after_passed(run)
            continue
        if why != PAUSED or need == NOT_FINITE:
            answer = step_control.after_trouble(run, need)
            if answer != PAUSED:
                return answer
            continue
        if run.adaptive:
            step_control.after_accepted(run, run.error)
        if need == DENSE and not run.adaptive:
            polynomial(run)
        answer = make_step(g, run)
        if answer == TOO_LONG:
            step_control.after_passed(run)
            continue
        run.fresh = False
        if answer != PAUSED:
            return answer
    return step_control.ended(run)


@native
def linearised(f: Kernel, run: RosenbrockMemory) -> None:
    """f, ∂f/∂y and ∂f/∂t at the start, unless they are known from a rejected step."""
    step_control.prepared(run)
    if run.prepared:
        run.fresh = False
    if not run.fresh:
        f(run.clock, run.y, run.slope)
        run.jacobian(run.clock, run.y, run.J, run.slope_t)
        run.evaluations += 1
        run.jacobians += 1
        run.fresh = True


@native
def tried(f: Kernel, run: RosenbrockMemory) -> int:
    """PAUSED with y_new, the error and, where steps adapt, the dense output; else why not."""
    n = run.size
    run.error = 0.0
    if not finite(n * n, run.J):
        return NOT_FINITE
    if not shifted(run):
        return NOT_CONVERGED
    eight(f, run)
    run.evaluations += STAGES - 1
    normalised(run.quaternion_count, run.quaternions, run.y_new)
    per_tolerance(run, run.spot)
    run.error = run.mean * squares(n, at(run.stages, (STAGES - 1) * n), run.spot)
    if run.adaptive and run.error <= 1.0:
        polynomial(run)
        defect(f, run)
        run.evaluations += 1
        run.error = max(run.error, run.mean * squares(n, run.slope_stage, run.spot))
    return PAUSED if isfinite(run.error) and finite(n, run.y_new) else NOT_FINITE


@native
def shifted(run: RosenbrockMemory) -> bool:
    """Whether W = 1/(γ h) - J, stored by columns, is regular; it is then factored."""
    n = run.size
    shift = 1.0 / (GAMMA * run.dt)
    for j in range(n):
        for i in range(n):
            run.W[j * n + i] = -run.J[i * n + j]
        run.W[j * n + j] += shift
    return factored(n, run.W, run.pivots)


@native
def eight(f: Kernel, run: RosenbrockMemory) -> None:
    """The stages u, and y_new, which holds the states of the stages before."""
    n, h, y_new = run.size, run.dt, run.y_new
    per_step = 1.0 / h
    for i in range(STAGES):
        u = at(run.stages, i * n)
        slope = run.slope if i == 0 else run.slope_stage
        if i > 0:
            if i < ROWED:
                total(run.table, i - 1, n, run.stages, y_new)
                for j in range(n):
                    y_new[j] += run.y[j]
            else:
                before = at(run.stages, (i - 1) * n)
                for j in range(n):
                    y_new[j] += before[j]
            run.clock[0] = run.t + run.nodes[i] * h if i < ROWED - 1 else run.t_new
            f(run.clock, y_new, slope)
            total(run.table, C_ROWS + i - 1, n, run.stages, u)
            for j in range(n):
                u[j] = slope[j] + per_step * u[j]
        else:
            for j in range(n):
                u[j] = slope[j]
        if i < ROWED - 1:
            part = run.time_parts[i] * h
            for j in range(n):
                u[j] += part * run.slope_t[j]
        solve_factored(n, run.W, run.pivots, u)
    last = at(run.stages, (STAGES - 1) * n)
    for j in range(n):
        y_new[j] += last[j]


@native
def defect(f: Kernel, run: RosenbrockMemory) -> None:
    """How far the dense output is from a solution halfway, as a difference of states.

    It is left in `slope_stage`.
    """
    n, dense, out = run.size, run.dense, run.slope_stage
    per_step = 1.0 / run.dt
    second = at(dense, n)
    third = at(dense, 2 * n)
    fourth = at(dense, 3 * n)
    for j in range(n):
        run.middle[j] = run.y[j] + 0.5 * dense[j] + 0.25 * (second[j] + 0.5 * third[j] + 0.25 * fourth[j])
    run.clock[0] = run.t + 0.5 * run.dt
    f(run.clock, run.middle, out)
    for j in range(n):
        out[j] -= per_step * (dense[j] + 0.25 * third[j])
    solve_factored(n, run.W, run.pivots, out)


@native
def polynomial(run: RosenbrockMemory) -> None:
    """The dense output of the step."""
    n = run.size
    for j in range(n):
        run.dense[j] = run.y_new[j] - run.y[j]
    for i in range(3):
        total(run.table, DENSE_ROWS + i, n, run.stages, at(run.dense, (1 + i) * n))


def fields(options: dict[str, Any], size: int) -> dict[str, Any]:
    """What the memory has besides: the Jacobian's kernel, and the table of the method."""
    if options.get("jacobian") is None:
        raise SolveError('"stiff" needs the Jacobian of f', expected="jacobian=")
    return dict(jacobian=options["jacobian"], table=rows(), nodes=NODES, time_parts=TIMES)


def trial(run: RosenbrockMemory) -> None:
    """Calls the kernel of the Jacobian."""
    run.jacobian(run.clock[:1], run.y, np.zeros(run.size**2), np.zeros(run.size))


@cache
def rows() -> WeightedRows:
    """The table of the method."""
    first, second, third = DENSE_OUTPUT
    # K₂ + θ K₃ as (K₂ + K₃) + (1-θ) (-K₃), the form that all methods share
    listed = [*A, *C, first, second + third, -third]
    return WeightedRows(**flat_rows(dict(enumerate(row)) for row in listed))


register(
    Method(
        name="stiff",
        order=5,
        error=5,
        dense_rows=4,
        advance=advance_rosenbrock,
        memory=RosenbrockMemory,
        options=("jacobian",),
        fields=fields,
        trial=trial,
        exponents=(7, 11, 2),
        limits=(0.2, 6.0),
    )
)
