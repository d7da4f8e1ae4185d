"""What events and reports of walkers read: the height of a point, the force on a foot."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.model.constraints.motion_constraints import Pinned
from hapsis.mechanics.model.frames import End
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.numbers import real

PUSH, GRIP = "push", "grip"  # how the names of the forces on a foot end


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


class Foot(NamedTuple):
    """A point whose ground may push and hold it by friction, but not pull: 003-(25) and (26)."""

    frame: str
    friction: float | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns: the normal force, and what friction has left."""
        return (f"{self.frame}.{PUSH}", f"{self.frame}.{GRIP}")[: 1 if self.friction is None else 2]

    def pin(self, model: Model) -> str | None:
        """The name of the constraint that holds it in a phase; None where nothing does."""
        for name, fact in model.constraints.items():
            if isinstance(fact, Pinned) and str(fact.first) == self.frame and str(fact.second) == "world":
                return name
        return None

    def forces(self, model: Model, lam: Sequence[Any], root: Callable[[Any], Any]) -> dict[str, Any]:
        """{column: value} from the multipliers of all rows of a phase; nothing where no row holds it.

        root    the square root of what the multipliers are: numbers, arrays or expressions
        """
        pin, names = self.pin(model), constraint_names(model)
        if pin is None:
            return {}
        rows = [f"{pin}.{axis}" for axis in "xyz"]
        x, y, z = (lam[names.index(row)] if row in names else 0.0 * lam[0] for row in rows)
        values = [z] if self.friction is None else [z, self.friction * z - root(x * x + y * y)]
        return dict(zip(self.columns, values, strict=True))


@verb
def foot(frame: str, friction: float | None = None) -> Foot:
    """A foot to watch, in `hs.Hybrid(..., watch=[...])`: whether the ground would have to pull, or it slips.

    frame      the point that phases pin or hinge to the world, whose z is normal to the ground
    friction   the coefficient; None: only the normal force is watched

    A result has the columns FRAME.push, the normal force, and FRAME.grip, the friction that is left,
    μ N - |T|, both N and NaN in phases that do not hold the foot. Its report has the least of them, and a
    warning says where one is negative.
    """
    if friction is not None:
        friction = real(friction, "friction")
        if not friction >= 0.0:
            raise ModelError(f"friction is {friction:g}", expected="zero or more")
    return Foot(str(End.of(frame, "the frame of a foot")), friction)
