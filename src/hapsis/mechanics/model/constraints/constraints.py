"""Constraints other than joints.

Each gives its rows in terms of a scene: `position_rows` are h(q, t) = 0; `speed_rows` are s(q, v, t) = 0,
linear in v, and not the time derivative of any h (non-holonomic).
"""

import inspect
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, ClassVar, Protocol

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.algebra.vectors import Vector
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.two_ended import TwoEnded
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.traced_function import NUMBER, READINGS
from hapsis.mechanics.model.values.user_functions import call_user
from hapsis.mechanics.model.values.values import AsValue, ValueInTime, value_of


class Scene(Protocol):
    """What a constraint may read while it writes its rows."""

    @property
    def readings(self) -> Any:
        """Coordinates by name, the time as `t`, and inside `speed_rows` also speeds."""
        ...

    def number(self, field: str) -> Any:
        """A field of the constraint as a run-time parameter, or as a function of time."""
        ...

    def numbers(self, field: str) -> Vector:
        """A field of three numbers as run-time parameters."""
        ...

    def obey(self, law: Any, *inputs: Any) -> Any:
        """The result of a law for these inputs."""
        ...

    def slopes(self, law: Any, *inputs: Any) -> Vector:
        """The derivatives of the one number that a law gives by its three inputs."""
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

    def velocity(self, of: str, seen_from: str) -> Vector:
        """The velocity of the origin of one end alone, as the other sees it."""
        ...


class Rows:
    """The rows of a constraint, by name; none of either kind unless a class defines them."""

    family: ClassVar[str] = "constraints"

    def position_rows(self, scene: Scene) -> Mapping[str, Any]:
        """{name: row}: functions of the coordinates and the time that must be zero."""
        return {}

    def speed_rows(self, scene: Scene) -> Mapping[str, Any]:
        """{name: row}: functions that are linear in the speeds and must be zero."""
        return {}


def listed(fact: Fact, result: Any) -> list[Any]:
    """The result of a user's function as a list of rows, each a number or an expression."""
    rows = list(result) if hasattr(result, "__len__") else [result]
    for row in rows:
        if not isinstance(row, Expr | Real):
            raise fact.wrong(f"a row must be one number, not {described(row)}")
    return rows


def in_time(fact: Fact, field: str) -> Any:
    """A field that may change with time, checked: a function, a formula or a number."""
    value = getattr(fact, field)
    if not callable(value):
        return value_of(value, f"{fact.label}: {field}", fact.where)
    try:
        inspect.signature(value).bind(0.0)
    except (TypeError, ValueError):
        raise fact.wrong(
            f"{field} is a function that does not take the time", remedy=f"{field}=lambda t: ..."
        ) from None
    first = call_user(value, f"{fact.label}: {field}", 0.0)
    if not isinstance(first, Real):
        raise fact.wrong(f"{field}(t) must give one number, not {described(first)}")
    return value


@verb
@frozen
class Distance(Rows, TwoEnded, type_name="distance", noun="distance", of_time=True, positive=("length",)):
    """Keeps two points at a distance: one row. The length may change with time."""

    length: ValueInTime

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(length=in_time(self, "length"))

    @property
    def traced(self) -> Mapping[str, Any]:
        """{field: kinds of its arguments} of its functions."""
        return {"length": (NUMBER,)}

    def position_rows(self, scene: Scene) -> Mapping[str, Any]:
        """(d² - l²) / 2 l: to first order the error of the distance, and smooth everywhere."""
        (x, y, z), length = scene.seen("second", "first")[0], scene.number("length")
        return {"length": (x * x + y * y + z * z - length * length) / (2.0 * length)}


@verb
@frozen
class Gear(Rows, Fact, type_name="gear", noun="gear", of_time=True):
    """Couples two one-degree joints, or two coordinates: second = ratio * first + offset.

    Between two angles it is a pair of gear wheels or a belt; between an angle and a length it is a
    rack and pinion, and the ratio is the pinion's radius, m per rad. The offset may change with time.
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

    @property
    def traced(self) -> Mapping[str, Any]:
        """{field: kinds of its arguments} of its functions."""
        return {"offset": (NUMBER,)}

    def position_rows(self, scene: Scene) -> Mapping[str, Any]:
        """second - ratio * first - offset."""
        first, second = scene.coordinate(self.first), scene.coordinate(self.second)
        return {"ratio": second - scene.number("ratio") * first - scene.number("offset")}

    @property
    def joints(self) -> Mapping[str, str]:
        """{field: name} of the coordinates it couples."""
        return {"first": self.first, "second": self.second}


@verb
@frozen
class Constraint(Rows, Fact, type_name="constraint", noun="constraint"):
    """Rows that the user writes as Python functions: one number or several that must be zero.

        rows      position rows: rows(s), with s["elbow"] a coordinate and s.t the time
        speeds    speed rows: speeds(s), with s["elbow.v"] too, linear in the speeds

    Both functions are traced like a law.
    """

    rows: Callable[..., Any] | None = None
    speeds: Callable[..., Any] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rows is None and self.speeds is None:
            raise self.wrong("it says no rows", remedy="give rows=, speeds= or both")
        for name in ("rows", "speeds"):
            function = getattr(self, name)
            if function is not None and not callable(function):
                raise self.wrong(f"{name} must be a function, not {described(function)}")

    @property
    def traced(self) -> Mapping[str, Any]:
        """{field: kinds of its arguments} of its functions."""
        return {"rows": (READINGS,), "speeds": (READINGS,)}

    def position_rows(self, scene: Scene) -> Mapping[str, Any]:
        """The rows of the function `rows`, named 1, 2, ..."""
        rows = [] if self.rows is None else listed(self, self._called("rows", scene))
        return {f"{k + 1}": row for k, row in enumerate(rows)}

    def speed_rows(self, scene: Scene) -> Mapping[str, Any]:
        """The rows of the function `speeds`, named v1, v2, ..."""
        rows = [] if self.speeds is None else listed(self, self._called("speeds", scene))
        return {f"v{k + 1}": row for k, row in enumerate(rows)}

    def _called(self, field: str, scene: Scene) -> Any:
        return call_user(getattr(self, field), f"{self.label}: {field}", scene.readings)

    def with_prefix(self, prefix: str, changed: Mapping[str, Any]) -> dict[str, Any]:
        """Raises an error: the names inside a Python function cannot be changed."""
        raise self.wrong(
            "its rows name coordinates in Python, so that it cannot get a prefix",
            remedy="add it to the whole model",
        )
