"""Sensors: quantities measured at an end or a joint."""

from collections.abc import Mapping

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import near
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.frames import AsEnd, End
from hapsis.mechanics.model.values.numbers import described

ON_ENDS = ("pose", "velocity", "acceleration", "imu")
ON_JOINTS = ("effort", "reaction")


@verb
@frozen
class Sensor(Fact, noun="sensor", family="sensors"):
    """Measures at an end or a joint.

    kind   of an end "pose", "velocity", "acceleration" or "imu"; of a joint "effort" or "reaction"
    on     the end, or the name of the joint
    """

    kind: str
    on: AsEnd

    def __post_init__(self) -> None:
        super().__post_init__()
        kinds = (*ON_ENDS, *ON_JOINTS)
        if self.kind not in kinds:
            hint = near(self.kind, kinds) if isinstance(self.kind, str) else ""
            raise self.wrong(f"{described(self.kind)} is no kind of sensor{hint}", expected=", ".join(kinds))
        if self.kind in ON_ENDS:
            self._set(on=End.of(self.on, f"{self.label}: its place", self.where))
        elif not isinstance(self.on, str):
            raise self.wrong(f"it measures a joint by name, not {described(self.on)}")

    @property
    def ends(self) -> Mapping[str, End]:
        """{field: End} of the end it measures, if any."""
        return {"on": self.on} if isinstance(self.on, End) else {}

    @property
    def joints(self) -> Mapping[str, str]:
        """{field: name} of the joint it measures, if any."""
        return {} if isinstance(self.on, End) else {"on": self.on}
