"""The cylindrical joint: along an axis and about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hapsis.mechanics.model.constraints.closure_rows import across, aligned
from hapsis.mechanics.model.joints.joint import Axis, Joint, Step, axis_vector, suffix


@dataclass(frozen=True)
class Cylindrical(Joint):
    """A sleeve on a shaft: coordinates `.Tz` and `.Rz`; `.T` and `.R` when the axis is a vector."""

    axis: Axis = "z"

    def _check(self) -> None:
        self._axis()

    @property
    def steps(self) -> tuple[Step, ...]:
        """A move, then a turn."""
        axis = axis_vector(self.axis)
        return (Step("P", axis), Step("R", axis))

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The distance, then the angle."""
        return (suffix("T", self.axis), suffix("R", self.axis))

    def closing(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """Closing a loop: the second end on the axis."""
        axis = axis_vector(self.axis)
        return {**across(self.axis, axis, d), **aligned(self.axis, axis, R)}
