"""The sampled actuator: the force of held commands behind a delay and a lag, exact at every tick."""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, isfinite, native, record, sized
from hapsis.errors import ModelError
from hapsis.touch.haptics.conditioning.gaps import PeriodicStage
from hapsis.touch.haptics.conditioning.stage import SMALL, positive

LONGEST = 10_000  # periods of delay
MOST = 100_000  # samples of a response


@record
class ActuatorMemory:
    """Constants of the lag, the force, and the last commands in a ring."""

    periods: int  # whole ones of delay
    decay: float  # of the lag over a period
    older: float  # weights of the older and the newer command in force
    newer: float
    gain: float
    limit: float
    started: bool = False
    force: float = 0.0
    newest: int = 0
    ring: Array = sized("periods + 2")


@native
def actuate(t: Array, x: Array, y: Array, own: ActuatorMemory) -> None:
    """The force now, of the commands before: a lag behind a delay, commands held in between.

    A command that is not finite leaves the one before.
    """
    count, ring, newest = own.periods + 2, own.ring, own.newest
    if own.started:
        # from the tick before to this one; the newest command is that of the tick before
        newer, older = (newest - own.periods) % count, (newest - own.periods - 1) % count
        own.force = own.decay * own.force + own.older * ring[older] + own.newer * ring[newer]
    own.started = True
    command = own.gain * x[0] if isfinite(x[0]) else ring[newest]
    command = min(max(command, -own.limit), own.limit)
    newest = (newest + 1) % count
    ring[newest] = command
    own.newest = newest
    y[0] = own.force


class ActuatorStage(PeriodicStage):
    """At every tick the force of now, then the new command.

    A command that is missing leaves the one before in force. Slow commands are late by about
    delay + time + half a period, since a command is held.
    """

    inputs, outputs = ("command",), ("force",)

    def __init__(self, period: Any, gain: float, time: float, delay: float, limit: float) -> None:
        self.period = positive(period, "the period")
        self._periods, self._decay, self._older, self._newer = weights(self.period, time, delay)
        self._gain, self._limit = gain, limit
        late = self._periods + 1 + (self._older + self._decay) / (1.0 - self._decay)  # mean of the response
        self.delays = {"force": late * self.period}

    def step(self) -> tuple[Any, Any]:
        """The lag behind the delay."""
        return actuate, ActuatorMemory(
            periods=self._periods,
            decay=self._decay,
            older=self._older,
            newer=self._newer,
            gain=self._gain,
            limit=self._limit,
        )

    def response(self) -> Array:
        """The impulse response within the limit."""
        decay, first = self._decay, self._periods + 1
        more = 4 + int(np.log(SMALL) / np.log(decay)) if 0.0 < decay < 1.0 else 4
        h = np.zeros((first + min(more, MOST), 1, 1))
        h[first] = self._gain * self._newer
        for k in range(first + 1, len(h)):
            h[k] = decay * h[k - 1] + (self._gain * self._older if k == first + 1 else 0.0)
        return h


def weights(period: float, time: float, delay: float) -> tuple[int, float, float, float]:
    """Whole periods of delay, decay over a period, and the parts of the older and newer command
    that fall into it."""
    whole = int(delay / period * (1.0 + 1e-12))
    if whole > LONGEST:
        raise ModelError(f"a delay of {whole} periods", expected=f"at most {LONGEST}")
    rest = max(0.0, delay - whole * period)
    decay, left = (np.exp(-x / time) if time else 0.0 for x in (period, period - rest))
    return whole, float(decay), float(left - decay), float(1.0 - left)
