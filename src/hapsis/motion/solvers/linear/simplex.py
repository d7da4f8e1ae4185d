"""The simplex method of Nelder and Mead: brings a sum of squares to zero without derivatives.

n + 1 corners; in each round the worst of them is reflected through the middle of the others, and
the step is made longer, shorter, or all corners move towards the best, by the rules and numbers of
[Lagarias]. Such a simplex may become flat before it has arrived: then a new one is put around the
best corner, as large as the residual that is left, for as long as that helps. It may still end in
a place that is no solution, and the more unknowns there are the slower it is.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.motion.solvers.linear.least_squares import Solution

Array = np.ndarray[Any, np.dtype[np.float64]]

FAR, NEAR = 2.0, 0.5  # how much longer and shorter than the reflection
USUAL, LITTLE = 0.05, 0.00025  # the first edges: of an unknown, and where it is zero
FLAT = 1e-3  # of the length that a simplex began with: one that is smaller has arrived or is stuck
ROUNDS = 400  # for each unknown, of one simplex
BETTER = 0.5  # the part of |r| that a new simplex must leave, or less
PATIENCE = 6  # new simplices that do not help, one after the other


def simplex(
    residual: Callable[[Any], Array],
    x: Any,
    size: int,
    *,
    retract: Callable[[Any, Array], Any] = np.add,
    zero: Array | None = None,
    goal: float = 0.0,
    evaluations: int = 200_000,
) -> Solution:
    """The x near the given one where |r(x)| is not above `goal`, or the best that was found.

    size         how many unknowns a step has: `retract(x, d)` is x moved by d
    zero         what the unknowns are at x, for the size of the first steps; all zero if not given
    evaluations  about the largest number of evaluations of r
    """
    if not size:
        r = residual(x)
        return Solution(x, r, 1, float(np.linalg.norm(r)) <= goal, np.zeros(0, dtype=bool))
    count = 0

    def cost(d: Array) -> float:
        nonlocal count
        count += 1
        r = residual(retract(x, d))
        value = float(r @ r)
        return value if np.isfinite(value) else np.inf

    best = np.zeros(size)
    least = cost(best)
    here = np.zeros(size) if zero is None else np.asarray(zero, dtype=float)
    edges = np.where(here == 0.0, LITTLE, USUAL * here)
    tired = 0
    while least > goal * goal and count < evaluations and tired < PATIENCE:
        corner, value = descended(cost, best, least, edges, goal * goal, (evaluations - count) // 2)
        tired = 0 if value < BETTER * BETTER * least else tired + 1
        if value < least:
            best, least = corner, value
        # as large as what is left, and each time turned to other directions
        sign = np.where(np.arange(size) % 2 == 0, 1.0, -1.0) * (1.0 if tired % 2 else -1.0)
        edges = sign * np.sqrt(least) * 4.0 ** (tired // 2)
    end = retract(x, best)
    return Solution(end, residual(end), count, least <= goal * goal, np.zeros(size, dtype=bool))


def descended(
    cost: Callable[[Array], float], x: Array, value: float, edges: Array, goal: float, most: int
) -> tuple[Array, float]:
    """The best corner of one simplex from x, when it is good enough, flat, or out of rounds."""
    n = len(x)
    corners = np.vstack([x, x + np.diag(edges)])
    values = np.array([value, *(cost(corner) for corner in corners[1:])])
    small = FLAT * float(np.abs(edges).min())
    for _ in range(min(ROUNDS * n, most)):
        order = np.argsort(values, kind="stable")
        corners, values = corners[order], values[order]
        if values[0] <= goal or np.abs(corners[1:] - corners[0]).max() < small:
            break
        _one_round(cost, corners, values)
    k = int(np.argmin(values))
    return corners[k], float(values[k])


def _one_round(cost: Callable[[Array], float], corners: Array, values: Array) -> None:
    """The worst corner replaced, or all of them moved towards the best; corners are in order."""
    worst = corners[-1].copy()
    middle = corners[:-1].mean(axis=0)
    way = middle - worst
    tried, value = middle + way, cost(middle + way)
    if value < values[0]:
        far = middle + FAR * way
        far_value = cost(far)
        if far_value < value:
            tried, value = far, far_value
    elif value >= values[-2]:
        # outside when the reflection is at least better than the worst, else inside
        outside = value < values[-1]
        limit = value if outside else values[-1]
        tried = middle + (NEAR if outside else -NEAR) * way
        value = cost(tried)
        if not (value <= limit if outside else value < limit):
            for k in range(1, len(corners)):
                corners[k] = corners[0] + NEAR * (corners[k] - corners[0])
                values[k] = cost(corners[k])
            return
    corners[-1], values[-1] = tried, value
