"""The lean that an accelerometer shows while gravity is all it measures."""

from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import Array, native, record, sqrt
from hapsis.touch.haptics.conditioning.gaps import Conversion
from hapsis.touch.haptics.conditioning.stage import positive

HALF_PI = 1.5707963267948966
PI = 3.141592653589793
MISSING = float("nan")


@record
class InclinationNumbers:
    """The acceleration of gravity, the part of it that a size may be off, and the columns that pass."""

    gravity: float
    trust: float
    others: int


@native
def arctangent(y: float, x: float) -> float:
    """The angle of (x, y), -π to π, within some units of the last place; 0 at the origin.

    Three halvings by tan(a/2) = t / (1 + √(1 + t²)), then the series.
    """
    top, bottom = abs(y), abs(x)
    if top == 0.0 and bottom == 0.0:
        return 0.0
    steep = top > bottom
    t = bottom / top if steep else top / bottom
    for _halving in range(3):
        t = t / (1.0 + sqrt(1.0 + t * t))
    square, total = t * t, 0.0
    for k in range(9, -1, -1):
        total = (1.0 if k % 2 == 0 else -1.0) / (2.0 * k + 1.0) + square * total
    angle = 8.0 * t * total
    if steep:
        angle = HALF_PI - angle
    if x < 0.0:
        angle = PI - angle
    return angle if y >= 0.0 else -angle


@native
def inclination(t: Array, x: Array, y: Array, own: InclinationNumbers) -> None:
    """The angle of two accelerations (across, up), NaN where they are not gravity alone."""
    size = sqrt(x[0] * x[0] + x[1] * x[1])
    trusted = abs(size - own.gravity) <= own.trust * own.gravity
    y[0] = arctangent(x[0], x[1]) if trusted else MISSING
    for k in range(own.others):
        y[1 + k] = x[2 + k]


@verb
class Inclination(Conversion):
    """The lean that an accelerometer shows: the angle from its upward to its sideward axis.

    Where the acceleration is not gravity alone (its size is off by more than the part `trust`)
    nothing is shown. Other columns, named by `others`, pass.
    """

    def __init__(self, *others: str, gravity: Any = 9.81, trust: Any = 0.1) -> None:
        self._gravity, self._trust = positive(gravity, "gravity"), positive(trust, "trust")
        self.inputs, self.outputs = ("across", "up", *others), ("tilt", *others)
        self.delays = dict.fromkeys(self.outputs, 0.0)

    def step(self) -> tuple[Any, Any]:
        """The angle."""
        others = len(self.outputs) - 1
        return inclination, InclinationNumbers(gravity=self._gravity, trust=self._trust, others=others)

    def response(self) -> Array:
        """The response for small angles."""
        h = np.zeros((1, len(self.outputs), len(self.inputs)))
        h[0, 0, 0] = 1.0 / self._gravity
        for k in range(1, len(self.outputs)):
            h[0, k, k + 1] = 1.0
        return h
