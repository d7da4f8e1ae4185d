"""A load cell of strain gauges in a Wheatstone bridge, such as the one in place of a key's pilot."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.conditioning.conversions import Affine
from hapsis.touch.haptics.conditioning.stage import Stage, positive
from hapsis.touch.haptics.sensors.calibration import Calibration, Fit, calibration, line, record
from hapsis.touch.haptics.sensors.sensor import Sensor


@verb
@dataclass(frozen=True)
class StrainBridge(Sensor):
    """U = excitation sensitivity force / capacity + offset, as data sheets state it.

    sensitivity  V/V: what the bridge shows at the capacity, for each volt of excitation
    capacity     N: the largest force; beyond it, either way, the bridge shows no more
    excitation   V
    offset       V, without load
    resolution   V of the converter, at the bridge; `force_resolution` is that in newtons

    The cell of [Docquier] has 0.765 mV/V at 50 N and shows less than a millinewton: at 5 V that is
    76.5 µV/N, and a converter of 24 bits over ± 20 mV.
    """

    sensitivity: Any
    capacity: Any
    excitation: Any = 5.0
    offset: Any = 0.0

    channels: ClassVar[tuple[str, ...]] = ("U",)
    quantities: ClassVar[tuple[str, ...]] = ("force",)

    def __post_init__(self) -> None:
        value = real(self.sensitivity, self.label("sensitivity"))
        if value == 0.0:
            raise ModelError(self.label("sensitivity is zero"))
        object.__setattr__(self, "sensitivity", value)
        for name in ("capacity", "excitation"):
            object.__setattr__(self, name, positive(getattr(self, name), self.label(f"the {name}")))
        object.__setattr__(self, "offset", real(self.offset, self.label("offset")))
        super().__post_init__()

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the most that it shows: at its capacity, where no other range is given."""
        full = abs(self.sensitivity) * self.excitation
        return self.range or (self.offset - full, self.offset + full)

    @property
    def gain(self) -> float:
        """Volts per newton."""
        return self.sensitivity * self.excitation / self.capacity

    @property
    def force_resolution(self) -> float:
        """Newtons of one step of the converter."""
        return float(np.max(self.resolution)) / abs(self.gain)

    @property
    def reading(self) -> Stage:
        """Volts to newtons."""
        k = 1.0 / self.gain
        return Affine([[k]], [-self.offset * k], self.channels, self.quantities)

    @property
    def showing(self) -> Stage:
        """Newtons to volts."""
        return Affine([[self.gain]], [self.offset], self.quantities, self.channels)

    def calibrate(self, shown: Any, reference: Any) -> Calibration:
        """Sensitivity and offset from voltages beside known forces; excitation and capacity are kept.

        Forces beyond the capacity are left out.
        """
        volts, truth = record(shown, reference, self.channels, self.quantities)
        within = np.abs(truth[:, 0]) <= self.capacity
        volts, truth = record(volts[within], truth[within], self.channels, self.quantities)
        fit, per = line(truth, volts[:, 0]), self.capacity / self.excitation
        scale = np.array([per, 1.0])
        fit = Fit(
            fit.coefficients * scale,
            fit.covariance * np.outer(scale, scale),
            fit.noise,
            fit.residual,
            fit.blind,
        )
        sensitivity, offset = fit.coefficients
        sensor = None
        if not fit.blind.any() and sensitivity != 0.0:
            sensor = replace(self, sensitivity=sensitivity, offset=offset, noise=fit.noise)
        return calibration(("sensitivity", "offset"), fit, {"U": fit.noise}, self.quantities, sensor)
