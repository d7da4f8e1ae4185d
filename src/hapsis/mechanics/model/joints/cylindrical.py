"""The cylindrical joint: a translation along an axis and a rotation about it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.algebra.turns import angle_about
from hapsis.mechanics.model.joints.joint import Array, AxisJoint, Step
from hapsis.mechanics.model.values.axes import suffix


@verb
@frozen
class Cylindrical(AxisJoint, type_name="cylindrical"):
    """A sleeve on a shaft: coordinates `.Tz` and `.Rz`; `.T` and `.R` when the axis is a vector."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """A translation, then a rotation."""
        return (Step("P", self.direction), Step("R", self.direction))

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The distance, then the angle."""
        return (suffix("T", self.axis), suffix("R", self.axis))

    def closure_rows(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """The second end's origin is on the axis, and the axes are parallel."""
        from hapsis.mechanics.model.constraints.closure_rows import across, aligned

        return {**across(self.axis, d), **aligned(self.axis, R)}

    def fit(self, d: Array, R: Array, number: Any) -> list[float]:
        """The distance along the axis and the angle about it."""
        return [float(np.dot(np.array(self.direction), d)), angle_about(self.direction, R)]
