"""Constraints that keep a point on a surface or on a curve of another body.

Both are given implicitly, by functions of x, y, z that are zero there, in the second end's axes. They
are traced like laws: parameters with defaults become parameters of the model, and `t` is the time.

The rows are the functions themselves. A function whose gradient has a length of about one makes the
row a distance in metres, which is what tolerances assume. Where the gradient is zero, as at the tip of
a cone, the point is not constrained.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.constraints.constraints import Rows, Scene, listed
from hapsis.mechanics.model.forces.user_law import law_of
from hapsis.mechanics.model.two_ended import TwoEnded


@frozen
class OnZeros(Rows, TwoEnded, ABC):
    """Keeps the first end's origin where functions of the second end's x, y, z are zero."""

    functions: ClassVar[str]  # the name of the field that holds them

    def __post_init__(self) -> None:
        super().__post_init__()
        field = self.functions
        law = law_of(getattr(self, field), f"{self.label}: {field}", ("x", "y", "z"), self.where, reads=False)
        if law.states:
            raise self.wrong(f"{field} has states, and a place has none")
        self._set(**{field: law})

    @abstractmethod
    def position_rows(self, scene: Scene) -> Mapping[str, Any]:
        """The rows by name: what must be zero."""

    def _numbers(self, scene: Scene) -> list[Any]:
        """The values of the functions at the point."""
        return listed(self, scene.obey(getattr(self, self.functions), *scene.seen("first", "second")[0]))


@verb
@frozen
class OnSurface(OnZeros, type_name="on_surface", noun="point on a surface", functions="surface"):
    """Keeps the first end's origin on a surface of the second: f(x, y, z) = 0, one row."""

    surface: Any

    def position_rows(self, scene: Scene) -> Mapping[str, Any]:
        """The value of the function at the point."""
        rows = self._numbers(scene)
        if len(rows) != 1:
            raise self.wrong(f"surface(x, y, z) must give one number, not {len(rows)}")
        return {"surface": rows[0]}


@verb
@frozen
class OnCurve(OnZeros, type_name="on_curve", noun="point on a curve", functions="curve"):
    """Keeps the first end's origin on a curve of the second, where two functions are zero.

    For a curve through tabulated points, use height = hs.interpolated(values, start, step, "cubic")
    and lambda x, y, z: (z - height(x), y).
    """

    curve: Any

    def position_rows(self, scene: Scene) -> Mapping[str, Any]:
        """The values of both functions at the point."""
        rows = self._numbers(scene)
        if len(rows) != 2:
            raise self.wrong(
                f"curve(x, y, z) must give two numbers, not {len(rows)}", remedy="hs.OnSurface takes one"
            )
        return {"1": rows[0], "2": rows[1]}
