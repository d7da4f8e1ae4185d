"""Linear filters, exact where the signal is straight between samples: low-pass, lead."""

from typing import Any

import numpy as np
from scipy.linalg import expm

from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.conditioning import layout
from hapsis.touch.haptics.conditioning.stage import SMALL, Array, Stage, positive

BUTTERWORTH = 0.5**0.5  # the damping of the flattest second order
MOST = 1_000_000  # samples of a response


class Linear(Stage):
    """s' = A s + B x, y = C s + D x, sampled.

    Between two samples x is a straight line; so a ramp comes out as exactly late as the
    continuous filter gives it. It starts at rest at its first sample.
    """

    code = layout.LINEAR
    inputs, outputs = ("signal",), ("signal",)

    def __init__(self, period: Any, A: Any, B: Any, C: Any, D: float = 0.0) -> None:
        self.period = positive(period, "the period")
        A, B, C = np.array(A, float), np.array(B, float), np.array(C, float)
        n = len(B)
        # x and its slope as two more states: one exponential gives all integrals
        whole = np.zeros((n + 2, n + 2))
        whole[:n, :n], whole[:n, n], whole[n, n + 1] = A, B, 1.0 / self.period
        found = expm(whole * self.period)
        self.transition, after, ramp = found[:n, :n], found[:n, n], found[:n, n + 1]
        self._now, self._before, self._C, self._D = ramp, after - ramp, C, D
        rest = -np.linalg.solve(A, B)
        steady = C @ rest + D
        # y = (1 - delay s + ...) x at low frequency
        self.delays = {"signal": float(C @ np.linalg.solve(A, rest) / steady) * -1.0}
        parts = ([n, D], self.transition.ravel(), self._before, self._now, C, rest)
        self.constants, self.memory = np.concatenate(parts).astype(float), 2 + 2 * n

    def response(self) -> Array:
        """Its answer to an impulse."""
        fastest = float(np.abs(np.linalg.eigvals(self.transition)).max())
        count = 4 + int(np.log(SMALL) / np.log(fastest)) if 0.0 < fastest < 1.0 else 4
        h, s = np.zeros((min(2 * count, MOST), 1, 1)), self._now.copy()
        h[0] = self._C @ s + self._D
        for k in range(1, len(h)):
            s = self.transition @ s + (self._before if k == 1 else 0.0)
            h[k] = self._C @ s
        return h


class LowPass(Linear):
    """A low-pass of first or second order; frequency in Hz is where its corner is.

    Delay at low frequency: 1/ω of the first order, 2 damping/ω of the second, ω = 2π frequency.
    """

    def __init__(self, period: Any, frequency: Any, order: int = 1, damping: Any = BUTTERWORTH) -> None:
        w = 2.0 * np.pi * positive(frequency, "the frequency")
        if order not in (1, 2) or isinstance(order, bool):
            raise ModelError(f"a low-pass of order {order!r:.20}", expected="order 1 or 2")
        if order == 1:
            super().__init__(period, [[-w]], [w], [1.0])
        else:
            d = positive(damping, "the damping")
            super().__init__(period, [[0.0, w], [-w, -2.0 * d * w]], [0.0, w], [1.0, 0.0])


class Lead(Linear):
    """(1 + time s) / (1 + within s) / gain: ahead at low frequency, as its negative delay says.

    It makes up for a lag `time` and leaves one of `within`. Noise grows by time / within.
    """

    def __init__(self, period: Any, time: Any, within: Any, gain: Any = 1.0) -> None:
        time = positive(time, "the time", zero=True)
        within, gain = positive(within, "the time within"), real(gain, "the gain")
        if gain == 0.0:
            raise ModelError("the gain must not be zero")
        ratio = time / within
        super().__init__(period, [[-1.0 / within]], [1.0 / within], [(1.0 - ratio) / gain], ratio / gain)
