"""How long steps may be and where they must end, so that nothing given in time is jumped over."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.run.events import Event
from hapsis.motion.simulate.time_functions.event_times import event_times
from hapsis.motion.simulate.time_functions.time_graph import TimeGraph, clock_part
from hapsis.motion.simulate.time_functions.time_mesh import TimeMesh, time_mesh

Array = np.ndarray[Any, np.dtype[np.float64]]
BEHIND = 0.25  # of the time to the next knot: a step over one knot ends no further


class StepLimits(NamedTuple):
    """The limits of the steps of a run.

    knots     rows of two times, just before and just after a kink or a jump of a function of time
    pace      starts of stretches of time, and the longest step on each of them; None: no limit
    warning   what cannot be followed; empty where all can
    """

    knots: Array
    pace: tuple[Array, Array] | None
    warning: str = ""

    def shortest(self) -> tuple[float, float]:
        """The smallest of the limits, and the time from which it holds."""
        if self.pace is None:
            return np.inf, 0.0
        k = int(np.argmin(self.pace[1]))
        return float(self.pace[1][k]), float(self.pace[0][k])


def step_limits(
    kernels: Kernels,
    span: tuple[float, float],
    longest: float | None = None,
    events: Sequence[Event] = (),
    stops: bool = True,
    others: Sequence[Kernels] = (),
) -> StepLimits:
    """The limits of steps over a span, by what the motion and events take from the time.

    longest   the longest step at all
    stops     whether steps end at knots; else they end soon behind each, for events to find it
    others    of other phases, whose motions may come on the way
    """
    functions = [(each, f) for each in (kernels, *others) for f in _motions(each)]
    functions += [(kernels, event_times(kernels.system, events))] if events else []
    meshes = [mesh for each, f in functions if (mesh := mesh_of(each, f, span)) is not None]
    knots = [mesh.knots for mesh in meshes if len(mesh.knots)]
    every = _in_order(np.concatenate(knots)) if knots else np.empty((0, 2))
    every = every[(every[:, 1] > span[0]) & (every[:, 0] < span[1])]
    paces = [(mesh.starts, mesh.limits) for mesh in meshes]
    inside = every[(every[:, 0] > span[0]) & (every[:, 1] < span[1])]
    if not stops and len(inside):
        paces.append(_behind(inside, span))
    if longest is not None:
        paces.append((np.array([span[0]]), np.array([longest])))
    lost = min((mesh.lost for mesh in meshes if mesh.lost is not None), default=None)
    warning = (
        ""
        if lost is None
        else (
            f"from t = {lost:.6g} s on something given as a function of time changes too often to be "
            "followed in advance: give longest_step"
        )
    )
    return StepLimits(every if stops else np.empty((0, 2)), _least(paces), warning)


def _motions(kernels: Kernels) -> list[Function]:
    """The Functions of a motion that may take something from the time."""
    closing = kernels.system.closing()
    return [kernels.system.motion(), *([] if closing is None else [closing])]


def mesh_of(kernels: Kernels, function: Function, span: tuple[float, float]) -> TimeMesh | None:
    """The mesh of what a Function takes from the time; None where that is nothing that bends."""

    def make() -> TimeMesh | None:
        part = clock_part(function)
        return None if part is None else time_mesh(TimeGraph(part, kernels.parameters), span)

    return kernels.system.store.latest(function, (span, tuple(kernels.parameters.items())), make)


def _in_order(knots: Array) -> Array:
    """Knots sorted; those that overlap are one."""
    knots = knots[np.argsort(knots[:, 0], kind="stable")]
    reach = np.maximum.accumulate(knots[:, 1])
    first = np.concatenate([[True], knots[1:, 0] > reach[:-1]])
    ends = np.append(np.flatnonzero(first)[1:], len(knots)) - 1
    return np.stack([knots[first, 0], reach[ends]], axis=1)


def _behind(knots: Array, span: tuple[float, float]) -> tuple[Array, Array]:
    """Limits that let a step pass one knot, and end before the next."""
    room = BEHIND * np.diff(np.append(knots[:, 1], span[1]))
    starts = np.stack([knots[:, 0], knots[:, 1] + room], axis=1).ravel()
    limits = np.stack([room + knots[:, 1] - knots[:, 0], np.full(len(room), np.inf)], axis=1).ravel()
    return np.concatenate([[span[0]], starts]), np.concatenate([[np.inf], limits])


def _least(paces: Sequence[tuple[Array, Array]]) -> tuple[Array, Array] | None:
    """The smallest of several limits at every time."""
    paces = [pace for pace in paces if np.isfinite(pace[1]).any()]
    if not paces:
        return None
    starts = np.unique(np.concatenate([pace[0] for pace in paces]))
    places = [np.maximum(np.searchsorted(pace[0], starts, side="right") - 1, 0) for pace in paces]
    limits = np.min([pace[1][place] for pace, place in zip(paces, places, strict=True)], axis=0)
    first = np.concatenate([[True], limits[1:] != limits[:-1]])
    return starts[first], limits[first]
