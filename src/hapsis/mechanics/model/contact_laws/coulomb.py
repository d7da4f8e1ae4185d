"""Coulomb friction of a contact, regularised to be smooth at zero slip."""

from collections.abc import Mapping
from typing import Any, ClassVar

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import clip, maximum, sqrt, where
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.algebra.vectors import dot, scaled
from hapsis.mechanics.model.contact_laws.contact_law import ContactLaw
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.values import AsValue, Table, Value

FALLEN = 10.0  # times `speed`: from there on friction is that of sliding


@verb
@frozen
class Coulomb(ContactLaw, type_name="coulomb", positive=("speed",), not_negative=("mu",)):
    """Force μ N against the slip; N is the normal force.

        mu      coefficient of sliding
        static  coefficient of breaking loose; mu if not given
        speed   slip speed at which the friction reaches its full value, m/s

    Below `speed` the force is (3 s - s³)/2 of the full value, s = slip / speed: an odd and smooth
    function, so a contact that should stick creeps slowly. With `static`, the force reaches static N
    at `speed` and falls to mu N at ten times that. Beyond it is exactly μ N.
    """

    mu: AsValue
    static: AsValue = None
    speed: AsValue = 1e-3

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

    @property
    def fields(self) -> Mapping[str, Value]:
        """{name: value} of its numbers, with `static` where it is given."""
        numbers = {"mu": self.mu, "speed": self.speed}
        return Table(numbers if self.static is None else {**numbers, "static": self.static})

    def evaluate(
        self, fields: Mapping[str, Any], inputs: Any, states: Mapping[str, Any], s: Any = None
    ) -> tuple[Any, dict[str, Any]]:
        """The force (x, y, z) on what slips with the velocity (x, y, z), and no rates."""
        normal, slip = inputs
        speed, mu = fields["speed"], fields["mu"]
        square = dot(slip, slip) / (speed * speed)
        fast = sqrt(maximum(square, 1.0))
        limit = mu
        if "static" in fields:
            r = clip((fast - 1.0) / (FALLEN - 1.0), 0.0, 1.0)
            limit = mu + (fields["static"] - mu) * (1.0 - r * r * (3.0 - 2.0 * r))
        # a factor of slip / speed, so that nothing is divided by the slip, which may be zero
        part = where(square < 1.0, 1.5 - 0.5 * square, 1.0 / fast)
        return scaled(0.0 - limit * normal * part / speed, slip), {}
