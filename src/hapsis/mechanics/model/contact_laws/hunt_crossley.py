"""The law of Hunt and Crossley: a stiffening spring whose damping grows with the depth."""

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import maximum
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.contact_laws.contact_law import ContactLaw, compressed
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.values import AsValue, Table, Value

BISECTIONS = 200


@verb
@frozen
class HuntCrossley(
    ContactLaw, type_name="hunt_crossley", positive=("stiffness", "power", "speed"), not_negative=("damping",)
):
    """Force k dⁿ (1 + c ḋ) at depth d, which never pulls and is continuous when surfaces meet or part.

        stiffness    k, N/mⁿ
        power        n; 1.5 is Hertz's contact of two balls
        damping      c, s/m
        restitution  instead of damping: the ratio of the speeds after and before an impact ...
        speed        ... at this speed, m/s

    The restitution e of an impact at speed v depends on u = c v alone, not on k, n or the masses:
    u - ln(1 + u) = -e u - ln(1 - e u). It is near 1 for slow impacts. Reference: [HuntCrossley].
    """

    stiffness: AsValue = 1e7
    power: AsValue = 1.5
    damping: AsValue = 0.0
    restitution: AsValue = None
    speed: AsValue = 1.0

    formula: ClassVar[str] = r"F = k\,d^{n}\,\max(0,\; 1 + c\,\dot d), \quad d = -g > 0"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.restitution is None:
            return
        if self.damping != 0.0:
            raise self.wrong("damping and restitution are both given", remedy="give one of them")
        for name in ("restitution", "speed"):
            if isinstance(getattr(self, name), Formula):
                raise self.wrong(f"{name} must be a number", remedy="give damping as a formula")
        if not 0.0 < self.restitution <= 1.0:
            raise self.wrong(f"restitution is {self.restitution:g}", expected="more than 0 and at most 1")

    @property
    def fields(self) -> Mapping[str, Value]:
        """Stiffness, power and damping; a restitution is converted to the damping that gives it."""
        damping = self.damping
        if self.restitution is not None:
            damping = damping_for(self.restitution) / self.speed
        return Table({"stiffness": self.stiffness, "power": self.power, "damping": damping})

    def evaluate(
        self, fields: Mapping[str, Any], inputs: Any, states: Mapping[str, Any], s: Any = None
    ) -> tuple[Any, dict[str, Any]]:
        """The force, and no rates."""
        gap, rate = inputs
        elastic = fields["stiffness"] * compressed(gap, fields["power"])
        return elastic * maximum(1.0 - fields["damping"] * rate, 0.0), {}

    def stored(self, fields: Mapping[str, Any], gap: Any) -> Any:
        """k dⁿ⁺¹ / (n + 1)."""
        above = fields["power"] + 1.0
        return fields["stiffness"] * compressed(gap, above) / above


def damping_for(restitution: float) -> float:
    """The u = c v that gives this restitution, by bisection; 0 for 1."""
    e = restitution
    if e > 1.0 - 1e-4:
        # both sides of the equation nearly cancel here, so use the first terms of their series
        return 1.5 * (1.0 - e * e) / (1.0 + e * e * e)

    def excess(u: float) -> float:
        return (1.0 + e) * u - math.log1p(u) + math.log1p(-e * u)

    low, high = 0.0, 1.0 / e  # excess is positive, then falls to -infinity
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        above = e * middle < 1.0 and excess(middle) > 0.0
        low, high = (middle, high) if above else (low, middle)
    return low
