"""What events of walkers read: the height of a point."""

from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.mechanics.model.frames import End


class Height(NamedTuple):
    """How high a frame is above z = 0, or above another height."""

    frame: str
    above: float = 0.0

    def __call__(self, s: Any) -> Any:
        """z of the frame, less that height."""
        z = s[f"{self.frame}.z"]
        return z - self.above if self.above else z


@verb
def height(frame: str, above: float = 0.0) -> Height:
    """A function of events: how high a frame is above the ground, z = 0, or z = `above`; m."""
    return Height(str(End.of(frame, "the frame of a height")), float(above))
