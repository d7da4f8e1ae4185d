"""Velocity from the longest window of samples that a straight line fits.

Reference: F. Janabi-Sharifi, V. Hayward and C.-S. J. Chen, Discrete-time adaptive windowing for
velocity estimation, IEEE Transactions on Control Systems Technology 8(6), 2000.
"""

from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import Array, native, record, sized
from hapsis.errors import ModelError, near
from hapsis.touch.haptics.conditioning.gaps import SampledFilter, StepMemory
from hapsis.touch.haptics.conditioning.stage import positive, whole
from hapsis.touch.haptics.conditioning.windows import LARGEST, FiniteDifference, SavitzkyGolay, Window

FITS = ("end", "best")


@record
class AdaptiveMemory(StepMemory):
    """The last samples in a ring; `seen` is how many of them there are."""

    longest: int
    band: float
    best: bool  # least squares, else the line through newest and oldest
    period: float
    seen: int = 0
    newest: int = 0
    ring: Array = sized("longest + 1")


@native
def straight(n: int, slope: float, middle: float, own: AdaptiveMemory) -> bool:
    """Whether the last n + 1 samples lie within the band around a line.

    The line is middle + slope (n/2 - k) above the newest sample, k samples ago.
    """
    ring, newest, size, band = own.ring, own.newest, own.longest + 1, own.band
    now = ring[newest]
    for k in range(n + 1):
        line = middle + slope * (0.5 * n - k)
        if not abs(ring[(newest - k) % size] - now - line) <= band:
            return False
    return True


@native
def longest_line(t: Array, x: Array, y: Array, own: AdaptiveMemory) -> None:
    """The slope of the longest window that a straight line fits within the band.

    Computed from differences to the newest sample, so that a large constant costs no digits.
    """
    if not own.started:
        own.seen = 0
    own.started = True
    size, best, ring = own.longest + 1, own.best, own.ring
    newest = (own.newest + 1) % size
    ring[newest] = x[0]
    own.seen, own.newest = min(own.seen + 1, size), newest
    velocity, total, moment = 0.0, 0.0, 0.0
    for n in range(1, min(own.longest, own.seen - 1) + 1):
        rise = ring[(newest - n) % size] - x[0]
        total += rise
        moment += n * rise
        slope, middle = -rise / n, 0.5 * rise
        if best:
            slope = (n * total - 2.0 * moment) / (n * (n + 1.0) * (n + 2.0) / 6.0)
            middle = total / (n + 1.0)
        if n > 1 and not straight(n, slope, middle, own):
            break
        velocity = slope
    y[0] = velocity / own.period


@verb
class AdaptiveWindow(SampledFilter):
    """Velocity over the longest window that a straight line fits within the noise band.

    Slow motion gets a long window and little noise, fast motion a short one and little delay.
    The fit is "end", the line through the newest and the oldest sample, or "best", by least
    squares. Delay and noise gain are stated for the longest window; where the motion bends, both
    are those of a shorter one: half its time, and up to √2 / period.
    """

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
        self.delays = {"velocity": self._longest().delay}

    def step(self) -> tuple[Any, Any]:
        """The slope of the longest line."""
        return longest_line, AdaptiveMemory(
            longest=self.longest, band=self.band, best=self.fit == "best", period=self.period or 0.0
        )

    def _longest(self) -> Window:
        if self.fit == "end":
            return FiniteDifference(self.period, self.longest)
        return SavitzkyGolay(self.period, self.longest + 1)

    def response(self) -> Array:
        """The impulse response of the longest window."""
        return self._longest().response()
