"""Motions of the finger as the studies play them: strokes of the library, sampled as a device would do it."""

from hapsis.library.piano import strokes
from hapsis.library.piano.samples import Samples, sampled
from hapsis.library.piano.strokes import BOTTOM

PERIOD = 1e-3  # s between the samples of a slow motion
FINE = 5e-4  # s, of a fast one
Corner = tuple[float, float]


def path(*corners: Corner, smooth: float, until: float, period: float = PERIOD) -> Samples:
    """Straight lines through (time, position), each corner rounded over the `smooth` seconds after it."""
    return sampled(strokes.path(*corners, smooth=smooth), until, period)


def press(speed: float = 0.010, to: float = 0.010, begin: float = 0.1, smooth: float = 0.1) -> Samples:
    """Down to `to` at that speed, and held: one full key dip at 10 mm/s is that of [Docquier]."""
    return sampled(strokes.press(speed, to, begin, smooth), round(begin + to / speed + 0.25, 2), PERIOD)


def double(
    down: float, begins: tuple[float, float], held: float, smooth: float, until: float, period: float
) -> Samples:
    """Two strokes of `down` seconds that begin at these times, each held so long and let go as fast."""
    corners: list[Corner] = []
    for begin in begins:
        end = begin + down + held
        corners += [(begin, 0.0), (begin + down, BOTTOM), (end, BOTTOM), (end + down, 0.0)]
    return path(*corners, smooth=smooth, until=until, period=period)


def swing(low: float, rate: float, notes: int, begin: float = 0.3) -> Samples:
    """Slowly to `low` until `begin`, then so many times to the bottom and back, as a sine."""
    return sampled(strokes.sinusoid(low, rate, BOTTOM, begin), begin + notes / rate, FINE)
