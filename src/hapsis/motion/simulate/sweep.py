"""The verb `sweep`: many runs over values of parameters and starts, as a table of what is measured."""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, notice
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import tell_warnings
from hapsis.mechanics.model.result import GOOD, Result
from hapsis.mechanics.model.runs.measures import Measure, measures_of
from hapsis.mechanics.model.runs.sweep_table import Sweep
from hapsis.mechanics.model.signals.column_units import column_units
from hapsis.mechanics.model.signals.parameter_units import parameter_units
from hapsis.mechanics.model.state import Start
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.simulate.batch.run_table import NOT_STARTED
from hapsis.motion.simulate.batch.simulate_many import NoStart
from hapsis.motion.simulate.batch.sweep_batch import WARNING, BatchRows, SweepTask, batch_rows
from hapsis.motion.simulate.batch.sweep_folder import SweepFolder
from hapsis.motion.simulate.batch.sweep_key import sweep_key
from hapsis.motion.simulate.batch.sweep_plan import SweepPlan, distinct_measures, sweep_plan
from hapsis.motion.simulate.contact.contact_model import METHOD as CONTACT
from hapsis.motion.simulate.contact.contact_model import chosen_method, contact_model
from hapsis.motion.simulate.run.events import Events
from hapsis.motion.simulate.run.run_options import MOST_STEPS, TOLERANCE, run_options, whole
from hapsis.motion.simulate.simulate import ROWS

FIRST_BATCH, LARGEST_BATCH = 8, 1024  # runs
MOMENT = 1.0  # s that a batch should take at least


@verb
def sweep(
    model: Model,
    until: float,
    over: Mapping[str, Any],
    measure: str | Callable[[Result], float] | Sequence[str] | Mapping[str, Measure],
    *,
    grid: bool = True,
    start: Start | Result | None = None,
    near: Mapping[str, float] | None = None,
    method: str = "auto",
    step: float | None = None,
    tolerance: float = TOLERANCE,
    every: float | None = None,
    inputs: Mapping[str, Any] | None = None,
    events: Events = (),
    parameters: Mapping[str, float] | None = None,
    watchdog: bool = True,
    limits: str | None = None,
    progress: bool | None = None,
    most_steps: int = MOST_STEPS,
    longest_step: float | None = None,
    threads: int | None = None,
    title: str = "",
    keep: str | PathLike[str] | None = None,
    batch: int | None = None,
    cluster: Any = None,
) -> Sweep:
    """A table with a row for each run: the values that it has, and what was measured in it.

    model       what moves
    until       the time of the end of each run, s
    over        {name: values} of parameters, coordinates, speeds and states of laws
    measure     the name of a signal for its last value, or "max(NAME)", also first, last, min, mean, rms;
                a function of the Result of a run; several names; or {name: one of these}
    grid        every value meets every value of the other names; False: the first values are the first
                run, the second values the second one, and so on, as for random samples
    start       what is the same at the start of all runs; see `hs.simulate`
    near        guesses of coordinates, the same for all runs
    method      see `hs.simulate`, as all that follow
    step        length of fixed steps, s
    tolerance   error allowed per step, relative
    every       s between two rows of a run; by default a two-hundredth of the time. Measures are of these
                rows
    inputs      {coordinate: effort}
    events      `hs.Event`s, or {name: when}
    parameters  {name: value} other than the model's own, the same in all runs
    watchdog    stop a run where energy changes by more than 5 % and no force explains it
    limits      "stops": limits of joints act, as rigid stops, with the method "contact"
    progress    a bar with the time left on standard error; by default on terminals, after a second
    most_steps  the budget of steps of each run
    longest_step  s, where steps adapt: no step is longer
    threads     how many cores runs are made on, side by side; numbers do not depend on it
    title       the heading of plots
    keep        a folder in which finished rows are kept: the same call makes only the runs that are
                not there yet. A folder of another sweep is refused
    batch       runs that are made and kept together; chosen by the time they take if not given.
                Numbers do not depend on it
    cluster     a `distributed.Client`: batches are made by the workers of a Dask cluster

    A run that goes wrong has a status and a message in its row, and no measures: they are NaN.
    """
    if not isinstance(model, Model):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"sweep takes a Model, not {described(model)}")
    tell_warnings(model)
    run_options(method, step, tolerance, watchdog, most_steps, longest_step)
    method = chosen_method(model, method, step)
    smooth = contact_model(model).smooth if method == CONTACT else model  # as far as a plan needs it
    plan = sweep_plan(smooth, over, bool(grid), start, parameters, inputs)
    task = SweepTask(
        model=model,
        until=real(until, "until"),
        start=start,
        parameters=dict(parameters or {}),
        options={
            "near": near,
            "method": method,
            "step": step,
            "tolerance": tolerance,
            "every": real(until, "until") / ROWS if every is None else every,
            "inputs": inputs,
            "events": events,
            "watchdog": watchdog,
            "limits": limits,
            "most_steps": most_steps,
            "longest_step": longest_step,
        },
        starts=plan.starts,
        measures=distinct_measures(measures_of(measure), plan),
    )
    size = None if batch is None else whole(batch, "batch")
    cores = None if threads is None else whole(threads, "threads")
    if cluster is not None:
        from hapsis.motion.simulate.batch.cluster_batches import check_cluster

        check_cluster(cluster)
    with contextlib.ExitStack() as context:
        folder = None
        if keep is not None:
            folder = context.enter_context(SweepFolder(keep, sweep_key(task, plan), plan))
        bar = context.enter_context(Bar(progress))
        parts = _parts(task, plan, folder, size, cores, cluster, bar)
    return _announced(_table(task, plan, parts, str(title)))


