"""Constraints that are no joints."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.numbers import described
from hapsis.mechanics.model.pairs import Pair
from hapsis.mechanics.model.values import AsValue


@dataclass(frozen=True)
class Distance(Pair):
    """Two points stay that far apart: one row."""

    length: AsValue

    family: ClassVar[str] = "constraints"
    noun: ClassVar[str] = "distance"
    positive: ClassVar[tuple[str, ...]] = ("length",)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._make_values("length")

    def closing(self, scene: Any) -> Mapping[str, Any]:
        """(d² - l²) / 2 l: about by how much they are too far apart, and smooth everywhere."""
        (x, y, z), length = scene.between()[0], scene.number("length")
        return {"length": (x * x + y * y + z * z - length * length) / (2.0 * length)}


@dataclass(frozen=True)
class Rolling(Pair):
    """The first end's circle of that radius rolls on the second without slipping."""

    radius: AsValue

    family: ClassVar[str] = "constraints"
    noun: ClassVar[str] = "rolling"
    positive: ClassVar[tuple[str, ...]] = ("radius",)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._make_values("radius")


@dataclass(frozen=True)
class Gear(Fact):
    """Two one-degree joints, or single coordinates: second = ratio * first + offset."""

    first: str
    second: str
    ratio: AsValue
    offset: AsValue = 0.0

    family: ClassVar[str] = "constraints"
    noun: ClassVar[str] = "gear"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in (self.first, self.second):
            if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise self.wrong(f"it joins two joints by name, not {described(name)}")
        if self.first == self.second:
            raise self.wrong(f'it joins "{self.first[:60]}" to itself')
        self._make_values("ratio", "offset")

    def closing(self, scene: Any) -> Mapping[str, Any]:
        """The second coordinate less what the first makes of it."""
        first, second = scene.coordinate(self.first), scene.coordinate(self.second)
        return {"ratio": second - scene.number("ratio") * first - scene.number("offset")}

    @property
    def joints(self) -> Mapping[str, str]:
        """{field: name} of the coordinates it couples."""
        return {"first": self.first, "second": self.second}


@dataclass(frozen=True)
class Constraint(Fact):
    """Rows of the user's own: rows(s) is a number or several that must be zero.

    s["elbow"] is a coordinate, s.t the time; the function is traced like a law.
    """

    rows: Callable[..., Any]

    family: ClassVar[str] = "constraints"
    noun: ClassVar[str] = "constraint"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not callable(self.rows):
            raise self.wrong(f"rows must be a function, not {described(self.rows)}")

    def closing(self, scene: Any) -> Mapping[str, Any]:
        """What the user's function gives for the coordinates s["elbow"] and the time s.t."""
        given = self.rows(scene.readings)
        rows = list(given) if isinstance(given, tuple | list) else [given]
        return {str(k + 1): row for k, row in enumerate(rows)}
