"""The hereditary law of piano hammer felt, a force that depends on the history of the depth."""

from collections.abc import Mapping
from typing import Any, ClassVar

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import maximum, power
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.contact_laws.contact_law import SHALLOW, ContactLaw, compressed
from hapsis.mechanics.model.values.values import AsValue, Table, Value


@verb
@frozen
class Felt(
    ContactLaw,
    type_name="felt",
    positive=("stiffness", "power", "time"),
    not_negative=("hysteresis", "start"),
):
    """Force k (dᵖ - ε h) at depth d, where h follows dᵖ with the time τ: τ ḣ = dᵖ - h.

        stiffness   k, N/mᵖ
        power       p
        hysteresis  ε, the part of the force that relaxes, 0 to 1
        time        τ, s
        start       h where a run starts, mᵖ: dᵖ for felt that has been pressed for long

    Under fast compression its stiffness is k, under slow compression (1 - ε) k; in between it
    dissipates energy. It equals F = k [dᵖ - ε/τ ∫ dᵖ(s) exp((s - t)/τ) ds]. State: memory (h).
    Reference: [Stulov].
    """

    stiffness: AsValue
    power: AsValue = 2.5
    hysteresis: AsValue = 0.0
    time: AsValue = 1e-5
    start: float = 0.0

    formula: ClassVar[str] = (
        r"F = k\,\max(0,\; d^{p} - \varepsilon h), \quad \tau \dot h = d^{p} - h, \quad d = -g > 0"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.hysteresis, float) and not self.hysteresis < 1.0:
            raise self.wrong(f"hysteresis is {self.hysteresis:g}", expected="0 to less than 1")
        if not isinstance(self.start, float):
            raise self.wrong("start is a formula", expected="a number")

    @property
    def fields(self) -> Mapping[str, Value]:
        """{name: value} of its numbers; the start is that of a state."""
        return Table({name: value for name, value in super().fields.items() if name != "start"})

    @property
    def states(self) -> Mapping[str, float]:
        """{name: start} of its state h."""
        return Table({"memory": self.start})

    def evaluate(
        self, fields: Mapping[str, Any], inputs: Any, states: Mapping[str, Any], s: Any = None
    ) -> tuple[Any, dict[str, Any]]:
        """The force, and the rate of the memory."""
        gap, _ = inputs
        now, memory = compressed(gap, fields["power"]), states["memory"]
        force = fields["stiffness"] * maximum(now - fields["hysteresis"] * memory, 0.0)
        return force, {"memory": (now - memory) / fields["time"]}

    def held(self, fields: Mapping[str, Any], gap: Any, states: Mapping[str, Any]) -> Any:
        """k (dᵖ⁺¹ + p ε hʳ) / (p + 1) - k ε h d with r = 1 + 1/p; d is at least (ε h)^(1/p).

        That is the depth of felt which has not come back yet. The force is the slope of this energy by d, and
        its slope by h, k ε (h^(1/p) - d), always has the sign of h - dᵖ: so what is lost is never negative.
        """
        k, p, part = fields["stiffness"], fields["power"], fields["hysteresis"]
        memory = maximum(states["memory"], 0.0)
        depth = maximum(0.0 - gap, root(part * memory, p))
        above = p + 1.0
        relaxed = part * p * memory * root(memory, p)
        return k * ((depth * power(maximum(depth, SHALLOW), p) + relaxed) / above - part * memory * depth)


def root(x: Any, degree: Any) -> Any:
    """x to the power 1 / degree, and its slope, finite also at zero."""
    return power(maximum(x, SHALLOW), 1.0 / degree)
