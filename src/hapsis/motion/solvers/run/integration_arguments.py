"""The arguments of an integration, checked, as its memory holds them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hapsis.errors import SolveError
from hapsis.motion.solvers.run.run_memory import RunMemory

Numbers = NDArray[np.float64]
LEAST_PART = 1e-30  # of the whole time: no step is shorter


def set_time(memory: RunMemory, start: float, end: float) -> None:
    """Sets the time, its end and its direction, and checks the sample times."""
    times = memory.sample_times
    if not (np.isfinite(start) and np.isfinite(end)):
        raise SolveError(f"a run from t = {start} to {end}", expected="finite times")
    memory.t, memory.t_end, memory.sign = start, end, -1.0 if end < start else 1.0
    if not memory.max_step[0] > 0:
        raise SolveError(f"the longest step is {memory.max_step[0]}", expected="a length above zero")
    memory.least_step = LEAST_PART * abs(end - start)
    ordered = not len(times) or bool((memory.sign * np.diff(times) >= 0).all())
    if not (ordered and np.isfinite(times).all()):
        raise SolveError("the sample times are not in the order of the run")
    if len(times) and not memory.sign * (times[0] - start) >= 0:
        raise SolveError(f"a sample at t = {times[0]} is before the start, t = {start}")


def set_control(memory: RunMemory, method: Any, step: float | None, rtol: float) -> None:
    """Sets how the error of a step decides on its length."""
    controlled = int(np.isfinite(memory.atol).sum())
    if not (rtol >= 0 and (memory.atol >= 0).all()):
        raise SolveError("a tolerance is negative or not a number")
    starts = memory.quaternions
    if not ((starts >= 0) & (starts <= memory.size - 4)).all():
        raise SolveError(f"quaternions at {starts.tolist()} of {memory.size} numbers")
    if step is None and not (rtol + memory.atol > 0).all():
        raise SolveError("rtol and atol are both zero", remedy="give one of them")
    memory.rtol, memory.mean = rtol, 1.0 / max(1, controlled)
    memory.halvings, memory.power, memory.past_power = method.exponents
    memory.shrink, memory.grow = method.limits
    memory.stable, memory.watch_stiffness = method.stable, method.stable > 0


def pace_fields(pace: tuple[Numbers, Numbers] | None) -> dict[str, Any]:
    """Limits of steps as the memory has them: a step may end behind the start of a stretch by what
    that allows, or what those after it do."""
    starts, limits = (np.zeros(1), np.full(1, np.inf)) if pace is None else pace
    entries = np.minimum.accumulate((starts + limits)[::-1])[::-1] - starts
    count = 0 if pace is None else len(starts)
    return dict(
        pace_count=count,
        pace_starts=np.array(starts, float),
        pace_limits=np.array(limits, float),
        pace_entries=entries,
    )


def event_count(g: Any, directions: Sequence[int], terminals: Sequence[bool]) -> int:
    """How many events there are."""
    count = len(directions) if g is not None else 0
    if len(directions) != len(terminals) or count != len(directions):
        raise SolveError(
            f"{len(directions)} directions and {len(terminals)} terminals of events",
            expected="g, and one of each for each value of g",
        )
    return count


def tolerances(atol: ArrayLike, n: int) -> Numbers:
    """The absolute error allowed of each component."""
    values = np.asarray(atol, float)
    if values.shape not in ((), (n,)):
        raise SolveError(f"atol has the shape {values.shape}", expected=f"a number, or {n} of them")
    return np.array(np.broadcast_to(values, n))
