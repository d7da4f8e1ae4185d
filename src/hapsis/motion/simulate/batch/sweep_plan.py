"""The numbers of a sweep: which values each of its runs has."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.runs.measures import Measures
from hapsis.mechanics.model.values.numbers import described
from hapsis.motion.simulate.batch.variations import run_numbers, variations
from hapsis.motion.simulate.equations.function_store import FunctionStore
from hapsis.motion.simulate.equations.inputs import Inputs

Array = np.ndarray[Any, np.dtype[np.float64]]
MOST_RUNS = 10_000_000
NUMBERS = "must be finite numbers in one row, at least one"
RESERVED = ("run", "length", "status", "message")  # columns of every table


class SweepPlan(NamedTuple):
    """The values of the runs.

    values   {name: one value for each run}
    axes     {name: the values that were given}; on a grid the product of their counts is that of the runs
    grid     whether every value meets every value of the others
    starts   which of the names are of the start; the others are parameters
    """

    values: dict[str, Array]
    axes: dict[str, Array]
    grid: bool
    starts: frozenset[str]

    @property
    def count(self) -> int:
        """How many runs there are."""
        return len(next(iter(self.values.values())))

    @property
    def shape(self) -> tuple[int, ...]:
        """The counts of the axes of a grid; of rows, their count."""
        return tuple(map(len, self.axes.values())) if self.grid else (self.count,)

    def part(self, numbers: Any) -> dict[str, Array]:
        """The values of some runs."""
        return {name: x[numbers] for name, x in self.values.items()}


def sweep_plan(
    model: Model,
    over: Mapping[str, Any],
    grid: bool,
    start: Any,
    parameters: Mapping[str, Any] | None,
    inputs: Mapping[str, Any] | None,
) -> SweepPlan:
    """The plan of a sweep, checked as far as it can be before its first run."""
    if not isinstance(over, Mapping):  # pyright: ignore
        raise ModelError(f"over is {described(over)}", expected="{name: values}")
    if not over:
        raise ModelError("over is empty", expected="{name: values} with at least one name")
    axes = {
        str(name): run_numbers(f'over: "{str(name)[:60]}"', values, NUMBERS) for name, values in over.items()
    }
    states = FunctionStore.of(model, Inputs(model, inputs)).extras.states
    known = {*model.coordinates, *model.speeds, *states}
    starts = frozenset(name for name in axes if name in known)
    _check_names(model, axes, starts, start, parameters)
    sizes = [len(values) for values in axes.values()]
    if grid and math.prod(sizes) > MOST_RUNS:
        raise ModelError(f"the grid has {math.prod(sizes)} runs", expected=f"at most {MOST_RUNS}")
    if not grid and len(set(sizes)) > 1:
        (a, x), (b, y) = (f(axes.items(), key=lambda item: len(item[1])) for f in (min, max))
        raise ModelError(
            f'"{a[:60]}" has {len(x)} values and "{b[:60]}" has {len(y)}',
            expected="one value for each run",
            remedy="leave grid=False out, and every value meets every other",
        )
    if not grid:
        return SweepPlan(dict(axes), axes, False, starts)
    rows = np.meshgrid(*axes.values(), indexing="ij")
    values = {name: np.ascontiguousarray(x.ravel()) for name, x in zip(axes, rows, strict=True)}
    return SweepPlan(values, axes, True, starts)


def distinct_measures(measures: Measures, plan: SweepPlan) -> Measures:
    """The measures with names that no other column has: of a signal that is swept too, last(NAME)."""
    entries: dict[str, Any] = {}
    for name, entry in measures.entries.items():
        own = f"last({name})" if name in plan.values and entry == name else name
        if own in plan.values or own in entries or own in RESERVED:
            raise ModelError(
                f'two columns would be called "{own[:60]}"', remedy="give the measure another name"
            )
        entries[own] = entry
    return Measures(entries)


def _check_names(
    model: Model, axes: Mapping[str, Array], starts: frozenset[str], start: Any, parameters: Any
) -> None:
    """Raises an error where a name means two things, or is given twice."""
    for name in axes:
        if name in RESERVED:
            raise ModelError(f'"{name}" cannot be swept: a column of the table has this name')
        if name in starts and name in model.parameters:
            raise ModelError(f'"{name[:60]}" is a coordinate and a parameter', remedy="rename the parameter")
        given = start if name in starts else parameters
        if isinstance(given, Mapping) and name in given:
            what = "start" if name in starts else "parameters"
            raise ModelError(f'"{name[:60]}" is given in over and in {what}', remedy="give it once")
    if variations(start, parameters) is not None:
        raise ModelError(
            "start and parameters of a sweep are the same in all runs", remedy="give arrays in over"
        )
    if starts and not (start is None or isinstance(start, Mapping)):
        raise ModelError(
            f'"{min(starts)[:60]}" is a number of the start, and start is {described(start)}',
            expected="{name: value} of what is the same in all runs",
        )
