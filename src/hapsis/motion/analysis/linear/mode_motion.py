"""A mode as a motion to look at: the pose swings along its shape, loops closed."""

import math
from typing import Any

import numpy as np

from hapsis.errors import SolveError
from hapsis.mechanics.model.result import Columns, Result
from hapsis.mechanics.model.state import State
from hapsis.motion.analysis.assembly.loop_numbers import Array
from hapsis.motion.analysis.linear.linearization import LinearizationPoint
from hapsis.motion.analysis.pose_scene import scene_of

FRAMES = 60  # of a period


def motion_of(point: LinearizationPoint, moves: Any, pace: float, periods: float, title: str) -> Result:
    """A Result of poses q0 moved by Re(moves exp(i ω t)), each closed from there.

    moves    along the speeds, complex
    pace     periods per second
    """
    count = max(2, round(FRAMES * periods) + 1)
    t = np.linspace(0.0, periods / pace, count)
    model, here = point.model, point.here
    q, v = np.zeros((count, len(model.coordinates))), np.zeros((count, len(model.speeds)))
    for k, time in enumerate(t):
        turn = np.exp(2j * math.pi * pace * time)
        rates = here.closed(
            here.moved(point.q, (moves * turn).real), (2j * math.pi * pace * moves * turn).real, point.z
        )
        q[k], v[k] = rates["q"], rates["v"]
    if not np.isfinite(q).all():
        raise SolveError("the loops cannot follow the mode so far", remedy="lower the amplitude")
    groups = [(names, _columns(names, x)) for names, x in ((model.coordinates, q), (model.speeds, v))]
    last = State(model.coordinates, model.speeds, q[-1], v[-1])
    return Result(
        t=t,
        columns=Columns(groups),
        message=title,
        last=last,
        title=title,
        scene=lambda: scene_of(model, q, here.parameters),
    )


def _columns(names: Any, x: Array) -> dict[str, Array]:
    return {name: x[:, k] for k, name in enumerate(names)}
