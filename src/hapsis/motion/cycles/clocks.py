"""Cycles of what reads the time: a cycle repeats itself only if its time does not matter.

A stride of the map begins at the time 0. Where laws or drives read the time the next one, which begins
later, may be another motion: then there is no cycle, though the map has a fixed point.
"""

import numpy as np

from hapsis.errors import SolveError
from hapsis.mechanics.model.forces.controller import Controller
from hapsis.mechanics.model.model import Model
from hapsis.motion.cycles.chart import Point
from hapsis.motion.cycles.poincare_map import PoincareMap
from hapsis.motion.hybrid.hybrid import Hybrid

SAME = 1e-5  # of the time and the units of a cycle; of an unstable one times the growth of errors
MORE = 1e-3  # of a cycle, behind the second one


def refuse_samples(hybrid: Hybrid) -> None:
    """An error where a controller is sampled: it has a clock of its own that no event resets."""
    for model in hybrid.phases.values():
        for law in model.forces.values():
            if isinstance(law, Controller) and law.rate:
                raise law.wrong(
                    "its samples follow a clock, so that a motion does not repeat itself by its state alone",
                    remedy="leave out its rate",
                )


def check_clock(
    poincare: PoincareMap, point: Point, time: float, strides: int, multipliers: np.ndarray
) -> None:
    """An error where the second cycle is not like the first one; only asked of what may read the time."""
    if not any(map(_timed, poincare.hybrid.phases.values())):
        return
    run = poincare.motion(point, (2.0 + MORE) * time)
    times = [event.time for event in run.events if event.name == poincare.event]
    off = np.inf
    if len(times) >= 2 * strides:
        end = times[2 * strides - 1]
        row = int(np.flatnonzero(run.t == end)[-1])
        model = poincare.model
        there = Point(
            np.array([run[n][row] for n in model.coordinates]),
            np.array([run[n][row] for n in model.speeds]),
            point.z,
        )
        gaps = [abs((end - times[strides - 1]) / time - 1.0), *np.abs(poincare.chart(point).of(there))]
        off = float(max(gaps))
    growth = float(np.abs(multipliers).max(initial=0.0))
    if not off <= SAME * max(1.0, growth) ** 2:
        raise SolveError(
            f"no cycle: the motion depends on the time, and its second cycle is {off:.2g} off the first one",
            expected="laws of the state",
            remedy="read the time from a state of the law that the event resets, in place of s.t",
        )


def _timed(model: Model) -> bool:
    return bool(model.drives) or any(isinstance(force, Controller) for force in model.forces.values())
