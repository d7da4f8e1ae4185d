"""What a tick costs, every stage included, and that it allocates nothing.

The loop runs unpaced: read, close, dynamics, guard and write as always, only the wait is left out.
"""

import ctypes
import gc
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.bench.realtime.realtime_cases import Case, looped
from hapsis.bench.realtime.realtime_grasps import Grasp, held
from hapsis.compiler.native.module import module
from hapsis.touch.realtime import native_loop
from hapsis.touch.realtime.loop import Loop
from hapsis.touch.realtime.loop_memory import COMPUTE

Row = dict[str, Any]
TICKS = 10_000  # of one round
STEPS = 100_000  # without an allocation
TRIES = 4


def computed(case: Case, way: str, method: str, rounds: int, ticks: int = TICKS) -> Row:
    """Seconds of a tick: of its stages (the clock is read twice), and with telemetry and counts.

    Percentiles are those of the round with the lowest median, the whole tick is the shortest mean
    of a round: the others were disturbed.
    """
    row: Row = {"case": case.name, "way": way, "method": method}
    return judged(row | _timed(looped(case, way, method), rounds, ticks) | _goals(case))


def grasped(grasp: Grasp, bearings: bool, rounds: int, ticks: int = TICKS) -> Row:
    """The same of a mechanism in a hand, with the wrenches of bearings or without."""
    row: Row = {"case": grasp.name, "bearings": list(grasp.bearings) if bearings else []}
    return judged(row | _timed(held(grasp, bearings), rounds, ticks) | _goals(grasp))


def _timed(loop: Loop, rounds: int, ticks: int) -> Row:
    """Times of a tick, in the best of the rounds."""
    figures: list[Row] = []
    for _ in range(rounds):
        before = int(loop.memory.spent)
        loop.run(ticks / loop.rate)
        rows, _ = loop.telemetry.take()
        p50, p99 = np.percentile(rows[:, COMPUTE], (50.0, 99.0))
        whole = 1e-9 * (int(loop.memory.spent) - before) / ticks
        figures.append({"p50_s": float(p50), "p99_s": float(p99), "tick_s": whole})
    best = min(figures, key=lambda row: row["p50_s"])
    best["tick_s"] = min(row["tick_s"] for row in figures)
    best["rate_possible"] = 1.0 / best["p99_s"]
    best["sound"] = bool(np.isfinite(loop.state).all()) and loop.memory.state.bad == 0
    best["sound"] = best["sound"] and loop.guard.fault == 0
    return best


def _goals(case: Case | Grasp) -> Row:
    """What is asked of a case, and what was reached in 1998."""
    row: Row = {} if case.asked is None else {"asked_s": case.asked}
    return row if case.rate_1998 is None else row | {"rate_1998": case.rate_1998}


def judged(row: Row) -> Row:
    """With what came of the goals."""
    if "asked_s" in row:
        row["kept"] = row["p50_s"] <= row["asked_s"]
    if "rate_1998" in row:
        row["times_1998"] = row["rate_possible"] / row["rate_1998"]
    return row


class Malloc(ctypes.Structure):
    """glibc's `struct mallinfo2`."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "hblkhd",
            "usmblks",
            "fsmblks",
            "uordblks",
            "fordblks",
            "keepcost",
        )
    ]


def in_use() -> tuple[int, ...] | None:
    """Bytes and blocks that are allocated in the process, mapped ones too; None without glibc."""
    try:
        ask = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError):
        return None
    ask.restype = Malloc
    memory = ask()
    return int(memory.uordblks), int(memory.hblks), int(memory.hblkhd), int(memory.arena)


def allocations(loop: Loop, steps: int = STEPS) -> Row:
    """What is allocated in so many ticks more than in one: bytes of C, blocks of Python.

    `calls` are the functions of the system that the loop's code refers to at all. A device and a
    compiled model are code of the same kind.
    """

    def change(measure: Callable[[], Any], ticks: int) -> Any:
        loop.memory.limit = loop.memory.ticks + ticks
        before = measure()
        native_loop.run(loop.memory)
        return np.subtract(measure(), before)

    def more(measure: Callable[[], Any]) -> int:
        for _ in range(3):  # caches of the interpreter fill
            change(measure, 1)
        # what else the process does comes and goes: the lowest of a few tries is the loop's
        tries = [change(measure, steps) - change(measure, 1) for _ in range(TRIES)]
        return min(int(np.abs(x).sum()) for x in tries)

    gc.disable()  # it would free what was there before
    try:
        blocks, used = more(sys.getallocatedblocks), None if in_use() is None else more(in_use)
    finally:
        gc.enable()
    return {
        "steps": steps,
        "bytes": used,
        "python_blocks": blocks,
        "calls": module(native_loop.run.definition).imports,
    }
