"""Conversions between a quantity and the numbers that a sensor shows, and disturbances of them."""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, at, floor, native, power, record, sized, sqrt
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.conditioning.gaps import Conversion, PeriodicStage
from hapsis.touch.haptics.conditioning.stage import array, positive


@record
class AffineNumbers:
    """y = M x + b; M by rows."""

    inputs: int
    outputs: int
    matrix: Array = sized("outputs * inputs")
    offset: Array = sized("outputs")


@native
def affine(t: Array, x: Array, y: Array, own: AffineNumbers) -> None:
    """y = M x + b."""
    for i in range(own.outputs):
        total = own.offset[i]
        row = at(own.matrix, i * own.inputs)
        for j in range(own.inputs):
            if row[j] != 0.0:  # so that a missing channel is missing only where it counts
                total += row[j] * x[j]
        y[i] = total


class Affine(Conversion):
    """y = M x + b."""

    def __init__(self, matrix: Any, offset: Any, inputs: Any, outputs: Any) -> None:
        self.inputs, self.outputs = tuple(inputs), tuple(outputs)
        self.matrix, self.offset = array(matrix, "the matrix"), array(offset, "the offset")
        shape = len(self.outputs), len(self.inputs)
        if self.matrix.shape != shape or self.offset.shape != shape[:1]:
            raise ModelError(
                f"a matrix of shape {self.matrix.shape} and an offset of {self.offset.shape}",
                expected=f"{shape}",
            )
        if not (np.isfinite(self.matrix).all() and np.isfinite(self.offset).all()):
            raise ModelError("a number of a conversion is not finite")
        self.delays = dict.fromkeys(self.outputs, 0.0)

    def step(self) -> tuple[Any, Any]:
        """M x + b."""
        outputs, inputs = self.matrix.shape
        numbers = AffineNumbers(
            inputs=inputs, outputs=outputs, matrix=self.matrix.ravel(), offset=self.offset
        )
        return affine, numbers

    def response(self) -> Array:
        """The matrix."""
        return self.matrix[None]


@record
class HallNumbers:
    """Position = k (U_front² - U_rear²) + offset; `level` is both voltages in the middle.

    A field that falls with the `exponent` of the distance has the `gap` there.
    """

    k: float
    offset: float
    level: float
    exponent: float = 0.0
    gap: float = 0.0


@native
def hall_position(t: Array, x: Array, y: Array, own: HallNumbers) -> None:
    """Position = k (U_front² - U_rear²) + offset [Docquier, equation 17]."""
    y[0] = own.k * (x[0] * x[0] - x[1] * x[1]) + own.offset


@native
def hall_voltages(t: Array, x: Array, y: Array, own: HallNumbers) -> None:
    """The two voltages at a position."""
    half = 0.5 * (x[0] - own.offset) / own.k
    y[0] = sqrt(own.level * own.level + half)
    y[1] = sqrt(own.level * own.level - half)


@native
def hall_field(t: Array, x: Array, y: Array, own: HallNumbers) -> None:
    """The two voltages of fields that fall with a power of the distance, gap - x and gap + x."""
    s = (x[0] - own.offset) / own.gap
    inside = abs(s) < 1.0
    y[0] = own.level * power(1.0 - s, -own.exponent) if inside else sqrt(-1.0)
    y[1] = own.level * power(1.0 + s, -own.exponent) if inside else sqrt(-1.0)


class HallPosition(Conversion):
    """The position of two voltages, k (U_front² - U_rear²) + offset [Docquier, equation 17]."""

    inputs, outputs = ("front", "rear"), ("position",)

    def __init__(self, k: Any, offset: Any, level: Any) -> None:
        self._k, self._offset = real(k, "k"), real(offset, "the offset")
        self._level = positive(level, "the level")
        self.delays = {"position": 0.0}

    def step(self) -> tuple[Any, Any]:
        """The position."""
        return hall_position, HallNumbers(k=self._k, offset=self._offset, level=self._level)

    def response(self) -> Array:
        """The derivatives in the middle of its range."""
        slope = 2.0 * self._k * self._level
        return np.array([[[slope, -slope]]])


