"""Stages one after the other, as one stage."""

from itertools import pairwise
from typing import Any

import numpy as np
from scipy.signal import fftconvolve

from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import described
from hapsis.touch.haptics.conditioning.stage import Array, Stage


class Chain(Stage):
    """Each stage gets what the one before gives; delays add up.

    Noise goes through the whole chain: `noise_gain` is of its joint response, which is less than
    the product of the gains.
    """

    def __init__(self, *stages: Any) -> None:
        if not stages:
            raise ModelError("a chain needs a stage")
        parts: list[Stage] = []
        for stage in stages:
            found = getattr(stage, "stages", None)  # a sensor has those of its reading
            if not found:
                raise ModelError(f"a chain is made of stages and sensors, not {described(stage)}")
            parts += found
        for one, other in pairwise(parts):
            if len(one.outputs) != len(other.inputs):
                raise ModelError(
                    f"{type(one).__name__} gives {', '.join(one.outputs)}, but "
                    f"{type(other).__name__} takes {', '.join(other.inputs)}"
                )
        periods = {part.period for part in parts if part.period is not None}
        if len(periods) > 1:
            listed = ", ".join(f"{period:g}" for period in sorted(periods))
            raise ModelError(f"stages of one chain have different periods: {listed} s")
        self._stages = tuple(parts)
        self.period = periods.pop() if periods else None
        self.inputs, self.outputs = parts[0].inputs, parts[-1].outputs
        before = sum(part.delay for part in parts[:-1])
        self.delays = {name: before + late for name, late in parts[-1].delays.items()}

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Its parts in their order."""
        return self._stages

    def response(self) -> Array:
        """Its answer to an impulse: those of its parts, one through the other."""
        found = self._stages[0].response()
        for stage in self._stages[1:]:
            found = _through(found, stage.response())
        return found


def _through(first: Array, second: Array) -> Array:
    made = np.zeros((len(first) + len(second) - 1, second.shape[1], first.shape[2]))
    for i in range(made.shape[1]):
        for j in range(made.shape[2]):
            for k in range(first.shape[1]):
                made[:, i, j] += fftconvolve(second[:, i, k], first[:, k, j])
    return made
