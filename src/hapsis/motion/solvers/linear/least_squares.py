"""Least squares within bounds, on a manifold: Levenberg-Marquardt with an active set.

The unknown x may be anything; only its steps are vectors: `retract(x, d)` is x moved by d, and
`room(x)` says how far each component of d may go. Every step minimises |r + J d|² + λ |d|² within
the room. λ is in proportion to |r|² where that is small, so that damping vanishes with the
residual: convergence is quadratic at a regular solution and does not fail at a singular one [Fan].
Among steps that are equally good the shortest is taken. Components of d should be of like size:
scale them where they are not.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import SolveError
from hapsis.motion.solvers.linear.cholesky import definite_solution

Array = np.ndarray[Any, np.dtype[np.float64]]
Room = Callable[[Any], tuple[Array, Array]]

GENTLE = 1e-2  # μ of the first step
LEAST = 1e-8  # of μ: below it damping is not felt
WEAKEST = 1e-12  # the least damping, of the trace of JᵀJ, for directions that change nothing
TINY = 1e-300
ENOUGH = 1e-3  # the part of the predicted decrease that a step must bring
FLAT = 1e-24  # of |r|²: a smaller predicted decrease is rounding
SHORT = 8  # steps in a row that must be shortened before longer ones are tried
EXACT = 1e-7  # of |r|: how well J must have said it in each of them
LESS = 1.0 - 1e-4  # of |r|: what may be left where such a step goes somewhere


class Solution(NamedTuple):
    """Where an iteration ended.

    x           the unknown
    residual    r(x)
    iterations  steps taken
    reached     whether |r| came down to the goal
    blocked     for each component of a step whether its bound keeps |r| from being less; empty
                where the goal is reached
    """

    x: Any
    residual: Array
    iterations: int
    reached: bool
    blocked: np.ndarray[Any, np.dtype[np.bool_]]

    @property
    def cost(self) -> float:
        """|r|²."""
        return float(self.residual @ self.residual)


class Reach:
    """How long a step may be: longer after many that were shortened and in which r was as J says.

    longest   the most that each component of a step may be, to begin with
    grows     whether it may become more

    Such a search is on its way to a solution of equations that are linear here. One step that finds them
    otherwise ends that: the next ones are as short as the first.
    """

    def __init__(self, longest: Any, grows: bool) -> None:
        self._longest, self._grows = longest, grows
        self._length, self._count = 1.0, 0

    def excess(self, d: Array) -> float:
        """By how much a step is too long: 1 is just right."""
        return float(np.max(np.abs(d) / self._longest, initial=0.0)) / self._length

    def learn(self, r: Array, J: Array, whole: Array, excess: float, wrong: Array) -> None:
        """Takes note of a step: where it began, what it wanted to be, and what J did not say of its end."""
        exact = float(np.linalg.norm(wrong)) <= EXACT * float(np.linalg.norm(r))  # NaN is not
        if not exact:
            self._length, self._count = 1.0, 0
        elif self._grows and excess > 1.0 and np.linalg.norm(r + J @ whole) < LESS * np.linalg.norm(r):
            self._count += 1
            if self._count >= SHORT:
                self._length *= 2.0


def least_squares(
    residual: Callable[[Any], Array],
    jacobian: Callable[[Any], Array],
    x: Any,
    *,
    retract: Callable[[Any, Array], Any] = np.add,
    room: Room | None = None,
    goal: float = 0.0,
    slow: float = 0.0,
    longest: Any = np.inf,
    grows: bool = False,
    iterations: int = 100,
) -> Solution:
    """The x near the given one where |r(x)| is least, or where it is not above `goal`.

    room        (lowest, highest) of a step from x; 0 must be between
    slow        stop where a step is predicted to lower |r|² by less than this part of it
    longest     the most that each component of a step may be; a longer step is shortened
    grows       whether steps may become longer than that where J holds exactly (see `Reach`)
    iterations  the most steps to take
    """
    r = residual(x)
    cost, mu, reach = float(r @ r), GENTLE, Reach(longest, grows)
    if not np.isfinite(cost):
        raise SolveError("the residual is not finite where the iteration starts")
    for count in range(iterations + 1):
        if cost <= goal * goal:
            return Solution(x, r, count, True, np.zeros(0, bool))
        J = jacobian(x)
        if not np.isfinite(J).all():
            raise SolveError(f"the Jacobian is not finite after {count} steps")
        low, high = _bounds(J.shape[1], room, x)
        A, b = J.T @ J, -(J.T @ r)
        while True:
            whole = bounded_step(A, b, mu * min(cost, float(np.trace(A))), low, high)
            far = reach.excess(whole)
            d = whole / max(1.0, far)
            linear = r + J @ d
            predicted = cost - float(linear @ linear)
            if count == iterations or not predicted > max(slow, FLAT) * cost:
                return Solution(x, r, count, False, blocked(J, r, low, high))
            tried = retract(x, d)
            new = residual(tried)
            reach.learn(r, J, whole, far, new - linear)
            gain = (cost - float(new @ new)) / predicted
            mu = _next(mu, gain)
            if gain > ENOUGH:  # NaN is not
                break
        x, r, cost = tried, new, float(new @ new)
    raise AssertionError("the last round returns")


def bounded_step(A: Array, b: Array, damping: float, low: Array, high: Array) -> Array:
    """The d within [low, high], around 0, that minimises ½ dᵀA d - bᵀd + ½ damping |d|².

    An active set: d goes towards the minimum over the free components until one meets its bound
    and is no longer free; at that minimum, the one that most wants to leave its bound becomes so.
    """
    n, scale = len(b), float(np.trace(A))
    d = np.zeros(n)
    if not scale > TINY:
        return d
    A = A + max(damping, WEAKEST * scale) * np.eye(n)
    whole = _solved(A, b)
    if ((low <= whole) & (whole <= high)).all():
        return whole
    free = ~(((low >= 0) & (b < 0)) | ((high <= 0) & (b > 0)))
    for _ in range(5 * n):
        # rows of the others say that they stay
        rest = np.where(free, b - A @ np.where(free, 0.0, d), d)
        way = _solved(np.where(free & free[:, None], A, np.eye(n)), rest) - d
        room = np.where(way < 0, low - d, high - d)
        over = free & (np.abs(way) > np.abs(room))
        if over.any():
            parts = np.where(over, room / np.where(over, way, 1.0), 1.0)
            first = float(parts.min())
            free &= parts > first
            # exactly the bound: by it the component is known to be held
            d = np.where(free, d + first * way, np.where(parts == first, np.where(way < 0, low, high), d))
            continue
        d = d + way
        push = b - A @ d
        inward = np.where(free | (low == high), 0.0, np.where(d <= low, push, -push))
        best = int(np.argmax(inward))
        if not inward[best] > 1e-12 * scale * np.abs(d).max():
            break
        free[best] = True
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
        return max(mu / 8, LEAST)
    return mu if gain > 0.25 else mu * 8


def _solved(A: Array, b: Array) -> Array:
    """A⁻¹ b of a positive definite A."""
    x = definite_solution(A, b)
    return np.linalg.pinv(A) @ b if x is None else x
