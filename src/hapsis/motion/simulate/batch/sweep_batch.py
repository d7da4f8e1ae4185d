"""One batch of the runs of a sweep: what is simulated, measured, and put into the table."""

import dataclasses
import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import Notice
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import own_warnings
from hapsis.mechanics.model.result import GOOD
from hapsis.mechanics.model.runs.measures import Measures
from hapsis.mechanics.model.runs.results import Results
from hapsis.motion.simulate.batch.impossible_runs import impossible_runs
from hapsis.motion.simulate.batch.run_table import NOT_STARTED
from hapsis.motion.simulate.batch.simulate_many import NoStart
from hapsis.motion.simulate.simulate import simulate

Array = np.ndarray[Any, np.dtype[np.float64]]
NOT_MEASURED = "not measured"  # the status of a run in which a measure failed
WARNING = "; warning: "  # before the warnings in a message


class BatchRows(NamedTuple):
    """Rows of the table: of some runs, by their numbers."""

    numbers: Any
    measured: dict[str, Array]
    lengths: Any
    status: list[str]
    message: list[str]
    units: dict[str, str]


@dataclasses.dataclass(frozen=True)
class SweepTask:
    """What is the same in all runs of a sweep; it can be sent to other processes.

    options   the arguments of `simulate` by name
    starts    which of the swept names are of the start
    """

    model: Model
    until: float
    start: Any
    parameters: Mapping[str, Any]
    options: Mapping[str, Any]
    starts: frozenset[str]
    measures: Measures


def batch_rows(
    task: SweepTask, numbers: Any, values: Mapping[str, Array], threads: int | None = None
) -> BatchRows:
    """The rows of some runs.

    numbers   of the runs, in the whole sweep
    values    {name: one value for each of them}
    """
    count = len(numbers)
    rows = BatchRows(
        np.asarray(numbers, np.int64),
        {name: np.full(count, np.nan) for name in task.measures.names},
        np.zeros(count, np.int64),
        [NOT_STARTED] * count,
        [""] * count,
        {},
    )
    varied = {name: x for name, x in values.items() if name not in task.starts}
    impossible = impossible_runs(task.model, task.parameters, varied, count)
    for k, error in impossible.items():
        rows.message[k] = str(error)
    possible = np.array([k for k in range(count) if k not in impossible], int)
    if len(possible):
        _simulate(task, {name: x[possible] for name, x in values.items()}, possible, rows, threads)
    return rows


def _simulate(
    task: SweepTask, values: Mapping[str, Array], places: Any, rows: BatchRows, threads: int | None
) -> None:
    """Makes the runs and puts what is measured at these places of the rows."""
    starts = {name: x for name, x in values.items() if name in task.starts}
    parameters = {name: x for name, x in values.items() if name not in task.starts}
    start = {**(task.start or {}), **starts} if starts else task.start
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Notice)  # statuses and messages say it
        try:
            results: Any = simulate(
                task.model,
                task.until,
                start,
                parameters={**task.parameters, **parameters},
                progress=False,
                threads=threads,
                **task.options,
            )
        except NoStart as refusal:
            for k, message in refusal.messages.items():
                rows.message[places[k]] = message
            return
        _measure(task, results, places, rows)


def _measure(task: SweepTask, results: Results, places: Any, rows: BatchRows) -> None:
    columns, problems = task.measures.values(results)
    rows.units.update(task.measures.units(results))
    for name, column in columns.items():
        rows.measured[name][places] = column
    rows.lengths[places] = results.lengths
    for k, place in enumerate(places):
        rows.status[place], rows.message[place] = results.status[k], results.message[k]
        texts = own_warnings(task.model, results.warnings.get(k, ()))
        if texts and results.status[k] in GOOD:
            rows.message[place] += WARNING + "; ".join(texts)
        if k in problems:
            rows.status[place], rows.message[place] = NOT_MEASURED, problems[k]
