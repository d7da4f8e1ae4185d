"""Where a coordinate is seen: the joint it moves, and the axis of its motion at the start."""

from typing import NamedTuple

import numpy as np

from hapsis.mechanics.drawing.layers import DEPTH, pin_span
from hapsis.mechanics.drawing.mates import Mate
from hapsis.mechanics.drawing.placement import Array
from hapsis.mechanics.drawing.sketch import Sketch


class Axle(NamedTuple):
    """A coordinate of a joint: R turns about the axis, P slides along it, H does both."""

    mate: Mate
    kind: str
    axis: Array  # a unit vector in the world

    @property
    def at(self) -> Array:
        """The place of its joint in the world."""
        return self.mate.at


def axles(sketch: Sketch) -> dict[str, Axle]:
    """{coordinate: its axle} of those that turn about or slide along an axis between two parts."""
    table: dict[str, Axle] = {}
    for mate in sketch.parts.mates:
        motions = iter(mate.motions)
        for joint in mate.joints:
            steps = [next(motions) for _ in joint.steps]
            if len(steps) == len(joint.coordinates):
                for name, (kind, axis) in zip(joint.coordinates, steps, strict=True):
                    if kind in "RPH":
                        table[name] = Axle(mate, kind, axis / np.linalg.norm(axis))
    return table


def faces(sketch: Sketch, axle: Axle, side: Array | None) -> tuple[Array, Array, Array]:
    """The axis of an axle towards the viewer, and the places where its joint ends, behind and in front."""
    if side is None or axle.kind == "P" or abs(np.dot(axle.axis, side)) < 0.9:
        half = 1.4 * sketch.bar
        return axle.axis, axle.at - half * axle.axis, axle.at + half * axle.axis
    low, high = pin_span(sketch, {axle.mate.first, axle.mate.second}, side)
    half = 0.3 * DEPTH * sketch.bar
    return side, axle.at + (low - half) * side, axle.at + (high + half) * side
