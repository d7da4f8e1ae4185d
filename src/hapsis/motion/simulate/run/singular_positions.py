"""Steps over singular positions, and away from one in which a motion starts.

In a singular position the rows of loops fall short by one, and another branch of the mechanism
begins; nearby all that follows from them is zero over zero. The motion itself is smooth there. A
step of high order that is evaluated on both sides only, or ahead only, keeps its branch.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import legendre

from hapsis.errors import SolveError, notice
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.motion.analysis.assembly.loop_closers import Closer
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.loop_report import strayed
from hapsis.motion.analysis.assembly.reduce import best_partition
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system_history import Rows
from hapsis.motion.simulate.run.held_inputs import HeldInputs
from hapsis.motion.simulate.run.integrator import one_step
from hapsis.motion.simulate.run.run_parts import closed_states
from hapsis.motion.solvers.integrators.gauss import CLOSE, STAGES, GaussStep, gauss_step, stage_times
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

Array = np.ndarray[Any, np.dtype[np.float64]]
AWAY = 0.2  # of the units of coordinates: how far from a start other rows are looked for
FALLEN = 0.05  # of the smallest pivot there: a start with less is as good as singular
DOUBLINGS = 5  # of the first step away from a singular position
ROUGH = 1e-4  # of the state: rounding allowed in those before the last, and where nothing else is left
STILL = 1e-12  # of the units of coordinates per second: no direction to leave in


class Motion:
    """The rates of a system as f(t, y), all pairs of contacts looked at; and its quaternions."""

    def __init__(self, kernels: Kernels) -> None:
        self.kernels, self.function = kernels, kernels.system.motion()
        near = np.ones(kernels.system.extras.near)
        self.more = {"near": near} if len(near) else {}

    def rates(self, t: float, y: Array) -> Array:
        """f(t, y)."""
        state = np.ascontiguousarray(y)
        return np.array(self.kernels.values(self.function, t=t, y=state, **self.more)["dy"])

    def normalized(self, y: Array) -> Array:
        """States with quaternions of length one."""
        for first in self.kernels.system.quaternions:
            parts = y[..., first : first + 4]
            parts /= np.linalg.norm(parts, axis=-1, keepdims=True)
        return y

    def path(self, over: GaussStep) -> Callable[[Array], Array]:
        """The states at any times of a step."""
        return lambda times: self.normalized(over.at(times))


def step_over(kernels: Kernels, t: float, y: Array, step: float, close: float = CLOSE) -> GaussStep | None:
    """One step of that length over a singular position in its middle; None where it cannot be made.

    An explicit step of order 8 says about where its stages are.
    """
    over = one_step(kernels, t, y, step, stage_times(t, step))
    if over is None or len(over.sampled) < STAGES:
        return None
    return gauss_step(Motion(kernels).rates, t, y, step, over.sampled, close)


def step_away(kernels: Kernels, t: float, y: Array, step: float, slope: Array) -> GaussStep | None:
    """A step from a singular position: first a short one, from which longer ones are extrapolated.

    slope    of the coordinates at the start; the other rates are not known there
    """
    motion, over = Motion(kernels), None
    for length in step * 0.5 ** np.arange(DOUBLINGS, -1, -1):
        times = stage_times(t, length)
        stages = y + np.outer(times - t, slope) if over is None else over.at(times)
        close = CLOSE if length == step else ROUGH
        over = gauss_step(motion.rates, t, y, float(length), stages, close)
        if over is None:
            return None
    return over


def step_length(ahead: float, most: float) -> float:
    """The length of a step that has a time ahead in its middle, or else in the first gap after it."""
    nodes = 0.5 * (legendre.leggauss(STAGES)[0] + 1.0)
    gaps = 0.5 * (nodes[1:] + nodes[:-1])
    lengths = ahead / gaps[gaps > 0.5 - 1e-9]
    possible = lengths[lengths <= most]
    return float(possible.max()) if len(possible) else most


class SingularStart(NamedTuple):
    """A start that is a singular position: the partition ahead of it, and the time to get there.

    Without a partition the motion starts at rest, and nothing says which way it goes.
    """

    partition: Partition | None
    ahead: float


def singular_start(loops: Loops, q: Array, v: Array, t: float) -> SingularStart | None:
    """What is known of a start whose rows fall short of those nearby; None where they do not."""
    here = pivots(loops.relative_jacobian(q, t), loops.held, first=loops.positions)
    if not len(loops.names) or (here.rank == len(loops.names) and here.smallest > FALLEN):
        return None
    speeds = v / loops.speed_units
    speed = float(np.linalg.norm(speeds))
    still = not speed > STILL
    closer = Closer(loops, loops.held if still else [])
    if still:
        nearby = strayed(closer, q, pivots(closer.jacobian(q)).rank, np.random.default_rng(7))
    else:
        end = closer.run("least squares", closer.moved(q, AWAY / speed * speeds))
        nearby = end.q if end.done else None
    if nearby is None:
        return None
    there = pivots(loops.relative_jacobian(nearby, t), loops.held, first=loops.positions)
    if not (there.rank > here.rank or (there.rank == here.rank and here.smallest < FALLEN * there.smallest)):
        return None
    if still:
        notice(
            "the start is at rest in a singular position, from which it may go on in more than one way: "
            "give it a speed, or start beside it, if it shall move"
        )
        return SingularStart(None, 0.0)
    return SingularStart(best_partition(loops, nearby, t), AWAY / speed)


class LeftStart(NamedTuple):
    """The time and state after a step away from a singular start, the rows and the path up to there."""

    t: float
    y: Array
    rows: Rows
    path: Callable[[Array], Array]


def left_start(
    kernels: Kernels,
    loops: Loops,
    singular: SingularStart,
    span: tuple[float, float],
    y: Array,
    samples: Array,
) -> LeftStart:
    """A step away from a singular start."""
    t, layout = span[0], kernels.system.layout
    held = HeldInputs(kernels, t)
    held.hold(t, y)
    step = min(singular.ahead, next(held.stops(*span, samples)).before - t)
    q, v, _, _ = layout.split(y)
    slope = np.zeros(layout.size)
    slope[: layout.n_q] = loops.rates(q, v)
    inside = samples[samples <= t + step]
    over = step_away(kernels, t, y, step, slope)
    if over is None:
        raise SolveError(
            "the start is a singular position, and the motion cannot be followed away from it",
            remedy="start beside it",
        )
    path = Motion(kernels).path(over)
    states = closed_states(kernels, inside, path(inside))
    states[inside == t] = y  # closed already, and where no row says how
    end = path(np.array([t + step]))[0]
    return LeftStart(t + step, end, Rows(inside, states, np.tile(kernels.u, (len(inside), 1))), path)


def check_regular(singular: SingularStart | None) -> None:
    """Refuses a start in a singular position, from which only `simulate` can go on."""
    if singular is not None and singular.partition is not None:
        raise SolveError(
            "the start is a singular position, and its rows do not lead", remedy="start beside it"
        )
