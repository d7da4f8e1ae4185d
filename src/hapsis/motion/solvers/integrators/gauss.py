"""One long step of high order by collocation at Gauss points, of which none is at an end or in the middle.

    Y_i = y + h Σ a_ij f(t + c_i h, Y_j)        c the zeros of a Legendre polynomial of even degree s

is of order 2 s and symmetric. It asks for f at points inside the step only, so that a step may
begin, or have its middle, where f has no value although the solution is smooth there. The stages
come from iteration, which is enough for steps that are short against all that is stiff.
Reference: [HNW] II.7.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import legendre

Array = np.ndarray[Any, np.dtype[np.float64]]
Slope = Callable[[float, Array], Array]
STAGES = 8
ROUNDS = 60  # of the iteration, at most
SETTLED = 1e-15  # of the state: stages that change by less do not change any more
STALLED = 3  # rounds without a smaller change: what is left is rounding,
CLOSE = 1e-8  # if it is below this
LEAST = 1e-3  # of the largest number of a state: others count as if they were that large


class GaussStep(NamedTuple):
    """A step that was made: where it began, its length, and the slopes at its stages."""

    t: float
    y: Array
    step: float
    slopes: Array

    def at(self, times: Array) -> Array:
        """The states at times, one per row; inside the step, or not far beyond it."""
        return self.y + self.step * (_integrals(2.0 * (times - self.t) / self.step - 1.0) @ self.slopes)

    def error(self, scale: Array) -> float:
        """About the error of the step, over a scale of the states: the last part of the slopes."""
        x, weights = legendre.leggauss(STAGES)
        parts = (
            (np.arange(STAGES) + 0.5)[:, None] * legendre.legvander(x, STAGES - 1).T * weights
        ) @ self.slopes
        return float(np.abs(self.step * parts[-2:] / scale).max(initial=0.0)) / STAGES


def stage_times(t: float, step: float) -> Array:
    """The times of the stages of a step."""
    return t + 0.5 * step * (1.0 + legendre.leggauss(STAGES)[0])


def gauss_step(
    f: Slope, t: float, y: Array, step: float, stages: Array, close: float = CLOSE
) -> GaussStep | None:
    """A step of that length; None where the iteration fails.

    stages    about what the states are at `stage_times`, one per row
    close     of the state: changes below it may be rounding, if they do not become smaller
    """
    times, A = stage_times(t, step), _integrals(legendre.leggauss(STAGES)[0])
    scale = np.maximum(np.abs(stages).max(axis=0), np.abs(y))
    scale = np.maximum(scale, LEAST * scale.max(initial=1e-300))
    least, stalled = np.inf, 0
    for _ in range(ROUNDS):
        slopes = np.array([f(time, state) for time, state in zip(times, stages, strict=True)])
        if not np.isfinite(slopes).all():
            return None
        new = y + step * (A @ slopes)
        change = float(np.abs((new - stages) / scale).max(initial=0.0))
        stages = new
        stalled = stalled + 1 if change >= least else 0
        least = min(least, change)
        if change <= SETTLED or (stalled == STALLED and least <= close):
            return GaussStep(t, y, step, slopes)
    return None


def _integrals(at: Array) -> Array:
    """Integrals of the Lagrange polynomials of the stages from the start to these places, -1 to 1."""
    x, weights = legendre.leggauss(STAGES)
    degrees = np.arange(STAGES)
    P = legendre.legvander(x, STAGES - 1)
    Q = legendre.legvander(at, STAGES)
    integrals = np.empty((len(at), STAGES))  # of the Legendre polynomials
    integrals[:, 0] = at + 1.0
    integrals[:, 1:] = (Q[:, 2:] - Q[:, :-2]) / (2.0 * degrees[1:] + 1.0)
    return 0.5 * integrals @ ((degrees + 0.5)[:, None] * P.T * weights)
