"""Results of many runs as files and as tables of other programs.

.npz             everything at the common times; read by `hs.load`. Rows at events are not in it
.csv, .parquet   a long table: run, t and all signals; each run as far as it came
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.model.result_files import FORMAT, plain_text, pyarrow_of, whole
from hapsis.mechanics.model.signals.column_units import part_units
from hapsis.mechanics.model.signals.data_frames import AXES, installed, parts
from hapsis.mechanics.model.signals.vector_parts import part_names

if TYPE_CHECKING:
    from hapsis.mechanics.model.runs.results import Results

ENDINGS = (".npz", ".csv", ".parquet")
TEXT = "runs"  # the array with the JSON text: by its name these files differ from those of one Result


def save(results: "Results", path: Path) -> Path:
    """Writes the results in the format that the ending of the path selects; returns the path."""
    writers = {".npz": _npz, ".csv": _csv, ".parquet": _parquet}
    write = writers.get(path.suffix.lower())
    if write is None:
        raise ModelError(f'results cannot be saved as "{path.name[:60]}"', expected=", ".join(ENDINGS))
    whole(path, lambda temporary: write(results, temporary))
    return path


def long_columns(results: "Results") -> dict[str, Any]:
    """run, t, what the runs differ in, and all signals as columns: the rows of one run after another."""
    lengths = np.asarray(results.lengths, int)
    there = np.arange(len(results.t))[None, :] < lengths[:, None]
    columns: dict[str, Any] = {
        "run": np.repeat(np.arange(len(results)), lengths),
        "t": np.broadcast_to(results.t, there.shape)[there],
    }
    for name, values in results.given.items():
        columns[f"given {name}"] = np.repeat(values, lengths)
    for name in results.names:
        values = results[name][there]
        columns |= {name: values} if values.ndim == 1 else parts(name, values, results.units.get(name, ""))
    return columns


def long_units(results: "Results") -> dict[str, str]:
    """{column: unit} of the columns of `long_columns`."""
    units = {"t": "s"}
    for name in results.names:
        unit, values = results.units.get(name, ""), results[name]
        if unit and values.ndim == 2:
            units[name] = unit
        elif unit:
            several = parts(name, values[:, 0], unit)
            units |= dict(zip(several, part_units(unit, len(several)), strict=True))
    for name in results.given:
        if name in results.units:
            units[f"given {name}"] = results.units[name]
    return units


def dataset(results: "Results") -> Any:
    """The `xarray.Dataset` over run and t; what the runs differ in are coordinates along run."""
    xarray = installed("to_xarray", ("xarray",))
    places: dict[str, Any] = {"run": np.arange(len(results)), "t": ("t", results.t, {"units": "s"})}
    for name, values in results.given.items():
        places[f"given {name}"] = ("run", values)
    variables: dict[str, Any] = {
        "status": ("run", np.array(results.status, object)),
        "length": ("run", np.asarray(results.lengths)),
    }
    for name in results.names:
        values, axes, unit = results[name], ["run", "t"], results.units.get(name, "")
        for k, count in enumerate(values.shape[2:], 1):
            letters = part_names(count, unit)
            axes.append(AXES.get(letters, f"{name}.{k}"))
            places[axes[-1]] = list(letters)
        variables[name] = (axes, values, {"units": unit})
    return xarray.Dataset(variables, places)


def _csv(results: "Results", path: Path) -> None:
    import csv

    columns = long_columns(results)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerow([plain_text(name) for name in columns])
        rows = np.column_stack(list(columns.values()))
        np.savetxt(file, rows, fmt=["%d", *["%.17g"] * (len(columns) - 1)], delimiter=",", newline="\r\n")


def _parquet(results: "Results", path: Path) -> None:
    pyarrow = pyarrow_of()
    facts = {"units": json.dumps(long_units(results)), "title": results.title}
    rows = pyarrow.table(long_columns(results))
    pyarrow.parquet.write_table(rows.replace_schema_metadata(facts), path)


def _npz(results: "Results", path: Path) -> None:
    counts = {name: x for name, x in results.report.items() if isinstance(x, np.ndarray)}
    facts = {
        "hapsis": FORMAT,
        "names": list(results.names),
        "given": list(results.given),
        "counts": list(counts),
        "method": str(results.report.get("method", "")),
        "status": list(results.status),
        "message": list(results.message),
        "warnings": [list(results.warnings.get(k, ())) for k in range(len(results))],
        "units": dict(results.units),
        "title": results.title,
        "coordinates": list(results.coordinates),
        "speeds": list(results.speeds),
    }
    arrays: dict[str, Any] = {
        TEXT: np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8),
        "t": results.t,
        "lengths": np.asarray(results.lengths, float),
        "energy_drift": np.asarray(results.energy_drift, float),
    }
    arrays |= {f"g{k}": x for k, x in enumerate(results.given.values())}
    arrays |= {f"n{k}": np.asarray(x, float) for k, x in enumerate(counts.values())}
    arrays |= {f"c{k}": results[name] for k, name in enumerate(results.names)}
    with path.open("wb") as file:
        np.savez(file, **arrays)
