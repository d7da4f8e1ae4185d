"""Drives: coordinates whose motion is given."""

from collections.abc import Mapping
from dataclasses import dataclass

from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.values import AsValue, ValueInTime, value_of

INPUT = "input"
LEVELS = ("position", "velocity", "acceleration")


@dataclass(frozen=True)
class Drive(Fact, type_name="", noun="drive", family="drives", of_time=True, positive=("tracking",)):
    """A coordinate's motion: a function of time, a formula of `t` and parameters, or a number.

        position      its rates follow from it, unless they are given too; with velocity alone the
                      coordinate is integrated, with acceleration alone the speed too
        tracking      bandwidth, rad/s: the coordinate follows the position given as a critically
                      damped filter of second order does, 2 / tracking seconds late

    "input" says that whoever runs the model gives it: NAME.position, NAME.velocity and
    NAME.acceleration, or only the position where there is tracking.
    """

    joint: str
    position: ValueInTime = None
    velocity: ValueInTime = None
    acceleration: ValueInTime = None
    tracking: AsValue = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.joint, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise self.wrong(f"it drives a joint by name, not {described(self.joint)}")
        given = {n: getattr(self, n) for n in LEVELS}
        if all(motion is None for motion in given.values()):
            raise self.wrong("it says no motion", remedy="give position, velocity or acceleration")
        for name, motion in given.items():
            if isinstance(motion, str | Formula) and str(motion).strip() == INPUT:
                self._set(**{name: INPUT})
            elif motion is not None and not callable(motion):
                self._set(**{name: value_of(motion, f"{self.label}: {name}", self.where)})
        if INPUT in (getattr(self, n) for n in self.given[1:]) and not self.inputs:
            raise self.wrong("what is given from outside begins with the first of its levels")
        if self.tracking is not None:
            self._make_values("tracking")
            if self.position is None:
                raise self.wrong("tracking follows a position, and there is none")
            if self.velocity is not None or self.acceleration is not None:
                raise self.wrong("tracking makes its own velocity and acceleration: leave them out")

    @property
    def given(self) -> tuple[str, ...]:
        """Which of position, velocity, acceleration it says."""
        return tuple(n for n in LEVELS if getattr(self, n) is not None)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of what must be given from outside."""
        first = self.given[0]
        if getattr(self, first) != INPUT:
            return ()
        wanted = (first,) if self.tracking is not None else LEVELS[LEVELS.index(first) :]
        return tuple(f"{self.name}.{level}" for level in wanted)

    @property
    def joints(self) -> Mapping[str, str]:
        """{field: name} of the coordinate it drives."""
        return {"joint": self.joint}
