"""Runs of one system side by side in lanes, blocks of them on all cores.

Everything is as in one run by the same method: the first step, the tolerances, the steps. So the rows have
the same bits as those of `simulate` with the same numbers, whatever the other runs are.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.llvm.llvm import cores
from hapsis.compiler.native.lane_kernels import bound_lanes
from hapsis.mechanics.model.units import energy_unit
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.run.energy_watchdog import LEAST, NOTHING
from hapsis.motion.simulate.run.integrator import LOOSE, least_work
from hapsis.motion.simulate.run.run_options import RunOptions
from hapsis.motion.solvers.integrators.explicit_lanes import LaneMemory, advance_lanes
from hapsis.motion.solvers.integrators.explicit_tables import table
from hapsis.motion.solvers.integrators.first_step import NO_GUESS, SMALL
from hapsis.motion.solvers.run.integration_arguments import LEAST_PART
from hapsis.motion.solvers.run.run_memory import PAUSED

Array = np.ndarray[Any, np.dtype[np.float64]]
CHUNK = 1_000  # steps between two looks of Python at a block


class LaneRuns(NamedTuple):
    """What came out of many runs: rows of one run after those of another."""

    answer: Any  # of each run, see `run_memory`
    t: Array  # of each run, its last time
    last: Array  # of each run, its last state
    samples: Array  # runs, times, numbers; NaN after the end of a run that stopped
    counts: dict[str, Any]  # of each run: steps, rejected, evaluations


def lane_runs(
    kernels: Kernels,
    options: RunOptions,
    span: tuple[float, float],
    y: Array,
    samples: Array,
    p: Callable[[Any], Any],
    threads: int | None,
    reached: Callable[[int], None],
) -> LaneRuns:
    """The runs from the rows of y; `reached` is told how many are done.

    p    gives, for a Function, its parameters for each run, one row each; None where all have the stored
    """
    system = kernels.system
    motion = system.motion()
    f, rows = kernels.compiled(motion), p(motion)
    count, size = y.shape
    lanes, method = f.kernel.wide, table(options.method)
    atol = _tolerances(kernels, options, span[0], y, p)
    h = _first_steps(f, rows, options, span, y, atol, method.error)
    memories = [(start, min(lanes, count - start)) for start in range(0, count, lanes)]
    out = LaneRuns(
        np.zeros(count, np.int64),
        np.zeros(count),
        np.zeros((count, size)),
        np.full((count, len(samples), size), np.nan),
        {name: np.zeros(count, np.int64) for name in ("steps", "rejected", "evaluations")},
    )

    def work(block: tuple[int, int]) -> None:
        start, used = block
        # unused lanes repeat the last run
        mine = np.minimum(np.arange(start, start + lanes), count - 1)
        kernel = bound_lanes(f, ("t", "y", "dy"), lanes)
        if rows is not None:
            kernel.set_parameters(rows[mine])
        memory = LaneMemory(
            table=method.rows,
            lanes=lanes,
            size=size,
            slope_count=method.slopes,
            dense_rows=method.dense_rows,
            quaternion_count=len(system.quaternions),
            sample_count=len(samples),
            t_end=span[1],
            least_step=LEAST_PART * abs(span[1] - span[0]),
            rtol=options.tolerance,
            mean=1.0 / size,
            grow=method.limits[1],
            shrink=method.limits[0],
            halvings=method.exponents[0],
            power=method.exponents[1],
            past_power=method.exponents[2],
            stable=method.stable,
            watch_stiffness=options.stiffness and method.stable > 0,
            limit=options.limit,
            t=np.full(lanes, span[0]),
            h=h[mine],
            past=np.ones(lanes),
            y=y[mine].T.ravel(),
            atol=atol[mine].T.ravel(),
            quaternions=np.array(system.quaternions, np.int64),
            sample_times=samples,
        )
        memory.samples[:] = np.nan
        at_start = int((samples == span[0]).sum())
        filled = memory.samples.reshape(lanes, len(samples), size)
        filled[:, :at_start] = y[mine][:, None]
        memory.sample[:] = at_start
        memory.evaluations[:] = 2  # of the first step
        while advance_lanes(kernel, memory, CHUNK) == PAUSED:
            pass
        to = slice(start, start + used)
        out.answer[to], out.t[to] = memory.answer[:used], memory.t[:used]
        out.last[to] = memory.y.reshape(size, lanes).T[:used]
        out.samples[to] = filled[:used]
        for name, numbers in out.counts.items():
            numbers[to] = getattr(memory, name)[:used]

    with ThreadPoolExecutor(threads or cores()) as pool:
        for (start, used), _ in zip(memories, pool.map(work, memories), strict=True):
            reached(start + used)
    return out


def _tolerances(kernels: Kernels, options: RunOptions, t: float, y: Array, p: Callable[[Any], Any]) -> Array:
    """The absolute errors allowed of each run: see `integrator.integration`."""
    function, tolerance = kernels.system.energies(), options.tolerance
    rows = p(function)
    call = {} if rows is None else {"p": rows}
    energies = function.outputs_by_name(kernels.compiled(function)(np.full(len(y), t), y, **call))
    kinetic, potential = energies["kinetic"], energies["potential"]
    rest = LEAST * (np.abs(kinetic) + np.abs(potential)) + NOTHING * energy_unit(kernels.system.model)
    atol = np.tile(tolerance * 1e-3 * kernels.system.units, (len(y), 1))
    atol[:, -1] = np.maximum(LOOSE * tolerance * (kinetic + rest), least_work(kernels, tolerance))
    return atol


def _first_steps(
    f: Any, rows: Any, options: RunOptions, span: tuple[float, float], y: Array, atol: Array, order: int
) -> Array:
    """The first step of each run: see `first_step`."""
    call = {} if rows is None else {"p": rows}
    longest = abs(span[1] - span[0])
    t, scale = np.full(len(y), span[0]), atol + options.tolerance * np.abs(y)
    mean = 1.0 / y.shape[1]

    def size(x: Any) -> Any:
        return np.sqrt(np.square(x / scale).sum(axis=1) * mean)

    with np.errstate(all="ignore"):
        here = f(t, y, **call)
        d0, d1 = size(y), size(here)
        h = np.where(np.minimum(d0, d1) > SMALL, 0.01 * d0 / d1, NO_GUESS)
        h = np.minimum(h, longest)
        there = f(t + h, y + h[:, None] * here, **call)
        d2 = size(there - here) / h
        most = np.maximum(d1, d2)
        # powers of single numbers: NumPy's of arrays may differ in the last bit
        powers = np.array([x ** (1 / order) for x in (0.01 / most).tolist()])
        better = np.where(most <= 1e-15, np.maximum(1e-6, 1e-3 * h), powers)
        best = np.minimum(np.minimum(100 * h, better), longest)
        best = np.where(np.isfinite(d2), best, h)
    return np.where(np.isfinite(d1), best, 0.0)
