"""The universal joint: two rotations about intersecting axes."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.algebra.turns import angle_about, turn_about
from hapsis.mechanics.algebra.vectors import cross, dot
from hapsis.mechanics.model.joints.joint import Array, LoopJoint, Step
from hapsis.mechanics.model.values.axes import SHORTEST_AXIS, Axes, axis_vector, distinct, suffix
from hapsis.mechanics.model.values.numbers import described


@verb
@frozen
class Universal(LoopJoint, type_name="universal", shown=("axes",)):
    """A cardan joint: a rotation about the first axis, then about the second, which moves with the first.

    Coordinates `.Rx` and `.Ry`; `.R` and `.R2` when the axes are vectors.
    """

    axes: Axes = ("x", "y")

    def _check(self) -> None:
        if not isinstance(self.axes, tuple | list) or len(self.axes) != 2:
            raise self.wrong(f"axes must be two axes, not {described(self.axes)}")
        first, second = (axis_vector(a, f"{self.label}: axes", self.where) for a in self.axes)
        if not math.hypot(*cross(first, second)) > SHORTEST_AXIS:
            raise self.wrong("its two axes are parallel", remedy="use hs.Revolute")
        self._set(axes=tuple(a if isinstance(a, str) else tuple(map(float, a)) for a in self.axes))

    @property
    def steps(self) -> tuple[Step, ...]:
        """Two rotations."""
        return tuple(Step("R", axis_vector(axis)) for axis in self.axes)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The angles, by axis."""
        return distinct([suffix("R", axis) for axis in self.axes])

    def closure_rows(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """The origins coincide, and the angle between the axes is constant."""
        from hapsis.mechanics.model.constraints.closure_rows import origins, turned_by

        first, second = (axis_vector(axis) for axis in self.axes)
        return {**origins(d), "cross": dot(first, turned_by(R, second)) - dot(first, second)}

    def fit(self, d: Array, R: Array, number: Any) -> list[float]:
        """The first angle rotates the second axis to its direction in R; the second is the rest of R."""
        first, second = (np.array(axis_vector(axis)) for axis in self.axes)
        before, after = (x - np.dot(first, x) * first for x in (second, R @ second))
        angle = float(np.arctan2(np.dot(first, np.cross(before, after)), np.dot(before, after)))
        return [angle, angle_about(second, turn_about(first, angle).T @ R)]
