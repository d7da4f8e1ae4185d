"""Drives: coordinates whose motion is prescribed."""

from collections.abc import Mapping
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.frames import WORLD, AsEnd, End
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.values.axes import AxisOrNone, kept_axis
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.traced_function import NUMBER
from hapsis.mechanics.model.values.values import AsValue, ValueInTime, value_of

INPUT = "input"
LEVELS = ("position", "velocity", "acceleration")


@verb
@frozen
class Drive(Fact, type_name="", noun="drive", family="drives", of_time=True, positive=("tracking",)):
    """The motion of a coordinate or a point: a function of time, a formula of `t` and parameters, a number.

        joint         the coordinate that moves so
        position      velocity and acceleration are its derivatives, unless they are given too; with
                      velocity alone the coordinate is integrated, with acceleration alone the speed too
        tracking      bandwidth, rad/s: the coordinate follows `position` through a critically damped
                      filter of second order, with a delay of 2 / tracking seconds
        point, along  instead of a joint: a point of a body, and the axis along which its position is its way
                      in m from where it is while the coordinate of the joint that moves it is zero
        frame         whose axis it is, the world's if not given; one joint moves the point against it

    "input" means that the caller supplies the motion at run time: NAME.position, NAME.velocity and
    NAME.acceleration; only the position where there is tracking; only position and velocity where both
    are "input" and no acceleration is given: between two samples the motion is then the cubic through both.
    """

    joint: str | None = None
    position: ValueInTime = None
    velocity: ValueInTime = None
    acceleration: ValueInTime = None
    tracking: AsValue = None
    point: AsEnd = None
    along: AxisOrNone = None
    frame: AsEnd = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_place()
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

    def _check_place(self) -> None:
        """Makes ends of what it drives: a joint by name, or a point along an axis."""
        if self.point is None:
            if not isinstance(self.joint, str):
                remedy = "name a joint, or give point and along" if self.joint is None else ""
                raise self.wrong(f"it drives a joint by name, not {described(self.joint)}", remedy=remedy)
            for name in ("along", "frame"):
                if getattr(self, name) is not None:
                    raise self.wrong(f"it drives a joint, which has no {name}", remedy="give a point too")
            return
        if self.joint is not None:
            raise self.wrong("it drives a joint and a point", remedy="leave one of them out")
        if self.along is None:
            raise self.wrong("it drives a point along no axis", remedy='give along="x", ... or three numbers')
        if self.position is None:
            raise self.wrong("a point is driven by its position", remedy="give it")
        frame = WORLD if self.frame is None else self.frame
        self._set(
            point=End.of(self.point, f"{self.label}: its point", self.where),
            frame=End.of(frame, f"{self.label}: its frame", self.where),
            along=kept_axis(self.along, f"{self.label}: along", self.where),
        )

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
        """Whether it drives a coordinate of this joint, as far as that can be told without the model."""
        return self.joint is None or self.joint == joint.name or self.joint in joint.coordinates

    @property
    def traced(self) -> Mapping[str, Any]:
        """{field: kinds of its arguments} of its functions."""
        return {level: (NUMBER,) for level in LEVELS}

    @property
    def joints(self) -> Mapping[str, str]:
        """{field: name} of the coordinate it drives; none for a point."""
        return {} if self.joint is None else {"joint": self.joint}

    @property
    def ends(self) -> Mapping[str, End]:
        """{field: End} of its point and its frame; none for a coordinate."""
        return {} if self.point is None else {"point": self.point, "frame": self.frame}
