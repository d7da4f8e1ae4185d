"""The energy watchdog: a change of energy that no force explains is an error of the integration.

Its promise: in a run that succeeds the change at no row, and at none of the moments that are looked
at besides where rows are few, is more than STOP of all the energy that the motion has exchanged. At each part
of the time the same is asked of what has happened until then, so that a run that goes wrong stops; there
a motion that has just begun from rest may be off by what the work is allowed to be, and until BEGUN parts
have passed by STOP of what it would exchange until then, if it went on evenly.
"""

import math
from typing import Any, final

import numpy as np

from hapsis.mechanics.model.units import energy_unit
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system_history import Rows

Array = np.ndarray[Any, np.dtype[np.float64]]

WARN = 1e-3  # of the energy exchanged
STOP = 5e-2
PARTS = 50  # of the time: the unexplained energy is checked at the end of each
BEGUN = 10  # parts
LEAST = 1e-9  # of the energy at the start: below it rounding is not drift
NOTHING = 1e-15  # J, for a model of a kilogram and a metre


def milestones(part: Array, before: float) -> Any:
    """Which rows are the first ones after a part of the time, where the check is made.

    Not each row: a motion that starts from rest has exchanged hardly any energy at first.
    """
    return part > np.concatenate([[before], part[:-1]])


def most_at(part: Array) -> Array:
    """How many times STOP may have appeared after so many parts of the time."""
    return np.maximum(1.0, BEGUN / np.maximum(part, 1.0))


@final
class EnergyWatchdog:
    """Watches E - W along a run: it must stay constant.

    stops    whether a large unexplained change stops the run
    allowed  J, by which the work may be wrong however much energy the motion has exchanged
    loses    whether steps may lose energy by themselves: only a growth counts
    """

    status = "energy"

    def __init__(
        self,
        kernels: Kernels,
        span: tuple[float, float],
        y: Array,
        stops: bool = True,
        allowed: float = 0.0,
        loses: bool = False,
    ) -> None:
        self.kernels, self.span, self.stops, self.part = kernels, span, stops, 0.0
        self.allowed, self.loses, self.lost = allowed, loses, 0.0
        energies = kernels.rows_now(kernels.system.energies(), np.array([span[0]]), y[None])
        kinetic, potential = (float(energies[name][0]) for name in ("kinetic", "potential"))
        work = float(y[-1])
        self.base = kinetic + potential - work
        self.potential, self.work = potential, work
        self.rest = LEAST * (abs(kinetic) + abs(potential)) + NOTHING * energy_unit(kernels.system.model)
        self.kinetic = kinetic  # the largest of each so far
        self.raised = self.worked = self.unexplained = 0.0
        self.at: float | None = None  # the time of the largest drift
        self.passed: float | None = None  # the time at which it was too much

    @property
    def drift(self) -> float:
        """The largest unexplained change so far, relative to the energy exchanged."""
        return self.unexplained / self.scale

    @property
    def scale(self) -> float:
        """The energy that the motion has exchanged."""
        return self.kinetic + self.raised + self.worked + self.rest

    def look(self, rows: Rows) -> None:
        """Takes more rows of the run."""
        if self.stops and self.passed is not None:
            return
        energies = self.kernels.rows(self.kernels.system.energies(), *rows)
        kinetic, potential, work, t = energies["kinetic"], energies["potential"], rows.y[:, -1], rows.t
        with np.errstate(all="ignore"):
            change = kinetic + potential - work - self.base
            gap = np.maximum(change, 0.0) if self.loses else np.abs(change)
        if self.loses and len(change):
            self.lost = -float(change[-1])
        sound = np.isfinite(gap)
        count = len(t) if sound.all() else int(np.argmin(sound))
        if count:
            self._look(t[:count], gap[:count], kinetic[:count], potential[:count], work[:count])
        if count < len(t):
            # what has grown beyond all numbers explains nothing
            self.unexplained = np.inf
            self.at = float(t[count])
            self.passed = self.at if self.passed is None else self.passed

    def conclude(self, t: float) -> None:
        """Decides for the last time, where a run has come to its end at t."""
        if self.passed is None and self.unexplained > STOP * self.scale:
            self.passed = t

    def fault(self) -> str | None:
        """The message where the run must stop; None while all is well."""
        if not self.stops or self.passed is None:
            return None
        drift = self.drift
        much = "more than any number"
        if drift < math.inf:
            much = f"{self.unexplained:.3g} J, {100 * drift:.3g} % of the energy exchanged until then"
        return f"t = {self.passed:.6g}: energy changes by {much}, and no force explains it"

    def sound(self, t: Array) -> Any:
        """The rows to keep: those up to the check that failed; native code may have made more."""
        assert self.passed is not None
        return t <= self.passed

    def _look(self, t: Array, gap: Array, kinetic: Array, potential: Array, work: Array) -> None:
        # the largest of each up to each time, so that too much is noticed when it is too much
        highest = np.maximum.accumulate
        moved = np.maximum(highest(kinetic), self.kinetic)
        raised = np.maximum(highest(np.abs(potential - self.potential)), self.raised)
        worked = np.maximum(highest(np.abs(work - self.work)), self.worked)
        unexplained = np.maximum(highest(gap), self.unexplained)
        part = self._parts(t)
        most = STOP * most_at(part) * (moved + raised + worked + self.rest) + self.allowed
        too_much = (unexplained > most) & milestones(part, self.part)
        self.part = float(part[-1])
        if too_much.any() and self.passed is None:
            first = int(np.argmax(too_much))
            self.passed = float(t[first])
            if self.stops:  # what decided is what is told; rows after it are not kept
                gap, moved, raised, worked = (x[: first + 1] for x in (gap, moved, raised, worked))
        self.kinetic, self.raised, self.worked = (float(x[-1]) for x in (moved, raised, worked))
        worst = int(np.argmax(gap))
        if gap[worst] > self.unexplained:
            self.unexplained, self.at = float(gap[worst]), float(t[worst])

    def _parts(self, t: Array) -> Array:
        """How many fiftieths of the time have passed."""
        return np.floor((t - self.span[0]) / (self.span[1] - self.span[0]) * PARTS)

    def warning(self) -> str:
        """The warning about a drift that did not stop the run; empty if it is small."""
        if not self.drift > WARN:
            return ""
        return (
            f"energy changes by {self.drift:.2g} of the energy exchanged without a force that "
            f"explains it, most at t = {self.at:.6g} s: use a smaller tolerance or step"
        )
