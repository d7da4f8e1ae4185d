"""The revolute joint: one turn about an axis."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hapsis.mechanics.model.constraints.closure_rows import aligned, origins
from hapsis.mechanics.model.joints.joint import Axis, Joint, Step, axis_vector


@dataclass(frozen=True)
class Revolute(Joint):
    """A hinge: the second end turns about the axis; the coordinate is the angle."""

    axis: Axis = "z"

    def _check(self) -> None:
        self._axis()

    @property
    def steps(self) -> tuple[Step, ...]:
        """One turn."""
        return (Step("R", axis_vector(self.axis)),)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """One coordinate, called as the joint."""
        return ("",)

    def closing(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """Closing a loop: both origins and the axes together."""
        return {**origins(d), **aligned(self.axis, axis_vector(self.axis), R)}
