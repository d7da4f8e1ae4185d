"""`hapsis sweep`: a table of what is measured in many runs of a model file."""

import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hapsis.commands.json_report import Report
from hapsis.commands.report_layout import print_warnings, wrapped
from hapsis.commands.simulate import PLOTS, arguments, as_options, check_files, number_of, pairs
from hapsis.errors import Error, one_line
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.runs.sweep_table import ENDINGS, Sweep
from hapsis.motion.simulate.sweep import sweep

MOST_ROWS = 20  # that are printed
MOST_VALUES = 1_000_000  # of one name


class Asked(NamedTuple):
    """The options of the command as texts."""

    over: Sequence[str]
    measure: Sequence[str]
    rows: bool
    out: Sequence[str]
    plot_to: str
    keep: str


def run(
    file: str, model: Model, until: str, options: Mapping[str, Any], asked: Asked, report: Report | None
) -> bool:
    """Makes the sweep, prints the table or fills the report, writes the files; whether all runs succeeded."""
    check_files(asked.out, ENDINGS, "--out")
    check_files([asked.plot_to] if asked.plot_to else [], PLOTS, "--plot-to")
    if not asked.over:
        raise Error("--over says what differs, and there is none", remedy="add --over NAME=first:last:count")
    if not asked.measure:
        raise Error("--measure says what goes into the table, and there is none", remedy="add --measure NAME")
    over = {}
    for text in asked.over:
        name, values = _values(model, text)
        if name in over:
            raise Error(f'--over gives "{name[:60]}" twice')
        over[name] = values
    if report is None:
        print_warnings(model)
    table, seconds = _swept(model, until, options, asked, over)
    if report is None:
        _print(file, table, seconds)
    files: list[str] = []
    if asked.plot_to:
        files.append(str(table.plot(title=Path(file).stem).save(asked.plot_to)))
    files += [str(table.save(path)) for path in asked.out]
    if report is None:
        for path in files:
            print(f"wrote {one_line(path)}")
    else:
        report |= _facts(file, model, table, seconds, files)
    return table.success


def _swept(
    model: Model, until: str, options: Mapping[str, Any], asked: Asked, over: Mapping[str, Any]
) -> tuple[Sweep, float]:
    """The table and the seconds it took."""
    began = time.perf_counter()
    names = [name for text in asked.measure for name in _split(text)]
    try:
        table = sweep(
            model,
            number_of(until, "--until"),
            over,
            names,
            grid=not asked.rows,
            keep=asked.keep or None,
            **arguments(model, options),
        )
    except Error as error:
        raise as_options(error) from None
    return table, time.perf_counter() - began


def _split(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise Error("--measure names nothing", expected="names of signals")
    return names


def _values(model: Model, text: str) -> tuple[str, Any]:
    """The name and the values of NAME=first:last:count or NAME=a,b,c; each may be a formula."""
    name, equals, values = text.partition("=")
    name, parts = name.strip(), [part.strip() for part in values.split(":")]
    listed = [part.strip() for part in values.split(",")]
    if not (equals and name and all(parts) and all(listed)) or len(parts) not in (1, 3):
        raise Error(f'--over "{text[:60]}" has no values', expected="NAME=first:last:count or NAME=a,b,c")

    def number(part: str) -> float:
        return pairs(model, [f"{name}={part}"], "--over")[name]

    if len(parts) == 1:
        return name, [number(part) for part in listed]
    first, last, count = (number(part) for part in parts)
    if not (1 <= count <= MOST_VALUES and count == math.floor(count)):
        raise Error(f"--over {name[:60]}: {count:g} values", expected=f"a whole number up to {MOST_VALUES}")
    return name, np.linspace(first, last, int(count))


def _print(file: str, table: Sweep, seconds: float) -> None:
    """The table as text."""
    print(one_line(file))
    counted = ", ".join(f"{count} {status}" for status, count in Counter(table.status).items())
    print(wrapped("  runs", f"{len(table)} in {seconds:.2g} s: {counted}", 16))
    head = [f"{n}, {table.units[n]}" if n in table.units else n for n in table.names]
    rows = [head, *([f"{table[n][k]:.6g}" for n in table.names] for k in range(min(len(table), MOST_ROWS)))]
    widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
    print()
    for k, row in enumerate(rows):
        cells = "  ".join(f"{one_line(x):>{w}}" for x, w in zip(row, widths, strict=True))
        status = "" if k == 0 or table.status[k - 1] == "done" else f"  {table.status[k - 1]}"
        print(f"  {cells}{status}")
    if len(table) > MOST_ROWS:
        print(f"  ... {len(table) - MOST_ROWS} more")


def _facts(file: str, model: Model, table: Sweep, seconds: float, files: list[str]) -> Report:
    return {
        "file": file,
        "runs": len(table),
        "shape": table.shape,
        "over": table.axes,
        "columns": {name: list(values) for name, values in table.columns.items()},
        "units": table.units,
        "statuses": Counter(table.status),
        "success": table.success,
        "seconds": seconds,
        "warnings": model.warnings,
        "files": files,
    }
