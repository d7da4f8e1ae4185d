"""Explicit Runge-Kutta methods, by their tables, with fixed or adaptive steps.

The last slope of a step is the first of the next, so that a step costs as many evaluations as the
method has stages. Extra slopes of the dense output are computed only for steps that need it.
"""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, Kernel, at, isfinite, native
from hapsis.motion.solvers.events.dense_output import hermite, normalised
from hapsis.motion.solvers.events.samples_and_events import looked, settled
from hapsis.motion.solvers.integrators.error_norms import finite, per_tolerance, squares
from hapsis.motion.solvers.integrators.explicit_tables import (
    ERRORS,
    EXTRAS,
    MORE,
    NODES,
    STAGES,
    STARTS,
    USES_END,
    table,
)
from hapsis.motion.solvers.integrators.family import Family
from hapsis.motion.solvers.integrators.step_control import (
    after_accepted,
    after_rejected,
    after_trouble,
    ended,
    next_step,
)
from hapsis.motion.solvers.integrators.weighted_sums import moved, total
from hapsis.motion.solvers.run.run_memory import (
    ADAPTIVE,
    DENSE,
    DT,
    EVALUATIONS,
    FRESH,
    MEAN,
    NOT_FINITE,
    PAUSED,
    PREPARED,
    QUATERNIONS,
    RTOL,
    SIZE,
    STABLE,
    STEPS,
    STIFF,
    STIFF_HITS,
    STIFF_MISSES,
    T_NEW,
    WATCH,
    T,
)

LOOK = 100  # steps between two looks for stiffness
HITS = 15  # steps in a row, nearly, that stability limits: the problem is stiff
MISSES = 6  # steps in a row that it does not: it is not