class HallVoltages(Conversion):
    """The two voltages at a position; NaN beyond the range.

    Without an exponent their squares move apart in proportion to the position; with one the field
    falls with that power of the distance, and they do so near the middle.
    """

    inputs, outputs = ("position",), ("front", "rear")

    def __init__(self, k: Any, offset: Any, level: Any, exponent: float = 0.0) -> None:
        self._k, self._offset, self._level = float(k), float(offset), float(level)
        self._exponent = exponent
        self.delays = {"front": 0.0, "rear": 0.0}

    def step(self) -> tuple[Any, Any]:
        """The voltages."""
        gap = 4.0 * self._exponent * self._k * self._level**2  # where the slopes of both laws are equal
        numbers = HallNumbers(
            k=self._k, offset=self._offset, level=self._level, exponent=self._exponent, gap=gap
        )
        return hall_field if self._exponent else hall_voltages, numbers

    def response(self) -> Array:
        """The derivatives in the middle of its range."""
        slope = 0.25 / (self._k * self._level)
        return np.array([[[slope], [-slope]]])


@record
class QuantiserNumbers:
    """The sizes of steps, one for each channel; 0 for none."""

    count: int
    sizes: Array = sized("count")


@native
def quantise(t: Array, x: Array, y: Array, own: QuantiserNumbers) -> None:
    """The nearest whole number of steps."""
    for k in range(own.count):
        size = own.sizes[k]
        y[k] = size * floor(x[k] / size + 0.5) if size > 0.0 else x[k]


class Quantiser(Conversion):
    """The nearest whole number of steps, of one size or one for each channel; its error has a
    deviation of size/√12."""

    def __init__(self, size: Any, names: Any = ("signal",)) -> None:
        self.inputs = self.outputs = tuple(names)
        many = size if isinstance(size, tuple) else (size,) * len(self.inputs)
        if len(many) != len(self.inputs):
            raise ModelError(f"{len(many)} steps for {', '.join(self.inputs)}")
        self.sizes = tuple(positive(x, "the step", zero=isinstance(size, tuple)) for x in many)
        self.delays = dict.fromkeys(self.outputs, 0.0)

    def step(self) -> tuple[Any, Any]:
        """Rounding."""
        return quantise, QuantiserNumbers(count=len(self.inputs), sizes=np.array(self.sizes))

    def response(self) -> Array:
        """Noise that is larger than a step passes."""
        return np.eye(len(self.inputs))[None]


@record
class DisturbanceMemory:
    """A table of rows, and the number of the next one."""

    count: int
    rows: int
    next: int = 0
    table: Array


@native
def disturb(t: Array, x: Array, y: Array, own: DisturbanceMemory) -> None:
    """The sample plus the next row of the table; after the last row the first."""
    row = at(own.table, own.next * own.count)
    for k in range(own.count):
        y[k] = x[k] + row[k]
    own.next = (own.next + 1) % own.rows


class Disturbance(PeriodicStage):
    """Adds a row of a table in every period, NaN for a dropout; after the last row the first."""

    def __init__(self, period: Any, table: Any, names: Any) -> None:
        self.period = positive(period, "the period")
        self.inputs = self.outputs = tuple(names)
        table = array(table, "the disturbances")
        if table.ndim != 2 or not len(table) or table.shape[1] != len(self.inputs):
            raise ModelError(f"disturbances of shape {table.shape}", expected=f"rows of {len(self.inputs)}")
        self.table = table
        self.delays = dict.fromkeys(self.outputs, 0.0)

    def step(self) -> tuple[Any, Any]:
        """The sum."""
        rows, count = self.table.shape
        return disturb, DisturbanceMemory(count=count, rows=rows, table=self.table.reshape(-1))

    def response(self) -> Array:
        """Samples pass."""
        return np.eye(len(self.inputs))[None]
