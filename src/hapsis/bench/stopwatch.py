"""Timing: the minimum of many repetitions, because everything else a machine does only adds.

Code that is compiled in the background is waited for, before and between the repetitions.
"""

import time
from collections.abc import Callable
from typing import Any

from hapsis.compiler.backends.llvm import background

PIECE = 2e-4  # seconds: a piece of a pass over many states


def seconds(run: Callable[[], Any], budget: float = 0.3, least: int = 3) -> float:
    """The shortest of as many runs as fit the budget, at least a few."""
    best, spent, count = float("inf"), 0.0, 0
    while count < least or spent < budget:
        background.settled()
        start = time.perf_counter()
        run()
        took = time.perf_counter() - start
        best, spent, count = min(best, took), spent + took, count + 1
    return best


def per_call(run: Callable[[], Any], budget: float = 0.5) -> float:
    """Seconds of one short call, the loop's own time taken off."""

    def nothing() -> None:
        return None

    number = max(1, int(2e-3 / max(seconds(run, 1e-3), 1e-8)))
    repeat = range(number)

    def loop(call: Callable[[], Any]) -> Callable[[], None]:
        def many() -> None:
            for _ in repeat:
                call()

        return many

    return (seconds(loop(run), budget) - seconds(loop(nothing), 0.05)) / number


def per_state(
    run: Callable[[int, int, int], object], count: int, budget: float, least: int = 3, grain: int = 1
) -> float:
    """Seconds per call; `run(first, number, passes)` calls that many states that many times.

    A pass over all states is cut into pieces short enough to run undisturbed now and then; the sum
    of each piece's shortest time counts. Short functions pass over all states several times per
    piece, so that the clock's own cost stays out. The drivers in C do the same. Pieces hold
    multiples of `grain` states.
    """
    background.settled()
    guess = min(_took(run, 0, count, 1) for _ in range(2)) / count
    calls = max(1, int(PIECE / max(guess, 1e-9)) // grain) * grain
    size, passes = min(count, calls), max(1, calls // count)
    firsts = range(0, count, size)
    best = [float("inf")] * len(firsts)
    start, round_ = time.perf_counter(), 0
    while round_ < least or time.perf_counter() - start < budget:
        for k, first in enumerate(firsts):
            best[k] = min(best[k], _took(run, first, min(size, count - first), passes))
        round_ += 1
    idle = min(_took(run, 0, 0, 0) for _ in range(20))
    return (sum(best) - idle * len(best)) / (count * passes)


def _took(run: Callable[[int, int, int], object], *piece: int) -> float:
    start = time.perf_counter()
    run(*piece)
    return time.perf_counter() - start
