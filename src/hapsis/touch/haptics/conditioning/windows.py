"""Filters over a fixed number of samples: weights, finite difference, Savitzky-Golay.

Reference: A. Savitzky and M. J. E. Golay 1964.
"""

from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import Array, native, record, sized
from hapsis.errors import ModelError
from hapsis.touch.haptics.conditioning.gaps import SampledFilter, StepMemory
from hapsis.touch.haptics.conditioning.stage import array, positive, whole

LARGEST = 4096  # samples of a window


@record
class WindowMemory(StepMemory):
    """The last samples in a ring."""

    count: int
    total: float  # Σ w
    weights: Array = sized("count")
    newest: int = 0
    ring: Array = sized("count")


@native
def weighted_sum(t: Array, x: Array, y: Array, own: WindowMemory) -> None:
    """y = Σ w_k x[now - k]; it starts as if the first sample had always been there.

    Computed from differences to the newest sample, so that a large constant costs no digits.
    """
    count, ring, weights = own.count, own.ring, own.weights
    if not own.started:
        for k in range(count):
            ring[k] = x[0]
    newest = (own.newest + 1) % count
    ring[newest] = x[0]
    own.started, own.newest = True, newest
    total = own.total * x[0]
    for k in range(1, count):
        total += weights[k] * (ring[(newest - k) % count] - x[0])
    y[0] = total


@verb
class Window(SampledFilter):
    """Σ w_k x[now - k]: any weights, w_0 for the newest sample.

    period      s between samples
    weights     w_0, w_1, ...
    derivative  0 where the weights show x itself, 1 where they show its slope: for the delay

    It starts as if its first sample had always been there.
    """

    inputs, outputs = ("signal",), ("signal",)

    def __init__(self, period: Any, weights: Any, derivative: int = 0) -> None:
        self.period = positive(period, "the period")
        self.weights = array(weights, "the weights")
        if self.weights.ndim != 1 or not 1 <= len(self.weights) <= LARGEST:
            raise ModelError(f"weights of shape {self.weights.shape}", expected=f"1 to {LARGEST} of them")
        if not np.isfinite(self.weights).all():
            raise ModelError("a weight is not finite")
        self._total = 0.0 if derivative else float(self.weights.sum())
        # of x = t^(d+1) / (d+1)!, whose derivative d is t, comes t - delay
        ago = -self.period * np.arange(len(self.weights))
        late = self.weights @ (ago if derivative == 0 else ago**2 / 2.0)
        scale = self._total if derivative == 0 else float(self.weights @ ago)
        if not abs(scale) > 0.0:
            raise ModelError("the weights cancel a slow signal")
        self.delays = {self.outputs[0]: float(-late / scale)}

    def step(self) -> tuple[Any, Any]:
        """The weighted sum."""
        memory = WindowMemory(count=len(self.weights), total=self._total, weights=self.weights)
        return weighted_sum, memory

    def response(self) -> Array:
        """The weights."""
        return self.weights[:, None, None].copy()


@verb
class FiniteDifference(Window):
    """(x[now] - x[now - span]) / (span period): velocity late by half the span."""

    inputs, outputs = ("position",), ("velocity",)

    def __init__(self, period: Any, span: int = 1) -> None:
        period, span = positive(period, "the period"), whole(span, "the span", 1)
        weights = np.zeros(span + 1)
        weights[0], weights[-1] = 1.0 / (span * period), -1.0 / (span * period)
        super().__init__(period, weights, derivative=1)


@verb
class SavitzkyGolay(Window):
    """A polynomial through the last samples by least squares: its value or its slope.

    period      s between samples
    window      samples
    degree      of the polynomial
    derivative  1 for velocity, 0 for a smooth position
    ago         where the polynomial is read, in samples before now; None is the window's middle
    """

    def __init__(
        self, period: Any, window: int, degree: int = 1, derivative: int = 1, ago: Any = None
    ) -> None:
        period = positive(period, "the period")
        if derivative not in (0, 1) or isinstance(derivative, bool):
            raise ModelError(f"derivative {derivative!r:.20}", expected="0 or 1")
        degree = whole(degree, "the degree", derivative)
        window = whole(window, "the window", degree + 1)
        if window > LARGEST:
            raise ModelError(f"a window of {window} samples", expected=f"at most {LARGEST}")
        ago = (window - 1) / 2.0 if ago is None else positive(ago, "ago", zero=True)
        # powers of a time that goes from -1 to 1 keep the problem well posed
        half = max((window - 1) / 2.0, 1.0)
        time = (ago - np.arange(window)) / half
        weights = np.linalg.pinv(np.vander(time, degree + 1, increasing=True))[derivative]
        if derivative == 1:
            self.inputs, self.outputs = ("position",), ("velocity",)
            weights = weights / (half * period)
        super().__init__(period, weights, derivative)
