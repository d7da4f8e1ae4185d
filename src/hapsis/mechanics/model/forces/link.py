"""A force along the line between two points, given by a law that the user writes."""

from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.forces.force import Force, Scene
from hapsis.mechanics.model.forces.line_of_action import Line
from hapsis.mechanics.model.forces.user_law import law_of, one_number
from hapsis.mechanics.model.two_ended import TwoEnded


@verb
@frozen
class Link(TwoEnded, Force, type_name="link", noun="link"):
    """Pulls two points together by law(length, rate), positive in tension.

    Signals: NAME.force (tension), NAME.length, and the law's states.
    """

    law: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(law=law_of(self.law, f"{self.label}: law", ("length", "rate"), self.where))

    def act(self, scene: Scene) -> None:
        """Applies the tension of the law along the line between its ends."""
        line = Line(scene)
        line.pull(one_number(self, self.law, scene.obey(self.law, line.length, line.rate)))
