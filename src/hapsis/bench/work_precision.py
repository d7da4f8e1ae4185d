"""Work-precision curves: what a run gave, and what a given accuracy costs."""

import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# Processor time of this process: what others do on the machine does not count. All contenders run
# in one thread. Windows counts it in 16 ms, too coarse here.
clock = time.perf_counter if sys.platform == "win32" else time.process_time
LEVELS = (1e-3, 1e-6, 1e-9)  # errors of a coordinate at the end, radians


@dataclass(frozen=True)
class Outcome:
    """One run: seconds of the processor, steps, and the last state in the robot's order."""

    seconds: float
    steps: int
    q: Any
    v: Any


def cost_at(level: float, points: Sequence[tuple[float, float]]) -> float | None:
    """The cost of an error: `points` are (error, cost), from coarse to fine.

    Between two points on both sides of the level costs are interpolated on logarithms. A coarsest
    point that is already better gives its own cost, which is then an upper bound; None if the level
    is not reached.
    """
    before: tuple[float, float] | None = None
    for error, cost in points:
        if error <= level:
            if before is None or not math.isfinite(before[0]):
                return cost
            there = max(error, 1e-300)
            part = math.log(before[0] / level) / math.log(before[0] / there)
            return math.exp(math.log(before[1]) + part * math.log(cost / before[1]))
        before = error, cost
    return None


def limit(coarse: Outcome, fine: Outcome) -> Outcome:
    """Where runs with ever smaller steps would end, from two of a first-order method.

    For methods of higher order it is a little off, but those need no help to come near.
    """
    part = coarse.steps / (fine.steps - coarse.steps)
    q, v = fine.q + part * (fine.q - coarse.q), fine.v + part * (fine.v - coarse.v)
    return Outcome(fine.seconds, fine.steps, q, v)


def slope(points: Sequence[tuple[float, float]], floor: float) -> float | None:
    """The exponent between the last two (setting, error) whose errors are above the floor.

    For steps it is the order of the method, for tolerances how well they are kept.
    """
    good = [p for p in points if p[1] > floor and math.isfinite(p[1])]
    if len(good) < 2:
        return None
    (step, error), (finer, less) = good[-2:]
    return math.log(error / less) / math.log(step / finer)
