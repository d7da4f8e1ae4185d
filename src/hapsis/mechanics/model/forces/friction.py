"""Dry friction of a joint with sticking: bristles that bend before they slip.

    ż = v (1 - α |z| / z_s)            z_s = g(v) / σ0        α = 0 where z v < 0
    g(v) = F_c + (F_s - F_c) exp(-(v / v_s)²)
    F = -(σ0 z + σ1(v) ż + b v)

The elastoplastic bristle model: of the speed v the part α |z| / z_s slips, the rest bends the bristles.
α is zero up to `ELASTIC` times the deflection z_s of steady sliding and grows smoothly to one at z_s. A
load that needs less than that fraction of g(v) is therefore held permanently, also if it oscillates: nothing
slips, and the position returns when the load is removed. While sliding, the force falls from F_s to F_c
(Stribeck effect) and b v is added. The faster a load grows, the earlier the joint breaks loose.
Reference: [Dupont]; with α = 1 it is the LuGre model of [CanudasDeWit], which drifts under such loads.
"""

from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import abs, clip, exp, maximum, minimum
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.forces.force import JointEffort, Scene
from hapsis.mechanics.model.values.values import AsValue

STICK = 1e-4  # rad or m; deflection of the bristles at which they slip
STRIBECK = 1e-2  # rad/s or m/s; v_s, the speed scale on which F_s falls to F_c
SETTLING = 1e-3  # s; damping of the bristles over their stiffness, σ1 / σ0 at rest; the upper bound
FULL = 60.0  # of 2 x: tanh x is 1 to the last digit
ELASTIC = 0.9  # of the deflection of steady sliding; below it nothing slips


def smooth_sign(x: Any) -> Any:
    """tanh x to 1e-16 absolute, without a branch at zero: nothing switches where a joint turns round."""
    return 1.0 - 2.0 / (1.0 + exp(clip(2.0 * x, -FULL, FULL)))


class Bristle(NamedTuple):
    """The rate of the deflection, the force against the motion, stored energy and dissipated power."""

    rate: Any
    force: Any
    energy: Any
    loss: Any


def bristle(z: Any, v: Any, coulomb: Any, static: Any, viscous: Any, speed: Any, stick: Any) -> Bristle:
    """Bristles with deflection z at sliding speed v."""
    decay = exp(-(v / speed) * (v / speed))
    limit = coulomb + (static - coulomb) * decay
    stiffness = coulomb / stick
    sliding = limit / stiffness  # z_s, the deflection of steady sliding
    bent = abs(z)
    part = clip((bent / sliding - ELASTIC) * (1.0 / (1.0 - ELASTIC)), 0.0, 1.0)
    slipping = part * part * (3.0 - 2.0 * part)  # α
    # v |z| where the deflection grows, zero where it shrinks; |z| is not small where anything slips
    along = maximum(z * v, 0.0) * (z / maximum(bent, ELASTIC * sliding))
    rate = v - slipping * along / sliding
    elastic = stiffness * z
    settling = minimum(SETTLING, stick / speed)  # keeps the model passive for every stick and speed
    force = elastic + (settling * stiffness) * decay * rate + viscous * v
    return Bristle(rate, force, 0.5 * elastic * z, force * v - elastic * rate)


@verb
@frozen
class Friction(
    JointEffort,
    type_name="friction",
    noun="friction",
    positive=("coulomb", "static", "stribeck", "stick", "smooth"),
    not_negative=("viscous",),
):
    """Dry friction on a coordinate, with sticking.

        joint      the coordinate
        coulomb    effort of sliding
        static     effort that breaks loose; coulomb if not given
        viscous    effort per speed
        stribeck   speed scale on which static falls to coulomb
        stick      deflection at which it slips
        smooth     speed scale of friction without sticking: the effort is -coulomb tanh(v / smooth)
                   less viscous v, it has no state, and what should stick creeps

    Signals: NAME.effort, NAME.bend (the deflection, a state; none with `smooth`).
    """

    coulomb: AsValue
    static: AsValue = None
    viscous: AsValue = 0.0
    stribeck: AsValue = STRIBECK
    stick: AsValue = STICK
    smooth: AsValue = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.smooth is not None:
            self._make_values("smooth")
            if self.static is not None or (self.stribeck, self.stick) != (STRIBECK, STICK):
                raise self.wrong(
                    "smooth is given with static, stribeck or stick", remedy="leave them out: it never sticks"
                )
        elif self.static is None:
            self._set(static=self.coulomb)
        names = ("coulomb", "static", "viscous", "stribeck", "stick")
        self._make_values(*(name for name in names if getattr(self, name) is not None))

    def act(self, scene: Scene) -> None:
        """Applies an effort against the motion of the coordinate."""
        _, v = scene.coordinate(self.joint)
        if self.smooth is not None:
            coulomb, viscous = scene.number("coulomb"), scene.number("viscous")
            force = coulomb * smooth_sign(v / scene.number("smooth")) + viscous * v
            scene.effort(self.joint, -force)
            scene.signal("effort", -force)
            scene.store(0.0, force * v)
            return
        fields = ("coulomb", "static", "viscous", "stribeck", "stick")
        bristles = bristle(scene.state("bend", 0.0), v, *(scene.number(name) for name in fields))
        scene.rate("bend", bristles.rate)
        scene.effort(self.joint, -bristles.force)
        scene.signal("effort", -bristles.force)
        scene.store(bristles.energy, bristles.loss)
