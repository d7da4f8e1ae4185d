"""Motions of a finger on a key: positions in m as functions of time, for drives.

All are smooth twice: a corner in the position would be a blow on the key.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import pi
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import clip, cos, maximum, sin
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real

Motion = Callable[[Any], Any]
BOTTOM = 9.9e-3  # m: a key that is pressed down firmly


@verb
def press(speed: float = 0.010, to: float = 0.010, begin: float = 0.1, smooth: float = 0.1) -> Motion:
    """Down to `to` at that speed, both ends rounded over `smooth` seconds; then held.

    A ramp seen through a Hann window: the acceleration at both ends is a raised cosine.
    """
    begin, to = real(begin, "press: begin"), positive(to, "press: to")
    return path((begin, 0.0), (begin + to / positive(speed, "press: speed"), to), smooth=smooth)


@verb
def path(*corners: tuple[float, float], smooth: float = 0.02) -> Motion:
    """Straight lines through (time, position), each corner rounded over the `smooth` seconds after it."""
    smooth = positive(smooth, "path: smooth")
    pairs: Any = corners
    if not corners or any(not isinstance(pair, tuple | list) or len(pair) != 2 for pair in pairs):
        raise ModelError("path: corners", expected="pairs (time, position), at least one")
    points = [(real(t, "path: a time"), real(x, "path: a position")) for t, x in corners]
    if any(b[0] <= a[0] for a, b in pairwise(points)):
        raise ModelError("path: the times of corners must grow")
    return lambda t: _path(t, points, smooth)


def _path(t: Any, corners: Sequence[tuple[float, float]], smooth: float) -> Any:
    x: Any = corners[0][1]
    before = 0.0
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(corners)]
    for (begin, _), slope in zip(corners, [*slopes, 0.0], strict=True):
        # what the change of speed adds: zero before, a straight line after the window
        s = clip(t - begin, 0.0, smooth)
        rounded = s * s / (2.0 * smooth) - smooth / (4.0 * pi * pi) * (1.0 - cos(2.0 * pi / smooth * s))
        x = x + (slope - before) * (rounded + maximum(t - begin - smooth, 0.0))
        before = slope
    return x


@verb
def minimum_jerk(time: float, to: float = BOTTOM, begin: float = 0.0) -> Motion:
    """From 0 to `to` in `time` seconds as a hand does that moves freely: 10 s³ - 15 s⁴ + 6 s⁵; then held."""

    time, to = positive(time, "minimum_jerk: time"), real(to, "minimum_jerk: to")
    begin = real(begin, "minimum_jerk: begin")

    def position(t: Any) -> Any:
        s = clip((t - begin) / time, 0.0, 1.0)
        return to * s * s * s * (10.0 - s * (15.0 - 6.0 * s))

    return position


@verb
def sinusoid(low: float, frequency: float, high: float = BOTTOM, begin: float = 0.3) -> Motion:
    """Pressed to `low`, and from `begin` on up and down between `low` and `high`."""
    begin, frequency = positive(begin, "sinusoid: begin"), positive(frequency, "sinusoid: frequency")
    low, high = real(low, "sinusoid: low"), real(high, "sinusoid: high")
    lowered = minimum_jerk(2.0 / 3.0 * begin, low)

    def position(t: Any) -> Any:
        s = maximum(t - begin, 0.0)
        return lowered(t) + 0.5 * (high - low) * (1.0 - cos(2.0 * pi * frequency * s))

    return position


@verb
def blow(time: float, to: float = BOTTOM, stop: float = 4e-3, begin: float = 0.0) -> Motion:
    """Down with a constant acceleration that would reach `to` in `time` seconds, stopped over `stop`.

    Before the end the speed falls to zero along half a cosine. This is how loud notes are played: the key is
    fastest where the hammer leaves.
    """
    stop, to, begin = positive(stop, "blow: stop"), real(to, "blow: to"), real(begin, "blow: begin")
    time = positive(time, "blow: time")
    if not time > 0.5 * stop:
        raise ModelError(f"blow: time is {time:g} s", expected=f"more than half of stop, {0.5 * stop:g} s")
    end = time - 0.5 * stop  # the stop covers half of what the full speed would
    acceleration = 2.0 * to / (end * end + end * stop)
    speed = acceleration * end

    def position(t: Any) -> Any:
        u = clip(t - begin, 0.0, end)
        s = clip(t - begin - end, 0.0, stop)
        return 0.5 * acceleration * u * u + 0.5 * speed * (s + stop / pi * sin(pi / stop * s))

    return position


def positive(x: Any, what: str) -> float:
    """The float of a number above zero."""
    value = real(x, what)
    if not value > 0.0:
        raise ModelError(f"{what} is {value:g}", expected="a positive number")
    return value
