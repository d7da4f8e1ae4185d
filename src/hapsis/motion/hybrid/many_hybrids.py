"""Many runs of one hybrid: starts and parameters as arrays, one run for each of their numbers.

The first run writes and compiles what all need; the others are made by as many threads as there are
processors, where runs are long. Each run has the bits that it has alone, and what goes wrong in one does
not end the others.
"""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.errors import Error, notice
from hapsis.mechanics.model.result import GOOD, Columns, Result
from hapsis.mechanics.model.runs.results import Results
from hapsis.motion.hybrid.hybrid import Hybrid
from hapsis.motion.simulate.batch.run_table import COUNTED, NOT_STARTED
from hapsis.motion.simulate.batch.simulate_many import NoStart
from hapsis.motion.simulate.batch.variations import Variations

Array = np.ndarray[Any, np.dtype[np.float64]]
Outcome = Result | Error
SHORT = 5_000  # steps: shorter runs are made one after the other


def simulate_many_hybrids(
    hybrid: Hybrid,
    runs: Variations,
    times: Array,
    alone: Callable[[int], Result],
    method: str,
    threads: int | None,
    title: str,
    bar: Bar,
) -> Results:
    """The motions of all runs; `alone` makes one, by its number."""
    began = time.perf_counter()
    bar.expect(0, runs.count, "runs")
    outcomes = _outcomes(runs.count, alone, threads, bar)
    errors = {k: x for k, x in enumerate(outcomes) if isinstance(x, Error)}
    if len(errors) == runs.count:
        raise NoStart(errors)
    made = {k: x for k, x in enumerate(outcomes) if isinstance(x, Result)}
    first = next(iter(made.values()))
    rows = {k: np.flatnonzero(_last_of_each(x.t, times)) for k, x in made.items()}
    table = _Table(made, rows, runs.count, len(times))
    status = tuple(x.status if isinstance(x, Result) else NOT_STARTED for x in outcomes)
    message = tuple(x.message if isinstance(x, Result) else str(x) for x in outcomes)
    counts = {
        n: np.array([made[k].report[n] if k in made else 0 for k in range(runs.count)]) for n in COUNTED
    }
    drifts = [made[k].energy_drift if k in made else np.nan for k in range(runs.count)]
    results = Results(
        t=times,
        columns=Columns([((n,), lambda n=n: {n: table.column(n)}) for n in first.names], table.on_request),
        given={**runs.start, **runs.parameters},
        status=status,
        message=message,
        lengths=np.array([len(rows.get(k, ())) for k in range(runs.count)]),
        energy_drift=np.array(drifts),
        report={"method": method, **counts, "seconds": time.perf_counter() - began, "alone": len(made)},
        units=first.units,
        title=title,
        coordinates=hybrid.coordinates,
        speeds=hybrid.speeds,
        alone=made,
        warnings={k: x.warnings for k, x in made.items() if x.warnings},
        memory=partial(_memory, made),
    )
    failed = [k for k, each in enumerate(status) if each not in GOOD]
    if failed:
        text = f"the first is run {failed[0]}: {message[failed[0]]}"
        notice(f"{len(failed)} of {runs.count} runs did not succeed; {text}")
    odd = sorted(results.warnings)
    if odd:
        first_odd = results.warnings[odd[0]][0]
        notice(f"{len(odd)} of {runs.count} runs have warnings; the first is run {odd[0]}: {first_odd}")
    return results


def _outcomes(count: int, alone: Callable[[int], Result], threads: int | None, bar: Bar) -> Sequence[Outcome]:
    """The Result of each run, or the error that it could not start with."""

    def outcome(k: int) -> Outcome:
        try:
            return alone(k)
        except Error as error:
            return error

    outcomes = [outcome(0)]
    first = outcomes[0]
    # short runs are mostly Python, of which only one thread runs at a time
    short = isinstance(first, Result) and first.report["steps"] < SHORT
    workers = 1 if short else min(count, threads or os.cpu_count() or 1)
    if workers == 1:
        for k in range(1, count):
            outcomes.append(outcome(k))
            bar.reached(len(outcomes))
        return outcomes
    with ThreadPoolExecutor(workers) as pool:
        for each in pool.map(outcome, range(1, count)):
            outcomes.append(each)
            bar.reached(len(outcomes))
    return outcomes


def _last_of_each(t: Array, times: Array) -> Any:
    """Which rows are those at our times: at an event the last one, after it."""
    asked = np.isin(t, times)
    return asked & np.append(t[1:] != t[:-1], True)


def _memory(made: Mapping[int, Result], k: int) -> Any:
    """From what a run can be continued."""
    return made[k].memory


class _Table:
    """The columns of all runs, with the runs as first axis."""

    def __init__(self, made: dict[int, Result], rows: dict[int, Any], runs: int, times: int) -> None:
        self.made, self.rows, self.runs, self.times = made, rows, runs, times

    def column(self, name: str) -> Array:
        """A column of all runs; NaN where a run has no rows."""
        values: Array | None = None
        for k, result in self.made.items():
            mine = result[name][self.rows[k]]
            if values is None:
                values = np.full((self.runs, self.times, *mine.shape[1:]), np.nan)
            values[k, : len(mine)] = mine
        assert values is not None
        return values

    def on_request(self, name: str) -> Array | None:
        """A signal of a frame or a sensor; None where there is none of that name."""
        first = next(iter(self.made.values()))
        return self.column(name) if name in first else None
