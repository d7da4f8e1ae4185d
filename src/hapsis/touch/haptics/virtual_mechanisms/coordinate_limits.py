"""Limits of coordinates in the motion nearest to a hand's: rows that count where a limit would be passed.

A coordinate that a step would carry beyond its limit is led to the limit instead, and one that stands there
does not go on outwards. Which ones those are is found in rounds: first as if there were none, then with
those that were passed and without those that do not hold anything back, as their multipliers say; more than
`ROUNDS` that hinder each other are sorted out in the next ticks.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from hapsis.compiler.ir.graph.elementary_functions import maximum, minimum, where
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import speed_name
from hapsis.touch.haptics.virtual_mechanisms.nearest_motion import NearestMotion

ROUNDS = 3
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
        x, held = self.free.rates(motion, closing, push), None
        high, low = ([self.free.zero] * len(self.limits) for _ in range(2))
        for _ in range(ROUNDS if self.limits else 0):
            ends = [q[limit.q] + x[limit.v] for limit in self.limits]
            high = self._kept(
                high, held, [1.0 * (x > k.high) for x, k in zip(ends, self.limits, strict=True)]
            )
            low = self._kept(
                low, held, [1.0 * (x < k.low) for x, k in zip(ends, self.limits, strict=True)], -1.0
            )
            active = [maximum(a, b) for a, b in zip(high, low, strict=True)]
            ways = [
                where(a > 0.5, limit.high, max(limit.low, -FAR)) - q[limit.q]
                for a, limit in zip(high, self.limits, strict=True)
            ]
            x, held = self._solved(motion, closing, active, ways, push)
        for limit in self.limits:  # what the last round passes
            x[limit.v] = minimum(maximum(x[limit.v], limit.low - q[limit.q]), limit.high - q[limit.q])
        return x

    def rates(self, q: Any, motion: Any, closing: Any) -> tuple[list[Any], list[Any]]:
        """The speeds, of which none leads out of a limit that is reached; and which ones are stopped."""
        x, held = self.free.rates(motion, closing), None
        high, low = ([self.free.zero] * len(self.limits) for _ in range(2))
        for _ in range(ROUNDS if self.limits else 0):
            ups, downs = [], []
            for limit in self.limits:
                near = THERE * self.length / self.free.scales[limit.v]
                ups.append(1.0 * (q[limit.q] > limit.high - near) * (x[limit.v] > 0.0))
                downs.append(1.0 * (q[limit.q] < limit.low + near) * (x[limit.v] < 0.0))
            high, low = self._kept(high, held, ups), self._kept(low, held, downs, -1.0)
            active = [maximum(a, b) for a, b in zip(high, low, strict=True)]
            x, held = self._solved(motion, closing, active, [self.free.zero] * len(self.limits))
        return x, [maximum(a, b) for a, b in zip(high, low, strict=True)]

    def _kept(self, active: Sequence[Any], held: Any, passed: Sequence[Any], sign: float = 1.0) -> list[Any]:
        """Which limits are active: those that are passed, and of those before them the ones that hold."""
        if held is None:
            return list(passed)
        parts = zip(active, held, passed, strict=True)
        return [where(was > 0.5, 1.0 * (sign * hold > 0.0), new) for was, hold, new in parts]

    def accelerations(self, motion: Any, closing: Any, stopped: Sequence[Any]) -> list[Any]:
        """Those with which what is stopped stays so."""
        if not self.limits:
            return self.free.rates(motion, closing)
        return self._solved(motion, closing, stopped, [self.free.zero] * len(self.limits))[0]

    def _solved(
        self, motion: Any, closing: Any, active: Sequence[Any], ways: Sequence[Any], push: float = 0.0
    ) -> tuple[list[Any], list[Any]]:
        """The nearest motion in which the speeds that are active go the given ways; and their multipliers."""
        free, rows = self.free, []
        for limit, part in zip(self.limits, active, strict=True):
            row = [free.zero] * free.n
            row[limit.v] = part * free.scales[limit.v]
            rows.append(row)
        scaled = [
            part * free.scales[limit.v] * way
            for limit, part, way in zip(self.limits, active, ways, strict=True)
        ]
        x, multipliers = free.with_rows(rows).rates_held(motion, [*closing, *scaled], push)
        return x, multipliers[len(multipliers) - len(rows) :]
