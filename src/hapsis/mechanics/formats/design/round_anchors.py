"""Anchors proposed for a part: in the middle of each round hole and shaft, z along its axis."""

import math
from typing import Any

import numpy as np

from hapsis.mechanics.algebra.rotations import z_onto
from hapsis.mechanics.model.design.round import Round
from hapsis.mechanics.model.frames import Frame, angles

WHOLE = 2 * math.pi - 1e-3  # rad; cylindrical faces of less in all are fillets and slots
SAME = 1e-3  # mm: faces on one axis with one radius, although files round
ALIKE = 1e-4  # sine of the angle between axes that are one
BESIDE = 3.0  # radii: flat faces nearer than this to the axis are shoulders
ZERO = 1e-12  # m


def round_anchors(
    faces: list[dict[str, Any]], flats: list[dict[str, Any]], unit: float
) -> tuple[dict[str, Frame], dict[str, Round]]:
    """{hole1, hole2, ..., shaft1, ...: Frame} of cylindrical faces by place, and their Rounds.

    faces  with the keys of `step_worker._cylinder`
    flats  flat faces across some cylinder, with those of `step_worker._flat`
    unit   of both, m
    """
    cylinders: list[_Cylinder] = []
    for face in faces:
        point, axis = np.array(face["point"]), np.array(face["axis"])
        into = next((each for each in cylinders if each.takes(face, point, axis)), None)
        if into is None:
            cylinders.append(into := _Cylinder(face, point, axis))
        into.add(face, point, axis)
    anchors: dict[str, Frame] = {}
    rounds: dict[str, Round] = {}
    for kind, hole in (("hole", True), ("shaft", False)):
        whole = [each for each in cylinders if each.turn >= WHOLE and each.hole == hole]
        pairs = [(each.frame(unit), each.round(flats, unit)) for each in whole]
        pairs.sort(key=lambda pair: tuple(round(float(x), 9) for x in (*pair[0].at, *pair[0].rpy)))
        anchors |= {f"{kind}{k + 1}": frame for k, (frame, _) in enumerate(pairs)}
        rounds |= {f"{kind}{k + 1}": cylinder for k, (_, cylinder) in enumerate(pairs)}
    return anchors, rounds


class _Cylinder:
    """Faces on one axis with one radius: all of a hole or a shaft, or a part of one."""

    def __init__(self, face: dict[str, Any], point: Any, axis: Any) -> None:
        # z has its largest part positive, so that the holes of two parts on one axis agree
        largest = axis[np.argmax(np.round(np.abs(axis), 9))]
        self.axis = axis * math.copysign(1.0, largest)
        self.point, self.radius, self.hole = point, face["radius"], face["hole"]
        self.turn, self.low, self.high = 0.0, math.inf, -math.inf

    def takes(self, face: dict[str, Any], point: Any, axis: Any) -> bool:
        """Whether a face belongs to this cylinder."""
        alike = self.hole == face["hole"] and abs(self.radius - face["radius"]) < SAME
        off, turned = np.cross(self.axis, point - self.point), np.cross(self.axis, axis)
        return bool(alike and np.abs(turned).max() < ALIKE and np.abs(off).max() < SAME)

    def add(self, face: dict[str, Any], point: Any, axis: Any) -> None:
        """Takes a face of this cylinder."""
        ends = [float(self.axis @ (point + s * axis - self.point)) for s in face["ends"]]
        self.low, self.high = min(self.low, *ends), max(self.high, *ends)
        self.turn += face["turn"]

    @property
    def middle(self) -> Any:
        """The middle of its axis."""
        return self.point + 0.5 * (self.low + self.high) * self.axis

    def frame(self, unit: float) -> Frame:
        """Its middle, with z along its axis."""
        x, y, z = (float(v) if abs(v) > ZERO else 0.0 for v in unit * self.middle)
        axis = tuple(float(v) for v in self.axis)
        return Frame((x, y, z), angles([list(row) for row in z_onto(axis)]))

    def round(self, flats: list[dict[str, Any]], unit: float) -> Round:
        """Its size, and the flat faces across it that are near."""
        shoulders: set[tuple[float, float]] = set()
        for flat in flats:
            along = float(self.axis @ np.array(flat["normal"]))
            rim = np.array(flat["rim"]).reshape(-1, 3) - self.middle
            away = np.linalg.norm(rim - np.outer(rim @ self.axis, self.axis), axis=1)
            if abs(along) > 1.0 - ALIKE and len(rim) and away.min() <= BESIDE * self.radius:
                z = float(self.axis @ (np.array(flat["point"]) - self.middle))
                shoulders.add((round(unit * z, 12), math.copysign(1.0, along)))
        length = unit * (self.high - self.low)
        return Round(unit * self.radius, length, self.hole, tuple(sorted(shoulders)))
