"""The weld: no motion."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hapsis.mechanics.model.constraints.closure_rows import origins, turns
from hapsis.mechanics.model.joints.joint import Joint, Step


@dataclass(frozen=True)
class Weld(Joint):
    """Holds both ends together."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """None."""
        return ()

    @property
    def suffixes(self) -> tuple[str, ...]:
        """None."""
        return ()

    def closing(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """Closing a loop: both frames together."""
        return {**origins(d), **turns(R)}
