"""Where a flow x' = r(x) comes to rest: implicit steps that grow into those of Newton.

    d = (1/h - J)⁻¹ r

A small h follows the flow, a large one is Newton's step. h grows while r changes as J says and
shrinks where it does not. Along unstable directions it stays below their time constant, so that the
iteration does not converge to an unstable rest. A stiff valley is thus followed along its bottom, and
a body that is not held moves until it meets another. With `grows`, steps that are shortened and find r
exactly as J says become longer: a far rest of a linear flow is reached in few. Reference: [Kelley],
pseudo-transient continuation.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.motion.solvers.linear.least_squares import Reach, Solution

Array = np.ndarray[Any, np.dtype[np.float64]]

FIRST = 1e-4  # h
LEAST, MOST = 1e-14, 1e14
GOOD, FAIR = 0.3, 0.9  # of a step: how far off it may be where r differs from what J says


def settled(
    residual: Callable[[Any], Array],
    jacobian: Callable[[Any], Array],
    x: Any,
    *,
    retract: Callable[[Any, Array], Any] = np.add,
    goal: float = 0.0,
    longest: Any = np.inf,
    grows: bool = False,
    iterations: int = 300,
) -> Solution:
    """The x to which the flow goes from the given one, or where it is after so many steps."""
    r, h, count, reach = residual(x), FIRST, 0, Reach(longest, grows)
    J = jacobian(x)
    for count in range(iterations):
        if not float(np.linalg.norm(r)) > goal:
            return Solution(x, r, count, True, np.zeros(0, bool))
        d = _step(J, r, h)
        whole, far = d, reach.excess(d)
        d = d / max(1.0, far)
        tried = retract(x, d)
        new = residual(tried)
        wrong = new - r - J @ d
        reach.learn(r, J, whole, far, wrong)
        strange = float(np.linalg.norm(_step(J, wrong, h))) if np.isfinite(wrong).all() else np.inf
        strange /= float(np.linalg.norm(d))
        if not strange < FAIR:
            h *= 0.25
            if h < LEAST:
                break
            continue
        x, r, J = tried, new, jacobian(tried)
        if strange < GOOD and far < 1.0:
            h = min(2.5 * h, MOST)
    return Solution(x, r, count, False, np.zeros(len(r), bool))


def _step(J: Array, r: Array, h: float) -> Array:
    """(1/h - J)⁻¹ r, with a shorter h for each direction that grows."""
    eigen: Any = np.linalg.eig(J)
    values, vectors = eigen
    growing = values.real > 0.0
    alike = growing.any() and np.linalg.cond(vectors) > 1e10  # directions cannot be told apart
    if alike:
        h = min(h, 0.5 / float(values.real.max()))
    if alike or not growing.any():
        solution: Any = np.linalg.lstsq(np.eye(len(r)) / h - J, r, rcond=None)
        return solution[0]
    times = np.where(growing, np.minimum(h, 0.5 / np.where(growing, values.real, 1.0)), h)
    return (vectors @ (np.linalg.solve(vectors, r) / (1.0 / times - values))).real
