"""Holes and shafts of several parts on one axis, in an assembly that is drawn in one place."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.mechanics.model.design.component import Component
from hapsis.mechanics.model.design.round import Round
from hapsis.mechanics.model.frames import rotation

Array = np.ndarray[Any, np.dtype[np.float64]]
COAXIAL = 1e-5  # m between axes that are one
PARALLEL = 1e-4  # sine of the angle between axes that are parallel
APART = 1.0  # radii of the larger: holes side by side on one axis are not further apart than this
TOUCHING = 1e-5  # m between flat faces that touch
LOOSE = 1.2  # radius of a hole over that of a shaft that still fits


@dataclass
class Place:
    """A hole or a shaft in the assembly: from `low` to `high` along the line of its axis."""

    part: str
    round: Round
    point: Array
    axis: Array
    low: float = 0.0
    high: float = 0.0

    def shoulders(self, line: "Axis") -> list[tuple[float, float]]:
        """Its shoulders along the line: (height, side to which it looks)."""
        sign = math.copysign(1.0, float(self.axis @ line.axis))
        middle = 0.5 * (self.low + self.high)
        return [(middle + sign * z, sign * side) for z, side in self.round.shoulders]


@dataclass
class Axis:
    """Holes and shafts of two parts or more that are side by side on one line."""

    point: Array
    axis: Array
    places: list[Place]

    @property
    def parts(self) -> list[str]:
        """Their parts, each once."""
        return list(dict.fromkeys(place.part for place in self.places))

    def of(self, part: str) -> list[Place]:
        """The places of a part."""
        return [place for place in self.places if place.part == part]

    def sleeve(self, first: str, second: str) -> bool:
        """Whether one part has a shaft that fits into a hole of the other one."""
        pairs = [(a.round, b.round) for a in self.of(first) for b in self.of(second)]
        return any(a.hole != b.hole and fits(*((a, b) if b.hole else (b, a))) for a, b in pairs)

    def bored(self, first: str, second: str) -> bool:
        """Whether both parts have holes."""
        return all(any(place.round.hole for place in self.of(part)) for part in (first, second))

    def held(self, first: str, second: str) -> bool:
        """Whether flat faces of two parts touch across the axis, so that none slides along it."""
        sides = [[s for place in self.of(part) for s in place.shoulders(self)] for part in (first, second)]
        return any(abs(a - b) <= TOUCHING and one != other for a, one in sides[0] for b, other in sides[1])

    def middle(self, first: str, second: str) -> Array:
        """The middle of what two parts have side by side or in each other."""
        spans = [(p.low, p.high) for p in self.of(first)], [(p.low, p.high) for p in self.of(second)]
        low, high = max(
            ((max(a[0], b[0]), min(a[1], b[1])) for a in spans[0] for b in spans[1]),
            key=lambda span: span[1] - span[0],
        )
        return self.point + 0.5 * (low + high) * self.axis


def axis_groups(parts: Mapping[str, Component]) -> list[Axis]:
    """The axes on which two parts or more have holes or shafts side by side."""
    lines: list[Axis] = []
    directions: list[Array] = []
    for part in parts.values():
        for name, cylinder in part.rounds.items():
            frame = part.anchors[name]
            point, axis = np.array(frame.at, float), np.array(rotation(frame.rpy))[:, 2]
            place = Place(part.name, cylinder, point, axis)
            line = next((line for line in lines if _on(line, place)), None)
            if line is None:
                lines.append(line := Axis(point, _direction(axis, directions), []))
            along = float(line.axis @ (point - line.point))
            place.low, place.high = along - 0.5 * cylinder.length, along + 0.5 * cylinder.length
            line.places.append(place)
    return [group for line in lines for group in _side_by_side(line) if len(group.parts) > 1]


def _on(line: Axis, place: Place) -> bool:
    """Whether a hole or shaft is on a line."""
    turned = np.linalg.norm(np.cross(line.axis, place.axis))
    return bool(turned < PARALLEL and np.linalg.norm(np.cross(line.axis, place.point - line.point)) < COAXIAL)


def _direction(axis: Array, known: list[Array]) -> Array:
    """The direction of an axis; that of an axis before it, if they are parallel but for what files round."""
    for other in known:
        if np.linalg.norm(np.cross(axis, other)) < PARALLEL:
            return other
    plain = np.round(axis)
    chosen = plain if np.linalg.norm(axis - plain) < PARALLEL and np.abs(plain).sum() == 1.0 else axis
    known.append(chosen)
    return chosen


def _side_by_side(line: Axis) -> list[Axis]:
    """The places of a line in groups without gaps; shafts that do not fit into their holes are left out."""
    groups: list[list[Place]] = []
    end = -math.inf
    for place in sorted(line.places, key=lambda place: place.low):
        if not groups or place.low > end + APART * max(p.round.radius for p in (place, *groups[-1])):
            groups.append([])
            end = -math.inf
        groups[-1].append(place)
        end = max(end, place.high)
    return [Axis(line.point, line.axis, _fitting(group)) for group in groups]


def _fitting(group: list[Place]) -> list[Place]:
    """The places without shafts that are too thick or too thin for every hole beside them."""
    holes = [place.round for place in group if place.round.hole]
    if not holes:
        return []
    return [place for place in group if place.round.hole or any(fits(place.round, hole) for hole in holes)]


def fits(shaft: Round, hole: Round) -> bool:
    """Whether a shaft goes into a hole, and is not much thinner."""
    return shaft.radius <= hole.radius * (1 + 1e-9) + 1e-9 and hole.radius <= LOOSE * shaft.radius
