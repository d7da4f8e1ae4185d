"""The helical joint: a screw."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import atan2
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.algebra.turns import angle_about
from hapsis.mechanics.algebra.vectors import cross, dot
from hapsis.mechanics.model.joints.joint import Array, AxisJoint, Joint, Step
from hapsis.mechanics.model.values.values import AsValue


@verb
@frozen
class Helical(AxisJoint, type_name="helical", needed=("pitch",)):
    """A screw: the coordinate is the angle; `pitch` is metres along the axis per radian."""

    pitch: AsValue = 0.0

    numbers: ClassVar[tuple[str, ...]] = (*Joint.numbers, "pitch")

    @property
    def steps(self) -> tuple[Step, ...]:
        """One rotation with a proportional translation."""
        return (Step("H", self.direction, self.pitch),)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """One coordinate, which has the name of the joint."""
        return ("",)

    def closure_rows(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """The second end is on the axis, displaced by pitch times the angle."""
        from hapsis.mechanics.model.constraints.closure_rows import across, aligned, normals, turned_by

        axis = self.direction
        (_, _, a), (_, _, b) = normals(self.axis)
        turned = turned_by(R, a)
        # a, b and the axis may be left-handed
        side = dot(cross(axis, a), b)
        angle = atan2(side * dot(b, turned), dot(a, turned))
        screw = dot(axis, d) - number("pitch") * angle
        return {**across(self.axis, d), **aligned(self.axis, R), "screw": screw}

    def fit(self, d: Array, R: Array, number: Any) -> list[float]:
        """The angle; the displacement along the axis gives the number of whole turns."""
        axis, pitch = self.direction, number("pitch")
        angle = angle_about(axis, R)
        turns = round((np.dot(axis, d) / pitch - angle) / (2 * np.pi)) if pitch else 0
        return [angle + 2 * np.pi * turns]
