"""Passive hands on a device at a sampled wall: mass, springs, and masses hung on springs.

    force of the wall, held for T
           │      ┌─ k1 ─ m1
        [ mass ]──┼─ k2 ─ m2        `stiffness` holds the mass to the ground
           │      └─ ...
        stiffness

None of it has a source of energy, so an oscillation that grows draws on the wall.
"""

from dataclasses import dataclass
from math import isfinite, pi
from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import SolveError
from hapsis.mechanics.model.values.numbers import number_or_nan

ROUNDING = 1e-9  # growth per sample that is none
APART = 0.01  # of π/T: frequencies that are closer are one


@dataclass(frozen=True)
class Hand:
    """What hangs on the device; `mass` includes the device's own.

    stiffness   N/m to the ground
    damping     N·s/m to the ground, besides the device's
    hung        (mass, stiffness) of what hangs on it by a spring
    """

    mass: float
    stiffness: float = 0.0
    damping: float = 0.0
    hung: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        positive("mass", self.mass)
        parts = [("stiffness", self.stiffness), ("damping", self.damping)]
        parts += [("mass or stiffness of what is hung", x) for pair in self.hung for x in pair]
        for name, value in parts:
            if real(name, value) < 0.0:
                raise SolveError(f"a {name} of {value:g}: this hand is not passive", expected="0 or more")

    def matrices(self) -> tuple[Any, Any]:
        """Diagonal of the mass matrix, and the stiffness matrix; the device comes first."""
        masses = np.array([self.mass, *(m for m, _ in self.hung)])
        springs = np.array([k for _, k in self.hung])
        stiffness = np.diag([self.stiffness + springs.sum(), *springs])
        stiffness[0, 1:] = stiffness[1:, 0] = -springs
        return masses, stiffness


def hand_resonating_at(frequency: float, period: float, mass: float, modes: int) -> Hand:
    """A lossless hand that swings freely at a frequency, rad/s, and at its first aliases.

    Sampled at T, ω and |ω + 2πn/T| look the same. What resists motion is to vanish at all of them:
    m Π(s² + ω²) / (s Π(s² + p²)) with a p between each two; its partial fractions are springs and
    hung masses, all positive since ω and p alternate (Foster's theorem).
    """
    turns = np.arange(-modes, modes + 1)
    free = np.sort(np.abs(frequency + 2 * pi * turns / period))
    # near π/T two of them are one
    free = free[np.concatenate([[True], np.diff(free) > APART * pi / period])][:modes]
    stops = 0.5 * (free[1:] + free[:-1])
    ground = mass * free[0] ** 2 * float(np.prod((free[1:] / stops) ** 2))
    hung = []
    for i, p in enumerate(stops):
        # in pairs, so that large numbers cancel as they come
        others, rest = np.delete(stops, i), np.delete(free, [0, i + 1])
        pairs = np.prod((rest**2 - p**2) / (others**2 - p**2))
        spring = mass * (p**2 - free[0] ** 2) * (free[i + 1] ** 2 - p**2) / p**2 * pairs
        hung.append((float(spring / p**2), float(spring)))
    return Hand(mass, float(ground), 0.0, tuple(hung))


class Held(NamedTuple):
    """Device and hand over one period of a held force: state after = over @ state + push force.

    The state is positions and speeds, the device's first.
    """

    over: Any
    push: Any
    period: float


def held(hand: Hand, device_damping: float, period: float) -> Held:
    """The exact solution over one period."""
    from scipy.linalg import expm

    masses, springs = hand.matrices()
    n = len(masses)
    flow = np.zeros((2 * n + 1, 2 * n + 1))
    flow[:n, n : 2 * n] = np.eye(n)
    flow[n : 2 * n, :n] = -springs / masses[:, None]
    flow[n, n] = -(device_damping + hand.damping) / masses[0]
    flow[n, -1] = 1.0 / masses[0]
    solution = expm(period * flow)
    return Held(solution[: 2 * n, : 2 * n], solution[: 2 * n, -1], period)


def growth(system: Held, stiffness: float, damping: float = 0.0) -> float:
    """How much the largest oscillation at a sampled wall grows per sample; up to 1 it is stable."""
    n = len(system.push)
    step = np.zeros((n + 1, n + 1))
    step[:n, :n] = system.over
    # the wall takes its speed from this sample and the one before, which is the last state
    step[:n, 0] -= system.push * (stiffness + damping / system.period)
    step[:n, n] += system.push * damping / system.period
    step[n, 0] = 1.0
    return float(np.abs(np.linalg.eigvals(step)).max())


def calm(system: Held, stiffness: float, damping: float = 0.0, most: float = ROUNDING) -> bool:
    """Whether nothing grows by more than `most` per sample."""
    return growth(system, stiffness, damping) <= 1.0 + most


def real(name: str, value: Any) -> float:
    """A finite number, or the error that names it."""
    number = number_or_nan(value)
    if not isfinite(number):
        raise SolveError(f"{name} is {value!r:.40}", expected="a number")
    return number


def positive(name: str, value: Any) -> float:
    """A positive finite number, or the error that names it."""
    number = real(name, value)
    if number <= 0.0:
        raise SolveError(f"{name} is {value!r:.40}", expected="a positive number")
    return number
