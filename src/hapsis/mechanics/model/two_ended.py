"""The base of facts between two ends: joints, and the forces and constraints that have two."""

from collections.abc import Mapping
from dataclasses import dataclass

from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.frames import AsEnd, End


@dataclass(frozen=True)
class TwoEnded(Fact):
    """Something between two ends."""

    first: AsEnd
    second: AsEnd

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(
            first=End.of(self.first, f"{self.label}: its first end", self.where),
            second=End.of(self.second, f"{self.label}: its second end", self.where),
        )

    @property
    def ends(self) -> Mapping[str, End]:
        """{field: End} of the places it acts on."""
        return {"first": self.first, "second": self.second}
