"""Many runs of one model at once: what differs are numbers of the start and parameters.

Runs of trees without contacts, events and functions of time are made side by side in lanes (see
`lane_runs`). All others, and those that turn out stiff or fail, are made one after the other by `simulate`.
Either way each run has the bits that it has alone.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from hapsis.errors import notice
from hapsis.mechanics.model.checks.changed_values import parameter_values
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.result import GOOD, Result
from hapsis.mechanics.model.results import Results
from hapsis.motion.analysis.start_values import quaternions
from hapsis.motion.simulate.batch.lane_runs import lane_runs
from hapsis.motion.simulate.batch.run_table import RunTable
from hapsis.motion.simulate.batch.varied import Varied
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.tree_system import TreeSystem
from hapsis.motion.simulate.initial_value_problem import initial_value_problem
from hapsis.motion.simulate.run.result_builder import check_columns
from hapsis.motion.simulate.run.run_options import RunOptions, sample_times
from hapsis.motion.simulate.time_functions.step_limits import step_limits

Array = np.ndarray[Any, np.dtype[np.float64]]
METHODS = ("order5", "order8")  # that have a form for lanes


def simulate_many(
    model: Model,
    until: float,
    runs: Varied,
    options: RunOptions,
    alone: Callable[[int], Result],
    *,
    start: Any,
    near: Any,
    parameters: Mapping[str, Any] | None,
    every: float | None,
    inputs: Any,
    events: Any,
    threads: int | None,
    title: str,
) -> Results:
    """The motions of all runs; `alone` makes one, by its number."""
    began = time.perf_counter()
    first = runs.one(0, start, parameters)
    problem = initial_value_problem(model, Inputs(model, inputs), *first, near=near, keep=True)
    _check(model, runs)
    span = problem.span(until)
    times = sample_times(*span, every, len(problem.y))
    kernels = Kernels(problem.system, problem.parameters, threads)
    table = RunTable(kernels, runs, times)
    rest: Any = np.arange(runs.count)
    if _fit_into_lanes(kernels, runs, options, events, span):
        check_columns(problem.system)
        y = _starts(kernels, runs, problem.y)
        rest = table.take(lane_runs(kernels, options, span, y, times, table.parameters, threads), options)
    for k in rest:
        table.put(int(k), alone(int(k)))
    results = table.results(options.method, title, time.perf_counter() - began)
    failed = [k for k, status in enumerate(results.status) if status not in GOOD]
    if failed:
        k = failed[0]
        notice(
            f"{len(failed)} of {runs.count} runs did not succeed; the first is run {k}: {results.message[k]}"
        )
    return results


def _check(model: Model, runs: Varied) -> None:
    """Raises an error where the least or the largest value of a parameter is not possible."""
    for name, values in runs.parameters.items():
        for extreme in (values.min(), values.max()):
            parameter_values(model, {name: float(extreme)})


def _fit_into_lanes(
    kernels: Kernels, runs: Varied, options: RunOptions, events: Any, span: tuple[float, float]
) -> bool:
    """Whether native code makes these runs side by side."""
    system = kernels.system
    if not isinstance(system, TreeSystem) or options.method not in METHODS or options.step is not None:
        return False
    quaternion_parts = {system.model.coordinates[k] for x in quaternions(system.model).values() for k in x}
    if runs.start.keys() & quaternion_parts or options.longest is not None or events:
        return False
    if system.held or system.extras.near or system.extras.zones or system.model.contacts:
        return False
    limits = step_limits(kernels, span)
    return limits.pace is None and not len(limits.knots) and not limits.warning


def _starts(kernels: Kernels, runs: Varied, y: Array) -> Array:
    """The initial states of all runs; `y` is that of one."""
    system = kernels.system
    names = (*system.model.coordinates, *system.model.speeds, *system.extras.states)
    rows = np.tile(y, (runs.count, 1))
    for name, values in runs.start.items():
        rows[:, names.index(name)] = values
    return rows
