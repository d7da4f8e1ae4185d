"""Coulomb friction of a contact: smooth at zero slip, or with bristles that stick."""

from collections.abc import Mapping
from typing import Any, ClassVar

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import clip, exp, maximum, sqrt, where
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.algebra.vectors import Vector, dot, scaled
from hapsis.mechanics.model.contact_laws.contact_bristles import bent, bristles
from hapsis.mechanics.model.contact_laws.contact_law import ContactLaw
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.values import NOTHING, AsValue, Table, Value

FALLEN = 10.0  # times `speed`: from there on friction is that of sliding
CREEP = 1e-10  # of the square of the width of a bounded slope: slower slip is on its straight part
BEND = ("bend.x", "bend.y", "bend.z")  # the states of bristles


@verb
@frozen
class Coulomb(ContactLaw, type_name="coulomb", positive=("speed", "slope", "bristle"), not_negative=("mu",)):
    """Force μ N against the slip; N is the normal force.

        mu       coefficient of sliding
        static   coefficient of breaking loose; mu if not given
        speed    slip speed at which the friction reaches its full value, m/s
        slope    largest slope of the force over the slip speed, N s/m
        bristle  stiffness of bristles that stick, N/m

    Below `speed` the force is (3 s - s³)/2 of the full value, s = slip / speed: an odd and smooth
    function, so a contact that should stick creeps slowly. With `static`, the force reaches static N
    at `speed` and falls to mu N at ten times that. Beyond it is exactly μ N.

    With `slope` b the force is μ N tanh(slip / (speed + μ N / b)): however large N is, its slope is
    less than b, which is what explicit steps need.

    With `bristle` k it sticks: the force is k z, where the deflection z follows the slip as long as the
    force is less than 0.9 μ N, and slips beyond (see `contact_bristles`). A load below that is held for any
    time at a displacement of load / k. States: bend.x, bend.y, bend.z (z in world axes).
    """

    mu: AsValue
    static: AsValue = None
    speed: AsValue = 1e-3
    slope: AsValue = None
    bristle: AsValue = None

    inputs: ClassVar[tuple[str, ...]] = ("normal", "slip")
    formula: ClassVar[str] = (
        r"\mathbf F = -\mu N\,\tfrac{1}{2}(3 s - s^{3})\,\mathbf v/|\mathbf v|, "
        r"\quad s = \min(1, |\mathbf v|/v_s)"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        both = (self.mu, self.static)
        known = not any(isinstance(x, Formula) or x is None for x in both)
        if known and not self.static >= self.mu:
            raise self.wrong(f"static ({self.static:g}) cannot be less than mu ({self.mu:g})")
        if self.slope is not None and self.bristle is not None:
            raise self.wrong(
                "slope and bristle are both given", remedy="give one of them: bristles need no slope"
            )

    @property
    def fields(self) -> Mapping[str, Value]:
        """{name: value} of its numbers, with those of static, slope and bristle that are given."""
        more = {name: getattr(self, name) for name in ("static", "slope", "bristle")}
        numbers = {"mu": self.mu, "speed": self.speed}
        return Table(numbers | {name: value for name, value in more.items() if value is not None})

    @property
    def states(self) -> Mapping[str, float]:
        """{name: start} of the deflection of its bristles, where it has them."""
        return NOTHING if self.bristle is None else Table(dict.fromkeys(BEND, 0.0))

    @property
    def carried(self) -> tuple[str, ...]:
        """The states that are a vector in the plane of the touch."""
        return () if self.bristle is None else BEND

    def bent(self, fields: Mapping[str, Any], z: Vector, rate: Vector) -> tuple[Any, Any]:
        """The energy of the bristles, and how fast it grows."""
        return bent(fields["bristle"], z, rate)

    def evaluate(
        self, fields: Mapping[str, Any], inputs: Any, states: Mapping[str, Any], s: Any = None
    ) -> tuple[Any, dict[str, Any]]:
        """The force (x, y, z) on what slips with the velocity (x, y, z), and the rates of bristles."""
        normal, slip = inputs
        speed, mu = fields["speed"], fields["mu"]
        square = dot(slip, slip) / (speed * speed)
        fast = sqrt(maximum(square, 1.0))
        limit = mu
        if "static" in fields:
            r = clip((fast - 1.0) / (FALLEN - 1.0), 0.0, 1.0)
            limit = mu + (fields["static"] - mu) * (1.0 - r * r * (3.0 - 2.0 * r))
        if "bristle" in fields:
            z = states[BEND[0]], states[BEND[1]], states[BEND[2]]
            force, rate = bristles(fields["bristle"], limit * normal, z, tuple(slip))
            return force, dict(zip(BEND, rate, strict=True))
        if "slope" in fields:
            width = speed + limit * normal / fields["slope"]
            # tanh(v / width) / v, which is 1 / width at no slip within 3e-11, as is its derivative
            v = sqrt(maximum(dot(slip, slip), CREEP * width * width))
            e = exp(-2.0 * v / width)
            return scaled(0.0 - limit * normal * (1.0 - e) / ((1.0 + e) * v), slip), {}
        # a factor of slip / speed, so that nothing is divided by the slip, which may be zero
        part = where(square < 1.0, 1.5 - 0.5 * square, 1.0 / fast)
        return scaled(0.0 - limit * normal * part / speed, slip), {}
