"""Recorded motions: columns by name, from a table, a Result or a file, checked once."""

import csv
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.formats.file_text import path_of, read_text
from hapsis.mechanics.formats.load_save import load
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.values.numbers import described, number

Array = np.ndarray[Any, np.dtype[np.float64]]
MOST_BYTES = 500_000_000  # of a .csv
LEAST = 2  # rows


class Observations(Mapping[str, Array]):
    """Columns of numbers at the times `t`; `chosen` says whether someone has picked them."""

    def __init__(self, data: Any) -> None:
        self.chosen = isinstance(data, Mapping)
        columns, where = _columns(data)
        if "t" not in columns:
            raise ModelError('the data have no column "t", the times', where=where)
        self.columns = {name: _numbers(name, x, where) for name, x in columns.items()}
        self.t = self.columns.pop("t")
        if len(self.t) < LEAST or not (np.diff(self.t) > 0).all():
            raise ModelError('the column "t" of the data must have at least two times that grow', where=where)
        for name, x in self.columns.items():
            if len(x) != len(self.t):
                raise ModelError(
                    f'the column "{name[:60]}" of the data has {len(x)} rows and "t" has {len(self.t)}',
                    where=where,
                )

    def __getitem__(self, name: str) -> Array:
        check_known(name, self.columns, "the data have no column {}")
        return self.columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def __iter__(self) -> Any:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)


def _columns(data: Any) -> tuple[dict[str, Any], str | None]:
    if isinstance(data, Mapping):
        return {str(name): x for name, x in data.items()}, None
    if isinstance(data, Result):
        flat = {name: data[name] for name in data.names if data[name].ndim == 1}
        return {"t": data.t, **flat}, None
    if not isinstance(data, str | os.PathLike):
        raise ModelError(f"data must be {{name: values}}, a Result or a file, not {described(data)}")
    file = path_of(data)
    ending = file.suffix.lower()
    if ending == ".npz":
        return _columns(load(file))[0], str(file)
    if ending == ".csv":
        return _csv(file), str(file)
    raise ModelError("data are read from .csv and .npz", where=str(file))


def _csv(file: Path) -> dict[str, Any]:
    rows = list(csv.reader(read_text(file, MOST_BYTES).splitlines()))
    head, body = rows[0], [row for row in rows[1:] if row]
    if len(set(head)) < len(head):
        raise ModelError("two columns have the same name", where=f"{file}:1")
    for k, row in enumerate(body):
        if len(row) != len(head):
            raise ModelError(f"{len(row)} values in a row of {len(head)} columns", where=f"{file}:{k + 2}")
    columns = zip(*body, strict=True) if body else ([] for _ in head)
    return {
        name: [number(x.strip(), f"{file}:{k + 2}") for k, x in enumerate(values)]
        for name, values in zip(head, columns, strict=True)
    }


def _numbers(name: str, x: Any, where: str | None) -> Array:
    array = float_array(x)
    if array is None or array.ndim != 1:
        raise ModelError(f'the column "{name[:60]}" of the data must be a row of numbers', where=where)
    if not np.isfinite(array).all():
        k = int(np.flatnonzero(~np.isfinite(array))[0])
        raise ModelError(
            f'the column "{name[:60]}" of the data is {array[k]} in row {k}',
            where=where,
            remedy="leave such rows out",
        )
    return array
