"""The planar joint: two translations in a plane and a rotation about its normal."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.algebra.turns import angle_about
from hapsis.mechanics.algebra.vectors import dot
from hapsis.mechanics.model.joints.joint import Array, LoopJoint, Step, step_of
from hapsis.mechanics.model.values.axes import LETTERS
from hapsis.mechanics.model.values.numbers import described


@verb
@frozen
class Planar(LoopJoint, type_name="planar", shown=("normal",)):
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
        """Two translations, then a rotation."""
        return tuple(map(step_of, self.suffixes))

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The distances, then the angle."""
        return (*(f"T{a}" for a in "xyz" if a != self.normal), f"R{self.normal}")

    def closure_rows(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """The second end's origin is in the plane, and the normals are parallel."""
        from hapsis.mechanics.model.constraints.closure_rows import aligned

        return {self.normal: dot(LETTERS[self.normal], d), **aligned(self.normal, R)}

    def fit(self, d: Array, R: Array, number: Any) -> list[float]:
        """The distances in the plane and the angle about its normal."""
        *moves, turn = self.steps
        return [*(float(np.dot(np.array(step.axis), d)) for step in moves), angle_about(turn.axis, R)]
