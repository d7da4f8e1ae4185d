"""Constraints that are no joints.

Each says its rows over a scene: `position_rows` those of positions, h(q, t) = 0, and `speed_rows` those of
speeds, s(q, v, t) = 0 and linear in v, which no h has as its rate.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Protocol

from hapsis.compiler.ir.graph.elementary_functions import sqrt
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, scaled
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.two_ended import TwoEnded
from hapsis.mechanics.model.values.axes import AxisOrNone, axis_vector, kept_axis
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.values import AsValue, ValueInTime, value_of


class Scene(Protocol):
    """What a constraint may ask while it says its rows."""

    @property
    def readings(self) -> Any:
        """Coordinates by name, speeds too while `speed_rows` is asked, and the time as `t`."""
        ...

    def number(self, field: str) -> Any:
        """A field of the constraint as a run-time parameter, or as a function of time."""
        ...

    def obey(self, law: Any, *inputs: Any) -> Any:
        """What a law gives for these inputs."""
        ...

    def coordinate(self, name: str) -> Any:
        """A coordinate by its name."""
        ...

    def seen(self, of: str, seen_from: str) -> tuple[Vector, Any]:
        """Origin and axes (rows of a matrix) of one end, in the axes of the other."""
        ...

    def motion(self, of: str, seen_from: str) -> tuple[Vector, Vector]:
        """Angular velocity of one end and velocity of its origin, as the other sees them."""
        ...


class Rows:
    """The rows of a constraint, by name; there are none of either kind if it says nothing."""

    family: ClassVar[str] = "constraints"

    def position_rows(self, scene: Scene) -> Mapping[str, Any]:
        """What must be zero of the coordinates and the time."""
        return {}

    def speed_rows(self, scene: Scene) -> Mapping[str, Any]:
        """What must be zero of the speeds too, and is linear in them."""
        return {}


def listed(fact: Fact, given: Any) -> list[Any]:
    """What a user's function gave: one row or several, each a number or an expression."""
    rows = list(given) if hasattr(given, "__len__") else [given]
    for row in rows:
        if not isinstance(row, Expr | Real):
            raise fact.wrong(f"a row must be one number, not {described(row)}")
    return rows


def in_time(fact: Fact, field: str) -> Any:
    """A field that may change with time, checked: a function, a formula or a number."""
    given = getattr(fact, field)
    if not callable(given):
        return value_of(given, f"{fact.label}: {field}", fact.where)
    try:
        inspect.signature(given).bind(0.0)
    except (TypeError, ValueError):
        raise fact.wrong(
            f"{field} is a function that does not take the time", remedy=f"{field}=lambda t: ..."
        ) from None
    if not isinstance(given(0.0), Real):
        raise fact.wrong(f"{field}(t) must give one number, not {described(given(0.0))}")
    return given


@dataclass(frozen=True)
class Distance(Rows, TwoEnded, type_name="distance", noun="distance", of_time=True, positive=("length",)):
    """Two points stay that far apart: one row. The length may change with time."""

    length: ValueInTime

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(length=in_time(self, "length"))

    def position_rows(self, scene: Scene) -> Mapping[str, Any]:
        """(d² - l²) / 2 l: about by how much they are too far apart, and smooth everywhere."""
        (x, y, z), length = scene.seen("second", "first")[0], scene.number("length")
        return {"length": (x * x + y * y + z * z - length * length) / (2.0 * length)}


