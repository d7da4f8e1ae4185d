"""Speeds of a steady motion that are to be found, so that what is held needs no effort.

A bicycle that leans in a curve rides at one speed only: held at that lean it needs an effort at every other
speed. The efforts as functions of the speeds are brought to zero by Newton's method, with slopes by
differences that are corrected after every step [Broyden].
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.errors import SolveError

Array = np.ndarray[Any, np.dtype[np.float64]]
STEPS = 40
NEAR = 1e-4  # of a speed, the distance of the first differences
LONGEST = 0.3  # of a speed, of one step
SMALL = 1e-11  # of the largest effort met: less is nothing


def sought_speeds(efforts: Callable[[Array], Array], start: Array, names: list[str]) -> Array:
    """The speeds at which all efforts are zero, from a start; `efforts` ends at the last speeds tried."""
    speeds, found = start.copy(), efforts(start)
    most = float(np.abs(found).max())
    J = np.empty((len(found), len(speeds)))
    for k in range(len(speeds)):
        moved = speeds.copy()
        moved[k] *= 1.0 + NEAR
        J[:, k] = (efforts(moved) - found) / (moved[k] - speeds[k])
    for _ in range(STEPS):
        step = -np.linalg.lstsq(J, found, rcond=None)[0]
        # by the start, too: a speed may change its sign
        size = float(np.abs(step / np.maximum(np.abs(speeds), np.abs(start))).max())
        if not np.isfinite(size) or size == 0.0:
            break
        step *= min(1.0, LONGEST / size)
        after = efforts(speeds + step)
        J += np.outer(after - found - J @ step, step) / (step @ step)
        speeds, found = speeds + step, after
        most = max(most, float(np.abs(found).max()))
        if np.abs(found).max() <= SMALL * most or size < 4e-16:
            return speeds
    left, named = float(np.abs(found).max()), ", ".join(f'"{name}"' for name in names)
    raise SolveError(
        f"no steady motion: at no speed near {named} is the effort zero; {left:.4g} N or N m are left",
        remedy="start nearer, at another speed, or hold another coordinate",
    )
