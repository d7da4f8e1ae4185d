"""End stops of a coordinate."""

from functools import partial
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import maximum
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.contact_laws.contact_law import ContactLaw, holds_by_states
from hapsis.mechanics.model.contacts import NORMAL, AsNormalLaw
from hapsis.mechanics.model.forces.force import JointEffort, Scene
from hapsis.mechanics.model.forces.user_law import law_of, one_number
from hapsis.mechanics.model.values.values import AsValue

SIDES = {"low": 1.0, "high": -1.0}  # of the coordinate, and how it is pushed there


@verb
@frozen
class Stop(JointEffort, type_name="stop", noun="stop", positive=("stiffness",), not_negative=("damping",)):
    """Pushes a coordinate back beyond `low` and `high` by k d + c ḋ at depth d, and never pulls.

    `stiffness` k is in N/m or N m/rad, `damping` c in N s/m or N m s/rad.
    A limit that is not given here is that of the joint.

    In place of both, `law` is any law of contacts, of (gap, rate): `hs.HuntCrossley(60, 1.0, 0.05)`,
    `hs.Felt(...)`, or a function of one's own. The gap is how far the coordinate is from the limit, -d; what
    is m in the law is rad for angles.

    Signals: NAME.effort, and the states of the law, NAME.low.STATE and NAME.high.STATE.
    """

    stiffness: AsValue = None
    damping: AsValue = 0.0
    low: AsValue = None
    high: AsValue = None
    law: AsNormalLaw = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._make_values("damping", *(n for n in ("stiffness", *SIDES) if getattr(self, n) is not None))
        if (self.stiffness is None) == (self.law is None):
            both = "both" if self.law is not None else "neither"
            raise self.wrong(f"{both} of stiffness and law are given", remedy="give one of them")
        if self.law is not None:
            if self.damping != 0.0:
                raise self.wrong("damping and law are both given", remedy="give the law its damping")
            self._set(law=self._checked_law())

    def _checked_law(self) -> Any:
        if not isinstance(self.law, ContactLaw):
            return law_of(self.law, f"{self.label}: law", NORMAL, self.where)
        if self.law.inputs != NORMAL:
            raise self.wrong(f"{self.law.label} is no law of a stop", expected="a law of (gap, rate)")
        return self.law

    @property
    def laws(self) -> list[ContactLaw]:
        """Its ready-made law, whose fields are checked against their ranges."""
        return [self.law] if isinstance(self.law, ContactLaw) else []

    def act(self, scene: Scene) -> None:
        """Applies the effort of each side that has a limit."""
        q, v = scene.coordinate(self.joint)
        effort: Any = 0.0
        limits = scene.limits(self.joint)
        if all(x is None for x in (self.low, self.high, *limits)):
            raise self.wrong(
                f'neither it nor "{self.joint[:60]}" has a limit',
                remedy="give low= or high=, or limits= of the joint",
            )
        energy: Any = 0.0
        loss: Any = 0.0
        for (field, sign), limit in zip(SIDES.items(), limits, strict=True):
            if getattr(self, field) is not None:
                limit = scene.number(field)
            elif limit is None:
                continue
            push = self._spring if self.law is None else self._law
            force, stored, lost = push(scene, sign * (limit - q), -sign * v, f"{field}.")
            effort, energy, loss = effort + sign * force, energy + stored, loss + lost
        scene.effort(self.joint, effort)
        scene.signal("effort", effort)
        if self.law is None or self.laws:  # what a law of one's own stores is not known
            scene.store(energy, loss)

    def _spring(self, scene: Scene, reached: Any, rate: Any, side: str) -> tuple[Any, Any, Any]:
        """Force, stored energy and dissipated power of spring and damper at a depth that grows at a rate."""
        k, c = scene.number("stiffness"), scene.number("damping")
        depth = maximum(reached, 0.0)
        # c ḋ acts only where depth > 0, and the sum never pulls
        force = maximum(k * depth + c * rate * (depth > 0.0), 0.0)
        return force, 0.5 * k * depth * depth, (force - k * depth) * rate

    def _law(self, scene: Scene, reached: Any, rate: Any, side: str) -> tuple[Any, Any, Any]:
        """The same of the law."""
        law, gap = self.law, 0.0 - reached
        force = one_number(self, law, scene.obey(law, gap, 0.0 - rate, before=side))
        if holds_by_states(law):
            scene.hold(partial(law.held, scene.fields_of(law), gap, scene.states_of(law, side)))
        stored = law.stored(scene.fields_of(law), gap) if self.laws else None
        if stored is None:  # all its work counts
            return force, 0.0, force * rate
        elastic = scene.obey(law, gap, 0.0 * rate, before=side)
        return force, stored, (force - elastic) * rate