@dataclass(frozen=True)
class Rolling(Rows, TwoEnded, type_name="rolling", noun="rolling", positive=("radius",)):
    """A circle, or a ball, rolls on a plane without slipping and without leaving it.

    The circle is round the first end's origin, across its `axis`; a ball has the axis None. The
    plane is z = 0 of the second end, and the wheel stands on the side of +z. It may lean, and
    turn about the normal; no pose is allowed in which a wheel lies flat.
    """

    radius: AsValue
    axis: AxisOrNone = "y"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._make_values("radius")
        if self.axis is not None:
            self._set(axis=kept_axis(self.axis, f"{self.label}: axis", self.where))

    def position_rows(self, scene: Scene) -> Mapping[str, Any]:
        """The lowest point in the plane."""
        centre, R = scene.seen("first", "second")
        return {"touch": centre[2] + self._down(scene, R)[2]}

    def speed_rows(self, scene: Scene) -> Mapping[str, Any]:
        """The point of the wheel that touches does not slide."""
        w, u = scene.motion("first", "second")
        x, y, _ = add(u, cross(w, self._down(scene, scene.seen("first", "second")[1])))
        return {"slip.x": x, "slip.y": y}

    def _down(self, scene: Scene, R: Any) -> Vector:
        """From the centre to the lowest point: the normal n less its part along the axis a."""
        radius = scene.number("radius")
        if self.axis is None:
            return 0.0, 0.0, -radius
        axis = axis_vector(self.axis)
        ax, ay, az = (dot(row, axis) for row in R)
        tilt = ax * ax + ay * ay  # |n - (n·a) a|²
        return scaled(radius / sqrt(tilt), (az * ax, az * ay, -tilt))


@dataclass(frozen=True)
class Gear(Rows, Fact, type_name="gear", noun="gear", of_time=True):
    """Two one-degree joints, or single coordinates: second = ratio * first + offset.

    From an angle to an angle it is a pair of wheels or a belt, from an angle to a length a pinion
    and its rack: the ratio is the pinion's radius, m per rad. The offset may change with time.
    """

    first: str
    second: str
    ratio: AsValue
    offset: ValueInTime = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in (self.first, self.second):
            if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise self.wrong(f"it joins two joints by name, not {described(name)}")
        if self.first == self.second:
            raise self.wrong(f'it joins "{self.first[:60]}" to itself')
        self._make_values("ratio")
        self._set(offset=in_time(self, "offset"))

    def position_rows(self, scene: Scene) -> Mapping[str, Any]:
        """The second coordinate less what the first makes of it."""
        first, second = scene.coordinate(self.first), scene.coordinate(self.second)
        return {"ratio": second - scene.number("ratio") * first - scene.number("offset")}

    @property
    def joints(self) -> Mapping[str, str]:
        """{field: name} of the coordinates it couples."""
        return {"first": self.first, "second": self.second}


@dataclass(frozen=True)
class Constraint(Rows, Fact, type_name="constraint", noun="constraint"):
    """Rows of the user's own: a number or several that must be zero.

        rows      of positions: rows(s) with s["elbow"] a coordinate and s.t the time
        speeds    of speeds: speeds(s) with s["elbow.v"] too, linear in the speeds

    Both functions are traced like a law.
    """

    rows: Callable[..., Any] | None = None
    speeds: Callable[..., Any] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rows is None and self.speeds is None:
            raise self.wrong("it says no rows", remedy="give rows=, speeds= or both")
        for name in ("rows", "speeds"):
            given = getattr(self, name)
            if given is not None and not callable(given):
                raise self.wrong(f"{name} must be a function, not {described(given)}")

    def position_rows(self, scene: Scene) -> Mapping[str, Any]:
        """What the user's function gives for the coordinates and the time: 1, 2, ..."""
        rows = [] if self.rows is None else listed(self, self.rows(scene.readings))
        return {f"{k + 1}": row for k, row in enumerate(rows)}

    def speed_rows(self, scene: Scene) -> Mapping[str, Any]:
        """The same with speeds: v1, v2, ..."""
        rows = [] if self.speeds is None else listed(self, self.speeds(scene.readings))
        return {f"v{k + 1}": row for k, row in enumerate(rows)}

    def with_prefix(self, prefix: str, changed: Mapping[str, Any]) -> dict[str, Any]:
        """Refused: no one can rename what a function in Python names."""
        raise self.wrong(
            "its rows name coordinates in Python, so that it cannot get a prefix",
            remedy="add it to the whole model",
        )
