"""All contact modes of feet, tried one by one: which forces meet all conditions of a state.

In a mode each foot lifts, sticks, or slides along each axis of the ground one way or the other:

    lifts    F = 0             ẍ_n ≥ 0
    stays    ẍ_n = 0           F_n ≥ 0
    sticks   ẍ_t = 0           |F_t| ≤ μ F_n
    slides   F_t = -s μ F_n    s ẍ_t ≥ 0        s = ±1, or the direction in which it slides already

The forces of a mode are those of linear equations. A foot that rests has ten modes, so that a few feet can be
looked through; a complementarity problem with much friction may have no solution, or several [Trinkle].
"""

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
MOST = 10_000  # modes that are looked through
CLOSE = 1e-8  # of the largest force or acceleration: what rounding may break a condition by
SINGULAR = 1e-11  # of the largest singular value of the equations of a mode


class Mode(NamedTuple):
    """One foot: whether it is pressed, and along x and y 0 (sticks), ±1 (slides) or None (no friction)."""

    pressed: bool
    along: tuple[int | None, ...] = (None, None)


class Answers(NamedTuple):
    """The forces, rows of feet, of all modes that meet their conditions.

    doubtful    whether a mode has redundant forces of which those tried do not meet the conditions
    """

    forces: list[Array]
    doubtful: bool


class ContactModes:
    """The modes of feet with accelerations A F + b.

    friction   μ of each foot
    slides     the direction in which each one slides, or None
    """

    def __init__(self, A: Array, b: Array, friction: Sequence[float], slides: Sequence[Any]) -> None:
        self.size, self.ease = (max(np.abs(x).max(initial=0.0), 1e-300) for x in (b, A))
        self.A, self.b = A / self.ease, b / self.size
        self.friction, self.slides = friction, slides
        self.modes = [self._modes(k) for k in range(len(friction))]

    def _modes(self, k: int) -> list[Mode]:
        if self.slides[k] is not None or self.friction[k] == 0.0:
            return [Mode(True), Mode(False)]
        moves = [np.abs(self.A[3 * k + axis]).max() > 0.0 for axis in range(2)]
        along = product(*((0, 1, -1) if each else (None,) for each in moves))
        return [*(Mode(True, each) for each in along), Mode(False)]

    @property
    def count(self) -> int:
        """How many there are."""
        return prod(len(each) for each in self.modes)

    def answers(self) -> Answers:
        """What all modes give."""
        forces: list[Array] = []
        doubtful = False
        for modes in product(*self.modes):
            F, redundant = self._forces(modes)
            a = self.A @ F + self.b
            if np.abs(self._residual(modes, F, a)).max(initial=0.0) > CLOSE or not self._moves(modes, a):
                continue
            if self._holds(modes, F):
                forces.append((self.size / self.ease) * F.reshape(-1, 3))
            else:
                doubtful = doubtful or redundant
        return Answers(forces, doubtful)

    def _rows(self, modes: Sequence[Mode]) -> tuple[Array, Array]:
        """K F = r of a mode."""
        n = 3 * len(modes)
        K, r = np.eye(n), np.zeros(n)
        for k, mode in enumerate(modes):
            if not mode.pressed:
                continue
            normal = 3 * k + 2
            K[normal], r[normal] = self.A[normal], -self.b[normal]
            for axis, way in enumerate(mode.along):
                row = 3 * k + axis
                if way == 0:
                    K[row], r[row] = self.A[row], -self.b[row]
                else:
                    K[row, normal] = self.friction[k] * self._direction(k, axis, way)
        return K, r

    def _direction(self, k: int, axis: int, way: int | None) -> float:
        if self.slides[k] is not None:
            return float(self.slides[k][axis])
        return float(way or 0)

    def _forces(self, modes: Sequence[Mode]) -> tuple[Array, bool]:
        """The forces of least norm of a mode, and whether there are others."""
        K, r = self._rows(modes)
        F, _, rank, _ = np.linalg.lstsq(K, r, rcond=SINGULAR)
        return np.asarray(F, float), bool(rank < len(r))

    def _residual(self, modes: Sequence[Mode], F: Array, a: Array) -> Array:
        """What is left of the equations of a mode: accelerations that should be zero."""
        rest = [a[3 * k + 2] for k, mode in enumerate(modes) if mode.pressed]
        rest += [
            a[3 * k + axis]
            for k, mode in enumerate(modes)
            for axis, way in enumerate(mode.along)
            if mode.pressed and way == 0
        ]
        return np.array(rest) / max(1.0, np.abs(F).max(initial=0.0))

    def _moves(self, modes: Sequence[Mode], a: Array) -> bool:
        """Whether feet that lift rise, and those that slide go where they slide to."""
        signs = [a[3 * k + 2] for k, mode in enumerate(modes) if not mode.pressed]
        signs += [
            way * a[3 * k + axis]
            for k, mode in enumerate(modes)
            for axis, way in enumerate(mode.along)
            if mode.pressed and way
        ]
        return min(signs, default=0.0) >= -CLOSE

    def _holds(self, modes: Sequence[Mode], F: Array) -> bool:
        """Whether no foot is pulled, and none that sticks needs more than its friction."""
        least = -CLOSE * np.abs(F).max(initial=0.0)
        for k, mode in enumerate(modes):
            limit = self.friction[k] * F[3 * k + 2]
            left = [limit - abs(F[3 * k + axis]) for axis, way in enumerate(mode.along) if way == 0]
            if mode.pressed and min(F[3 * k + 2], *left, np.inf) < least:
                return False
        return True
