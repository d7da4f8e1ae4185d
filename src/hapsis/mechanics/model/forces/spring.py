"""A spring and damper between two points."""

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.forces.force import Force, Scene
from hapsis.mechanics.model.two_ended import TwoEnded
from hapsis.mechanics.model.values.values import AsValue


@verb
@frozen
class Spring(
    TwoEnded, Force, type_name="spring", noun="spring", not_negative=("stiffness", "damping", "length")
):
    """Pulls two points together by k (l - length) + c l̇; `length` is the rest length, m.

    `stiffness` k is in N/m, `damping` c in N s/m.

    Signals: NAME.force (tension), NAME.length.
    """

    stiffness: AsValue
    damping: AsValue = 0.0
    length: AsValue = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._make_values("stiffness", "damping", "length")

    def act(self, scene: Scene) -> None:
        """Applies the tension along the line between its ends."""
        from hapsis.mechanics.model.forces.line_of_action import Line

        line = Line(scene)
        k, c = scene.number("stiffness"), scene.number("damping")
        stretch = line.length - scene.number("length")
        line.pull(k * stretch + c * line.rate)
        scene.store(0.5 * k * stretch * stretch, c * line.rate * line.rate)
