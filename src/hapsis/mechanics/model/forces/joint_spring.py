"""A spring and damper along a coordinate."""

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.forces.force import JointEffort, Scene
from hapsis.mechanics.model.values.values import AsValue


@verb
@frozen
class JointSpring(
    JointEffort, type_name="joint_spring", noun="joint spring", not_negative=("stiffness", "damping")
):
    """The effort -k (q - rest) - c q̇ on the coordinate `joint`.

    `stiffness` k is in N/m or N m/rad, `damping` c in N s/m or N m s/rad. Signal: NAME.effort.
    """

    stiffness: AsValue
    damping: AsValue = 0.0
    rest: AsValue = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._make_values("stiffness", "damping", "rest")

    def act(self, scene: Scene) -> None:
        """Applies the effort -k (q - rest) - c q̇."""
        q, v = scene.coordinate(self.joint)
        k, c = scene.number("stiffness"), scene.number("damping")
        stretch = q - scene.number("rest")
        effort = -(k * stretch + c * v)
        scene.effort(self.joint, effort)
        scene.signal("effort", effort)
        scene.store(0.5 * k * stretch * stretch, c * v * v)
