"""The revolute joint: one turn about an axis."""

from dataclasses import dataclass

from hapsis.mechanics.model.joint import Axis, Joint, Step, axis_vector


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
