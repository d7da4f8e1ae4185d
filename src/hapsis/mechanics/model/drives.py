"""Drives: coordinates whose motion is prescribed."""

from collections.abc import Mapping
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.traced_function import NUMBER
from hapsis.mechanics.model.values.values import AsValue, ValueInTime, value_of

INPUT = "input"
LEVELS = ("position", "velocity", "acceleration")


@verb
@frozen
class Drive(Fact, type_name="", noun="drive", family="drives", of_time=True, positive=("tracking",)):
    """A coordinate's motion: a function of time, a formula of `t` and parameters, or a number.

        joint         the coordinate that moves so
        position      velocity and acceleration are its derivatives, unless they are given too; with
                      velocity alone the coordinate is integrated, with acceleration alone the speed too
        tracking      bandwidth, rad/s: the coordinate follows `position` through a critically damped
                      filter of second order, with a delay of 2 / tracking seconds

    "input" means that the caller supplies the motion at run time: NAME.position, NAME.velocity and
    NAME.acceleration; only the position where there is tracking; only position and velocity where both
    are "input" and no acceleration is given: between two samples the motion is then the cubic through both.
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
        motions = {n: getattr(self, n) for n in LEVELS}
        if all(motion is None for motion in motions.values()):
            raise self.wrong("it says no motion", remedy="give position, velocity or acceleration")
        for name, motion in motions.items():
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
        """Which of position, velocity and acceleration are given."""
        return tuple(n for n in LEVELS if getattr(self, n) is not None)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs that the caller must supply."""
        first = self.given[0]
        if getattr(self, first) != INPUT:
            return ()
        levels = (first,) if self.tracking is not None else LEVELS[LEVELS.index(first) :]
        return tuple(f"{self.name}.{level}" for level in (levels[:2] if self.sampled else levels))

    @property
    def sampled(self) -> bool:
        """Whether position and velocity come from outside, and the acceleration follows from them."""
        return self.position == self.velocity == INPUT and self.acceleration is None

    @property
    def held(self) -> tuple[str, ...]:
        """The names of the inputs of its equations: those supplied, and an acceleration that follows."""
        return (*self.inputs, f"{self.name}.acceleration") if self.sampled else self.inputs

    def moves(self, joint: Joint) -> bool:
        """Whether it drives a coordinate of this joint."""
        return self.joint == joint.name or self.joint in joint.coordinates

    @property
    def traced(self) -> Mapping[str, Any]:
        """{field: kinds of its arguments} of its functions."""
        return {level: (NUMBER,) for level in LEVELS}

    @property
    def joints(self) -> Mapping[str, str]:
        """{field: name} of the coordinate it drives."""
        return {"joint": self.joint}
