"""The implicit midpoint rule: symplectic, reversible, order 2, with fixed steps.

    Y = y + h/2 f(t + h/2, Y),    y new = y + h f(t + h/2, Y)

On canonical equations, y = [q, p, ...], it conserves the symplectic form and quadratic invariants,
and energy stays within a bound of order h² for very long times [HLW, VI.4 and IX.8]. These hold
only if Y is found to rounding: the iteration goes on until it changes nothing more. It is a plain
one, Y ← y + h/2 f(Y), so h must resolve the fastest oscillation; where it does not contract the run
says NOT_CONVERGED.
"""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, Kernel, at, native
from hapsis.motion.solvers.events.dense_output import hermite, normalised
from hapsis.motion.solvers.events.samples_and_events import looked, settled
from hapsis.motion.solvers.integrators.error_norms import finite
from hapsis.motion.solvers.integrators.family import Family
from hapsis.motion.solvers.integrators.step_control import ended, next_step
from hapsis.motion.solvers.run.run_memory import (
    DENSE,
    DT,
    EVALUATIONS,
    FRESH,
    NOT_CONVERGED,
    NOT_FINITE,
    PAUSED,
    PREPARED,
    QUATERNIONS,
    SIZE,
    T_NEW,
    T,
)

TINY = 1e-300  # so that a component that is and stays zero has a size
REACHED = 2e-17  # in parts of the state: the next change will be no change
ROUNDING = 1e-13  # changes that do not get smaller are rounding errors below this
CLOSE = 1e-9  # and may be, if f itself is not precise, below this
ROUNDS = 200
PATIENCE = 6  # rounds without progress


@native
def advance_midpoint(
    f: Kernel,
    g: Kernel,
    prepare: Kernel,
    budget: int,
    real: Array,
    count: Ints,
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
    """The answer after at most `budget` steps; see `layout`."""
    n = count[SIZE]
    for _ in range(budget):
        answer = next_step(real, count)
        if answer != PAUSED:
            return answer
        first_guess(f, prepare, real, count, y, slopes, atol, spot, clock)
        if not solved(f, real, count, y, slopes, spot, clock):
            return NOT_CONVERGED if finite(n, slopes) else NOT_FINITE
        for j in range(n):
            y_new[j] = y[j] + real[DT] * slopes[j]
        normalised(count[QUATERNIONS], quaternions, y_new)
        need = NOT_FINITE
        if finite(n, y_new):
            need = looked(g, real, count, y, y_new, y, y, False, spot, signals, samples, clock)
        if need == NOT_FINITE:
            return NOT_FINITE
        if need == DENSE:
            # slopes at the ends, which the method itself does not need
            here = at(slopes, 2 * n)
            there = at(slopes, 3 * n)
            clock[0] = real[T]
            f(clock, y, here)
            clock[0] = real[T_NEW]
            f(clock, y_new, there)
            count[EVALUATIONS] += 2
            hermite(n, real[DT], y, y_new, here, there, dense)
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
        if answer != PAUSED:
            return answer
    return ended(real)


@native
def first_guess(
    f: Kernel,
    prepare: Kernel,
    real: Array,
    count: Ints,
    y: Array,
    slopes: Array,
    atol: Array,
    spot: Array,
    clock: Array,
) -> None:
    """The first Y, in `spot`, from the slopes of the two steps before, and the sizes of changes."""
    n = count[SIZE]
    before = at(slopes, n)
    weight = at(slopes, 2 * n)
    h = real[DT]
    clock[0] = real[T]
    if count[PREPARED] != 0:
        clock[1] = h
        prepare(at(clock, 1), clock, y)
    if count[FRESH] == 0:
        f(clock, y, slopes)
        count[EVALUATIONS] += 1
        for j in range(n):
            before[j] = slopes[j]
    for j in range(n):
        slope = 2.0 * slopes[j] - before[j]
        before[j] = slopes[j]
        spot[j] = y[j] + 0.5 * h * slope
        weight[j] = 1.0 / (atol[j] + abs(y[j]) + abs(h * slope) + TINY)


@native
def solved(f: Kernel, real: Array, count: Ints, y: Array, slopes: Array, spot: Array, clock: Array) -> bool:
    """Whether Y was found; its slope is then the first of the slopes.

    Changes may alternate between coordinates and momenta, so progress is judged over some rounds.
    """
    n = count[SIZE]
    weight = at(slopes, 2 * n)
    half = 0.5 * real[DT]
    best, last, rate, bad = 1e300, 1e300, 1.0, 0
    clock[0] = real[T] + half
    for _ in range(ROUNDS):
        f(clock, spot, slopes)
        count[EVALUATIONS] += 1
        change = 0.0
        for j in range(n):
            new = y[j] + half * slopes[j]
            change = max(change, abs(new - spot[j]) * weight[j])
            spot[j] = new
        if not change < 1e300:
            return False
        # the slower of the last two contractions
        now = change / last
        if change == 0.0 or max(now, rate) * change <= REACHED:
            return finite(n, spot)
        rate = now
        last = change
        if change < best:
            best = change
            bad = 0
        else:
            bad += 1
            if best <= ROUNDING:
                return True
            if bad >= PATIENCE:
                return best <= CLOSE
    return best <= CLOSE


def midpoint() -> Family:
    """The method, for runs."""

    def own(run: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        return (), (np.zeros(4 * run.size),)

    return Family("symplectic", 2, 0, True, 3, advance_midpoint, own)
