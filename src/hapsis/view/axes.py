"""Axes: a range that shows the data, ticks at 1, 2 or 5 times a power of ten, honest labels."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from hapsis.errors import Error
from hapsis.view.page_text import power_of_ten

SMALLEST = 1e-300  # below it a value is drawn as zero
FLATTEST = 1e-12  # a spread below this part of the value is rounding, drawn as a flat line
LONGEST_LABEL = 5  # digits after which ticks are written relative to the first of them


@dataclass(frozen=True)
class Axis:
    """A range with ticks.

    low, high    the ends, as data
    ticks        (place from 0 to 1, label)
    header       what all labels have in common: "× 10³", "+ 1.25", or nothing
    """

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    header: str = ""
    logarithmic: bool = False

    def places(self, values: np.ndarray) -> np.ndarray:
        """Where values lie, 0 at the low end and 1 at the high end."""
        if self.logarithmic:
            low, high = math.log10(self.low), math.log10(self.high)
            with np.errstate(divide="ignore", invalid="ignore"):
                return (np.log10(values) - low) / (high - low)
        scale = max(abs(self.low), abs(self.high))  # so that 1e308 - -1e308 stays finite
        low, high = self.low / scale, self.high / scale
        return (values / scale - low) / (high - low)


def axis(
    data: Sequence[np.ndarray], *, count: int = 5, margin: float = 0.0, logarithmic: bool = False
) -> Axis:
    """The axis that shows all these values, with about `count` ticks.

    `margin` is left free on both sides, as a part of the range. Values that are not finite do not
    count; on a logarithmic axis neither do those that are not positive.
    """
    parts = [np.asarray(values, float).ravel() for values in data]
    values = np.concatenate([p[np.isfinite(p)] for p in parts]) if parts else np.empty(0)
    if logarithmic:
        return _logarithmic(values[values > SMALLEST], margin)
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    return _linear(low, high, count, margin)


def _linear(low: float, high: float, count: int, margin: float) -> Axis:
    """Ticks by integer multiples of a step, so their labels are exact decimals."""
    size = max(abs(low), abs(high))
    if size < SMALLEST:
        return _ticked(-1.0, 1.0, 0, count)
    exponent = math.floor(math.log10(size))
    scale = float(f"1e{exponent}")
    low, high = low / scale, high / scale
    if high - low <= FLATTEST * (size / scale):  # a constant: some room around it
        room = 0.1 * max(abs(low), abs(high))
        return _ticked(low - room, high + room, exponent, count)
    room = margin * (high - low)
    return _ticked(low - room, high + room, exponent, count)


def _ticked(low: float, high: float, exponent: int, count: int) -> Axis:
    """The axis from low to high, both times 10^exponent."""
    scale = float(f"1e{exponent}")
    bound = float(np.finfo(float).max) / scale * (1 - 1e-12)
    low, high = max(low, -bound), min(high, bound)
    multiple, power = step((high - low) / count)
    numbers = _multiples(low, high, multiple, power)
    if len(numbers) < 2:  # the step just misses: take a finer one
        multiple, power = step((high - low) / (2 * count))
        numbers = _multiples(low, high, multiple, power)
    width = multiple * 10.0**power
    ticks = [Decimal(k * multiple).scaleb(power + exponent) for k in numbers]
    labels, header = _labels(ticks, power + exponent)
    places = [(k * width - low) / (high - low) for k in numbers]
    return Axis(low * scale, high * scale, tuple(zip(places, labels, strict=True)), header)


def _multiples(low: float, high: float, multiple: int, power: int) -> range:
    """The whole multiples of a step from low to high, those at the ends included."""
    width = multiple * 10.0**power
    slack = 1e-9 * (high - low) / width
    return range(math.ceil(low / width - slack), math.floor(high / width + slack) + 1)


def step(least: float) -> tuple[int, int]:
    """The smallest 1, 2 or 5 times 10^power that is not below `least`: (multiple, power)."""
    power = math.floor(math.log10(least))
    for multiple in (1, 2, 5):
        if multiple * 10.0**power >= least * (1 - 1e-9):
            return multiple, power
    return 1, power + 1


def _labels(ticks: list[Decimal], finest: int) -> tuple[list[str], str]:
    """Labels without what they share: a large common value, then a common power of ten."""
    size = max((abs(t) for t in ticks), default=Decimal(0))
    header = ""
    if size and size.adjusted() - finest > LONGEST_LABEL:
        base = ticks[0]
        ticks = [t - base for t in ticks]
        size = max(abs(t) for t in ticks)
        header = f"{'−' if base < 0 else '+'} {_short(abs(base))}"
    shift = 0
    if size and not -4 < size.adjusted() < 5:
        shift = 3 * math.floor(size.adjusted() / 3)
        header = f"× {power_of_ten(shift)} {header}".strip()
    digits = max(0, shift - finest)
    return [f"{t.scaleb(-shift):.{digits}f}".replace("-", "−") for t in ticks], header


def _short(value: Decimal) -> str:
    """A decimal as a plain number where that is short, else with its power of ten."""
    power = value.adjusted()
    if -4 < power < 9:
        return f"{value.normalize():f}"
    return f"{value.scaleb(-power).normalize():f} × {power_of_ten(power)}"


def _logarithmic(values: np.ndarray, margin: float) -> Axis:
    """Ticks at powers of ten; within less than two of them at 1, 2, 5 of each."""
    if not len(values):
        raise Error("a logarithmic axis has no positive value to show", remedy="use a linear axis")
    low, high = math.log10(values.min()), math.log10(values.max())
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    room = margin * (high - low)
    low, high = max(low - room, -300.0), min(high + room, 308.0)
    every = max(1, math.ceil((high - low) / 8))
    multiples = (1, 2, 5) if high - low < 2 else (1,)
    ticks = []
    for power in range(math.floor(low), math.ceil(high) + 1):
        for multiple in multiples if power % every == 0 else ():
            place = (power + math.log10(multiple) - low) / (high - low)
            if -1e-9 <= place <= 1 + 1e-9:
                ticks.append((place, _decade(multiple, power)))
    if len(ticks) < 2:  # a range within one step: its ends are the ticks
        ticks = [(0.0, _short(_rounded(10**low))), (1.0, _short(_rounded(10**high)))]
    return Axis(10**low, 10**high, tuple(ticks), logarithmic=True)


def _decade(multiple: int, power: int) -> str:
    if -3 <= power <= 3:
        return f"{Decimal(multiple).scaleb(power):f}"
    return power_of_ten(power) if multiple == 1 else f"{multiple} × {power_of_ten(power)}"


def _rounded(value: float) -> Decimal:
    return Decimal(f"{value:.4g}")
