"""The revolute joint: one rotation about an axis."""

from collections.abc import Mapping
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.algebra.turns import angle_about
from hapsis.mechanics.model.joints.joint import Array, OneStepJoint


@verb
@frozen
class Revolute(OneStepJoint, type_name="revolute", step_kind="R"):
    """A hinge: the second end turns about the axis; the coordinate is the angle."""

    def closure_rows(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """The origins coincide, and the axes are parallel."""
        from hapsis.mechanics.model.constraints.closure_rows import aligned, origins

        return {**origins(d), **aligned(self.axis, R)}

    def fit(self, d: Array, R: Array, number: Any) -> list[float]:
        """The angle of R about the axis."""
        return [angle_about(self.direction, R)]
