"""The ball joint: any turn, as a quaternion."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.joints.joint import Array, LoopJoint, Step


@verb
@frozen
class Ball(LoopJoint, type_name="ball"):
    """Turns freely: `.qw .qx .qy .qz`; speeds `.wx .wy .wz` in the axes of the second end."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """One step of three degrees."""
        return (Step("ball"),)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The quaternion."""
        return ("qw", "qx", "qy", "qz")

    @property
    def speed_suffixes(self) -> tuple[str, ...]:
        """The angular velocity."""
        return ("wx", "wy", "wz")

    @property
    def zero(self) -> tuple[float, ...]:
        """The identity quaternion."""
        return (1.0, 0.0, 0.0, 0.0)

    @property
    def plain(self) -> tuple[str, ...]:
        """None: a component of a quaternion is no angle."""
        return ()

    def closure_rows(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """The origins coincide."""
        from hapsis.mechanics.model.constraints.closure_rows import origins

        return origins(d)

    def fit(self, d: Array, R: Array, number: Any) -> list[float]:
        """The quaternion with w ≥ 0, by its largest part (Shepperd)."""
        xx, yy, zz = np.diag(R)
        squares = np.array([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz])
        k = int(np.argmax(squares))
        a, b, c = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
        s, t, u = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]
        rows = ((None, a, b, c), (a, None, s, t), (b, s, None, u), (c, t, u, None))
        largest = np.sqrt(squares[k])
        parts = [largest if x is None else x / largest for x in rows[k]]
        sign = 0.5 if parts[0] >= 0 else -0.5
        return [float(sign * x) for x in parts]
