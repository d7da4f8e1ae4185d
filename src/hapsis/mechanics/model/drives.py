"""Drives: coordinates whose motion is given."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.numbers import described
from hapsis.mechanics.model.values import value_of

Motion = Any  # a function of time, a Value or None


@dataclass(frozen=True)
class Drive(Fact):
    """A coordinate's motion: a function of time, a formula of `t` and parameters, or a number."""

    joint: str
    position: Motion = None
    velocity: Motion = None
    acceleration: Motion = None

    family: ClassVar[str] = "drives"
    noun: ClassVar[str] = "drive"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.joint, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise self.wrong(f"it drives a joint by name, not {described(self.joint)}")
        given = {n: getattr(self, n) for n in ("position", "velocity", "acceleration")}
        if all(motion is None for motion in given.values()):
            raise self.wrong("it says no motion", remedy="give position, velocity or acceleration")
        for name, motion in given.items():
            if motion is not None and not callable(motion):
                self._set(**{name: value_of(motion, f"{self.label}: {name}", self.where)})

    @property
    def joints(self) -> Mapping[str, str]:
        """{field: name} of the coordinate it drives."""
        return {"joint": self.joint}
