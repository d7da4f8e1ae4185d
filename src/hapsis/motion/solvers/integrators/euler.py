"""The semi-implicit Euler method: velocities first, positions with the new velocities.

    v += h a(q, v),    q += h rates(q, v new),    the rest += h f

Order 1. On mechanical systems without damping its energy stays bounded, unlike that of the explicit
method, at the same price. y is [q, v, rest].
"""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, Kernel, at, native
from hapsis.errors import SolveError
from hapsis.motion.solvers.events.dense_output import normalised
from hapsis.motion.solvers.events.samples_and_events import looked, settled
from hapsis.motion.solvers.integrators.error_norms import finite
from hapsis.motion.solvers.integrators.family import Family
from hapsis.motion.solvers.integrators.step_control import after_trouble, ended, next_step
from hapsis.motion.solvers.run.run_memory import (
    DENSE,
    DT,
    EVALUATIONS,
    NOT_FINITE,
    PAUSED,
    PREPARED,
    QUATERNIONS,
    SIZE,
    T_NEW,
    T,
)


@native
def advance_euler(
    f: Kernel,
    g: Kernel,
    prepare: Kernel,
    rates: Kernel,
    budget: int,
    real: Array,
    count: Ints,
    split: Ints,
    slope: Array,
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
        if count[PREPARED] != 0:
            clock[0] = real[T]
            clock[1] = real[DT]
            prepare(at(clock, 1), clock, y)
        euler_step(f, rates, real, count, split, slope, y, y_new, clock)
        normalised(count[QUATERNIONS], quaternions, y_new)
        need = NOT_FINITE
        if finite(n, y_new):
            need = looked(g, real, count, y, y_new, y, y, False, spot, signals, samples, clock)
        if need == NOT_FINITE:
            return after_trouble(real, count, NOT_FINITE)
        if need == DENSE:
            for j in range(n):
                dense[j] = y_new[j] - y[j]
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
def euler_step(
    f: Kernel,
    rates: Kernel,
    real: Array,
    count: Ints,
    split: Ints,
    slope: Array,
    y: Array,
    y_new: Array,
    clock: Array,
) -> None:
    """One step from y to y_new."""
    h = real[DT]
    nq = split[0]
    clock[0] = real[T]
    f(clock, y, slope)
    for j in range(nq):
        y_new[j] = y[j]
    for j in range(nq, nq + split[1]):
        y_new[j] = y[j] + h * slope[j]
    # the positions go with the new velocities; the rest is still that of the start
    for j in range(nq + split[1], count[SIZE]):
        y_new[j] = y[j]
    clock[0] = real[T_NEW]
    rates(clock, y_new, at(slope, count[SIZE]))
    for j in range(nq):
        y_new[j] = y[j] + h * slope[count[SIZE] + j]
    for j in range(nq + split[1], count[SIZE]):
        y_new[j] = y[j] + h * slope[j]
    count[EVALUATIONS] += 1


def euler() -> Family:
    """The method, for runs."""

    def own(run: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        if run.rates is None or run.split is None or sum(run.split) > run.size:
            raise SolveError(
                '"euler" needs to know what positions and velocities are',
                expected="rates= and split=(nq, nv)",
            )
        return (run.rates,), (np.array(run.split, np.int64), np.zeros(2 * run.size))

    return Family("euler", 1, 0, True, 1, advance_euler, own)
