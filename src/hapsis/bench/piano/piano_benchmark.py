"""`hapsis bench piano`: what a step of the grand piano action costs, and how soon the first one is there.

Steps: a simulated hand presses the key at 10 mm/s, 4000 times per second; the whole tick is measured,
unpaced: read, step, guard, write. Percentiles are those of the round with the lowest median, as others that
use the machine disturb the rest. First motion: whole processes from their start to the end of the first
tick, with an empty cache and with the cache of the one before.
"""

import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import hapsis as hs
from hapsis.bench.first.first_benchmark import process
from hapsis.bench.watch import SILENT, Watch, each, microseconds
from hapsis.compiler.ir.functions.function import Function
from hapsis.touch.haptics.devices.simulated_hand import SimulatedHand
from hapsis.touch.realtime.loop import Loop
from hapsis.touch.realtime.loop_memory import COMPUTE

Row = dict[str, Any]
RATE, SPEED, TRAVEL = 4000.0, 0.010, 0.0095  # 1/s, m/s, m
ASKED = 10e-6  # s, of the 99th percentile
ROUNDS, TICKS, TIMES = 7, 4000, 3
FIRST = """
import hapsis as hs
from hapsis.touch.haptics.devices.simulated_hand import SimulatedHand
step = hs.stepper(hs.library.grand_action(), dt=1 / 4000, inputs=["key.position"], outputs=["key.force"])
loop = hs.realtime.Loop(step, rate=4000, paced=False).connect(SimulatedHand(speed=0.010, travel=0.0095))
loop.run(1 / 4000)
"""
WAYS: dict[str, Callable[[Function], Function]] = {"as it is": lambda step: step, "baked": Function.baked}


def run(quick: bool = False, watch: Watch = SILENT) -> Row:
    """All figures; `quick` is one short round."""
    rounds, ticks, times = (1, 200, 1) if quick else (ROUNDS, TICKS, TIMES)
    model = hs.library.grand_action()
    step = hs.stepper(model, dt=1.0 / RATE, inputs=["key.position"], outputs=["key.force"])
    assert step.options is not None
    steps = each(
        watch,
        list(WAYS),
        lambda way: f"a step {way}",
        lambda way: _ticked(WAYS[way](step), way, rounds, ticks),
        lambda row: f"a step {row['way']}: {microseconds(row['p50_s'])}",
    )
    watch.begin("first motion")
    return {
        "method": step.options["method"],
        "substeps": step.options["substeps"],
        "contacts": len(model.contacts),
        "parameters": len(step.parameters),
        "steps": steps,
        "asked_s": ASKED,
        "first": _first(times),
    }


def _ticked(step: Function, way: str, rounds: int, ticks: int) -> Row:
    """Percentiles of a tick of the loop, seconds, and the operations of the step."""
    loop = Loop(step, rate=RATE, paced=False).connect(SimulatedHand(speed=SPEED, travel=TRAVEL))
    figures: list[tuple[float, float]] = []
    for _ in range(rounds):
        loop.run(ticks / RATE)
        rows, _ = loop.telemetry.take()
        p50, p99 = np.percentile(rows[:, COMPUTE], (50.0, 99.0))
        figures.append((float(p50), float(p99)))
    p50, p99 = min(figures)
    return {
        "way": way,
        "operations": step.cost().flops,
        "p50_s": p50,
        "p99_s": p99,
        "kept": p99 <= ASKED,
        "sound": bool(np.isfinite(loop.state).all()) and loop.guard.fault == 0,
    }


def _first(times: int) -> Row:
    """Wall seconds of processes to the end of the first tick, with an empty cache and a second time."""
    found: dict[str, list[float]] = {"cold": [], "warm": []}
    for _ in range(times):
        with tempfile.TemporaryDirectory() as name:
            for column in found:
                wall, _ = process([sys.executable, "-c", FIRST], Path(name))
                found[column].append(wall)
    return {f"{column}_s": statistics.median(walls) for column, walls in found.items()}


def report(result: Row) -> str:
    """The figures as a table."""
    lines = [
        f'the grand piano action at {RATE:g} per second: "{result["method"]}", {result["substeps"]} substeps,'
        f" {result['contacts']} contacts, {result['parameters']} parameters",
        f"{'a tick in microseconds':26}{'p50':>8}{'p99':>8}{'asked':>8}{'operations':>12}",
    ]
    for row in result["steps"]:
        times = f"{1e6 * row['p50_s']:8.2f}{1e6 * row['p99_s']:8.2f}{1e6 * result['asked_s']:8.1f}"
        told = ("" if row["kept"] else "  not kept") + ("" if row["sound"] else "  not sound")
        lines.append(f"  {row['way']:24}{times}{row['operations']:12}{told}")
    first = result["first"]
    lines.append(
        f"first motion: {first['cold_s']:.2f} s with an empty cache, {first['warm_s']:.2f} s after it"
    )
    return "\n".join(lines)
