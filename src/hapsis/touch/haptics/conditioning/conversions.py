"""Stages that remember nothing, and the one that spoils: between a quantity and its numbers."""

from typing import Any

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.conditioning import layout
from hapsis.touch.haptics.conditioning.stage import Array, Stage, array, positive


class Affine(Stage):
    """y = M x + b."""

    code = layout.AFFINE

    def __init__(self, matrix: Any, offset: Any, inputs: Any, outputs: Any) -> None:
        self.inputs, self.outputs = tuple(inputs), tuple(outputs)
        self.matrix, b = array(matrix, "the matrix"), array(offset, "the offset")
        if self.matrix.shape != (len(self.outputs), len(self.inputs)) or b.shape != (len(outputs),):
            raise ModelError(
                f"a matrix of shape {self.matrix.shape} and an offset of {b.shape}",
                expected=f"{(len(self.outputs), len(self.inputs))}",
            )
        if not (np.isfinite(self.matrix).all() and np.isfinite(b).all()):
            raise ModelError("a number of a conversion is not finite")
        self.constants = np.concatenate([b, self.matrix.ravel()])
        self.delays = dict.fromkeys(self.outputs, 0.0)

    def response(self) -> Array:
        """The matrix."""
        return self.matrix[None]


class HallPosition(Stage):
    """000-(17): the position of two voltages, k (U_front² - U_rear²) + O."""

    code = layout.HALL
    inputs, outputs = ("front", "rear"), ("position",)

    def __init__(self, k: Any, offset: Any, level: Any) -> None:
        self.constants = np.array([real(k, "k"), real(offset, "the offset")])
        self.delays = {"position": 0.0}
        self._slope = 2.0 * self.constants[0] * positive(level, "the level")

    def response(self) -> Array:
        """That in the middle of its range."""
        return np.array([[[self._slope, -self._slope]]])


class HallVoltages(Stage):
    """The two voltages at a position; NaN where a square would be negative."""

    code = layout.HALL_VOLTS
    inputs, outputs = ("position",), ("front", "rear")

    def __init__(self, k: Any, offset: Any, level: Any) -> None:
        self.constants = np.array([k, offset, level], float)
        self.delays = {"front": 0.0, "rear": 0.0}

    def response(self) -> Array:
        """That in the middle of its range."""
        k, _, level = self.constants
        return np.array([[[0.25 / (k * level)], [-0.25 / (k * level)]]])


class Quantiser(Stage):
    """The nearest whole number of steps; its error has a deviation of step/√12."""

    code = layout.QUANTISED

    def __init__(self, step: Any, names: Any = ("signal",)) -> None:
        self.inputs = self.outputs = tuple(names)
        self.step = positive(step, "the step")
        self.constants, self.delays = np.array([self.step]), dict.fromkeys(self.outputs, 0.0)

    def response(self) -> Array:
        """It passes noise that is larger than a step."""
        return np.eye(len(self.inputs))[None]


class Disturbance(Stage):
    """Adds a row of a table at every tick, NaN for a dropout; after the last row the first."""

    code = layout.DISTURBED
    memory = 1

    def __init__(self, period: Any, table: Any, names: Any) -> None:
        self.period = positive(period, "the period")
        self.inputs = self.outputs = tuple(names)
        table = array(table, "the disturbances")
        if table.ndim != 2 or not len(table) or table.shape[1] != len(self.inputs):
            raise ModelError(f"disturbances of shape {table.shape}", expected=f"rows of {len(self.inputs)}")
        self.constants = np.concatenate([[len(table)], table.ravel()])
        self.delays = dict.fromkeys(self.outputs, 0.0)

    def response(self) -> Array:
        """It passes what comes."""
        return np.eye(len(self.inputs))[None]
