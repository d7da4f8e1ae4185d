"""A Rosenbrock method for stiff problems: Rodas5P of Steinebach, order 5(4), stiffly accurate.

With W = 1/(γ h) - ∂f/∂y, each of eight stages is one linear solve, and no iteration can fail:

    W uᵢ = f(t + cᵢ h, y + Σ aᵢⱼ uⱼ) + Σ Cᵢⱼ uⱼ / h + dᵢ h ∂f/∂t,    y new = y + Σ mⱼ uⱼ

The last three stages each start where the one before ends, and u₈ is the error. On very stiff
problems u₈ is small even for steps that are too long to see what happens inside; so the dense
output is put into the equation halfway, and W⁻¹ times what is left over is an error too. One
Jacobian per step made, one factorisation per step tried. Where W is singular, a shorter step is
tried.
Reference: that of `rodas5p`.
"""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, Kernel, at, isfinite, native
from hapsis.errors import SolveError
from hapsis.motion.solvers.events.dense_output import normalised
from hapsis.motion.solvers.events.samples_and_events import looked, settled
from hapsis.motion.solvers.integrators.error_norms import finite, per_tolerance, squares
from hapsis.motion.solvers.integrators.family import Family
from hapsis.motion.solvers.integrators.rodas5p_table import DENSE_OUTPUT, GAMMA, NODES, TIMES, A, C
from hapsis.motion.solvers.integrators.step_control import (
    after_accepted,
    after_rejected,
    after_trouble,
    ended,
    next_step,
)
from hapsis.motion.solvers.integrators.weighted_sums import flat_rows, total
from hapsis.motion.solvers.linear.partial_pivot_lu import factored, solve_factored
from hapsis.motion.solvers.run.run_memory import (
    ADAPTIVE,
    DENSE,
    DT,
    EVALUATIONS,
    FRESH,
    JACOBIANS,
    MEAN,
    NOT_CONVERGED,
    NOT_FINITE,
    PAUSED,
    PREPARED,
    QUATERNIONS,
    RTOL,
    SIGNALS,
    SIZE,
    T_NEW,
    T,
)

STAGES = 8
ROWED = 6  # stages up to here have rows of their own; the others start where the one before ends
C_ROWS = len(A)  # rows of C start here, those of the dense output here:
DENSE_ROWS = len(A) + len(C)


@native
def advance_rosenbrock(
    f: Kernel,
    g: Kernel,
    prepare: Kernel,
    jacobian: Kernel,
    budget: int,
    real: Array,
    count: Ints,
    starts: Ints,
    places: Ints,
    weights: Array,
    stages: Array,
    slopes: Array,
    J: Array,
    W: Array,
    pivots: Ints,
    y: Array,
    y_new: Array,
    atol: Array,
    dense: Array,
    spot: Array,
    samples: Array,
    sampled: Array,
    signals: Array,
    marks: Ints,
    records: Array,
    quaternions: Ints,
    clock: Array,
) -> int:
    """The answer after at most `budget` tried steps; see `layout`."""
    n = count[SIZE]
    for _ in range(budget):
        answer = next_step(real, count)
        if answer != PAUSED:
            return answer
        linearised(f, prepare, jacobian, real, count, y, slopes, J, clock)
        why = NOT_FINITE
        error = 0.0
        if finite(n * n, J):
            why = NOT_CONVERGED
            if shifted(real, n, J, W, pivots):
                why = PAUSED
                eight(f, real, n, starts, places, weights, stages, slopes, W, pivots, y, y_new, clock)
                count[EVALUATIONS] += STAGES - 1
                normalised(count[QUATERNIONS], quaternions, y_new)
                per_tolerance(n, real[RTOL], atol, y, y_new, spot)
                error = real[MEAN] * squares(n, at(stages, (STAGES - 1) * n), spot)
                if count[ADAPTIVE] != 0 and error <= 1.0:
                    polynomial(n, starts, places, weights, stages, y, y_new, dense)
                    defect(f, real, n, slopes, W, pivots, y, dense, at(slopes, 3 * n), clock)
                    count[EVALUATIONS] += 1
                    error = max(error, real[MEAN] * squares(n, at(slopes, 2 * n), spot))
                if not (isfinite(error) and finite(n, y_new)):
                    why = NOT_FINITE
        if why == PAUSED and count[ADAPTIVE] != 0 and error > 1.0:
            after_rejected(real, count, error)
            continue
        need = why
        if why == PAUSED:
            end = at(slopes, 2 * n)
            if count[SIGNALS] > 0:
                clock[0] = real[T_NEW]
                f(clock, y_new, end)
                count[EVALUATIONS] += 1
            need = looked(g, real, count, y, y_new, slopes, end, True, spot, signals, samples, clock)
        if why != PAUSED or need == NOT_FINITE:
            answer = after_trouble(real, count, need)
            if answer != PAUSED:
                return answer
            continue
        if count[ADAPTIVE] != 0:
            after_accepted(real, count, error)
        if need == DENSE and count[ADAPTIVE] == 0:
            polynomial(n, starts, places, weights, stages, y, y_new, dense)
        answer = settled(
            g,
            real,
            count,
            y,
            y_new,
            dense,
            spot,
            samples,
            sampled,
            signals,
            marks,
            records,
            quaternions,
            clock,
        )
        count[FRESH] = 0
        if answer != PAUSED:
            return answer
    return ended(real)


