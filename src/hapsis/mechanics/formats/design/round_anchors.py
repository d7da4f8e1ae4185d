"""Anchors proposed for a part: in the middle of each round hole and shaft, z along its axis."""

import math
from typing import Any

import numpy as np

from hapsis.mechanics.algebra.rotations import z_onto
from hapsis.mechanics.model.frames import Frame, angles

WHOLE = 2 * math.pi - 1e-6  # rad; cylindrical faces of less in all are fillets and slots
SAME = 1e-6  # of the unit of the geometry, and rad: faces on one axis
ZERO = 1e-12  # m


def round_anchors(faces: list[dict[str, Any]], unit: float) -> dict[str, Frame]:
    """{hole1, hole2, ..., shaft1, ...: Frame} of cylindrical faces, in the order of their places.

    A face has the keys of `step_worker.cylinder`; the unit is in m.
    """
    rounds: list[_Round] = []
    for face in faces:
        point, axis = np.array(face["point"]), np.array(face["axis"])
        into = next((each for each in rounds if each.takes(face, point, axis)), None)
        if into is None:
            rounds.append(into := _Round(face, point, axis))
        into.add(face, point, axis)
    anchors: dict[str, Frame] = {}
    for kind, hole in (("hole", True), ("shaft", False)):
        frames = [each.frame(unit) for each in rounds if each.turn >= WHOLE and each.hole == hole]
        frames.sort(key=lambda frame: tuple(round(float(x), 9) for x in (*frame.at, *frame.rpy)))
        anchors |= {f"{kind}{k + 1}": frame for k, frame in enumerate(frames)}
    return anchors


class _Round:
    """Faces on one axis with one radius: all of a hole or a shaft, or a part of one."""

    def __init__(self, face: dict[str, Any], point: Any, axis: Any) -> None:
        self.point, self.axis, self.radius, self.hole = point, axis, face["radius"], face["hole"]
        self.turn, self.low, self.high = 0.0, math.inf, -math.inf

    def takes(self, face: dict[str, Any], point: Any, axis: Any) -> bool:
        """Whether a face belongs to this cylinder."""
        alike = self.hole == face["hole"] and abs(self.radius - face["radius"]) < SAME
        off, turned = np.cross(self.axis, point - self.point), np.cross(self.axis, axis)
        return bool(alike and np.abs(turned).max() < SAME and np.abs(off).max() < SAME)

    def add(self, face: dict[str, Any], point: Any, axis: Any) -> None:
        """Takes a face of this cylinder."""
        ends = [float(self.axis @ (point + s * axis - self.point)) for s in face["ends"]]
        self.low, self.high = min(self.low, *ends), max(self.high, *ends)
        self.turn += face["turn"]

    def frame(self, unit: float) -> Frame:
        """Its middle; z has its largest part positive, so that the holes of two parts on one axis agree."""
        middle = unit * (self.point + 0.5 * (self.low + self.high) * self.axis)
        x, y, z = (float(v) if abs(v) > ZERO else 0.0 for v in middle)
        largest = self.axis[np.argmax(np.round(np.abs(self.axis), 9))]
        axis = tuple(float(v) for v in self.axis * math.copysign(1.0, largest))
        return Frame((x, y, z), angles([list(row) for row in z_onto(axis)]))
