"""Many runs of one model at once: what differs are numbers of the start and parameters.

Runs of trees without contacts, events and functions of time are made side by side in lanes (see
`lane_runs`). All others, and those that turn out stiff or fail, are made one after the other by `simulate`.
Either way each run has the bits that it has alone. What goes wrong in one run does not end the others.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.errors import Error, SolveError, notice
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.result import GOOD, Result
from hapsis.mechanics.model.runs.results import Results
from hapsis.motion.analysis.start_values import names_combinations, quaternions
from hapsis.motion.simulate.batch.impossible_runs import impossible_runs
from hapsis.motion.simulate.batch.lane_runs import lane_runs
from hapsis.motion.simulate.batch.run_table import RunTable
from hapsis.motion.simulate.batch.variations import Variations
from hapsis.motion.simulate.contact.contact_model import METHOD as CONTACT
from hapsis.motion.simulate.contact.contact_model import contact_model, smooth_parameters
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.tree_system import TreeSystem
from hapsis.motion.simulate.initial_value_problem import InitialValueProblem, initial_value_problem
from hapsis.motion.simulate.run.result_builder import check_columns
from hapsis.motion.simulate.run.run import STOPPED
from hapsis.motion.simulate.run.run_options import RunOptions, sample_times
from hapsis.motion.simulate.run.run_rows import moments_between
from hapsis.motion.simulate.time_functions.step_limits import step_limits
from hapsis.motion.simulate.time_functions.time_graph import clock_part

Array = np.ndarray[Any, np.dtype[np.float64]]
METHODS = ("order5", "order8")  # that have a form for lanes


class NoStart(SolveError):
    """None of the runs could start; `messages` has the reason of each."""

    def __init__(self, errors: Mapping[int, Error]) -> None:
        first = errors[min(errors)]
        many = len(errors) > 1
        what = (
            f"none of {len(errors)} runs could start; run {min(errors)}: {first.what}" if many else first.what
        )
        super().__init__(what, where=first.where, expected=first.expected, remedy=first.remedy)
        self.messages = {k: str(error) for k, error in errors.items()}


def simulate_many(
    model: Model,
    until: float,
    runs: Variations,
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
    bar: Bar,
) -> Results:
    """The motions of all runs; `alone` makes one, by its number.

    A run that cannot start has the status "not started". It is an error where none can, or where
    parameters are impossible.
    """
    began = time.perf_counter()
    for error in impossible_runs(model, _fixed(parameters, runs), runs.parameters, runs.count).values():
        raise error
    first, problem, refused = _first_problem(model, runs, options, inputs, start, near, parameters)
    span = problem.span(until)
    times = sample_times(*span, every, len(problem.y))
    kernels = Kernels(problem.system, problem.parameters, threads)
    table = RunTable(model, kernels, runs, times)
    bar.expect(0, runs.count, "runs")
    rest: Any = np.arange(first, runs.count)
    if not refused and _fit_into_lanes(kernels, runs, start, options, events, span):
        check_columns(problem.system)
        y = _starts(kernels, runs, problem.y)
        # checks see as many moments as those of one run
        moments = np.sort(np.concatenate([times, moments_between(times, span)]))
        lanes = lane_runs(kernels, options, span, y, moments, table.parameters, threads, bar.reached)
        rest = table.take(lanes, moments, options)
    for k, error in refused.items():
        table.refuse(k, error)
    _make_alone(table, rest, alone, bar)
    results = table.results(options.method, title, time.perf_counter() - began)
    _announce(results, table.warnings)
    return results


def _fixed(parameters: Mapping[str, Any] | None, runs: Variations) -> dict[str, Any]:
    """The parameters that are the same in all runs."""
    return {n: x for n, x in (parameters or {}).items() if n not in runs.parameters}


def _first_problem(
    model: Model, runs: Variations, options: RunOptions, inputs: Any, start: Any, near: Any, parameters: Any
) -> tuple[int, InitialValueProblem, dict[int, Error]]:
    """The number and the problem of the first run that can start, and the errors of those before it."""
    refused: dict[int, Error] = {}
    parts = contact_model(model) if options.method == CONTACT else None
    smooth = model if parts is None else parts.smooth  # steps with contacts have equations without them
    given = Inputs(smooth, inputs)
    for k in range(runs.count):
        own_start, values = runs.one(k, start, parameters)
        try:
            if parts is not None:
                values = smooth_parameters(parts, values)
            problem = initial_value_problem(smooth, given, own_start, values, near=near, keep=True)
        except Error as error:
            refused[k] = error
        else:
            return k, problem, refused
    raise NoStart(refused)


def _make_alone(table: RunTable, numbers: Any, alone: Callable[[int], Result], bar: Bar) -> None:
    """Makes these runs one after the other."""
    count = table.runs.count
    for done, k in enumerate(map(int, numbers), 1):
        try:
            result = alone(k)
        except Error as error:
            table.refuse(k, error)
        else:
            if result.status == STOPPED:
                interruption = KeyboardInterrupt()
                interruption.add_note(f"in run {k} of {count}")
                raise interruption
            table.put(k, result)
        bar.reached(count - len(numbers) + done)
    if len(table.refused) == count:
        raise NoStart(table.refused)


def _announce(results: Results, warnings: Mapping[int, tuple[str, ...]]) -> None:
    """Says in one line each how many runs did not succeed, and how many have warnings of their own."""
    count = len(results)
    failed = [k for k, status in enumerate(results.status) if status not in GOOD]
    if failed:
        k = failed[0]
        notice(f"{len(failed)} of {count} runs did not succeed; the first is run {k}: {results.message[k]}")
    if warnings:
        k = min(warnings)
        text = warnings[k][0]
        notice(f"{len(warnings)} of {count} runs have warnings; the first is run {k}: {text}")


def _fit_into_lanes(
    kernels: Kernels,
    runs: Variations,
    start: Any,
    options: RunOptions,
    events: Any,
    span: tuple[float, float],
) -> bool:
    """Whether native code makes these runs side by side."""
    system = kernels.system
    if not isinstance(system, TreeSystem) or options.method not in METHODS or options.step is not None:
        return False
    if names_combinations(system.model, start):
        return False  # each run has speeds of its own to solve for
    quaternion_parts = {system.model.coordinates[k] for x in quaternions(system.model).values() for k in x}
    if runs.start.keys() & quaternion_parts or options.longest is not None or events:
        return False
    if system.held or system.extras.near or system.extras.zones or system.model.contacts:
        return False
    clock = clock_part(system.motion())
    if clock is not None and clock.parameters.keys() & runs.parameters.keys():
        return False  # where steps must end differs from run to run
    limits = step_limits(kernels, span)
    return limits.pace is None and not len(limits.knots) and not limits.warning


def _starts(kernels: Kernels, runs: Variations, y: Array) -> Array:
    """The initial states of all runs; `y` is that of one."""
    system = kernels.system
    names = (*system.model.coordinates, *system.model.speeds, *system.extras.states)
    rows = np.tile(y, (runs.count, 1))
    for name, values in runs.start.items():
        rows[:, names.index(name)] = values
    return rows
