"""The semi-implicit Euler method: velocities first, positions with the new velocities.

    v += h a(q, v),    q += h rates(q, v new),    the rest += h f

Order 1. On mechanical systems without damping its energy stays bounded, unlike that of the explicit
method, at the same price. y is [q, v, rest].
"""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Kernel, at, constant, native, record, sized
from hapsis.errors import SolveError
from hapsis.motion.solvers.events.dense_output import normalised
from hapsis.motion.solvers.events.samples_and_events import make_step, need_of_step
from hapsis.motion.solvers.integrators.method import Method, register
from hapsis.motion.solvers.integrators.step_control import after_trouble, ended, next_step, prepared
from hapsis.motion.solvers.run.run_memory import DENSE, NOT_FINITE, PAUSED, RunMemory


@record
class EulerMemory(RunMemory):
    """The memory of a run, and what the semi-implicit Euler method needs besides."""

    rates: Kernel  # rates(t, y, dy): how positions change
    n_q: int = constant()  # positions, and behind them velocities
    n_v: int = constant()
    slopes: Array = sized("2 * size")


@native
def advance_euler(f: Kernel, g: Kernel, run: EulerMemory) -> int:
    """The answer after at most `budget` steps; see `run_memory`."""
    for _ in range(run.budget):
        answer = next_step(run)
        if answer != PAUSED:
            return answer
        prepared(run)
        euler_step(f, run)
        normalised(run.quaternion_count, run.quaternions, run.y_new)
        need = need_of_step(g, run)
        if need == NOT_FINITE:
            return after_trouble(run, NOT_FINITE)
        if need == DENSE:
            for j in range(run.size):
                run.dense[j] = run.y_new[j] - run.y[j]
        answer = make_step(g, run)
        if answer != PAUSED:
            return answer
    return ended(run)


@native
def euler_step(f: Kernel, run: EulerMemory) -> None:
    """One step from y to y_new."""
    h = run.dt
    n, n_q, moving = run.size, run.n_q, run.n_q + run.n_v
    y, y_new, slope = run.y, run.y_new, run.slopes
    run.clock[0] = run.t
    f(run.clock, y, slope)
    for j in range(n_q):
        y_new[j] = y[j]
    for j in range(n_q, moving):
        y_new[j] = y[j] + h * slope[j]
    # the positions go with the new velocities; the rest is still that of the start
    for j in range(moving, n):
        y_new[j] = y[j]
    run.clock[0] = run.t_new
    run.rates(run.clock, y_new, at(slope, n))
    for j in range(n_q):
        y_new[j] = y[j] + h * slope[n + j]
    for j in range(moving, n):
        y_new[j] = y[j] + h * slope[j]
    run.evaluations += 1


def fields(options: dict[str, Any], size: int) -> dict[str, Any]:
    """What the memory has besides: the kernel of the rates, and what is a position or a velocity."""
    rates, split = options.get("rates"), options.get("split")
    if rates is None or split is None or sum(split) > size:
        raise SolveError(
            '"euler" needs to know what positions and velocities are', expected="rates= and split=(nq, nv)"
        )
    return dict(rates=rates, n_q=split[0], n_v=split[1])


def trial(run: EulerMemory) -> None:
    """Calls the kernel of the rates."""
    run.rates(run.clock[:1], run.y, np.zeros(run.size))


register(Method("euler", 1, 0, 1, advance_euler, EulerMemory, ("rates", "split"), fields, trial))
