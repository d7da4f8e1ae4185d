"""A point that stays on a surface or on a curve of another body.

Both are given by functions of x, y, z that are zero there, in the second end's axes. They are
traced like laws: numbers with defaults become parameters, and one called `t` is the time.

Rows are the functions as they are given. A function whose slope across its surface is about one
makes the row a distance in metres, which is what tolerances mean. Where the slope is zero, as at
the tip of a cone, nothing holds the point.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hapsis.mechanics.model.constraints.constraints import Rows, Scene, listed
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.forces.user_law import law_of
from hapsis.mechanics.model.laws import Law
from hapsis.mechanics.model.two_ended import TwoEnded


@dataclass(frozen=True)
class OnSurface(Rows, TwoEnded, type_name="on_surface", noun="point on a surface"):
    """The first end's origin stays on a surface of the second: f(x, y, z) = 0, one row."""

    surface: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(surface=_law(self, "surface", self.surface))

    def position_rows(self, scene: Scene) -> Mapping[str, Any]:
        """The function at the point."""
        rows = listed(self, scene.obey(self.surface, *scene.seen("first", "second")[0]))
        if len(rows) != 1:
            raise self.wrong(f"surface(x, y, z) must give one number, not {len(rows)}")
        return {"surface": rows[0]}


@dataclass(frozen=True)
class OnCurve(Rows, TwoEnded, type_name="on_curve", noun="point on a curve"):
    """The first end's origin stays on a curve of the second, where two functions are zero.

    A curve through a table of places is one of them: with height = hs.interpolated(values, start,
    step, "cubic") it is lambda x, y, z: (z - height(x), y).
    """

    curve: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(curve=_law(self, "curve", self.curve))

    def position_rows(self, scene: Scene) -> Mapping[str, Any]:
        """Both functions at the point."""
        rows = listed(self, scene.obey(self.curve, *scene.seen("first", "second")[0]))
        if len(rows) != 2:
            raise self.wrong(
                f"curve(x, y, z) must give two numbers, not {len(rows)}", remedy="hs.OnSurface takes one"
            )
        return {"1": rows[0], "2": rows[1]}


def _law(fact: Fact, field: str, given: Any) -> Law:
    """The function as a law of a place."""
    law = law_of(given, f"{fact.label}: {field}", ("x", "y", "z"), fact.where)
    if law.states:
        raise fact.wrong(f"{field} has states, and a place has none")
    return law
