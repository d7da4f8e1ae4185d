"""Positions of points of a Robotran tree in its start pose, from which the lengths of rods follow."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from hapsis.mechanics.model.frames import End, Frame


class Step(NamedTuple):
    """A joint in the start pose: "T" or "R", its axis and its coordinate."""

    kind: str
    axis: str
    value: float


class StartPoses:
    """The poses of the bodies of a tree in the start pose, each computed once.

    bodies  {body: with the `parent` end it is attached to}
    steps   {body: its joints}
    points  {body: {point: Frame}}
    """

    def __init__(
        self,
        bodies: Mapping[str, Any],
        steps: Mapping[str, list[Step]],
        points: Mapping[str, Mapping[Any, Frame]],
    ) -> None:
        self.bodies, self.steps, self.points = bodies, steps, points
        self.poses: dict[str, tuple[Any, Any]] = {"world": (np.eye(3), np.zeros(3))}

    def distance(self, first: End, second: End) -> float:
        """The distance of two ends."""
        with np.errstate(all="ignore"):  # a length that is not finite is reported by its Distance
            return float(math.hypot(*(self._place(first) - self._place(second))))

    def _place(self, end: End) -> Any:
        """A point in the world: x = p + R r."""
        R, p = self._pose(end.body)
        return p + R @ self._point(end)

    def _pose(self, body: str) -> tuple[Any, Any]:
        """The rotation and origin of a body, after those of its ancestors."""
        missing = []
        while body not in self.poses:
            missing.append(body)
            body = self.bodies[body].parent.body
        for name in reversed(missing):
            parent: End = self.bodies[name].parent
            R, p = self.poses[parent.body]
            p = p + R @ self._point(parent)
            for step in self.steps[name]:
                if step.kind == "T":
                    p = p + R[:, "xyz".index(step.axis)] * step.value
                else:
                    R = R @ _turn(step)
            self.poses[name] = R, p
        return self.poses[missing[0] if missing else body]

    def _point(self, end: End) -> Any:
        if end.frame is None:
            return np.zeros(3)
        return np.array(self.points["base" if end.body == "world" else end.body][end.frame].at)


def _turn(step: Step) -> Any:
    """The rotation of a joint about an axis."""
    k = "xyz".index(step.axis)
    i, j = (k + 1) % 3, (k + 2) % 3
    R, c, s = np.eye(3), math.cos(step.value), math.sin(step.value)
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R
