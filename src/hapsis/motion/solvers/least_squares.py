"""Least squares within bounds, on a manifold: Levenberg-Marquardt with an active set.

The unknown x may be anything; only its steps are vectors: `retract(x, d)` is x moved by d, and
`room(x)` says how far each component of d may go. Every step minimises |r + J d|² + λ |d|² within
the room, with λ = μ |r|²: the damping vanishes with the residual, so convergence is quadratic at
a regular solution and stays fast at a singular one [Fan]. Among steps that are equally good the
shortest is taken. Components of d should be of like size: scale them where they are not.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import SolveError

Array = np.ndarray[Any, np.dtype[np.float64]]
Room = Callable[[Any], tuple[Array, Array]]

GENTLE = 1e-2  # μ of the first step
WEAKEST = 1e-8  # the least μ: below it damping is not felt
ENOUGH = 1e-3  # the part of the predicted decrease that a step must bring
FLAT = 1e-24  # of |r|²: a smaller predicted decrease is rounding


class Solution(NamedTuple):
    """Where an iteration ended.

        x           the unknown
        residual    r(x)
        iterations  Jacobians computed
        reached     whether |r| came down to the goal
        blocked     for each component of a step whether its bound keeps |r| from being less
    """

    x: Any
    residual: Array
    iterations: int
    reached: bool
    blocked: np.ndarray[Any, np.dtype[np.bool_]]


def least_squares(
    residual: Callable[[Any], Array],
    jacobian: Callable[[Any], Array],
    x: Any,
    *,
    retract: Callable[[Any, Array], Any] = np.add,
    room: Room | None = None,
    goal: float = 0.0,
    slow: float = 0.0,
    longest: float = np.inf,
    iterations: int = 100,
) -> Solution:
    """The x near the given one where |r(x)| is least, or where it is not above `goal`.

        room        (lowest, highest) of a step from x; 0 must be between
        slow        stop where a step is predicted to lower |r|² by less than this part of it
        longest     the most that any component of a step may be
        iterations  the most Jacobians to compute
    """
    r = residual(x)
    cost, mu = float(r @ r), GENTLE
    if not np.isfinite(cost):
        raise SolveError("the residual is not finite where the iteration starts")
    J = low = high = None
    for count in range(iterations):
        if cost <= goal * goal:
            return Solution(x, r, count, True, np.zeros(0 if J is None else J.shape[1], bool))
        J = jacobian(x)
        if not np.isfinite(J).all():
            raise SolveError(f"the Jacobian is not finite after {count} steps")
        low, high = _bounds(J.shape[1], room, x)
        near = np.maximum(low, -longest), np.minimum(high, longest)
        while True:
            d = damped_step(J, r, mu * cost, *near)
            linear = r + J @ d
            predicted = cost - float(linear @ linear)
            if not predicted > max(slow, FLAT) * cost:
                return Solution(x, r, count + 1, False, blocked(J, r, low, high))
            tried = retract(x, d)
            new = residual(tried)
            after = float(new @ new)
            gain = (cost - after) / predicted  # NaN and infinity are no gain
            mu = _next(mu, gain)
            if gain > ENOUGH:
                break
        x, r, cost = tried, new, after
    reached = cost <= goal * goal
    J = jacobian(x)
    return Solution(x, r, iterations, reached, blocked(J, r, *_bounds(J.shape[1], room, x)))


def damped_step(J: Array, r: Array, damping: float, low: Array, high: Array) -> Array:
    """The d within [low, high] that minimises |r + J d|² + damping |d|².

    An active set: all components that leave their bounds are put on them, then one that would
    come back is let go, until neither happens.
    """
    d = _free_step(J, r, damping)
    if ((low <= d) & (d <= high)).all():
        return d
    free = np.ones(len(d), bool)
    for _ in range(3 * len(d)):
        outside = free & ((d < low) | (d > high))
        if outside.any():
            d = np.clip(d, low, high)
            free &= ~outside
        else:
            slope = J.T @ (r + J @ d) + damping * d
            inward = np.where(d <= low, -slope, slope)  # how much coming back would help
            inward[free | (low == high)] = 0.0
            best = int(np.argmax(inward))
            if not inward[best] > 1e-14 * np.abs(slope).max():
                break
            free[best] = True
        held = np.where(free, 0.0, d)
        d = held
        d[free] = _free_step(J[:, free], r + J @ held, damping)
    return np.clip(d, low, high)


def blocked(J: Array, r: Array, low: Array, high: Array) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which components have no room on the side where |r| would become less."""
    slope = J.T @ r
    small = 1e-9 * np.linalg.norm(J, axis=0) * np.linalg.norm(r)
    return ((low >= 0) & (slope > small)) | ((high <= 0) & (slope < -small))


def within(low: Any, high: Any) -> Room:
    """The room of a plain vector x that must stay between two others."""
    lowest, highest = np.asarray(low, float), np.asarray(high, float)
    return lambda x: (lowest - x, highest - x)


def _bounds(n: int, room: Room | None, x: Any) -> tuple[Array, Array]:
    if room is None:
        return np.full(n, -np.inf), np.full(n, np.inf)
    low, high = room(x)
    return np.minimum(low, 0.0), np.maximum(high, 0.0)  # x may have left by rounding


def _next(mu: float, gain: float) -> float:
    """Stronger damping after a poor step, weaker after a good one."""
    if gain > 0.75:
        return max(mu / 8, WEAKEST)
    return mu if gain > 0.25 else mu * 8


def _free_step(J: Array, r: Array, damping: float) -> Array:
    """The shortest step that minimises |r + J d|² + damping |d|²."""
    if not J.size:
        return np.zeros(J.shape[1])
    U, s, Vt = np.linalg.svd(J, full_matrices=False)
    kept = s > 1e-14 * s[0] if s[0] > 0 else s > 0
    factor = np.where(kept, s, 0.0) / np.where(kept, s * s + damping, 1.0)
    return -((factor * (U.T @ r)) @ Vt)
