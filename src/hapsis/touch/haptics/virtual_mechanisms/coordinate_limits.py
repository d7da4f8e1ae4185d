"""Limits of coordinates in the motion nearest to a hand's: rows that count where a limit would be passed.

A coordinate that a step would carry beyond its limit is led to the limit instead, and one that stands there
does not go on outwards. Which ones those are is found in rounds: first as if there were none, then with
those that were passed, and so on; more than `ROUNDS` that hinder each other are sorted out in the next ticks.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from hapsis.compiler.ir.graph.elementary_functions import maximum, where
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import speed_name
from hapsis.touch.haptics.virtual_mechanisms.nearest_motion import NearestMotion

ROUNDS = 2
THERE = 1e-6  # of the length, or rad: nearer to a limit is at it
FAR = 1e300


class Limit(NamedTuple):
    """The places of a coordinate among q and v, and its limits; FAR where there is none."""

    q: int
    v: int
    low: float
    high: float


def limits_of(model: Model) -> list[Limit]:
    """The limits of all plain coordinates that have a speed."""
    limits: list[Limit] = []
    for joint in model.moving:
        for name, (low, high) in joint.bounds.items():
            if speed_name(name) in model.speeds and (low, high) != (None, None):
                ends = (-FAR if low is None else model.value(low), FAR if high is None else model.value(high))
                places = model.coordinates.index(name), model.speeds.index(speed_name(name))
                limits.append(Limit(*places, *ends))
    return limits


class LimitedMotion:
    """The motion of a mechanism nearest to that of a hand, inside the limits.

    free    as it is without limits, and what is needed to solve it with more rows
    """

    def __init__(self, free: NearestMotion, limits: Sequence[Limit], length: float) -> None:
        self.free, self.limits, self.length = free, limits, length

    def step(self, q: Any, motion: Any, closing: Any, push: float) -> list[Any]:
        """The change of the coordinates, with which none passes its limit."""
        x = self.free.rates(motion, closing, push)
        passed = [self.free.zero] * len(self.limits)
        for _ in range(ROUNDS if self.limits else 0):
            ways = []
            for k, limit in enumerate(self.limits):
                at = q[limit.q] + x[limit.v]
                high, low = at > limit.high, at < limit.low
                passed[k] = maximum(passed[k], maximum(1.0 * high, 1.0 * low))
                near = where(q[limit.q] - limit.low < limit.high - q[limit.q], limit.low, limit.high)
                ways.append(where(high, limit.high, where(low, limit.low, near)) - q[limit.q])
            x = self._solved(motion, closing, passed, ways, push)
        return x

    def rates(self, q: Any, motion: Any, closing: Any) -> tuple[list[Any], list[Any]]:
        """The speeds, of which none leads out of a limit that is reached; and which ones are stopped."""
        x = self.free.rates(motion, closing)
        stopped = [self.free.zero] * len(self.limits)
        for _ in range(ROUNDS if self.limits else 0):
            for k, limit in enumerate(self.limits):
                near = THERE * self.length / self.free.scales[limit.v]
                out_high = 1.0 * (q[limit.q] > limit.high - near) * (x[limit.v] > 0.0)
                out_low = 1.0 * (q[limit.q] < limit.low + near) * (x[limit.v] < 0.0)
                stopped[k] = maximum(stopped[k], maximum(out_high, out_low))
            x = self._solved(motion, closing, stopped, [self.free.zero] * len(self.limits))
        return x, stopped

    def accelerations(self, motion: Any, closing: Any, stopped: Sequence[Any]) -> list[Any]:
        """Those with which what is stopped stays so."""
        if not self.limits:
            return self.free.rates(motion, closing)
        return self._solved(motion, closing, stopped, [self.free.zero] * len(self.limits))

    def _solved(
        self, motion: Any, closing: Any, active: Sequence[Any], ways: Sequence[Any], push: float = 0.0
    ) -> list[Any]:
        """The nearest motion in which the speeds that are active go the given ways."""
        free, rows = self.free, []
        for limit, part in zip(self.limits, active, strict=True):
            row = [free.zero] * free.n
            row[limit.v] = part * free.scales[limit.v]
            rows.append(row)
        scaled = [
            part * free.scales[limit.v] * way
            for limit, part, way in zip(self.limits, active, ways, strict=True)
        ]
        return free.with_rows(rows).rates(motion, [*closing, *scaled], push)
