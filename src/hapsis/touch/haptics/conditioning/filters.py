"""Filters and sensors one after the other, as one stage."""

from itertools import pairwise
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import described
from hapsis.touch.haptics.conditioning.stage import Array, SingleStage, Stage

SIGNAL = "signal"  # the name of an input or output that may be any quantity
MEASURED = ("position", "velocity")


@verb
class Filters(Stage):
    """Filters in a row: each of the `stages` gets the outputs of the one before; delays add up.

    Noise passes through all of them: `noise_gain` is that of the joint response, which is less
    than the product of the gains.
    """

    def __init__(self, *stages: Any) -> None:
        if not stages:
            raise ModelError("Filters needs at least one filter or sensor")
        parts: list[SingleStage] = []
        for stage in stages:
            single = getattr(stage, "stages", None)  # a sensor has those of its reading
            if not single:
                raise ModelError(f"Filters takes filters and sensors, not {described(stage)}")
            parts += single
        quantities = parts[0].outputs
        for earlier, later in pairwise(parts):
            if len(quantities) != len(later.inputs) or any(map(_differ, quantities, later.inputs)):
                raise ModelError(
                    f"{type(earlier).__name__} gives {', '.join(quantities)}, but "
                    f"{type(later).__name__} takes {', '.join(later.inputs)}"
                )
            # a filter of any signal gives the quantity that it takes
            quantities = quantities if later.outputs == (SIGNAL,) else later.outputs
        periods = {part.period for part in parts if part.period is not None}
        if len(periods) > 1:
            listed = ", ".join(f"{period:g}" for period in sorted(periods))
            raise ModelError(f"the filters have different periods: {listed} s")
        self._stages = tuple(parts)
        self.period = periods.pop() if periods else None
        self.inputs, self.outputs = parts[0].inputs, parts[-1].outputs
        before = sum(part.delay for part in parts[:-1])
        self.delays = {name: before + late for name, late in parts[-1].delays.items()}

    @property
    def stages(self) -> tuple[SingleStage, ...]:
        """The single stages in their order."""
        return self._stages

    def response(self) -> Array:
        """The impulse response: those of the stages, convolved."""
        total = self._stages[0].response()
        for stage in self._stages[1:]:
            total = _convolved(total, stage.response())
        return total


def _convolved(first: Array, second: Array) -> Array:
    """The impulse response [sample, output, input] of two stages in a row."""
    from scipy.signal import fftconvolve

    h = np.zeros((len(first) + len(second) - 1, second.shape[1], first.shape[2]))
    for i in range(h.shape[1]):
        for j in range(h.shape[2]):
            for k in range(first.shape[1]):
                h[:, i, j] += fftconvolve(second[:, i, k], first[:, k, j])
    return h


def _differ(given: str, taken: str) -> bool:
    """Whether one is a position and the other a velocity."""
    return given in MEASURED and taken in MEASURED and given != taken
