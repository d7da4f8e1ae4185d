"""Measures: numbers taken from a run, by the name of a signal or by a function of its Result.

    "hinge"            the last value of the signal
    "max(hinge)"       one of REDUCTIONS of all rows
    "C.reaction.fz"    a part of a vector: x, y, z; of a wrench: mx, my, mz, fx, fy, fz

A run that did not succeed has no measures: they are NaN.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import ModelError, near
from hapsis.mechanics.model.result import GOOD, Result
from hapsis.mechanics.model.runs.results import Results
from hapsis.mechanics.model.signals.column_units import part_units
from hapsis.mechanics.model.signals.vector_parts import part_names
from hapsis.mechanics.model.values.numbers import described

Array = np.ndarray[Any, np.dtype[np.float64]]
Measure = str | Callable[[Result], float]
_CALL = re.compile(r"(\w+)\((.+)\)")


def _mean(x: Array) -> float:
    return math.fsum(x) / len(x)  # the exact sum: the same bits in whatever order numbers lie in memory


REDUCTIONS: Mapping[str, Callable[[Array], float]] = {
    "first": lambda x: float(x[0]),
    "last": lambda x: float(x[-1]),
    "min": lambda x: float(x.min()),
    "max": lambda x: float(x.max()),
    "mean": _mean,
    "rms": lambda x: math.sqrt(_mean(x * x)),
}


class Measures(NamedTuple):
    """Measures by name."""

    entries: dict[str, Measure]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all measures."""
        return tuple(self.entries)

    def units(self, results: Results) -> dict[str, str]:
        """{measure: unit} of those that are signals with a unit."""
        units: dict[str, str] = {}
        for name, entry in self.entries.items():
            if isinstance(entry, str):
                signal, part, count = _place(results, _split(entry)[1])
                unit = results.units.get(signal, "")
                if unit:
                    units[name] = unit if part is None else part_units(unit, count)[part]
        return units

    def values(self, results: Results) -> tuple[dict[str, Array], dict[int, str]]:
        """{measure: value of each run}, and {run: text} of the runs in which a function failed."""
        columns = {name: np.full(len(results), np.nan) for name in self.entries}
        problems: dict[int, str] = {}
        good = [k for k, status in enumerate(results.status) if status in GOOD]
        for name, entry in self.entries.items():
            if isinstance(entry, str):
                _reduce(results, entry, good, columns[name])
                continue
            for k in good:
                try:
                    columns[name][k] = _number(entry(results[k]))
                except Exception as problem:  # of the user's own function: the other runs go on
                    problems.setdefault(k, f'measure "{name}": {type(problem).__name__}: {problem}')
        return columns, problems


def measures_of(measure: Measure | Sequence[str] | Mapping[str, Measure]) -> Measures:
    """The measures as the user gives them: a signal, several, or {name: signal or function}."""
    if isinstance(measure, str):
        entries: dict[str, Measure] = {measure: measure}
    elif isinstance(measure, Mapping):
        entries = {str(name): entry for name, entry in measure.items()}
    elif callable(measure):
        entries = {getattr(measure, "__name__", "measure").strip("<>"): measure}
    elif isinstance(measure, Sequence) and all(isinstance(entry, str) for entry in measure):
        entries = {entry: entry for entry in measure}
    else:
        raise ModelError(
            f"measure is {described(measure)}", expected="names of signals, or {name: signal or function}"
        )
    if not entries:
        raise ModelError("measure is empty", expected="at least one signal or function")
    for name, entry in entries.items():
        if isinstance(entry, str):
            _split(entry)
        elif not callable(entry):
            raise ModelError(
                f'measure "{name[:60]}" is {described(entry)}', expected="a signal or a function"
            )
    return Measures(entries)


def _split(text: str) -> tuple[str, str]:
    """The reduction and the signal of a text."""
    match = _CALL.fullmatch(text.strip())
    if match is None:
        return "last", text.strip()
    if match[1] not in REDUCTIONS:
        raise ModelError(
            f'measure "{text[:60]}": there is no "{match[1][:60]}"{near(match[1], REDUCTIONS)}',
            expected=", ".join(REDUCTIONS),
        )
    return match[1], match[2].strip()


def _place(table: Results | Result, signal: str) -> tuple[str, int | None, int]:
    """The column of a signal, which of its numbers it is (None where it has one), and how many it has."""
    axes = 2 if isinstance(table, Results) else 1
    if signal in table.names:
        shape = table[signal].shape[axes:]
        if shape:
            parts = ", ".join(f"{signal}.{part}" for part in _parts(table, signal, shape))
            raise ModelError(f'"{signal[:60]}" has {math.prod(shape)} numbers in a row', expected=parts)
        return signal, None, 1
    base, _, last = signal.rpartition(".")
    if base in table.names and (shape := table[base].shape[axes:]):
        parts = _parts(table, base, shape)
        if last in parts:
            return base, parts.index(last), len(parts)
    if signal in table:  # of a frame
        if shape := table[signal].shape[axes:]:
            expected = "one number: a function of the Result that takes it"
            raise ModelError(f'"{signal[:60]}" has {math.prod(shape)} numbers in a row', expected=expected)
        return signal, None, 1
    raise ModelError(
        f'there is no signal "{signal[:60]}" to measure{near(signal, table.names)}',
        expected=f"one of {len(table.names)} names, as in {', '.join(table.names[:4])}",
    )


def _parts(table: Results | Result, signal: str, shape: Sequence[int]) -> tuple[str, ...]:
    return part_names(math.prod(shape), table.units.get(signal, ""))


def _reduce(results: Results, text: str, numbers: Sequence[int], values: Array) -> None:
    """Writes the measure of these runs; those made alone have rows of their own, at events."""
    reduction, signal = _split(text)
    name, part, _ = _place(results, signal)
    reduce, columns = REDUCTIONS[reduction], results[name]
    for k in numbers:
        own = results.alone.get(k)
        rows = columns[k, : int(results.lengths[k])] if own is None else own[name]
        if part is not None:
            rows = rows.reshape(len(rows), -1)[:, part]
        values[k] = reduce(rows)


def _number(value: Any) -> float:
    array = np.asarray(value)
    if array.ndim or array.dtype.kind not in "buif":
        raise TypeError(f"it must give one number, not {described(value)}")
    return float(array)
