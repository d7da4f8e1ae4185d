"""The ball joint: any turn, as a quaternion."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hapsis.mechanics.model.constraints.closure_rows import origins
from hapsis.mechanics.model.joints.joint import Joint, Step


@dataclass(frozen=True)
class Ball(Joint):
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
        """No turn."""
        return (1.0, 0.0, 0.0, 0.0)

    @property
    def plain(self) -> tuple[str, ...]:
        """None: a part of a quaternion is no angle."""
        return ()

    def closing(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """Closing a loop: both origins together."""
        return origins(d)
