"""A spring and damper in contact."""

from collections.abc import Mapping
from typing import Any, ClassVar

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import maximum, where
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.contact_laws.contact_law import ContactLaw
from hapsis.mechanics.model.values.values import AsValue


@verb
@frozen
class Linear(ContactLaw, type_name="linear", positive=("stiffness",), not_negative=("damping",)):
    """Force k d + c ḋ at depth d where that is positive, else zero.

    `stiffness` k is in N/m, `damping` c in N s/m.

    With damping the force starts with a jump of c times the impact speed, and vanishes before the
    surfaces part. `HuntCrossley` has neither effect.
    """

    stiffness: AsValue
    damping: AsValue = 0.0

    formula: ClassVar[str] = r"F = \max(0,\; k\,d + c\,\dot d), \quad d = -g > 0"

    def evaluate(
        self, fields: Mapping[str, Any], inputs: Any, states: Mapping[str, Any], s: Any = None
    ) -> tuple[Any, dict[str, Any]]:
        """The force, and no rates."""
        gap, rate = inputs
        pushing = maximum(0.0 - (fields["stiffness"] * gap + fields["damping"] * rate), 0.0)
        return where(gap < 0.0, pushing, 0.0), {}

    def stored(self, fields: Mapping[str, Any], gap: Any) -> Any:
        """½ k d²."""
        depth = maximum(0.0 - gap, 0.0)
        return 0.5 * fields["stiffness"] * depth * depth
