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

    @property
    def joints(self) -> Mapping[str, str]:
        """{field: name} of the coordinates it couples."""
        return {"first": self.first, "second": self.second}


@dataclass(frozen=True)
class Constraint(Fact):
    """Rows of the user's own: a function that says what must be zero."""

    rows: Callable[..., Any]

    family: ClassVar[str] = "constraints"
    noun: ClassVar[str] = "constraint"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not callable(self.rows):
            raise self.wrong(f"rows must be a function, not {described(self.rows)}")
