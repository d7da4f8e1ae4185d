"""The first step of an adaptive run, from the size of f and of its change [HNW, II.4]."""

from typing import Any

import numpy as np

from hapsis.motion.solvers.run.run_memory import NOT_FINITE

SMALL = 1e-5  # of a tolerance: nothing to compare with
NO_GUESS = 1e-6  # s, the step where there is nothing
PART = 1e-3  # of the whole time: the step that `prepare` is first called with


def first_step(run: Any) -> float:
    """A step of an `Integration` whose error should be about a hundredth of what is allowed.

    Where f is not finite at the start the step is 0, and the run says so.
    """
    memory, t, y = run.memory, run.t, run.y
    sign, span = memory.sign, abs(memory.t_end - t)
    longest = min(float(memory.max_step[0]), span)
    if longest == 0.0:
        return NO_GUESS
    clock, here, there = np.array([t]), np.zeros(run.size), np.zeros(run.size)
    if memory.prepared:
        memory.prepare(np.array([sign * min(longest, PART * span)]), clock, y)
    run.f(clock, y, here)
    memory.evaluations += 1
    scale = memory.atol + memory.rtol * np.abs(y)

    def size(x: Any) -> float:
        return float(np.sqrt(np.square(x / scale).sum() * memory.mean))

    with np.errstate(all="ignore"):
        d0, d1 = size(y), size(here)
        if not np.isfinite(d1):
            run.answer = NOT_FINITE
            return 0.0
        h = 0.01 * d0 / d1 if min(d0, d1) > SMALL else NO_GUESS
        h = min(h, longest)
        clock[0] = t + sign * h
        run.f(clock, y + sign * h * here, there)
        memory.evaluations += 1
        d2 = size(there - here) / h
        most = max(d1, d2)
        if not np.isfinite(d2):
            return h
        better = max(1e-6, 1e-3 * h) if most <= 1e-15 else (0.01 / most) ** (1 / run.method.error)
    return min(100 * h, better, longest)