@native
def advance_explicit(
    f: Kernel,
    g: Kernel,
    prepare: Kernel,
    budget: int,
    real: Array,
    count: Ints,
    shape: Ints,
    places: Ints,
    weights: Array,
    slopes: Array,
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
    end = at(slopes, shape[STAGES] * n)
    for _ in range(budget):
        answer = next_step(real, count)
        if answer != PAUSED:
            return answer
        begin(f, prepare, real, count, y, slopes, clock)
        stages(f, real, count, shape, places, weights, y, y_new, slopes, spot, clock)
        normalised(count[QUATERNIONS], quaternions, y_new)
        if shape[USES_END] != 0:
            end_slope(f, real, count, y_new, end, clock)
        error = 0.0
        if count[ADAPTIVE] != 0:
            error = estimate(real, count, shape, places, weights, y, y_new, atol, slopes, dense)
            if error > 1.0 and isfinite(error):
                after_rejected(real, count, error)
                continue
        if shape[USES_END] == 0:
            end_slope(f, real, count, y_new, end, clock)
        need = NOT_FINITE
        held_back = False
        if isfinite(error) and finite(n, y_new) and finite(n, end):
            held_back = stiff(real, count, y_new, spot, at(slopes, (shape[STAGES] - 1) * n), end)
            need = looked(g, real, count, y, y_new, slopes, end, True, spot, signals, samples, clock)
        if need == NOT_FINITE:
            answer = after_trouble(real, count, NOT_FINITE)
            if answer != PAUSED:
                return answer
            continue
        if count[ADAPTIVE] != 0:
            after_accepted(real, count, error)
        if need == DENSE:
            polynomial(f, real, count, shape, places, weights, y, y_new, slopes, dense, spot, clock)
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
        if count[FRESH] != 0:
            for j in range(n):
                slopes[j] = end[j]
        if answer != PAUSED:
            return answer
        if held_back:
            return STIFF
    return ended(real)


@native
def begin(
    f: Kernel, prepare: Kernel, real: Array, count: Ints, y: Array, slopes: Array, clock: Array
) -> None:
    """The first slope, unless it is known from the step before.

    What `prepare` finds may change f, so the slope is computed anew after it.
    """
    clock[0] = real[T]
    if count[PREPARED] != 0:
        clock[1] = real[DT]
        prepare(at(clock, 1), clock, y)
        count[FRESH] = 0
    if count[FRESH] == 0:
        f(clock, y, slopes)
        count[EVALUATIONS] += 1
        count[FRESH] = 1


@native
def end_slope(f: Kernel, real: Array, count: Ints, y_new: Array, end: Array, clock: Array) -> None:
    """f at the end of the step."""
    clock[0] = real[T_NEW]
    f(clock, y_new, end)
    count[EVALUATIONS] += 1


@native
def stages(
    f: Kernel,
    real: Array,
    count: Ints,
    shape: Ints,
    places: Ints,
    weights: Array,
    y: Array,
    y_new: Array,
    slopes: Array,
    spot: Array,
    clock: Array,
) -> None:
    """The slopes after the first, and y_new; the last state asked about stays in `spot`."""
    n = count[SIZE]
    s = shape[STAGES]
    h = real[DT]
    starts = at(shape, STARTS)
    for i in range(1, s):
        moved(n, starts[i - 1], starts[i], h, places, weights, slopes, y, spot)
        clock[0] = real[T] + weights[shape[NODES] + i] * h
        f(clock, spot, at(slopes, i * n))
    count[EVALUATIONS] += s - 1
    # the new state is rounded once
    total(n, starts[s - 1], starts[s], places, weights, slopes, y_new)
    for j in range(n):
        y_new[j] = y[j] + h * y_new[j]


@native
def estimate(
    real: Array,
    count: Ints,
    shape: Ints,
    places: Ints,
    weights: Array,
    y: Array,
    y_new: Array,
    atol: Array,
    slopes: Array,
    work: Array,
) -> float:
    """The mean square of the error of a step, in tolerances.

    Where a method has two estimates, the second (of low order) damps the first [HNW, II.10].
    """
    n = count[SIZE]
    row = STARTS + shape[STAGES]
    scale = real[DT] * real[DT] * real[MEAN]
    per = at(work, n)
    per_tolerance(n, real[RTOL], atol, y, y_new, per)
    total(n, shape[row], shape[row + 1], places, weights, slopes, work)
    first = squares(n, work, per)
    if shape[ERRORS] == 1 or first == 0.0:
        return first * scale
    total(n, shape[row + 1], shape[row + 2], places, weights, slopes, work)
    return first * (first / (first + 0.01 * squares(n, work, per))) * scale


@native
def stiff(real: Array, count: Ints, y_new: Array, spot: Array, last: Array, end: Array) -> bool:
    """Whether stability has limited the steps for a while [HNW, IV.2].

    The last stage and the new state belong to one time; the quotient of the differences of their
    slopes and of themselves tells the largest |λ| nearby.
    """
    if count[ADAPTIVE] == 0 or count[WATCH] == 0:
        return False
    if count[STEPS] % LOOK != 0 and count[STIFF_HITS] == 0:
        return False
    above, below = 0.0, 0.0
    for j in range(count[SIZE]):
        d = end[j] - last[j]
        above += d * d
        d = y_new[j] - spot[j]
        below += d * d
    if real[DT] * real[DT] * above > real[STABLE] * real[STABLE] * below:
        count[STIFF_MISSES] = 0
        count[STIFF_HITS] += 1
        if count[STIFF_HITS] == HITS:
            count[STIFF_HITS] = 0
            return True
    elif count[STIFF_HITS] > 0:
        count[STIFF_MISSES] += 1
        if count[STIFF_MISSES] == MISSES:
            count[STIFF_HITS] = 0
            count[STIFF_MISSES] = 0
    return False


@native
def polynomial(
    f: Kernel,
    real: Array,
    count: Ints,
    shape: Ints,
    places: Ints,
    weights: Array,
    y: Array,
    y_new: Array,
    slopes: Array,
    dense: Array,
    spot: Array,
    clock: Array,
) -> None:
    """The dense output of the step, with its extra slopes."""
    n = count[SIZE]
    s = shape[STAGES]
    h = real[DT]
    starts = at(shape, STARTS)
    hermite(n, h, y, y_new, slopes, at(slopes, s * n), dense)
    row = s + shape[ERRORS]
    for i in range(shape[EXTRAS]):
        moved(n, starts[row + i], starts[row + i + 1], h, places, weights, slopes, y, spot)
        clock[0] = real[T] + weights[shape[NODES] + s + i] * h
        f(clock, spot, at(slopes, (s + 1 + i) * n))
    count[EVALUATIONS] += shape[EXTRAS]
    row += shape[EXTRAS]
    for i in range(shape[MORE]):
        out = at(dense, (3 + i) * n)
        total(n, starts[row + i], starts[row + i + 1], places, weights, slopes, out)
        for j in range(n):
            out[j] *= h


def explicit(name: str) -> Family:
    """One of the methods of `tables`."""
    method = table(name)

    def own(run: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        slopes = np.zeros(method.slopes * run.size)
        return (), (method.shape, method.places, method.weights, slopes)

    return Family(
        name=name,
        order=method.order,
        error=method.error,
        fixed=True,
        dense_rows=method.dense_rows,
        exponents=method.exponents,
        limits=method.limits,
        stable=method.stable,
        function=advance_explicit,
        own=own,
    )
