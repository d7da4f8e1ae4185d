"""A motion given by samples of position and velocity: between two of them the cubic through both.

With τ = t - t₀ and h the time between two samples it is

    p₀ + v₀ τ + b τ² + c τ³,    b h = 3 (p₁ - p₀) / h - 2 v₀ - v₁,    c h² = v₀ + v₁ - 2 (p₁ - p₀) / h

Position and velocity are continuous, the acceleration jumps at samples. Before the first and after the
last sample it stands still.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from hapsis.mechanics.model.drives import LEVELS, Drive

Array = np.ndarray[Any, np.dtype[np.float64]]
PARTS = ("since", "level", "slope", "bend", "twist")  # t₀, p₀, v₀, b, c


class SampledMotion(NamedTuple):
    """The motion of a drive; the numbers of the piece that is followed are held, by name."""

    drive: str
    times: Array
    positions: Array
    velocities: Array

    @staticmethod
    def of(drive: Drive, tables: Mapping[Any, tuple[Array, Array]]) -> "SampledMotion":
        """The motion of a drive from tables of its position and velocity; or what does not fit."""
        for name in drive.inputs:
            if name not in tables:
                raise drive.wrong(
                    f'of its position and velocity "{name[:60]}" is no table',
                    remedy="give tables of both, with the same times",
                )
        (times, positions), (others, velocities) = (tables[name] for name in drive.inputs)
        if times.shape != others.shape or (times != others).any():
            raise drive.wrong("the tables of its position and velocity have different times")
        return SampledMotion(drive.name, times, positions, velocities)

    @property
    def held(self) -> tuple[str, ...]:
        """The names of the numbers of a piece."""
        return tuple(f"{self.drive}.motion.{part}" for part in PARTS)

    def values(self, t: float) -> dict[str, float]:
        """The numbers from the time t on until the next sample."""
        k = int(np.searchsorted(self.times, t, side="right")) - 1
        piece = float(self.times[max(k, 0)]), float(self.positions[max(k, 0)]), 0.0, 0.0, 0.0
        if 0 <= k < len(self.times) - 1:
            h = float(self.times[k + 1] - self.times[k])
            v0, v1 = float(self.velocities[k]), float(self.velocities[k + 1])
            mean = float(self.positions[k + 1] - self.positions[k]) / h
            piece = (*piece[:2], v0, (3.0 * mean - 2.0 * v0 - v1) / h, (v0 + v1 - 2.0 * mean) / h**2)
        return dict(zip(self.held, piece, strict=True))

    def value(self, name: str, t: Any, held: Mapping[str, Any]) -> Any:
        """NAME.position, NAME.velocity or NAME.acceleration as an expression."""
        since, p, v, b, c = (held[part] for part in self.held)
        tau, level = t - since, LEVELS.index(name.rpartition(".")[2])
        if level == 0:
            return p + tau * (v + tau * (b + tau * c))
        return v + tau * (2.0 * b + 3.0 * tau * c) if level == 1 else 2.0 * b + 6.0 * tau * c
