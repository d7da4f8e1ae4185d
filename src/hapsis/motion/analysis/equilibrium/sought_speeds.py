"""Speeds of a steady motion that are to be found: what is held needs no effort, combinations are as given.

A bicycle that leans in a curve rides at one speed only: held at that lean it needs an effort at every other
speed. The efforts as functions of the speeds are brought to zero by Newton's method, with slopes by
differences that are corrected after every step [Broyden]. So is what combinations of speeds miss.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hapsis.errors import SolveError

Array = np.ndarray[Any, np.dtype[np.float64]]
STEPS = 40
NEAR = 1e-4  # of a speed, the distance of the first differences
LONGEST = 0.3  # of a speed, of one step
SMALL = 1e-11  # of the largest effort met, or of a speed: less is nothing


def sought_speeds(
    missed: Callable[[Array], Array],
    start: Array,
    names: list[str],
    given: Sequence[str] = (),
    sizes: Array | None = None,
) -> Array:
    """The speeds at which nothing is missed, from a start; `missed` ends at the last speeds tried.

    missed    efforts for each of `names`, then what each combination `given` is off, relative
    sizes     how large the speeds are, about; as at the start if left out
    """
    speeds, found = start.copy(), missed(start)
    sizes = np.maximum(np.abs(start), 0.0 if sizes is None else sizes)
    most = np.append(np.zeros(len(names)), np.ones(len(given)))
    most[: len(names)] = np.abs(found[: len(names)]).max(initial=0.0)
    if np.all(np.abs(found) <= SMALL * most) and not names:
        return speeds
    J = np.empty((len(found), len(speeds)))
    for k in range(len(speeds)):
        moved = speeds.copy()
        moved[k] += NEAR * (speeds[k] or sizes[k])
        J[:, k] = (missed(moved) - found) / (moved[k] - speeds[k])
    for _ in range(STEPS):
        step = -np.linalg.lstsq(J, found, rcond=None)[0]
        # by the start, too: a speed may change its sign
        size = float(np.abs(step / np.maximum(np.abs(speeds), sizes)).max())
        if not np.isfinite(size) or size == 0.0:
            break
        step *= min(1.0, LONGEST / size)
        after = missed(speeds + step)
        J += np.outer(after - found - J @ step, step) / (step @ step)
        speeds, found = speeds + step, after
        efforts = np.abs(found[: len(names)]).max(initial=0.0)
        most[: len(names)] = np.maximum(most[: len(names)], efforts)
        if np.all(np.abs(found) <= SMALL * most) or size < 4e-16:
            return speeds
    named = ", ".join(f'"{name[:60]}"' for name in (given or names))
    if given:
        raise SolveError(
            f"no steady motion: near the start {named} cannot have what is given",
            remedy="start nearer, at another pose, or give speeds of the model's own",
        )
    left = float(np.abs(found).max())
    raise SolveError(
        f"no steady motion: at no speed near {named} is the effort zero; {left:.4g} N or N m are left",
        remedy="start nearer, at another speed, or hold another coordinate",
    )
