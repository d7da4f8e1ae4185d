"""The base of facts with two ends: joints, and some forces and constraints."""

from collections.abc import Mapping

from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.frames import AsEnd, End


@frozen
class TwoEnded(Fact):
    """The base of facts with a first and a second end."""

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
        """{field: End} of its two ends."""
        return {"first": self.first, "second": self.second}
