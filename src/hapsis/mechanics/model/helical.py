"""The helical joint: a screw."""

from dataclasses import dataclass

from hapsis.mechanics.model.joint import Axis, Joint, Step, axis_vector
from hapsis.mechanics.model.values import AsValue


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
