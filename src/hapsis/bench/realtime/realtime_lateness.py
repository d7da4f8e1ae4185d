"""Lateness of a whole loop, in blocks: beside a bare one in C, and beside a busy Python thread."""

import contextlib
import tempfile
import threading
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from hapsis.bench.realtime.realtime_cases import CASES, looped
from hapsis.errors import Notice
from hapsis.touch.realtime.baseline_loops import Block, InC
from hapsis.touch.realtime.loop_memory import LATE
from hapsis.touch.recording.record import record

Row = dict[str, Any]
RATES = (1000.0, 10_000.0)
NEAR, UNDISTURBED = 1.25, 1.2  # what is asked of the ratios


class Whole:
    """Blocks of the loop about a slider-crank: device, model, guard and telemetry."""

    name = "ours"

    def __init__(self, rate: float) -> None:
        self.loop = looped(CASES[1], "inverse", rate=rate, paced=True)

    def block(self, rate: float, seconds: float) -> Block:
        """One block; nobody else reads the ring."""
        rows: list[Any] = []
        with self._counted() as counted:
            self._run(seconds)
            rows.append(self.loop.telemetry.take()[0])
        return self._block(rows, counted)

    def disturbed(self, seconds: float) -> Block:
        """One block while a Python thread works and a recording is written."""
        with tempfile.TemporaryDirectory() as folder, self._counted() as counted, _busy():
            with record(self.loop, f"{folder}/block.mcap"):
                self._run(seconds)
            rows = [self.loop.telemetry.take()[0]]
        return self._block(rows, counted)

    def _run(self, seconds: float) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Notice)
            self.loop.run(seconds)

    @contextlib.contextmanager
    def _counted(self) -> Iterator[Row]:
        memory = self.loop.memory
        misses, skips = int(memory.misses), int(memory.skips)
        memory.longest = 0
        counted: Row = {}
        yield counted
        counted["misses"], counted["skips"] = int(memory.misses) - misses, int(memory.skips) - skips
        counted["longest"] = int(memory.longest)

    def _block(self, rows: Sequence[Any], counted: Row) -> Block:
        late = np.concatenate(rows)[:, LATE]
        return Block(np.rint(1e9 * late).astype(np.int64), **counted)

    def close(self) -> None:
        """Nothing is kept."""


@contextlib.contextmanager
def _busy() -> Iterator[None]:
    """A thread that keeps the interpreter to itself as far as it can."""
    end = threading.Event()

    def work() -> None:
        while not end.is_set():
            sum(k * k for k in range(2000))

    thread = threading.Thread(target=work, name="busy")
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


def beside_c(rate: float, rounds: int, seconds: float) -> Row:
    """Median of the 99th percentiles of blocks: C, ours, C again, in turns."""
    rival, whole = InC(), Whole(rate)
    blocks: dict[str, list[Block]] = {"c": [], "ours": [], "c again": []}
    try:
        for turn in range(rounds):
            order = list(blocks) if turn % 2 == 0 else list(blocks)[::-1]
            for name in order:
                loop = whole if name == "ours" else rival
                blocks[name].append(loop.block(rate, seconds))
    finally:
        rival.close()
    row: Row = {"rate": rate, "rounds": rounds, "seconds": seconds, "loops": summary(blocks)}
    p99 = {name: row["loops"][name]["p99_s"] for name in blocks}
    row["ratio"], row["control"] = p99["ours"] / p99["c"], p99["c again"] / p99["c"]
    row["asked"], row["kept"] = NEAR, row["ratio"] <= NEAR
    granted = whole.loop.granted
    row["hard"] = granted is not None and granted.hard
    return row


def disturbed(rate: float, rounds: int, seconds: float) -> Row:
    """The same of quiet blocks and of blocks with a busy Python thread and a recording."""
    whole = Whole(rate)
    blocks: dict[str, list[Block]] = {"quiet": [], "busy": []}
    for turn in range(rounds):
        for name in ("quiet", "busy") if turn % 2 == 0 else ("busy", "quiet"):
            block = whole.block(rate, seconds) if name == "quiet" else whole.disturbed(seconds)
            blocks[name].append(block)
    row: Row = {"rate": rate, "rounds": rounds, "seconds": seconds, "loops": summary(blocks)}
    row["ratio"] = row["loops"]["busy"]["p99_s"] / row["loops"]["quiet"]["p99_s"]
    row["asked"], row["kept"] = UNDISTURBED, row["ratio"] <= UNDISTURBED
    return row


def summary(loops: dict[str, list[Block]]) -> Row:
    """Per loop: medians over its blocks, and what it missed in all."""
    table: Row = {}
    for name, blocks in loops.items():
        late = np.median([block.percentiles for block in blocks], axis=0)
        table[name] = {
            "p50_s": float(late[0]),
            "p99_s": float(late[1]),
            "p99.9_s": float(late[2]),
            "max_s": max(block.percentiles[-1] for block in blocks),
            "ticks": sum(len(block.late) for block in blocks),
            "misses": sum(block.misses for block in blocks),
            "skips": sum(block.skips for block in blocks),
        }
    return table
