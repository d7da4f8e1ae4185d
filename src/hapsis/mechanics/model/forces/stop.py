"""End stops of a coordinate."""

from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import maximum
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.forces.force import JointEffort, Scene
from hapsis.mechanics.model.values.values import AsValue


@verb
@frozen
class Stop(JointEffort, type_name="stop", noun="stop", positive=("stiffness",), not_negative=("damping",)):
    """Pushes a coordinate back beyond `low` and `high` by k d + c ḋ at depth d, and never pulls.

    `stiffness` k is in N/m or N m/rad, `damping` c in N s/m or N m s/rad.
    A limit that is not given here is that of the joint. Signal: NAME.effort.
    """

    stiffness: AsValue
    damping: AsValue = 0.0
    low: AsValue = None
    high: AsValue = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._make_values("stiffness", "damping")
        self._make_values(*(n for n in ("low", "high") if getattr(self, n) is not None))

    def act(self, scene: Scene) -> None:
        """Applies the effort of each side that has a limit."""
        q, v = scene.coordinate(self.joint)
        k, c = scene.number("stiffness"), scene.number("damping")
        effort: Any = 0.0
        energy: Any = 0.0
        loss: Any = 0.0
        limits = scene.limits(self.joint)
        if all(x is None for x in (self.low, self.high, *limits)):
            raise self.wrong(
                f'neither it nor "{self.joint[:60]}" has a limit',
                remedy="give low= or high=, or limits= of the joint",
            )
        sides = zip(("low", "high"), limits, (1.0, -1.0), strict=True)
        for field, limit, sign in sides:
            if getattr(self, field) is not None:
                limit = scene.number(field)
            elif limit is None:
                continue
            depth = maximum(sign * (limit - q), 0.0)
            # c ḋ acts only where depth > 0, and the sum never pulls
            rate = -sign * v
            force = maximum(k * depth + c * rate * (depth > 0.0), 0.0)
            effort = effort + sign * force
            energy = energy + 0.5 * k * depth * depth
            loss = loss + (force - k * depth) * rate
        scene.effort(self.joint, effort)
        scene.signal("effort", effort)
        scene.store(energy, loss)
