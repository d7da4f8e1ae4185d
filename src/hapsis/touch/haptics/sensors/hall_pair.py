"""Two Hall sensors in opposition: the position of a piano key from two voltages [Docquier, 17]."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.conditioning.conversions import HallPosition, HallVoltages
from hapsis.touch.haptics.conditioning.stage import Stage, positive
from hapsis.touch.haptics.sensors.calibration import Calibration, calibration, line, record
from hapsis.touch.haptics.sensors.sensor import Sensor


@verb
@dataclass(frozen=True)
class HallPair(Sensor):
    """position = k (U_front² - U_rear²) + offset.

    k        m/V²
    offset   m: the position where both voltages are equal
    level    V: that voltage; only a simulation needs it
    power    in a simulation: the field of each magnet falls with this power of the distance

    Without a power U_front² and U_rear² move apart in proportion to the position, so the law holds
    exactly within offset ± 2 |k| level². With one the law holds near the middle, and deviates towards
    the ends of a stroke as the real sensors do: the magnets are `gap` away in the middle, and at a
    distance x from there the reading is too large by about (power + 1)(2 power + 1) x³ / (3 gap²).
    """

    k: Any
    offset: Any = 0.0
    level: Any = 2.5
    power: Any = None

    channels: ClassVar[tuple[str, ...]] = ("front", "rear")
    quantities: ClassVar[tuple[str, ...]] = ("position",)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "k", real(self.k, self.label("k")))
        if self.k == 0.0:
            raise ModelError(self.label("k is zero"))
        object.__setattr__(self, "offset", real(self.offset, self.label("the offset")))
        object.__setattr__(self, "level", positive(self.level, self.label("the level")))
        if self.power is not None:
            object.__setattr__(self, "power", positive(self.power, self.label("the power")))

    @property
    def gap(self) -> float | None:
        """Metres from each magnet to its sensor in the middle, where the field has a power."""
        return None if self.power is None else 4.0 * self.power * abs(self.k) * self.level**2

    @property
    def reading(self) -> Stage:
        """Volts to metres."""
        return HallPosition(self.k, self.offset, self.level)

    @property
    def showing(self) -> Stage:
        """Metres to volts."""
        return HallVoltages(self.k, self.offset, self.level, self.power or 0.0)

    def calibrate(self, shown: Any, reference: Any) -> Calibration:
        """k and the offset from voltages [front, rear] beside a position; the rest is kept.

        The line is the best one over the stroke that was recorded; where the field has a power, what
        is left of the curve counts as noise.
        """
        volts, truth = record(shown, reference, self.channels, self.quantities)
        fit = line(truth, volts[:, 0] ** 2 - volts[:, 1] ** 2).inverse()
        k, offset = fit.coefficients
        level = float(np.sqrt(np.mean(volts**2)))
        sigma = float(fit.noise / (2.0 * np.sqrt(2.0) * level))
        sensor = None
        if not fit.blind.any():
            sensor = replace(self, k=k, offset=offset, level=level, noise=sigma)
        noise = dict.fromkeys(self.channels, sigma)
        return calibration(("k", "offset"), fit, noise, self.quantities, sensor)
