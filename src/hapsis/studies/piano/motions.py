"""Motions of the finger as tables of time, position and velocity, as a device would report them."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

PERIOD = 1e-3  # s between the samples of a slow motion
FINE = 5e-4  # s, of a fast one
BOTTOM = 9.9e-3  # m: a key that is pressed down firmly
Corner = tuple[float, float]


class Motion(NamedTuple):
    """Samples: times, s, positions, m, and velocities, m/s, of the finger."""

    t: np.ndarray
    x: np.ndarray
    v: np.ndarray

    @property
    def until(self) -> float:
        """The last time."""
        return float(self.t[-1])

    def inputs(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """What `simulate` takes for a key that is moved."""
        return {"key.position": (self.t, self.x), "key.velocity": (self.t, self.v)}


def path(*corners: Corner, smooth: float, until: float, period: float = PERIOD) -> Motion:
    """Straight lines through (time, position), each corner rounded over the `smooth` seconds that follow it.

    Lines seen through a Hann window, as `strokes.path` of the library; the last position is held.
    """
    t = times(until, period)
    x, v = np.full_like(t, corners[0][1]), np.zeros_like(t)
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(corners)]
    for (begin, _), before, after in zip(corners, [0.0, *slopes], [*slopes, 0.0], strict=True):
        s = np.clip(t - begin, 0.0, smooth)
        turn = 2.0 * np.pi / smooth * s
        rounded = s * s / (2.0 * smooth) - smooth / (4.0 * np.pi**2) * (1.0 - np.cos(turn))
        x += (after - before) * (rounded + np.maximum(t - begin - smooth, 0.0))
        v += (after - before) * (s / smooth - np.sin(turn) / (2.0 * np.pi))
    return Motion(t, x, v)


def press(speed: float = 0.010, to: float = 0.010, begin: float = 0.1, smooth: float = 0.1) -> Motion:
    """Down to `to` at that speed, and held: one full key dip at 10 mm/s is that of [Docquier]."""
    end = begin + to / speed
    return path((begin, 0.0), (end, to), smooth=smooth, until=round(end + 0.25, 2))


def double(
    down: float, begins: tuple[float, float], held: float, smooth: float, until: float, period: float
) -> Motion:
    """Two strokes of `down` seconds that begin at these times, each held so long and let go as fast."""
    corners = []
    for begin in begins:
        end = begin + down + held
        corners += [(begin, 0.0), (begin + down, BOTTOM), (end, BOTTOM), (end + down, 0.0)]
    return path(*corners, smooth=smooth, until=until, period=period)


def swing(low: float, rate: float, notes: int, begin: float = 0.3) -> Motion:
    """Slowly to `low` until `begin`, then so many times to the bottom and back, as a sine."""
    t = times(begin + notes / rate, FINE)
    there = path((0.0, 0.0), (begin / 2.0, low), smooth=begin / 4.0, until=float(t[-1]), period=FINE)
    phase = 2.0 * np.pi * rate * np.maximum(t - begin, 0.0)
    half = 0.5 * (BOTTOM - low)
    swinging = half * 2.0 * np.pi * rate * np.sin(phase)
    return Motion(t, there.x[: len(t)] + half * (1.0 - np.cos(phase)), there.v[: len(t)] + swinging)


def times(until: float, period: float) -> np.ndarray:
    """Sample times from 0 to the first at or after `until`."""
    return period * np.arange(int(np.ceil(until / period - 1e-6)) + 1)
