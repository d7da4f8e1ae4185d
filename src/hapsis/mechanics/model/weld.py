"""The weld: no motion."""

from dataclasses import dataclass

from hapsis.mechanics.model.joint import Joint, Step


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