@native
def linearised(
    f: Kernel,
    prepare: Kernel,
    jacobian: Kernel,
    real: Array,
    count: Ints,
    y: Array,
    slopes: Array,
    J: Array,
    clock: Array,
) -> None:
    """f, ∂f/∂y and ∂f/∂t at the start, unless they are known from a rejected step."""
    n = count[SIZE]
    clock[0] = real[T]
    if count[PREPARED] != 0:
        clock[1] = real[DT]
        prepare(at(clock, 1), clock, y)
        count[FRESH] = 0
    if count[FRESH] == 0:
        f(clock, y, slopes)
        jacobian(clock, y, J, at(slopes, n))
        count[EVALUATIONS] += 1
        count[JACOBIANS] += 1
        count[FRESH] = 1


@native
def shifted(real: Array, n: int, J: Array, W: Array, pivots: Ints) -> bool:
    """Whether W = 1/(γ h) - J, stored by columns, is regular; it is then factored."""
    shift = 1.0 / (GAMMA * real[DT])
    for j in range(n):
        for i in range(n):
            W[j * n + i] = -J[i * n + j]
        W[j * n + j] += shift
    return factored(n, W, pivots)


@native
def eight(
    f: Kernel,
    real: Array,
    n: int,
    starts: Ints,
    places: Ints,
    weights: Array,
    stages: Array,
    slopes: Array,
    W: Array,
    pivots: Ints,
    y: Array,
    y_new: Array,
    clock: Array,
) -> None:
    """The stages u, and y_new.

    `slopes` holds f at the start, ∂f/∂t and f at the stage; `y_new` the states asked about.
    """
    h = real[DT]
    per_step = 1.0 / h
    nodes = at(weights, starts[DENSE_ROWS + 3])
    f_t = at(slopes, n)
    for i in range(STAGES):
        u = at(stages, i * n)
        slope = slopes if i == 0 else at(slopes, 2 * n)
        if i > 0:
            if i < ROWED:
                total(n, starts[i - 1], starts[i], places, weights, stages, y_new)
                for j in range(n):
                    y_new[j] += y[j]
            else:
                before = at(stages, (i - 1) * n)
                for j in range(n):
                    y_new[j] += before[j]
            clock[0] = real[T] + nodes[i] * h if i < ROWED - 1 else real[T_NEW]
            f(clock, y_new, slope)
            row = C_ROWS + i - 1
            total(n, starts[row], starts[row + 1], places, weights, stages, u)
            for j in range(n):
                u[j] = slope[j] + per_step * u[j]
        else:
            for j in range(n):
                u[j] = slope[j]
        if i < ROWED - 1:
            part = nodes[ROWED - 1 + i] * h
            for j in range(n):
                u[j] += part * f_t[j]
        solve_factored(n, W, pivots, u)
    last = at(stages, (STAGES - 1) * n)
    for j in range(n):
        y_new[j] += last[j]


@native
def defect(
    f: Kernel,
    real: Array,
    n: int,
    slopes: Array,
    W: Array,
    pivots: Ints,
    y: Array,
    dense: Array,
    spot: Array,
    clock: Array,
) -> None:
    """How far the dense output is from a solution halfway, as a difference of states.

    It comes third in `slopes`.
    """
    out = at(slopes, 2 * n)
    per_step = 1.0 / real[DT]
    second = at(dense, n)
    third = at(dense, 2 * n)
    fourth = at(dense, 3 * n)
    for j in range(n):
        spot[j] = y[j] + 0.5 * dense[j] + 0.25 * (second[j] + 0.5 * third[j] + 0.25 * fourth[j])
    clock[0] = real[T] + 0.5 * real[DT]
    f(clock, spot, out)
    for j in range(n):
        out[j] -= per_step * (dense[j] + 0.25 * third[j])
    solve_factored(n, W, pivots, out)


@native
def polynomial(
    n: int, starts: Ints, places: Ints, weights: Array, stages: Array, y: Array, y_new: Array, dense: Array
) -> None:
    """The dense output of the step."""
    for j in range(n):
        dense[j] = y_new[j] - y[j]
    for i in range(3):
        row = DENSE_ROWS + i
        out = at(dense, (1 + i) * n)
        total(n, starts[row], starts[row + 1], places, weights, stages, out)


def rosenbrock() -> Family:
    """The method, for runs."""

    def own(run: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        if run.jacobian is None:
            raise SolveError('"stiff" needs the Jacobian of f', expected="jacobian=")
        n = run.size
        first, second, third = DENSE_OUTPUT
        # K₂ + θ K₃ as (K₂ + K₃) + (1-θ) (-K₃), the form that all methods share
        rows = [*A, *C, first, second + third, -third]
        starts, places, weights = flat_rows(dict(enumerate(row)) for row in rows)
        weights = np.array([*weights, *NODES, *TIMES])
        work = np.zeros(STAGES * n), np.zeros(4 * n), np.zeros(n * n), np.zeros(n * n)
        return (run.jacobian,), (starts, places, weights, *work, np.zeros(n, np.int64))

    return Family(
        name="stiff",
        order=5,
        error=5,
        fixed=True,
        dense_rows=4,
        function=advance_rosenbrock,
        own=own,
        exponents=(7, 11, 2),
        limits=(0.2, 6.0),
    )
