"""Sensors that show a linear function: coil, encoder, load cell, IMU."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.conditioning.conversions import Affine
from hapsis.touch.haptics.conditioning.stage import Stage, array
from hapsis.touch.haptics.sensors.calibration import Calibration, Fit, calibration, line, record
from hapsis.touch.haptics.sensors.sensor import Sensor


def _number(sensor: Any, name: str, zero: bool = True) -> None:
    value = real(getattr(sensor, name), sensor.label(name))
    if value == 0.0 and not zero:
        raise ModelError(f"{sensor.label(name)} is zero")
    object.__setattr__(sensor, name, value)


@verb
@dataclass(frozen=True)
class Coil(Sensor):
    """A magnet moving in a coil: U = kappa velocity + offset [Docquier, equation 18].

    kappa    V s/m
    offset   V, of the amplifier
    """

    kappa: Any
    offset: Any = 0.0

    channels: ClassVar[tuple[str, ...]] = ("coil",)
    quantities: ClassVar[tuple[str, ...]] = ("velocity",)

    def __post_init__(self) -> None:
        super().__post_init__()
        _number(self, "kappa", zero=False)
        _number(self, "offset")

    @property
    def reading(self) -> Stage:
        """Volts to metres per second."""
        k = 1.0 / self.kappa
        return Affine([[k]], [-self.offset * k], self.channels, self.quantities)

    @property
    def showing(self) -> Stage:
        """Metres per second to volts."""
        return Affine([[self.kappa]], [self.offset], self.quantities, self.channels)

    def calibrate(self, shown: Any, reference: Any) -> Calibration:
        """kappa and the offset from voltages beside a velocity."""
        volts, truth = record(shown, reference, self.channels, self.quantities)
        fit = line(truth, volts[:, 0])
        kappa, offset = fit.coefficients
        blind = bool(fit.blind.any()) or kappa == 0.0
        sensor = None if blind else replace(self, kappa=kappa, offset=offset, noise=fit.noise)
        return calibration(("kappa", "offset"), fit, {"coil": fit.noise}, self.quantities, sensor)


@verb
@dataclass(frozen=True)
class Encoder(Sensor):
    """Counts whole steps: the nearest whole number of (position - offset) / step.

    step     m or rad of one count
    offset   the position at count 0
    noise    in counts, before they are rounded

    A position in random places is wrong by step/√12 (`quantisation`).
    """

    step: Any
    offset: Any = 0.0

    channels: ClassVar[tuple[str, ...]] = ("counts",)
    quantities: ClassVar[tuple[str, ...]] = ("position",)

    def __post_init__(self) -> None:
        if real(self.resolution, self.label("the resolution")) not in (0.0, 1.0):
            raise ModelError(self.label("its resolution is one count: leave it out"))
        object.__setattr__(self, "resolution", 1.0)
        super().__post_init__()
        _number(self, "step", zero=False)
        _number(self, "offset")

    @property
    def quantisation(self) -> float:
        """Standard deviation of the error that rounding makes."""
        return abs(self.step) / np.sqrt(12.0)

    @property
    def reading(self) -> Stage:
        """Counts to a position."""
        return Affine([[self.step]], [self.offset], self.channels, self.quantities)

    @property
    def showing(self) -> Stage:
        """A position to counts, before they are whole."""
        k = 1.0 / self.step
        return Affine([[k]], [-self.offset * k], self.quantities, self.channels)

    def calibrate(self, shown: Any, reference: Any) -> Calibration:
        """The step and the offset from counts beside a position."""
        counts, truth = record(shown, reference, self.channels, self.quantities)
        fit = line(truth, counts[:, 0]).inverse()
        step, offset = fit.coefficients
        left = np.sqrt(max(fit.noise**2 - 1.0 / 12.0, 0.0))  # without rounding
        sensor = None if fit.blind.any() else replace(self, step=step, offset=offset, noise=left)
        return calibration(("step", "offset"), fit, {"counts": fit.noise}, self.quantities, sensor)


@dataclass(frozen=True)
class _Matrix(Sensor):
    """shown = M x + offset; the reading solves it, by least squares where there are more channels
    than quantities."""

    matrix: Any
    offset: Any = 0.0

    def __post_init__(self) -> None:
        matrix = array(self.matrix, self.label("the matrix"))
        if matrix.ndim == 0:
            matrix = matrix * np.eye(1)
        if matrix.ndim != 2 or not np.isfinite(matrix).all():
            raise ModelError(
                f"{self.label('the matrix')} has shape {matrix.shape}",
                expected="finite numbers, [channel, quantity]",
            )
        self._named(matrix.shape)
        if np.linalg.matrix_rank(matrix) < matrix.shape[1]:
            raise ModelError(self.label("the matrix does not tell its quantities apart"))
        object.__setattr__(self, "matrix", tuple(map(tuple, matrix.tolist())))
        super().__post_init__()
        object.__setattr__(self, "offset", self._each(self.offset, "the offset", None))

    def _named(self, shape: tuple[int, ...]) -> None:
        if shape != (len(self.channels), len(self.quantities)):
            raise ModelError(
                f"{self.label('the matrix')} has shape {shape}",
                expected=f"{(len(self.channels), len(self.quantities))}",
            )

    @property
    def reading(self) -> Stage:
        """What is shown to the quantities."""
        back = np.linalg.pinv(np.array(self.matrix))
        return Affine(back, -back @ np.array(self.offset), self.channels, self.quantities)

    @property
    def showing(self) -> Stage:
        """The quantities to what is shown."""
        return Affine(self.matrix, self.offset, self.quantities, self.channels)

    def calibrate(self, shown: Any, reference: Any) -> Calibration:
        """Every gain, cross-talk and offset from a record beside its quantities."""
        raw, truth = record(shown, reference, self.channels, self.quantities)
        size = len(self.quantities) + 1
        lines = [line(truth, raw[:, k]) for k in range(len(self.channels))]
        names = [f"{c}.{q}" for c in self.channels for q in (*self.quantities, "offset")]
        values = np.concatenate([one.coefficients for one in lines])
        covariance = np.zeros((len(names), len(names)))
        for k, one in enumerate(lines):
            covariance[k * size : (k + 1) * size, k * size : (k + 1) * size] = one.covariance
        blind = np.concatenate([one.blind for one in lines])
        noise = {c: one.noise for c, one in zip(self.channels, lines, strict=True)}
        rows, sensor = values.reshape(-1, size), None
        if not blind.any():
            sensor = replace(
                self, matrix=rows[:, :-1], offset=tuple(rows[:, -1]), noise=tuple(noise.values())
            )
        residual = np.stack([one.residual for one in lines], axis=1)
        fit = Fit(values, covariance, max(noise.values()), residual, blind)
        return calibration(names, fit, noise, self.quantities, sensor)


@verb
@dataclass(frozen=True)
class LoadCell(_Matrix):
    """Voltages of forces: matrix [channel, force] in V/N, off the diagonal the cross-talk.

    A single number is the gain of one channel. `offset` is what is shown without load.
    """

    def _named(self, shape: tuple[int, ...]) -> None:
        many = shape[1] > 1 or shape[0] > 1
        channels = tuple(f"U{k + 1}" for k in range(shape[0])) if many else ("U",)
        forces = tuple(f"F{k + 1}" for k in range(shape[1])) if many else ("force",)
        if shape[0] < shape[1] or not shape[1]:
            raise ModelError(self.label(f"{shape[0]} channels do not show {shape[1]} forces"))
        object.__setattr__(self, "channels", channels)
        object.__setattr__(self, "quantities", forces)


@verb
@dataclass(frozen=True)
class Imu(_Matrix):
    """A gyroscope and an accelerometer: rates wx wy wz, then accelerations less gravity ax ay az,
    as the sensor "imu" of a model gives them.

    matrix [6, 6] holds gains, cross-talk and misalignment, ones where it is left out; `offset` is
    the bias that the reading removes.
    """

    matrix: Any = tuple(map(tuple, np.eye(6).tolist()))

    channels: ClassVar[tuple[str, ...]] = ("wx", "wy", "wz", "ax", "ay", "az")
    quantities: ClassVar[tuple[str, ...]] = ("wx", "wy", "wz", "ax", "ay", "az")
