"""Timing: the minimum of many repetitions, because everything else a machine does only adds."""

import time
from collections.abc import Callable
from typing import Any


def seconds(run: Callable[[], Any], budget: float = 0.3, least: int = 3) -> float:
    """The shortest of as many runs as fit the budget, at least a few."""
    best, spent, count = float("inf"), 0.0, 0
    while count < least or spent < budget:
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
