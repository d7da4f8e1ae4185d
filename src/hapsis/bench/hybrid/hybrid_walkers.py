"""The walkers of the benchmark: their hybrids, cycles, and how a foot is told from the other."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

import hapsis as hs

TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
REPEATS = 5


class Walker:
    """One walker, with its cycle from the pose `start`."""

    def __init__(self, name: str) -> None:
        self.name, self.hybrid = name, getattr(hs.library, name)()

    @cached_property
    def cycle(self) -> hs.Cycle:
        """The gait that repeats itself, as exactly as it is found."""
        return hs.find_cycle(self.hybrid)


class Ours(NamedTuple):
    """Figures of our run: seconds, steps and events, and those of one each."""

    seconds: float
    steps: int
    strides: int
    step_s: float
    event_s: float
    error: float


def ours(walker: Walker, strides: int) -> Ours:
    """Runs of so many strides at several tolerances; steps and events share their time by least squares."""
    cycle, rows = walker.cycle, list[tuple[float, int, int]]()
    until = (strides + 0.5) * cycle.period
    error = np.nan
    for tolerance in TOLERANCES:

        def go(tolerance: float = tolerance) -> Any:
            return hs.simulate(
                walker.hybrid, until, cycle.start, every=until, tolerance=tolerance, progress=False
            )

        results = [go() for _ in range(REPEATS)]
        result, seconds = results[0], min(each.report["seconds"] for each in results)
        rows.append((seconds, result.report["steps"] + result.report["rejected"], len(result.events)))
        if tolerance == 1e-8:
            times = [event.time for event in result.events]
            error = abs((times[-1] - times[0]) / (len(times) - 1) / cycle.period - 1.0)
    # every run has the same events; the slope over the steps is the cost of one
    t, steps, events = (np.array(column, float) for column in zip(*rows, strict=True))
    step_s = max(float(np.polyfit(steps, t, 1)[0]), 0.0)
    event_s = float(max(0.0, np.mean(t - step_s * steps)) / max(events.mean(), 1.0))
    which = TOLERANCES.index(1e-8)
    return Ours(float(t[which]), int(steps[which]), int(events[which]), step_s, event_s, float(error))
