"""The helical joint: a screw."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import atan2
from hapsis.mechanics.algebra.vectors import cross, dot
from hapsis.mechanics.model.constraints.closure_rows import across, aligned, beside
from hapsis.mechanics.model.joints.joint import Axis, Joint, Step, axis_vector
from hapsis.mechanics.model.values.values import AsValue


@dataclass(frozen=True)
class Helical(Joint):
    """A screw: the coordinate is the angle; `pitch` is metres along the axis per radian."""

    axis: Axis = "z"
    pitch: AsValue = 0.0

    def _check(self) -> None:
        self._axis()
        self._make_values("pitch")

    @property
    def steps(self) -> tuple[Step, ...]:
        """One turn that also moves."""
        return (Step("H", axis_vector(self.axis), self.pitch),)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """One coordinate, called as the joint."""
        return ("",)

    def closing(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """Closing a loop: the second end on the axis, as far along as it has turned."""
        axis = axis_vector(self.axis)
        (_, _, a), (_, _, b) = beside(self.axis, axis)
        turned = tuple(dot(row, a) for row in R)
        # a, b and the axis may be left-handed
        side = dot(cross(axis, a), b)
        angle = atan2(side * dot(b, turned), dot(a, turned))
        screw = dot(axis, d) - number("pitch") * angle
        return {**across(self.axis, axis, d), **aligned(self.axis, axis, R), "screw": screw}
