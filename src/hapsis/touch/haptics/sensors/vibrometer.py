"""A laser vibrometer: position and velocity beside the device, as a reference for its own sensors."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.touch.haptics.conditioning.conversions import Affine
from hapsis.touch.haptics.conditioning.stage import Stage
from hapsis.touch.haptics.sensors.sensor import Sensor

POSITION, VELOCITY = 175e-6, 4.4e-3  # m, m/s


@verb
@dataclass(frozen=True)
class Vibrometer(Sensor):
    """Position and velocity, measured independently of each other, each in steps of its resolution.

    It has no constants to calibrate: it is what others are compared with. Resolutions are those of
    [Docquier]: 175 µm, printed there with another prefix, and 4.4 mm/s. Both are 8 bits of a range,
    45 mm and 1.1 m/s; picometres would be 26 bits of a stroke of 10 mm.
    """

    resolution: Any = (POSITION, VELOCITY)

    channels: ClassVar[tuple[str, ...]] = ("position", "velocity")
    quantities: ClassVar[tuple[str, ...]] = ("position", "velocity")

    @property
    def reading(self) -> Stage:
        """What is shown."""
        return Affine(np.eye(2), np.zeros(2), self.channels, self.quantities)

    @property
    def showing(self) -> Stage:
        """The motion."""
        return Affine(np.eye(2), np.zeros(2), self.quantities, self.channels)
