"""The prismatic joint: one move along an axis."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hapsis.mechanics.model.constraints.closure_rows import across, turns
from hapsis.mechanics.model.joints.joint import Axis, Joint, Step, axis_vector


@dataclass(frozen=True)
class Prismatic(Joint):
    """A slider: the second end moves along the axis; the coordinate is the distance."""

    axis: Axis = "z"

    def _check(self) -> None:
        self._axis()

    @property
    def steps(self) -> tuple[Step, ...]:
        """One move."""
        return (Step("P", axis_vector(self.axis)),)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """One coordinate, called as the joint."""
        return ("",)

    def closing(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """Closing a loop: the second origin on the axis, and no turn."""
        return {**across(self.axis, axis_vector(self.axis), d), **turns(R)}
