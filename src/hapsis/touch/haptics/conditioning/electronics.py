"""What the electronics behind a sensor do to its voltages: a lag, and the ends of their range."""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, isfinite, native, record, sized
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.conditioning.gaps import Conversion, PeriodicStage
from hapsis.touch.haptics.conditioning.stage import SMALL, positive

MOST = 1_000_000  # samples of a response


@record
class LagMemory:
    """y = decay y + before x_before + now x, for a number of channels."""

    count: int
    decay: float
    before: float
    now: float
    started: Array = sized("count")  # 1 where a channel has had a sample
    x: Array = sized("count")  # the last samples
    y: Array = sized("count")


@native
def lag(t: Array, x: Array, y: Array, own: LagMemory) -> None:
    """One period of each channel, exact where x is straight; a missing sample leaves the one before."""
    for k in range(own.count):
        if isfinite(x[k]):
            if own.started[k] == 0.0:
                own.started[k], own.x[k], own.y[k] = 1.0, x[k], x[k]
            else:
                own.y[k] = own.decay * own.y[k] + own.before * own.x[k] + own.now * x[k]
            own.x[k], y[k] = x[k], own.y[k]
        else:
            own.y[k] = own.decay * own.y[k] + (own.before + own.now) * own.x[k]
            y[k] = x[k]


class Lag(PeriodicStage):
    """time y' + y = x for every channel, exact where x is straight between samples.

    It starts at rest at the first sample. A missing sample is missing in the result; meanwhile the
    lag goes on with the one before.
    """

    def __init__(self, period: Any, time: Any, names: Any) -> None:
        self.period, self.time = positive(period, "the period"), positive(time, "the lag")
        self.inputs = self.outputs = tuple(names)
        self.delays = dict.fromkeys(self.outputs, self.time)
        ratio = self.period / self.time
        self._decay = float(np.exp(-ratio))
        ramp = -np.expm1(-ratio) / ratio  # the mean of the decay over a period
        self._before, self._now = float(ramp - self._decay), float(1.0 - ramp)

    def step(self) -> tuple[Any, Any]:
        """The lag of every channel."""
        return lag, LagMemory(count=len(self.inputs), decay=self._decay, before=self._before, now=self._now)

    def response(self) -> Array:
        """The impulse response of a sample after the first."""
        count = 4 + int(np.log(SMALL) / np.log(self._decay)) if self._decay > 0.0 else 4
        h = np.zeros(min(count, MOST))
        h[0], h[1] = self._now, self._decay * self._now + self._before
        h[2:] = h[1] * self._decay ** np.arange(1, len(h) - 1)
        return h[:, None, None] * np.eye(len(self.inputs))


@record
class RangeNumbers:
    """The ends of a range, for a number of channels."""

    count: int
    least: float
    most: float


@native
def limit(t: Array, x: Array, y: Array, own: RangeNumbers) -> None:
    """What is shown within the range; a missing sample stays missing."""
    for k in range(own.count):
        y[k] = x[k]
        if x[k] < own.least:
            y[k] = own.least
        elif x[k] > own.most:
            y[k] = own.most


class Range(Conversion):
    """The nearest number from `least` to `most`, for every channel."""

    def __init__(self, least: Any, most: Any, names: Any) -> None:
        self.least, self.most = real(least, "the least"), real(most, "the most")
        if self.least >= self.most:
            raise ModelError(
                f"a range from {self.least:g} to {self.most:g}", expected="the smaller end first"
            )
        self.inputs = self.outputs = tuple(names)
        self.delays = dict.fromkeys(self.outputs, 0.0)

    def step(self) -> tuple[Any, Any]:
        """The limits."""
        return limit, RangeNumbers(count=len(self.inputs), least=self.least, most=self.most)

    def response(self) -> Array:
        """What lies within passes."""
        return np.eye(len(self.inputs))[None]
