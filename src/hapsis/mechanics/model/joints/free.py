"""The free joint: any motion."""

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.joints.joint import Joint, Step


@verb
@frozen
class Free(Joint, type_name="free"):
    """All six degrees: `.x .y .z` of the second end's origin in the first end's frame, `.qw ... .qz`.

    Speeds: `.wx .wy .wz .vx .vy .vz`, in the axes of the second end.
    """

    @property
    def steps(self) -> tuple[Step, ...]:
        """One step of six degrees."""
        return (Step("free"),)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The position, then the quaternion."""
        return ("x", "y", "z", "qw", "qx", "qy", "qz")

    @property
    def speed_suffixes(self) -> tuple[str, ...]:
        """The angular velocity, then the velocity."""
        return ("wx", "wy", "wz", "vx", "vy", "vz")

    @property
    def zero(self) -> tuple[float, ...]:
        """The origin and the identity quaternion."""
        return (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)

    @property
    def plain(self) -> tuple[str, ...]:
        """The position; a component of a quaternion is no angle."""
        return self.coordinates[:3]
