"""The energy watchdog: what no force explains is an error of the integration."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]

WARN = 1e-3  # of the energy turned over
STOP = 5e-2
LEAST = 1e-9  # of the energy at the start: below it rounding is not drift
NOTHING = 1e-15  # J


class Watchdog:
    """Follows E - W along a run: it must stay what it was."""

    def __init__(self, kinetic: float, potential: float, work: float) -> None:
        self.base = kinetic + potential - work
        self.potential, self.work = potential, work
        self.rest = LEAST * (abs(kinetic) + abs(potential)) + NOTHING
        self.kinetic = kinetic  # the largest of each so far
        self.raised = self.worked = self.unexplained = 0.0
        self.at = None  # the time of the largest drift
        self.passed: float | None = None  # the time at which it was too much

    @property
    def drift(self) -> float:
        """The largest unexplained change so far, over the energy that was turned over."""
        return self.unexplained / self.scale

    @property
    def scale(self) -> float:
        """The energy that the motion has turned over."""
        return self.kinetic + self.raised + self.worked + self.rest

    def look(self, t: Array, kinetic: Array, potential: Array, work: Array) -> bool:
        """Takes more of the run; False when too much is unexplained."""
        with np.errstate(all="ignore"):
            gap = np.abs(kinetic + potential - work - self.base)
        sound = np.isfinite(gap)
        count = len(t) if sound.all() else int(np.argmin(sound))
        if count:
            self._look(t[:count], gap[:count], kinetic[:count], potential[:count], work[:count])
        if count < len(t):
            # what has grown beyond all numbers explains nothing
            self.unexplained = np.inf
            self.at = float(t[count])
            self.passed = self.at if self.passed is None else self.passed
        return self.passed is None

    def _look(self, t: Array, gap: Array, kinetic: Array, potential: Array, work: Array) -> None:
        self.kinetic = max(self.kinetic, float(kinetic.max()))
        self.raised = max(self.raised, float(np.abs(potential - self.potential).max()))
        self.worked = max(self.worked, float(np.abs(work - self.work).max()))
        worst = int(np.argmax(gap))
        if gap[worst] > self.unexplained:
            self.unexplained, self.at = float(gap[worst]), float(t[worst])
        if self.drift > STOP and self.passed is None:
            self.passed = float(t[np.argmax(gap > STOP * self.scale)])

    def warning(self) -> str:
        """What to tell about a drift that did not stop the run; empty if it is small."""
        if not self.drift > WARN:
            return ""
        return (
            f"energy changes by {self.drift:.2g} of what is turned over without a force that "
            f"explains it, most at t = {self.at:.6g} s: use a smaller tolerance or step"
        )
