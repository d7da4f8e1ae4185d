"""A finger of a page: a point of a body that a key of the keyboard, a button or the pointer presses."""

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError
from hapsis.mechanics.model.frames import AsEnd, End
from hapsis.mechanics.model.values.axes import Axis, axis_vector
from hapsis.mechanics.model.values.numbers import described, real


@verb
@frozen
class Press:
    """A finger that presses a point of a body while the space bar or a button is held.

    at          the point: "key.finger"
    along       its direction in the world: x, y, z, -x, ... or a vector
    force       N, at first; a slider changes it
    depth       m: the finger moves so far, instead, faster and faster, and feels a force; as a pianist's does
    speed       m/s, of a finger that moves, at its end, at first; a slider changes it
    most        N, the largest force; 8 times `force` if nothing is given
    instead_of  the drive whose place the finger takes: on the page that drive is left out
    """

    at: AsEnd
    along: Axis = "-z"
    force: float = 5.0
    depth: float | None = None
    speed: float = 0.2
    most: float | None = None
    instead_of: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", End.of(self.at, "press: at"))
        axis_vector(self.along, "press: along")
        force, most = real(self.force, "press: force"), self.largest
        if not 0.0 < force <= most < 1e9:
            raise ModelError(
                f"press: force is {force:g} N, most {most:g} N", expected="0 < force <= most < 1e9"
            )
        for name in ("depth", "speed"):
            value = getattr(self, name)
            if (value is not None or name == "speed") and not 0.0 < real(value, f"press: {name}") < 1e6:
                raise ModelError(f"press: {name} is {value:g}", expected="a positive number")
        if self.instead_of is not None and not isinstance(self.instead_of, str):  # pyright: ignore
            raise ModelError(f"press: instead_of must name a drive, not {described(self.instead_of)}")

    @property
    def largest(self) -> float:
        """The largest force, N."""
        return 8.0 * real(self.force, "press: force") if self.most is None else real(self.most, "press: most")
