"""What all models of sensors share: flaws, their record in a simulation, and their reading."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.conditioning.conversions import Disturbance, Quantiser
from hapsis.touch.haptics.conditioning.filters import Filters
from hapsis.touch.haptics.conditioning.stage import Array, Stage, array, positive, whole

TABLE = 10_000  # rows of noise in the loop, used again and again


@dataclass(frozen=True, kw_only=True)
class Sensor(ABC):
    """A sensor: its constants, and its flaws in a simulation.

    noise       standard deviation of what it shows, one number or one for each channel
    bias        a constant error of what it shows, unknown to its reading; likewise
    dropout     the part of samples that are lost, NaN
    resolution  of the converter, 0 for none

    sense(x, seed)         what it shows of a motion: a row for each sample
    reading                the Stage from what it shows back to the quantity; read(shown) applies it
    simulated(period)      the Stage that shows, for a simulated device in the loop
    calibrate(shown, x)    its constants from a record beside a reference
    """

    noise: Any = 0.0
    bias: Any = 0.0
    dropout: Any = 0.0
    resolution: Any = 0.0

    channels: ClassVar[tuple[str, ...]]
    quantities: ClassVar[tuple[str, ...]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "noise", self._each(self.noise, "the noise", positive))
        object.__setattr__(self, "bias", self._each(self.bias, "the bias", None))
        lost = positive(self.dropout, self.label("the dropout"), zero=True)
        if lost > 1.0:
            raise ModelError(f"{self.label('the dropout')} is {lost:g}", expected="0 to 1")
        step = positive(self.resolution, self.label("the resolution"), zero=True)
        object.__setattr__(self, "dropout", lost)
        object.__setattr__(self, "resolution", step)

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
        stages: list[Stage] = [self.showing, Disturbance(period, table, self.channels)]
        if self.resolution:
            stages.append(Quantiser(self.resolution, self.channels))
        return Filters(*stages)

    def sense(self, x: Any, seed: int = 0) -> Array:
        """What is shown of these quantities, sample by sample; a dropout is NaN."""
        x = array(x, self.label("the quantities"))
        count = len(np.atleast_1d(x))
        stage = self.simulated(1.0, seed, samples=max(1, count))
        return stage.apply(np.arange(float(count)), x)
