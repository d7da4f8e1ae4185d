"""The prismatic joint: one translation along an axis."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.joints.joint import Array, OneStepJoint


@verb
@frozen
class Prismatic(OneStepJoint, type_name="prismatic", step_kind="P"):
    """A slider: the second end moves along the axis; the coordinate is the distance."""

    def closure_rows(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """The second end's origin is on the axis, and there is no rotation."""
        from hapsis.mechanics.model.constraints.closure_rows import across, turns

        return {**across(self.axis, d), **turns(R)}

    def fit(self, d: Array, R: Array, number: Any) -> list[float]:
        """The distance along the axis."""
        return [float(np.dot(self.direction, d))]
