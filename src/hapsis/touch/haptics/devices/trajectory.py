"""Trajectories: prescribed motions as piecewise polynomials, for all axes at once.

A constant aim, a press of a key and a recorded motion are the same to native code: knots, and for
each axis and piece the coefficients of rising powers of the time since its knot.
"""

from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.native import Array, native, record, sized
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices.device_base import number

LEAST = 1e-6  # s; a shorter rise is none
MOST_TIMES = 100_000  # presses; each has a place in memory


@record
class Trajectory:
    """Polynomials by axis, piece and rising power; before the first knot and after the last it rests."""

    axes: int
    pieces: int
    terms: int
    knots: Array = sized("pieces + 1")
    coefficients: Array = sized("axes * pieces * terms")

    @property
    def end(self) -> float:
        """When it rests again."""
        return float(self.knots[-1])

    def at(self, t: float) -> Any:
        """Positions and velocities at a time."""
        state = np.zeros(2 * int(self.axes))
        evaluate(float(t), self, state)
        return state.reshape(2, -1)


@native
def evaluate(t: float, trajectory: Trajectory, state: Array) -> None:
    """Positions, then velocities."""
    pieces, terms, knots = trajectory.pieces, trajectory.terms, trajectory.knots
    low, high = 0, pieces - 1
    while low < high:  # the last piece that has begun
        middle = (low + high + 1) // 2
        if t >= knots[middle]:
            low = middle
        else:
            high = middle - 1
    inside = knots[0] <= t < knots[pieces]
    s = min(max(t, knots[0]), knots[pieces]) - knots[low]
    for k in range(trajectory.axes):
        first = (k * pieces + low) * terms
        x, v = 0.0, 0.0
        for j in range(terms - 1, -1, -1):  # Horner, with the derivative
            v = v * s + x
            x = x * s + trajectory.coefficients[first + j]
        state[k] = x
        state[trajectory.axes + k] = v if inside else 0.0


def polynomials(knots: Any, coefficients: Any) -> Trajectory:
    """The trajectory of an array [axis, piece, power]."""
    array = np.asarray(coefficients, float)
    axes, pieces, terms = array.shape
    return Trajectory(
        axes=axes, pieces=pieces, terms=terms, knots=np.asarray(knots, float), coefficients=array.reshape(-1)
    )


def still(positions: Any) -> Trajectory:
    """Rest at one place."""
    return polynomials([0.0, 1.0], np.asarray(positions, float).reshape(-1, 1, 1))


def press(
    speed: float,
    travel: float,
    hold: float = 0.1,
    wait: float = 0.0,
    rise: float = 0.0,
    start: float = 0.0,
    times: int = 1,
) -> Trajectory:
    """Goes `travel` (its sign is the direction) at `speed`, holds, and comes back; `times` over.

    With `rise` the speed rises and falls that long, as 3s² - 2s³: acceleration is continuous.
    """
    speed, travel = number(speed, "speed", above=0.0), number(travel, "travel")
    hold, wait = number(hold, "hold", least=0.0), number(wait, "wait", least=0.0)
    rise, start = number(rise, "rise", least=0.0), number(start, "start")
    rise = rise if rise > LEAST else 0.0
    way, sign = abs(travel), 1.0 if travel > 0 else -1.0
    if isinstance(times, bool) or not isinstance(times, int) or not 1 <= times <= MOST_TIMES:
        raise DeviceError(f"times is {times!r:.40}", expected=f"a whole number from 1 to {MOST_TIMES}")
    if way == 0.0 or way < speed * rise:
        raise DeviceError(
            f"travel is {travel:g} m, and {speed * rise:g} m are needed to reach {speed:g} m/s",
            remedy="a shorter rise or a lower speed",
        )
    durations, rows, x = list[float](), list[list[float]](), start

    def piece(duration: float, *terms: float) -> None:
        """One polynomial, from where the one before ended."""
        nonlocal x
        if duration > 0.0:
            row = [x, *terms] + [0.0] * (4 - len(terms))
            rows.append(row)
            durations.append(duration)
            x = sum(c * duration**j for j, c in enumerate(row))

    def go(v: float) -> None:
        """One way: faster, even, slower."""
        if rise > 0.0:
            piece(rise, 0.0, 0.0, v / rise**2, -v / (2.0 * rise**3))
        piece(way / speed - rise, v)
        if rise > 0.0:
            piece(rise, v, 0.0, -v / rise**2, v / (2.0 * rise**3))

    piece(wait)
    go(sign * speed)
    piece(hold)
    go(-sign * speed)
    knots = np.concatenate([[0.0], np.cumsum(np.tile(durations, times))])
    return polynomials(knots, np.tile(np.array([rows]), (1, times, 1)))


def recorded(t: Any, x: Any) -> Trajectory:
    """The cubic spline through a record: times, and a row of positions for each (or one number)."""
    from scipy.interpolate import CubicSpline

    times, places = float_array(t), float_array(x)
    if times is None or places is None:
        raise DeviceError("a recorded motion is two arrays of numbers: t and x")
    places = places.reshape(len(places), -1) if places.ndim and places.size else np.empty((0, 1))
    if times.ndim != 1 or len(times) < 2 or len(times) != len(places):
        raise DeviceError(
            f"a recorded motion has {times.size} times and {len(places)} positions",
            expected="as many of both, two or more",
        )
    if not (np.isfinite(times).all() and np.isfinite(places).all()):
        raise DeviceError("a recorded motion holds numbers that are not finite")
    if not (np.diff(times) > 0.0).all():
        raise DeviceError("the times of a recorded motion must rise")
    ends = "clamped" if len(times) > 2 else ((1, (places[1] - places[0]) / np.diff(times)),) * 2
    spline = CubicSpline(times, places, bc_type=ends)  # pyright: ignore[reportArgumentType]
    return polynomials(times, spline.c[::-1].transpose(2, 1, 0))
