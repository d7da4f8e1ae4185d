"""The weld: a joint without motion."""

from collections.abc import Mapping
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.joints.joint import Array, LoopJoint, Step


@verb
@frozen
class Weld(LoopJoint, type_name="weld"):
    """Fixes the second end to the first."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """None."""
        return ()

    @property
    def suffixes(self) -> tuple[str, ...]:
        """None."""
        return ()

    def closure_rows(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """The frames coincide."""
        from hapsis.mechanics.model.constraints.closure_rows import origins, turns

        return {**origins(d), **turns(R)}

    def fit(self, d: Array, R: Array, number: Any) -> list[float]:
        """None."""
        return []
