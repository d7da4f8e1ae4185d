"""The planar joint: two moves in a plane and a turn about its normal."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hapsis.mechanics.algebra.vectors import dot
from hapsis.mechanics.model.constraints.closure_rows import aligned
from hapsis.mechanics.model.joints.joint import LETTERS, Joint, Step
from hapsis.mechanics.model.values.numbers import described


@dataclass(frozen=True)
class Planar(Joint):
    """A sheet on a table: `.Tx .Ty .Rz`; for normal y `.Tx .Tz .Ry`, for normal x `.Ty .Tz .Rx`."""

    normal: str = "z"

    def _check(self) -> None:
        if self.normal not in ("x", "y", "z"):
            raise self.wrong(
                f"normal must be x, y or z, not {described(self.normal)}",
                remedy="for another direction turn the frames of its ends",
            )

    @property
    def steps(self) -> tuple[Step, ...]:
        """Two moves, then a turn."""
        return tuple(Step("P" if s[0] == "T" else "R", LETTERS[s[1]]) for s in self.suffixes)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The distances, then the angle."""
        return (*(f"T{a}" for a in "xyz" if a != self.normal), f"R{self.normal}")

    def closing(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """Closing a loop: the second end on the plane."""
        normal = LETTERS[self.normal]
        return {self.normal: dot(normal, d), **aligned(self.normal, normal, R)}