def _parts(
    task: SweepTask,
    plan: SweepPlan,
    folder: SweepFolder | None,
    size: int | None,
    threads: int | None,
    cluster: Any,
    bar: Bar,
) -> list[BatchRows]:
    """The rows of all runs: those that are kept, and those made now."""
    parts = [] if folder is None else folder.parts()
    there = np.zeros(plan.count, bool)
    for rows in parts:
        there[rows.numbers] = True
    missing = np.flatnonzero(~there)
    if cluster is not None:
        from hapsis.motion.simulate.batch.cluster_batches import LOST, cluster_batches

        batches, lost = cluster_batches(cluster, task, plan, missing, size), LOST
    else:
        batches, lost = _batches(task, plan, missing, size, threads), ""
    bar.expect(0, len(missing), "runs")
    done = 0
    try:
        for rows in batches:
            if folder is not None and lost not in rows.status[:1]:
                folder.write(rows)
            parts.append(rows)
            done += len(rows.numbers)
            bar.reached(done)
    except KeyboardInterrupt as stop:
        kept = "" if folder is None else f"; they are kept in {folder.path}"
        stop.add_note(f"after {plan.count - len(missing) + done} of {plan.count} runs{kept}")
        raise
    return parts


def _batches(
    task: SweepTask, plan: SweepPlan, missing: Any, size: int | None, threads: int | None
) -> Iterator[BatchRows]:
    """The rows of the missing runs, made here; without a size, batches grow until they take a moment."""
    count, first = size or FIRST_BATCH, 0
    while first < len(missing):
        numbers = missing[first : first + count]
        began = time.perf_counter()
        yield batch_rows(task, numbers, plan.part(numbers), threads)
        first += len(numbers)
        if size is None and time.perf_counter() - began < MOMENT:
            count = min(2 * count, LARGEST_BATCH)


def _table(task: SweepTask, plan: SweepPlan, parts: list[BatchRows], title: str) -> Sweep:
    """The table of all rows, in the order of the runs."""
    count = plan.count
    measured = {name: np.full(count, np.nan) for name in task.measures.names}
    lengths, status, message = np.zeros(count, np.int64), [""] * count, [""] * count
    units = parameter_units(task.model, tuple(plan.values)) | column_units(task.model, tuple(plan.values))
    for rows in parts:
        for name, values in rows.measured.items():
            measured[name][rows.numbers] = values
        lengths[rows.numbers] = rows.lengths
        for k, number in enumerate(rows.numbers.tolist()):
            status[number], message[number] = rows.status[k], rows.message[k]
        units |= rows.units
    for array in (*plan.values.values(), *plan.axes.values(), *measured.values(), lengths):
        array.flags.writeable = False
    return Sweep(
        given=plan.values,
        measured=measured,
        status=tuple(status),
        message=tuple(message),
        lengths=lengths,
        axes=plan.axes,
        shape=plan.shape,
        units={name: unit for name, unit in units.items() if name != "t"},
        title=title,
    )


def _announced(table: Sweep) -> Sweep:
    """The same table; an error where no run could start, a notice where some did not succeed."""
    failed = [k for k, status in enumerate(table.status) if status not in GOOD]
    if len(failed) == len(table) and all(status == NOT_STARTED for status in table.status):
        raise NoStart({k: ModelError(text) for k, text in enumerate(table.message)})
    if failed:
        k = failed[0]
        notice(
            f"{len(failed)} of {len(table)} runs did not succeed; the first is run {k}: {table.message[k]}"
        )
    warned = [k for k, message in enumerate(table.message) if WARNING in message]
    if warned:
        text = table.message[warned[0]].partition(WARNING)[2]
        notice(f"{len(warned)} of {len(table)} runs have warnings; the first is run {warned[0]}: {text}")
    return table
