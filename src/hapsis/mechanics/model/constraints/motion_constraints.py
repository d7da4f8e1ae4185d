"""Motion constraints of a point or a foot: pinned, hinged, on a knife edge, kept from spinning.

All rows are speed rows (non-holonomic form): they hold velocities, not places, so that a foot stays where
it stands when the constraint begins. The first end is held; the second is what holds it, the world unless
another body is named. The multiplier of a row is the force or the moment of the second end on the first
along the row's direction.
"""

from collections.abc import Mapping
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.algebra.rotations import z_onto
from hapsis.mechanics.algebra.vectors import cross, dot, neg
from hapsis.mechanics.model.constraints.closure_rows import turned_by
from hapsis.mechanics.model.constraints.constraints import Rows, Scene
from hapsis.mechanics.model.frames import WORLD, AsEnd
from hapsis.mechanics.model.two_ended import TwoEnded
from hapsis.mechanics.model.values.axes import LETTERS, SHORTEST_AXIS, Axis, axis_vector, kept_axis


@verb
@frozen
class Pinned(Rows, TwoEnded, type_name="pinned", noun="pin"):
    """Holds the velocity of the first end's origin, seen from the second end, at zero: three speed rows.

    The rows x, y, z are along the axes of the second end. The body may turn about the point.
    """

    second: AsEnd = WORLD

    def speed_rows(self, scene: Scene) -> Mapping[str, Any]:
        """The velocity of the point."""
        return dict(zip("xyz", scene.velocity("first", "second"), strict=True))


@verb
@frozen
class Hinged(Pinned, type_name="hinged", noun="hinge"):
    """Pins the first end, and lets its body turn about one axis of that end only: five speed rows.

    The rows of turns are named after the axes across, rx and rz for the axis y; r1 and r2 for a vector.
    """

    axis: Axis = "y"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(axis=kept_axis(self.axis, f"{self.label}: axis", self.where))

    def speed_rows(self, scene: Scene) -> Mapping[str, Any]:
        """The velocity of the point, and the angular velocity across the axis."""
        w = neg(scene.motion("second", "first")[0])  # of the first end, in its own axes
        rates = {name: dot(direction, w) for name, direction in _across(self.axis).items()}
        return {**super().speed_rows(scene), **rates}


@verb
@frozen
class KnifeEdge(Rows, TwoEnded, type_name="knife_edge", noun="knife edge"):
    """Lets the first end's origin move in the plane of a blade only, as a skate or a thin wheel does.

    The blade is fixed to the first end: it goes `along` one axis and stands up along `normal`. One speed
    row, `across`: the velocity along normal × along, as the second end sees it.
    """

    second: AsEnd = WORLD
    along: Axis = "x"
    normal: Axis = "z"

    def __post_init__(self) -> None:
        super().__post_init__()
        for field in ("along", "normal"):
            self._set(**{field: kept_axis(getattr(self, field), f"{self.label}: {field}", self.where)})
        if not max(map(abs, self._side)) > SHORTEST_AXIS:
            raise self.wrong("along and normal are parallel", remedy="give two axes of the blade's plane")

    @property
    def _side(self) -> Any:
        """Normal × along."""
        return cross(axis_vector(self.normal), axis_vector(self.along))

    def speed_rows(self, scene: Scene) -> Mapping[str, Any]:
        """The velocity across the blade."""
        side = turned_by(scene.seen("first", "second")[1], axis_vector(self._side))
        return {"across": dot(side, scene.velocity("first", "second"))}


@verb
@frozen
class NoSpin(Rows, TwoEnded, type_name="no_spin", noun="spin lock"):
    """Keeps the first end's body from spinning about one axis of the second end: one speed row, `spin`.

    As a foot on the ground does not turn about the vertical, or a trunk that is led straight on.
    """

    second: AsEnd = WORLD
    about: Axis = "z"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(about=kept_axis(self.about, f"{self.label}: about", self.where))

    def speed_rows(self, scene: Scene) -> Mapping[str, Any]:
        """The angular velocity about the axis."""
        return {"spin": dot(axis_vector(self.about), scene.motion("first", "second")[0])}


def _across(axis: Any) -> dict[str, Any]:
    """{name of a row of turns: its direction}, two directions across an axis."""
    if isinstance(axis, str):
        return {f"r{name}": LETTERS[name] for name in "xyz" if name != axis[-1]}
    rows = z_onto(axis_vector(axis))
    # the first two columns of a rotation that takes z onto the axis
    return {f"r{k + 1}": (rows[0][k], rows[1][k], rows[2][k]) for k in range(2)}
