"""Where the points of a Robotran tree are in its start pose; the lengths of its rods follow from them."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from hapsis.mechanics.model.frames import End, Frame


class Step(NamedTuple):
    """A joint in its start: "T" or "R", its axis and its coordinate."""

    kind: str
    axis: str
    value: float


def distance(
    first: End,
    second: End,
    bodies: Mapping[str, Any],
    steps: Mapping[str, list[Step]],
    points: Mapping[str, Mapping[str, Frame]],
) -> float:
    """How far apart two ends are in the start.

    `bodies` say by what `parent` they hang, `steps` by what joints, `points` where ends are.
    """
    a, b = (_placed(end, bodies, steps, points) for end in (first, second))
    with np.errstate(all="ignore"):  # what is not finite is told of the fact it is for
        return float(math.hypot(*(a - b)))


def _placed(end: End, bodies: Any, steps: Any, points: Any) -> Any:
    """A point in the world: from the body outwards to inwards, x ↦ offset + R x."""
    x = _point(end, points)
    with np.errstate(all="ignore"):
        while end.body != "world":
            for step in reversed(steps[end.body]):
                x = _moved(step, x)
            end = bodies[end.body].parent
            x = x + _point(end, points)
    return x


def _point(end: End, points: Any) -> Any:
    if end.frame is None:
        return np.zeros(3)
    return np.array(points["base" if end.body == "world" else end.body][end.frame].at)


def _moved(step: Step, x: Any) -> Any:
    """`x` in the frame before the joint, where it was given in the one behind."""
    k = "xyz".index(step.axis)
    x = x.copy()
    if step.kind == "T":
        x[k] += step.value
        return x
    c, s = math.cos(step.value), math.sin(step.value)
    i, j = (k + 1) % 3, (k + 2) % 3
    x[i], x[j] = c * x[i] - s * x[j], s * x[i] + c * x[j]
    return x
