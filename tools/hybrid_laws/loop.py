"""The motion of a legged body through its phases: classical steps, events by halving them."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hybrid_laws.legged import Array, Legged

ARMED = 1e-8  # of a size: from there on a height that falls through zero counts
FIRST, GROWING = 1e-4, 1.25  # of a step after an event, so that short hops are seen
CLEAR = 1e-5  # what decides must be that far from the other way


class UnclearError(Exception):
    """Rounding decides what happens."""


@dataclass
class Loop:
    """Flight, in which feet bounce or are caught by their speed, and standing on one of them.

    fast     a foot that comes down faster bounces, m/s
    unit     of lengths
    events   (time, name) of those so far
    """

    body: Legged
    fast: float
    e: float
    mu: float
    unit: float
    events: list[tuple[float, str]] = field(default_factory=list)
    foot: int | None = None
    t: float = 0.0

    def rates(self, y: Array) -> Array:
        """The derivative of q, v."""
        q, v = np.split(y, 2)
        return np.concatenate([v, self.body.acceleration(q, v, self.foot)[0]])

    def moved(self, y: Array, h: float) -> Array:
        """One classical step."""
        k1 = self.rates(y)
        k2 = self.rates(y + 0.5 * h * k1)
        k3 = self.rates(y + 0.5 * h * k2)
        k4 = self.rates(y + h * k3)
        return y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)

    def values(self, y: Array) -> Array:
        """Heights of the feet, in units; then the push, in weights, or 1."""
        q, v = np.split(y, 2)
        legs = self.body.legs
        heights = [self.body.point(q, v, k, leg.foot)[0][1] / self.unit for k, leg in enumerate(legs)]
        push = 1.0
        if self.foot is not None:
            heights[self.foot] = 1.0
            push = self.body.acceleration(q, v, self.foot)[1] / (self.body.mass * self.body.g)
        return np.array([*heights, push])

    def run(self, y: Array, until: float, h: float) -> Array:
        """The state at the end."""
        armed, short = self.values(y) > ARMED, h
        while self.t < until:
            short = min(GROWING * short, h)
            step = min(short, until - self.t)
            new = self.moved(y, step)
            hit = armed & (self.values(new) <= 0.0)
            if not hit.any():
                y, self.t = new, self.t + step
                armed |= self.values(y) > ARMED
                continue
            y, which = self._located(y, step, armed)
            y, short = self._after(y, which), FIRST * h
            armed = self.values(y) > ARMED
        return y

    def _located(self, y: Array, step: float, armed: Any) -> tuple[Array, int]:
        """The state where the first value passes zero, and which it is."""
        low, high = 0.0, step
        for _ in range(60):
            middle = 0.5 * (low + high)
            if (armed & (self.values(self.moved(y, middle)) <= 0.0)).any():
                high = middle
            else:
                low = middle
        at = self.moved(y, high)
        hit = np.flatnonzero(armed & (self.values(at) <= 0.0))
        if len(hit) > 1:
            raise UnclearError
        self.t += high
        return at, int(hit[0])

    def _after(self, y: Array, which: int) -> Array:
        q, v = np.split(y, 2)
        if which == len(self.body.legs):
            self.events.append((self.t, f"leave {self.foot}"))
            self.foot = None
            return y
        down = -float((self.body.point(q, v, which, self.body.legs[which].foot)[1] @ v)[1])
        if abs(down - self.fast) < CLEAR * self.fast or down < CLEAR * self.fast:
            raise UnclearError
        if self.foot is None and down > self.fast:
            self.events.append((self.t, f"bounce {which}"))
            then = self.body.bounced(q, v, which, self.e, self.mu)
            if then is None:
                raise UnclearError
            return np.concatenate([q, then])
        self.events.append((self.t, f"stand {which}"))
        self.foot = which
        then = np.concatenate([q, self.body.caught(q, v, which)])
        if self.body.acceleration(q, then[len(q) :], which)[1] < CLEAR * self.body.mass * self.body.g:
            raise UnclearError  # it would have to be pulled at once
        return then
