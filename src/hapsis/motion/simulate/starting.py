"""Where a simulation starts: coordinates, speeds and states of laws, by name or from before."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.errors import ModelError, near
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.numbers import real
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.state import State
from hapsis.motion.analysis.starts import quaternions, start_of

Array = np.ndarray[Any, np.dtype[np.float64]]


def initial(model: Model, states: Mapping[str, float], start: Any) -> tuple[float, Array]:
    """The time and y = q, v, z, W at which to start.

    start    {name: value} over the model's pose "start", a State, all coordinates, or the Result
             of a run that shall go on
    """
    if isinstance(start, Result):
        return _continued(model, states, start)
    laws = dict(states)
    if isinstance(start, Mapping):
        laws |= {n: real(x, f'the start of "{n}"') for n, x in start.items() if n in states}
        start = {name: value for name, value in start.items() if name not in states}
        _check_names(model, states, start)
    q = start_of(model, start)
    for places in quaternions(model).values():
        q[places] /= np.linalg.norm(q[places])
    return 0.0, np.concatenate([q, _speeds(model, start), list(laws.values()), [0.0]])


def _check_names(model: Model, states: Mapping[str, float], start: Mapping[str, Any]) -> None:
    known = (*model.coordinates, *model.speeds, *states)
    for name in start:
        if name not in known:
            raise ModelError(f'the start names "{str(name)[:60]}", which is no coordinate, speed '
                             f"or state{near(str(name), known)}")  # fmt: skip


def _speeds(model: Model, start: Any) -> Array:
    if isinstance(start, State):
        return np.array(start.v)
    v = np.zeros(len(model.speeds))
    given: dict[str, Any] = {}
    if start is None or isinstance(start, Mapping):
        given = model.pose("start") if "start" in model.poses else {}
        given = {**given, **(start or {})}
    for k, name in enumerate(model.speeds):
        if name in given:
            v[k] = real(given[name], f'the start of "{name}"')
    return v


def _continued(model: Model, states: Mapping[str, float], before: Result) -> tuple[float, Array]:
    if before.memory is None or before.last is None:
        raise ModelError("this result cannot go on: it was read from a file",
                         remedy="start from its last values by name")  # fmt: skip
    same = (before.last.coordinates, before.last.speeds) == (model.coordinates, model.speeds)
    if not same or before.memory.names != tuple(states):
        raise ModelError("the result to go on from is of another model: its names differ")
    return float(before.t[-1]), np.array(before.memory.y)
