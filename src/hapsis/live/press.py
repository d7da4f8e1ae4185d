"""A finger of a page: a point of a body that a key of the keyboard, a button or the pointer presses."""

from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError
from hapsis.mechanics.model.frames import AsEnd, End
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.axes import Axis, axis_vector
from hapsis.mechanics.model.values.numbers import real

SOFTEST = 1 / 40  # of the largest force or speed, for the key 1
FASTEST = 5.0  # times the speed at first: the end of its slider
SIGNALS = (("finger.position", "m"), ("finger.force", "N"))


@verb
@frozen
class Press:
    """A finger that presses a point of a body while the space bar or a button is held.

    at      the point: "key.finger"
    along   its direction in the world: x, y, z, -x, ... or a vector
    force   N, at first; a slider changes it
    depth   m: the finger moves so far, instead, faster and faster, and feels a force; as a pianist's does
    speed   m/s, of a finger that moves, at its end, at first; a slider changes it
    most    N, the largest force; 8 times `force` if nothing is given
    """

    at: AsEnd
    along: Axis = "-z"
    force: float = 5.0
    depth: float | None = None
    speed: float = 0.2
    most: float | None = None

    def __post_init__(self) -> None:
        End.of(self.at, "press: at")
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

    @property
    def largest(self) -> float:
        """The largest force, N."""
        return 8.0 * real(self.force, "press: force") if self.most is None else real(self.most, "press: most")


def press_table(
    model: Model, press: Press, bodies: list[str], signals: list[dict[str, Any]]
) -> dict[str, Any]:
    """The finger as a page reads it, whose two signals are added to those that are given."""
    body, frame = model.frame(End.of(press.at))
    if body not in bodies:
        raise ModelError(f'press: "{body[:60]}" does not move', expected="a point of a body that does")
    point = [model.value(x) for x in frame.at]
    taken = {signal["name"] for signal in signals}
    places: list[int] = []
    for k, (name, unit) in enumerate(SIGNALS):
        while name in taken:
            name += "_"
        places.append(len(signals))
        signals.append({"name": name, "unit": unit, "output": False, "port": -1, "place": k})
    value = float(press.force if press.depth is None else press.speed)
    most = press.largest if press.depth is None else FASTEST * value
    return {
        "body": bodies.index(body),
        "point": point,
        "along": list(axis_vector(press.along)),
        "depth": float(press.depth or 0.0),
        "value": value,
        "most": most,
        "softest": SOFTEST * most,
        "limit": press.largest,
        "signals": places,
    }
