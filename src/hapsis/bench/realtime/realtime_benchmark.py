"""`hapsis bench realtime`: what a tick of the haptic loop costs, and how late it comes.

Compute: the whole tick of `realtime_cases.py`, unpaced, against what was asked and against the rates
that virtual mechanisms reached in 1998. Lateness: blocks of a second in turns with a bare loop in C
on the same machine, and with a busy Python thread and a recording beside it; medians of the 99th
percentiles count, as a machine that others use gives single figures no meaning. Allocations: none.
"""

from collections.abc import Sequence
from typing import Any

from hapsis.bench.realtime import realtime_cases, realtime_compute, realtime_grasps, realtime_lateness
from hapsis.bench.watch import SILENT, Watch, each, microseconds
from hapsis.errors import DeviceError

Row = dict[str, Any]
METHODS = ("euler", "rk4")
ROUNDS, BLOCKS, SECONDS = 7, 9, 1.0


def run(names: Sequence[str] | None = None, quick: bool = False, watch: Watch = SILENT) -> Row:
    """All figures; `names` are cases of `realtime_cases.NAMES`, `quick` is one short round."""
    notes: list[str] = []
    rounds, blocks, seconds = (1, 1, 0.05) if quick else (ROUNDS, BLOCKS, SECONDS)
    cases = [case for case in realtime_cases.CASES if names is None or case.name in names]
    ticks = [(case, way, method) for case in cases for way in realtime_cases.WAYS for method in METHODS]
    compute = each(
        watch,
        ticks,
        lambda tick: f"{tick[0].name}, {tick[1]}, {tick[2]}",
        lambda tick: realtime_compute.computed(*tick, rounds, 500 if quick else 10_000),
        lambda row: f"{row['case']}, {row['way']}, {row['method']}: {microseconds(row['tick_s'])} a tick",
    )
    grasps = [grasp for grasp in realtime_grasps.GRASPS if names is None or grasp.name in names]
    grasped = each(
        watch,
        [
            (grasp, bearings)
            for grasp in grasps
            for bearings in (False, True)
            if grasp.bearings or not bearings
        ],
        lambda one: f"{one[0].name} in a hand",
        lambda one: realtime_compute.grasped(*one, rounds, 500 if quick else 10_000),
        lambda row: f"{row['case']} in a hand: {microseconds(row['tick_s'])} a tick",
    )
    watch.begin("lateness")
    for row in (*compute, *grasped):
        if not row["sound"]:
            notes.append(f"{row['case']}, {row.get('way', 'in a hand')}: the run is not sound")
    loop = realtime_cases.looped(realtime_cases.CASES[1], "inverse")
    none = realtime_compute.allocations(loop, 1000 if quick else realtime_compute.STEPS)
    late: list[Row] = []
    for rate in realtime_lateness.RATES:
        try:
            late.append(realtime_lateness.beside_c(rate, blocks, seconds))
        except DeviceError as problem:
            notes.append(str(problem))
            break
    busy = [realtime_lateness.disturbed(rate, blocks, seconds) for rate in realtime_lateness.RATES]
    if late and not all(row["hard"] for row in late):
        notes.append("no real-time priority or locked memory here: soft real time")
    return {
        "compute": compute,
        "grasped": grasped,
        "allocations": none,
        "lateness": late,
        "disturbed": busy,
        "notes": notes,
    }


def report(result: Row) -> str:
    """The figures as tables."""
    lines = [*_compute(result["compute"]), "", *_compute(result.get("grasped", ())), ""]
    lines += _lateness(result["lateness"], "beside a loop in C")
    lines += _lateness(result["disturbed"], "with a busy Python thread and a recording")
    none = result["allocations"]
    bytes_ = "not known here" if none["bytes"] is None else f"{none['bytes']} bytes"
    lines.append(
        f"allocated in {none['steps']} ticks: {bytes_}, {none['python_blocks']} objects "
        f"of Python; the loop calls {', '.join(none['calls'])} only"
    )
    return "\n".join([*lines, *(f"note: {note}" for note in result["notes"])])


def _compute(rows: Sequence[Row]) -> list[str]:
    lines = [
        f"{'a tick in microseconds':32}{'p50':>8}{'p99':>8}{'whole':>8}{'asked':>8}{'kHz':>8}{'of 1998':>9}"
    ]
    for row in rows:
        name = (
            f"  {row['case']}, {row['way']}, {row['method']}"
            if "way" in row
            else f"  {row['case']} in a hand"
        )
        name += ", bearings" if row.get("bearings") else ""
        asked = f"{1e6 * row['asked_s']:.1f}" if "asked_s" in row else "-"
        times = f"{row['times_1998']:.0f}x" if "times_1998" in row else "-"
        line = f"{name:32}" + "".join(f"{1e6 * row[k]:8.2f}" for k in ("p50_s", "p99_s", "tick_s"))
        line += f"{asked:>8}{1e-3 * row['rate_possible']:8.0f}{times:>9}"
        lines.append(line + ("" if row.get("kept", True) else "  not kept"))
    return lines


def _lateness(rows: Sequence[Row], title: str) -> list[str]:
    lines: list[str] = []
    for row in rows:
        lines.append(
            f"lateness at {row['rate']:g} per second, microseconds, {title}: "
            f"{row['rounds']} blocks of {row['seconds']:g} s in turns"
        )
        lines.append(
            f"  {'':10}{'p50':>8}{'p99':>8}{'p99.9':>8}{'max':>9}{'ticks':>9}{'misses':>8}{'skips':>8}"
        )
        for name, loop in row["loops"].items():
            late = "".join(f"{1e6 * loop[k]:8.1f}" for k in ("p50_s", "p99_s", "p99.9_s"))
            line = f"  {name:10}{late}{1e6 * loop['max_s']:9.0f}{loop['ticks']:9}"
            lines.append(line + f"{loop['misses']:8}{loop['skips']:8}")
        control = f", C over C {row['control']:.2f}" if "control" in row else ""
        kept = "kept" if row["kept"] else "not kept"
        lines += [f"  ratio of p99 {row['ratio']:.2f}{control}; asked {row['asked']}: {kept}", ""]
    return lines
