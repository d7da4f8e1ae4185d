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
    loop = looped(case, way, method)
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
    row: Row = {"case": case.name, "way": way, "method": method, **best}
    row["rate_possible"] = 1.0 / row["p99_s"]
    row["sound"] = bool(np.isfinite(loop.state).all()) and loop.memory.state.bad == 0
    row["sound"] = row["sound"] and loop.guard.fault == 0
    if case.asked is not None:
        row["asked_s"], row["kept"] = case.asked, row["p50_s"] <= case.asked
    if case.rate_1998 is not None:
        row["rate_1998"] = case.rate_1998
        row["times_1998"] = row["rate_possible"] / case.rate_1998
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
