"""Seconds per call over many states, on a machine that others use too.

A pass over all states is cut into pieces short enough to run undisturbed now and then; the sum of
each piece's shortest time counts. Short functions pass over all states several times per piece
instead, so that the clock's own cost stays out. The drivers in C do the same.
"""

import time
from collections.abc import Callable

PIECE = 2e-4  # seconds


def per_state(
    run: Callable[[int, int, int], object], count: int, budget: float, least: int = 3, grain: int = 1
) -> float:
    """Seconds per call; `run(first, number, passes)` calls that many states that many times.

    Pieces hold multiples of `grain` states.
    """
    guess = min(_took(run, 0, count, 1) for _ in range(2)) / count
    wanted = max(1, int(PIECE / max(guess, 1e-9)) // grain) * grain
    size, passes = min(count, wanted), max(1, wanted // count)
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
