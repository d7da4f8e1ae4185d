"""The universal joint: two turns about axes that cross."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hapsis.mechanics.algebra.vectors import dot
from hapsis.mechanics.model.constraints.closure_rows import origins
from hapsis.mechanics.model.joints.joint import SHORTEST_AXIS, Joint, Step, axis_vector, distinct, suffix
from hapsis.mechanics.model.values.numbers import described


@dataclass(frozen=True)
class Universal(Joint):
    """A cardan joint: a turn about the first axis, then about the second, which it carries along.

    Coordinates `.Rx` and `.Ry`; `.R` and `.R2` when the axes are vectors.
    """

    axes: Any = ("x", "y")

    def _check(self) -> None:
        if not isinstance(self.axes, tuple | list) or len(self.axes) != 2:
            raise self.wrong(f"axes must be two axes, not {described(self.axes)}")
        first, second = (axis_vector(a, f"{self.label}: axes", self.where) for a in self.axes)
        across = [first[i - 2] * second[i - 1] - first[i - 1] * second[i - 2] for i in range(3)]
        if not math.hypot(*across) > SHORTEST_AXIS:
            raise self.wrong("its two axes are parallel", remedy="use hs.Revolute")
        kept = (a if isinstance(a, str) else tuple(map(float, a)) for a in self.axes)
        self._set(axes=tuple(kept))

    @property
    def steps(self) -> tuple[Step, ...]:
        """Two turns."""
        return tuple(Step("R", axis_vector(axis)) for axis in self.axes)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The angles, by axis."""
        return distinct([suffix("R", axis) for axis in self.axes])

    def closing(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """Closing a loop: both origins, and the angle between the axes."""
        first, second = (axis_vector(axis) for axis in self.axes)
        turned = tuple(dot(row, second) for row in R)
        return {**origins(d), "cross": dot(first, turned) - dot(first, second)}
