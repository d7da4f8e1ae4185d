"""Velocities and accelerations of a hand: given, or estimated from positions or velocities by a low-pass.

From positions the low-pass is one of second order, from velocities one of first order; both are exact for
signals that are straight between samples. They stand in the memory of the step, and begin at rest.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.errors import check_known
from hapsis.touch.haptics.conditioning.low_pass import BUTTERWORTH, LowPass
from hapsis.touch.haptics.handle import bend_of_parabola, filtered

RATES = {"position": 4, "velocity": 3, "acceleration": 0}  # what is measured: numbers in memory for each axis


class HandRates:
    """The rates of the axes of a hand.

    measured    the highest of position, velocity and acceleration that is given
    """

    def __init__(self, measured: str, dt: float, frequency: float, axes: int) -> None:
        check_known(measured, RATES, "a hand does not measure {}", expected=", ".join(RATES))
        self.measured, self.axes, self.memory = measured, axes, RATES[measured] * axes
        self.w = 2.0 * np.pi * float(frequency)
        self.filter = LowPass(dt, frequency, order=2 if measured == "position" else 1)

    @property
    def levels(self) -> tuple[str, ...]:
        """What is given."""
        names = tuple(RATES)
        return names[: names.index(self.measured) + 1]

    def of(
        self, given: Sequence[Sequence[Any]], memory: Sequence[Any]
    ) -> tuple[list[Any], list[Any], list[Any]]:
        """Velocities, accelerations and the new memory."""
        if self.measured == "acceleration":
            return list(given[1]), list(given[2]), []
        size = RATES[self.measured]
        v, a, new = list[Any](), list[Any](), list[Any]()
        for k, x in enumerate(given[-1]):
            s = filtered(self.filter, x, memory[size * k : size * (k + 1)])
            new += [0.0 * x + 1.0, x, *s]
            if self.measured == "velocity":
                v.append(x)
                a.append(self.w * (x - s[0]))
            else:
                v.append(self.w * s[1])
                bend = self.w * (self.w * (x - s[0]) - 2.0 * BUTTERWORTH * v[-1])
                a.append(bend / bend_of_parabola(self.filter, self.w))
        return v, a, new
