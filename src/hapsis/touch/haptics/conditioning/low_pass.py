"""Linear filters, exact where the signal is straight between samples: low-pass, lead."""

from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import Array, at, native, record, sized
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.conditioning.gaps import SampledFilter, StepMemory
from hapsis.touch.haptics.conditioning.stage import SMALL, positive

BUTTERWORTH = 0.5**0.5  # the damping of the flattest second order
MOST = 1_000_000  # samples of a response


@record
class LinearMemory(StepMemory):
    """A sampled linear system: s = Φ s + G₀ x_before + G₁ x, y = C s + D x."""

    size: int
    D: float
    transition: Array = sized("size * size")  # Φ by rows
    gain_before: Array = sized("size")  # G₀
    gain_now: Array = sized("size")  # G₁
    C: Array = sized("size")
    rest: Array = sized("size")  # the s that rests at x = 1
    x_before: float = 0.0
    s: Array = sized("size")
    new: Array = sized("size")


@native
def linear(t: Array, x: Array, y: Array, own: LinearMemory) -> None:
    """One step: exact where x is straight between samples."""
    n, s, new = own.size, own.s, own.new
    for i in range(n):
        if not own.started:
            new[i] = own.rest[i] * x[0]
        else:
            total = own.gain_before[i] * own.x_before + own.gain_now[i] * x[0]
            row = at(own.transition, i * n)
            for j in range(n):
                total += row[j] * s[j]
            new[i] = total
    output = own.D * x[0]
    for i in range(n):
        s[i] = new[i]
        output += own.C[i] * s[i]
    own.started, own.x_before = True, x[0]
    y[0] = output


class Linear(SampledFilter):
    """s' = A s + B x, y = C s + D x, sampled.

    Between two samples x is a straight line; so a ramp comes out exactly as late as the
    continuous filter gives it. It starts at rest at its first sample.
    """

    inputs, outputs = ("signal",), ("signal",)

    def __init__(self, period: Any, A: Any, B: Any, C: Any, D: float = 0.0) -> None:
        from scipy.linalg import expm

        self.period = positive(period, "the period")
        A, B, C = np.array(A, float), np.array(B, float), np.array(C, float)
        n = len(B)
        # x and its slope as two more states: one exponential gives all integrals
        system = np.zeros((n + 2, n + 2))
        system[:n, :n], system[:n, n], system[n, n + 1] = A, B, 1.0 / self.period
        solution: Any = expm(system * self.period)
        self.transition, after, ramp = solution[:n, :n], solution[:n, n], solution[:n, n + 1]
        self._now, self._before, self._C, self._D = ramp, after - ramp, C, D
        self._rest: Array = -np.linalg.solve(A, B)
        steady = C @ self._rest + D
        # y = (1 - delay s + ...) x at low frequency
        self.delays = {"signal": float(C @ np.linalg.solve(A, self._rest) / steady) * -1.0}

    def step(self) -> tuple[Any, Any]:
        """The step of a linear system."""
        return linear, LinearMemory(
            size=len(self._C),
            D=self._D,
            transition=self.transition.ravel(),
            gain_before=self._before,
            gain_now=self._now,
            C=self._C,
            rest=self._rest,
        )

    @property
    def matrices(self) -> tuple[Array, Array, Array]:
        """Φ, G₀ and G₁ of s = Φ s + G₀ x_before + G₁ x."""
        return self.transition, self._before, self._now

    def response(self) -> Array:
        """The impulse response."""
        fastest = float(np.abs(np.linalg.eigvals(self.transition)).max())
        count = 4 + int(np.log(SMALL) / np.log(fastest)) if 0.0 < fastest < 1.0 else 4
        h, s = np.zeros((min(2 * count, MOST), 1, 1)), self._now.copy()
        h[0] = self._C @ s + self._D
        for k in range(1, len(h)):
            s = self.transition @ s + (self._before if k == 1 else 0.0)
            h[k] = self._C @ s
        return h


@verb
class LowPass(Linear):
    """A low-pass of first or second order; `period` is that of samples, s.

    `frequency` in Hz is where its corner is.

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


@verb
class Lead(Linear):
    """(1 + time s) / (1 + within s) / gain: ahead at low frequency, as its negative delay says.

    It makes up for a lag `time` and leaves one of `within`. Noise grows by time / within. The
    `period` of samples is in seconds, as the others.
    """

    def __init__(self, period: Any, time: Any, within: Any, gain: Any = 1.0) -> None:
        time = positive(time, "the time", zero=True)
        within, gain = positive(within, "the time within"), real(gain, "the gain")
        if gain == 0.0:
            raise ModelError("the gain must not be zero")
        ratio = time / within
        super().__init__(period, [[-1.0 / within]], [1.0 / within], [(1.0 - ratio) / gain], ratio / gain)
