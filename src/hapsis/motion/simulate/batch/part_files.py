"""Rows of a sweep as files: Parquet where pyarrow is installed, else NPZ; nothing in them is executed."""

import json
import struct
import zipfile
import zlib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.mechanics.model.result_files import pyarrow_of, whole
from hapsis.motion.simulate.batch.sweep_batch import BatchRows
from hapsis.motion.simulate.batch.sweep_plan import RESERVED, SweepPlan

# what readers raise for damaged files; those of pyarrow are children of these
DAMAGED = (
    *(ValueError, KeyError, TypeError, IndexError, AttributeError, NotImplementedError, RuntimeError),
    *(OSError, EOFError, MemoryError, zipfile.BadZipFile, zlib.error, struct.error),
)
RUN, LENGTH, STATUS, MESSAGE = RESERVED


def write_part(path: Path, rows: BatchRows, plan: SweepPlan, digest: str, prefix: str) -> None:
    """Writes rows as PATH.parquet or PATH.npz; `prefix` begins the name while it is written."""
    facts = {"digest": digest, "units": json.dumps(rows.units), "measures": json.dumps([*rows.measured])}
    if find_spec("pyarrow") is not None:
        write, ending = _write_parquet, ".parquet"
    else:
        write, ending = _write_npz, ".npz"
    whole(path.with_name(path.name + ending), lambda file: write(file, rows, plan, facts), prefix)


def read_part(path: Path, plan: SweepPlan) -> tuple[BatchRows, str]:
    """The rows of a file and the digest in it; an error of DAMAGED where it is none."""
    columns, facts = _read_parquet(path) if path.suffix == ".parquet" else _read_npz(path)
    names = json.loads(facts["measures"])
    numbers = np.array(columns[RUN], np.int64)
    if numbers.ndim != 1 or not len(numbers) or numbers.min() < 0 or numbers.max() >= plan.count:
        raise ValueError("numbers of runs that do not exist")
    for name, values in plan.part(numbers).items():
        if not np.array_equal(np.asarray(columns[name], float), values):
            raise ValueError(f'other values of "{name[:60]}"')
    rows = BatchRows(
        numbers,
        {name: np.array(columns[name], float) for name in names},
        np.array(columns[LENGTH], np.int64),
        [str(x) for x in columns[STATUS]],
        [str(x) for x in columns[MESSAGE]],
        dict(json.loads(facts["units"])),
    )
    if {len(x) for x in (*rows.measured.values(), rows.lengths, rows.status, rows.message)} != {len(numbers)}:
        raise ValueError("columns of different lengths")
    return rows, str(facts["digest"])


def _columns(rows: BatchRows, plan: SweepPlan) -> dict[str, Any]:
    return {
        RUN: rows.numbers,
        **plan.part(rows.numbers),
        **rows.measured,
        LENGTH: rows.lengths,
        STATUS: rows.status,
        MESSAGE: rows.message,
    }


def _write_parquet(path: Path, rows: BatchRows, plan: SweepPlan, facts: dict[str, str]) -> None:
    pyarrow = pyarrow_of()
    table = pyarrow.table({name: pyarrow.array(x) for name, x in _columns(rows, plan).items()})
    pyarrow.parquet.write_table(table.replace_schema_metadata(facts), path)


def _read_parquet(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    pyarrow = pyarrow_of("reading")
    table = pyarrow.parquet.ParquetFile(path).read()
    facts = {k.decode(): v.decode() for k, v in (table.schema.metadata or {}).items()}
    columns = {name: table.column(name).to_numpy() for name in table.column_names}
    return columns, facts


def _write_npz(path: Path, rows: BatchRows, plan: SweepPlan, facts: dict[str, str]) -> None:
    texts = {name: np.array([value], np.str_) for name, value in facts.items()}
    columns = {name: np.asarray(x) for name, x in _columns(rows, plan).items()}
    arrays: dict[str, Any] = {"names": np.array([*columns], np.str_), **texts}
    arrays |= {f"c{k}": x for k, x in enumerate(columns.values())}
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)


def _read_npz(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    with np.load(path, allow_pickle=False) as file:
        columns = {str(name): file[f"c{k}"] for k, name in enumerate(file["names"])}
        return columns, {name: str(file[name][0]) for name in ("digest", "units", "measures")}
