"""Forces between ends."""

from dataclasses import dataclass
from typing import ClassVar

from hapsis.mechanics.model.pairs import Pair
from hapsis.mechanics.model.values import AsValue


@dataclass(frozen=True)
class Spring(Pair):
    """A spring and damper between two points; `length` is where it is at rest."""

    stiffness: AsValue
    damping: AsValue = 0.0
    length: AsValue = 0.0

    family: ClassVar[str] = "forces"
    noun: ClassVar[str] = "spring"
    not_negative: ClassVar[tuple[str, ...]] = ("stiffness", "damping", "length")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._make_values("stiffness", "damping", "length")
