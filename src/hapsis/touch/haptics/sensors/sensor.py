"""What all models of sensors share: flaws, their record in a simulation, and their reading."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.conditioning.conversions import Disturbance, Quantiser
from hapsis.touch.haptics.conditioning.electronics import Lag, Range
from hapsis.touch.haptics.conditioning.filters import Filters
from hapsis.touch.haptics.conditioning.stage import Array, Stage, array, positive, whole

TABLE = 10_000  # rows of noise in the loop, used again and again


@dataclass(frozen=True, kw_only=True)
class Sensor(ABC):
    """A sensor: its constants, and its flaws in a simulation.

    noise       standard deviation of what it shows, one number or one for each channel
    bias        a constant error of what it shows, unknown to its reading; likewise
    dropout     the part of samples that are lost, NaN
    resolution  of the converter, 0 for none; one number or one for each channel
    lag         s, of first order, between what it should show and what it shows
    peaks       the part of samples with a spurious peak up or down, of the height `peak`
    range       (least, most) that it can show, or None

    sense(x, seed)         what it shows of a motion: a row for each sample; with a lag it takes the
                           period of the samples too
    reading                the Stage from what it shows back to the quantity; read(shown) applies it
    simulated(period)      the Stage that shows, for a simulated device in the loop
    calibrate(shown, x)    its constants from a record beside a reference
    """

    noise: Any = 0.0
    bias: Any = 0.0
    dropout: Any = 0.0
    resolution: Any = 0.0
    lag: Any = 0.0
    peaks: Any = 0.0
    peak: Any = 0.0
    range: Any = None

    channels: ClassVar[tuple[str, ...]]
    quantities: ClassVar[tuple[str, ...]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "noise", self._each(self.noise, "the noise", positive))
        object.__setattr__(self, "bias", self._each(self.bias, "the bias", None))
        for name in ("dropout", "peaks"):
            part = positive(getattr(self, name), self.label(f"the {name}"), zero=True)
            if part > 1.0:
                raise ModelError(f"{self.label(f'the {name}')} is {part:g}", expected="0 to 1")
            object.__setattr__(self, name, part)
        step = self.resolution
        if isinstance(step, list | tuple | np.ndarray):
            step = self._each(step, "the resolution", positive)
        else:
            step = positive(step, self.label("the resolution"), zero=True)
        object.__setattr__(self, "resolution", step)
        for name in ("lag", "peak"):
            value = positive(getattr(self, name), self.label(f"the {name}"), zero=True)
            object.__setattr__(self, name, value)
        if self.range is not None:
            object.__setattr__(self, "range", self._ends(self.range))

    def label(self, what: str) -> str:
        """The beginning of a message about one of its numbers."""
        return f"{type(self).__name__}: {what}"

    def _each(self, x: Any, what: str, check: Any) -> tuple[float, ...]:
        """A number for each channel."""
        many = list(x) if isinstance(x, list | tuple | np.ndarray) else [x] * len(self.channels)
        if len(many) != len(self.channels):
            raise ModelError(
                f"{self.label(what)} has {len(many)} numbers", expected=f"1, or {', '.join(self.channels)}"
            )
        label = self.label(what)
        return tuple(real(y, label) if check is None else check(y, label, zero=True) for y in many)

    def _ends(self, x: Any) -> tuple[float, float]:
        """The two ends of the range, in order."""
        if not isinstance(x, list | tuple | np.ndarray) or len(x) != 2:
            raise ModelError(self.label("the range"), expected="a pair: the least and the most it shows")
        least, most = (real(y, self.label("an end of the range")) for y in x)
        if least >= most:
            raise ModelError(
                self.label(f"a range from {least:g} to {most:g}"), expected="the smaller end first"
            )
        return least, most

    @property
    def ends(self) -> tuple[float, float] | None:
        """The least and the most that it shows, None for any."""
        return self.range

    @property
    @abstractmethod
    def reading(self) -> Stage:
        """The stage from what the sensor shows to the quantity."""

    @property
    @abstractmethod
    def showing(self) -> Stage:
        """The stage from the quantity to what a sensor without flaws shows."""

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages of its reading: what `Filters` takes from a sensor."""
        return self.reading.stages

    def read(self, shown: Any) -> Array:
        """The quantities of what was shown."""
        stage = self.reading
        shown = array(shown, self.label("what is shown"))
        return stage.apply(np.zeros(len(np.atleast_1d(shown))), shown)

    def simulated(self, period: Any, seed: int = 0, samples: int = TABLE) -> Filters:
        """The sensor as a stage from a quantity to what is shown, with noise that repeats after
        so many samples. The same seed gives the same bits; a motion of random numbers needs
        another seed than its sensor."""
        samples, seed = whole(samples, "samples", 1, 10**8), whole(seed, "the seed", 0)
        random, count = np.random.default_rng(seed), len(self.channels)
        table = np.array(self.bias) + np.array(self.noise) * random.normal(size=(samples, count))
        table[random.random(samples) < self.dropout] = np.nan
        if self.peaks:
            struck = random.random((samples, count)) < self.peaks
            table += self.peak * struck * random.choice((-1.0, 1.0), (samples, count))
        stages: list[Stage] = [self.showing]
        if self.lag:
            stages.append(Lag(period, self.lag, self.channels))
        stages.append(Disturbance(period, table, self.channels))
        if self.ends is not None:
            least, most = self.ends
            stages.append(Range(least, most, self.channels))
        if np.any(self.resolution):
            stages.append(Quantiser(self.resolution, self.channels))
        return Filters(*stages)

    def sense(self, x: Any, seed: int = 0, period: Any = None) -> Array:
        """What is shown of these quantities, sample by sample; a dropout is NaN."""
        x = array(x, self.label("the quantities"))
        count = len(np.atleast_1d(x))
        if period is None:
            if self.lag:
                raise ModelError(
                    self.label("a lag needs the period of the samples"), remedy="give period= in seconds"
                )
            period = 1.0
        period = positive(period, "the period")
        stage = self.simulated(period, seed, samples=max(1, count))
        return stage.apply(np.arange(float(count)) * period, x)
