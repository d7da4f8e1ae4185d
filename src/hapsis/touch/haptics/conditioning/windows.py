"""Filters over the last samples: finite difference, Savitzky-Golay, adaptive windows.

References: A. Savitzky and M. J. E. Golay 1964; F. Janabi-Sharifi, V. Hayward and C.-S. J. Chen,
Discrete-time adaptive windowing for velocity estimation, IEEE Transactions on Control Systems
Technology 8(6), 2000.
"""

from typing import Any

import numpy as np

from hapsis.errors import ModelError, near
from hapsis.touch.haptics.conditioning import layout
from hapsis.touch.haptics.conditioning.stage import Array, Stage, array, positive, whole

FITS = ("end", "best")
LARGEST = 4096  # samples of a window


class Window(Stage):
    """Σ w_k x[now - k]: any weights, w_0 for the newest sample.

    It starts as if its first sample had always been there.
    """

    code = layout.WINDOW
    inputs, outputs = ("signal",), ("signal",)

    def __init__(self, period: Any, weights: Any, derivative: int = 0) -> None:
        self.period = positive(period, "the period")
        self.weights = array(weights, "the weights")
        if self.weights.ndim != 1 or not 1 <= len(self.weights) <= LARGEST:
            raise ModelError(f"weights of shape {self.weights.shape}", expected=f"1 to {LARGEST} of them")
        if not np.isfinite(self.weights).all():
            raise ModelError("a weight is not finite")
        total = 0.0 if derivative else float(self.weights.sum())
        self.constants = np.concatenate([[len(self.weights), total], self.weights])
        self.memory = 2 + len(self.weights)
        # of x = t^(d+1) / (d+1)!, whose derivative d is t, comes t - delay
        ago = -self.period * np.arange(len(self.weights))
        late = self.weights @ (ago if derivative == 0 else ago**2 / 2.0)
        scale = total if derivative == 0 else float(self.weights @ ago)
        if not abs(scale) > 0.0:
            raise ModelError("the weights leave nothing of a slow signal")
        self.delays = {self.outputs[0]: float(-late / scale)}

    def response(self) -> Array:
        """The weights."""
        return self.weights[:, None, None].copy()


class FiniteDifference(Window):
    """(x[now] - x[now - span]) / (span period): velocity late by half the span."""

    inputs, outputs = ("position",), ("velocity",)

    def __init__(self, period: Any, span: int = 1) -> None:
        period, span = positive(period, "the period"), whole(span, "the span", 1)
        weights = np.zeros(span + 1)
        weights[0], weights[-1] = 1.0 / (span * period), -1.0 / (span * period)
        super().__init__(period, weights, derivative=1)


class SavitzkyGolay(Window):
    """A polynomial through the last samples by least squares: its value or its slope.

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


class AdaptiveWindow(Stage):
    """Velocity over the longest window that a straight line fits within the noise band.

    Slow motion gets a long window and little noise, fast motion a short one and little delay.
    The fit is "end", the line through the newest and the oldest sample, or "best", by least
    squares. Delay and noise gain are told for the longest window; where the motion bends, both
    are those of a shorter one: half its time, and up to √2 / period.
    """

    code = layout.ADAPTIVE
    inputs, outputs = ("position",), ("velocity",)

    def __init__(self, period: Any, band: Any, longest: int = 16, fit: str = "end") -> None:
        self.period = positive(period, "the period")
        self.band = positive(band, "the band")
        self.longest = whole(longest, "the longest window", 1)
        if self.longest >= LARGEST:
            raise ModelError(f"a window of {longest} samples", expected=f"less than {LARGEST}")
        if fit not in FITS:
            hint = near(fit, FITS) if isinstance(fit, str) else ""
            raise ModelError(f'there is no fit "{str(fit)[:20]}"{hint}', expected='"end" or "best"')
        self.fit = fit
        self.constants = np.array([self.longest, self.band, float(fit == "best"), self.period])
        self.memory = 4 + self.longest
        self.delays = {"velocity": self._longest().delay}

    def _longest(self) -> Window:
        if self.fit == "end":
            return FiniteDifference(self.period, self.longest)
        return SavitzkyGolay(self.period, self.longest + 1)

    def response(self) -> Array:
        """That of the longest window."""
        return self._longest().response()
