"""The numbers in which many runs differ: arrays in the start and among the parameters."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import SMALLEST, real

Array = np.ndarray[Any, np.dtype[np.float64]]
NUMBERS = "must be a number, or finite numbers in one row, one for each run"


class Variations(NamedTuple):
    """The numbers in which runs differ: of the start, and parameters; `count` runs."""

    start: dict[str, Array]
    parameters: dict[str, Array]
    count: int

    def one(self, k: int, start: Any, parameters: Any) -> tuple[Any, Any]:
        """The start and the parameters of one run."""
        return (
            {**start, **{n: float(x[k]) for n, x in self.start.items()}} if self.start else start,
            {**(parameters or {}), **{n: float(x[k]) for n, x in self.parameters.items()}},
        )


def variations(start: Any, parameters: Any) -> Variations | None:
    """What is given as an array of one number for each run; None where nothing is."""
    parts: list[dict[str, Array]] = []
    for what, values in (("start", start), ("parameter", parameters)):
        arrays: dict[str, Array] = {}
        for name, value in values.items() if isinstance(values, Mapping) else ():
            if isinstance(value, list | tuple | np.ndarray) and np.ndim(value):
                arrays[str(name)] = run_numbers(f'the {what} "{str(name)[:60]}"', value)
        parts.append(arrays)
    sizes = {name: len(x) for arrays in parts for name, x in arrays.items()}
    if not sizes:
        return None
    a, b = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
    if sizes[a] != sizes[b]:
        raise ModelError(
            f'"{a[:60]}" has {sizes[a]} values and "{b[:60]}" has {sizes[b]}',
            expected="one value for each run",
        )
    return Variations(parts[0], parts[1], sizes[a])


def run_numbers(what: str, values: Any, allowed: str = NUMBERS) -> Array:
    """The values as numbers, one for each run; the same as each would be alone (see `real`)."""
    try:
        array = np.asarray(values)
    except (ValueError, TypeError):  # rows of different lengths
        array = np.empty((0, 0))
    if array.dtype.kind == "O" and array.ndim == 1:  # numbers of other classes, as fractions
        return np.array([real(value, what) for value in array])
    numbers = array.astype(float) if array.dtype.kind in "iuf" else np.empty((0, 0))
    if numbers.ndim != 1 or not len(numbers) or not np.isfinite(numbers).all():
        raise ModelError(f"{what} {allowed}")
    numbers[np.abs(numbers) < SMALLEST] = 0.0  # denormal numbers
    return numbers
