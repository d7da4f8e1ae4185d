"""An effort along a coordinate, given by a law that the user writes."""

from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.forces.force import JointEffort, Scene
from hapsis.mechanics.model.forces.user_law import law_of, one_number


@verb
@frozen
class JointForce(JointEffort, type_name="joint_force", noun="joint force"):
    """The effort law(position, speed) on the coordinate `joint`, positive along it.

    Signals: NAME.effort, and the law's states.
    """

    law: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(law=law_of(self.law, f"{self.label}: law", ("position", "speed"), self.where))

    def act(self, scene: Scene) -> None:
        """Applies the effort of the law to the coordinate."""
        effort = one_number(self, self.law, scene.obey(self.law, *scene.coordinate(self.joint)))
        scene.effort(self.joint, effort)
        scene.signal("effort", effort)
