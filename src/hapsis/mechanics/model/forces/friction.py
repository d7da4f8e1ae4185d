"""Dry friction of a joint that sticks: bristles that bend before they slip.

    ż = v - |v| σ0 z / g(v)            g(v) = F_c + (F_s - F_c) exp(-(v / v_s)²)
    F = -(σ0 z + σ1(v) ż + b v)

A load below F_c is held for ever, bent by less than `stick`; one up to F_s if it comes slowly: the
faster it comes, the sooner it breaks loose. Sliding, the force falls from F_s to F_c (Stribeck) and
b v comes on top. Reference: [CanudasDeWit].
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from hapsis.compiler.ir.graph.elementary_functions import abs, exp
from hapsis.mechanics.model.forces.force import JointEffort, Scene
from hapsis.mechanics.model.values.values import AsValue

STICK = 1e-4  # rad or m, by which bristles bend before they slip
STRIBECK = 1e-2  # rad/s or m/s, the speed at which the extra force of sticking is gone
SETTLING = 1e-3  # s; the damping of bristles over their stiffness


class Bristle(NamedTuple):
    """A bend's rate, the force against the motion, what is stored and lost."""

    rate: Any
    force: Any
    energy: Any
    loss: Any


def bristle(z: Any, v: Any, coulomb: Any, static: Any, viscous: Any, speed: Any, stick: Any) -> Bristle:
    """Bent by z, sliding at v."""
    fading = exp(-(v / speed) * (v / speed))
    limit = coulomb + (static - coulomb) * fading
    stiffness = coulomb / stick
    rate = v - abs(v) * stiffness * z / limit
    elastic = stiffness * z
    force = elastic + (SETTLING * stiffness) * fading * rate + viscous * v
    return Bristle(rate, force, 0.5 * elastic * z, force * v - elastic * rate)


@dataclass(frozen=True)
class Friction(
    JointEffort,
    type_name="friction",
    noun="friction",
    positive=("coulomb", "static", "stribeck", "stick"),
    not_negative=("viscous",),
):
    """Dry friction on a coordinate, with sticking.

        coulomb    effort of sliding
        static     effort that breaks loose; coulomb if not given
        viscous    effort per speed
        stribeck   the speed by which static has fallen to coulomb
        stick      how far it gives way before it slips

    Signals: NAME.effort, NAME.bend (its state).
    """

    coulomb: AsValue
    static: AsValue = None
    viscous: AsValue = 0.0
    stribeck: AsValue = STRIBECK
    stick: AsValue = STICK

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.static is None:
            self._set(static=self.coulomb)
        self._make_values("coulomb", "static", "viscous", "stribeck", "stick")

    def act(self, scene: Scene) -> None:
        """Acts against the motion of the coordinate."""
        _, v = scene.coordinate(self.joint)
        fields = ("coulomb", "static", "viscous", "stribeck", "stick")
        bend = bristle(scene.state("bend", 0.0), v, *(scene.number(name) for name in fields))
        scene.rate("bend", bend.rate)
        scene.effort(self.joint, -bend.force)
        scene.signal("effort", -bend.force)
        scene.store(bend.energy, bend.loss)
