"""The base of all joints: two ends, the elementary motions between them, the names of coordinates.

A joint's coordinates give the pose of the frame of its second end relative to that of its first; the
frames coincide where all coordinates are zero. Each family of joints is one file, which defines its
steps, its type and keys in files and, if it can close a loop, its constraint rows and its coordinates
for two given ends.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np

from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError, near
from hapsis.mechanics.model.names import speed_name
from hapsis.mechanics.model.two_ended import TwoEnded
from hapsis.mechanics.model.values.axes import LETTERS, Axis, axis_vector, kept_axis
from hapsis.mechanics.model.values.values import AsValue, Table, Value, value_of

Array = np.ndarray[Any, np.dtype[np.float64]]
Limit = tuple[Value | None, Value | None]  # None: no limit on that side
AsLimits = Annotated[Any, "(low, high), or {coordinate: (low, high)}"]


class Step(NamedTuple):
    """One elementary motion: R rotates about the axis, P translates along it, H does both.

    `pitch` is the translation of H per radian. "ball" and "free" have no axis.
    """

    kind: str
    axis: tuple[float, float, float] | None = None
    pitch: Value = 0.0


def step_of(text: str) -> Step:
    """The step of a text: `Tx` translates along x, `Rx` rotates about it."""
    return Step("P" if text[0] == "T" else "R", LETTERS[text[1]])


@frozen
class Joint(
    TwoEnded,
    ABC,
    noun="joint",
    family="joints",
    not_negative=("armature", "damping", "friction", "max_speed", "max_effort"),
):
    """The base of joints, which connect two ends and let them move relative to each other.

        limits      (low, high) for one degree, else {suffix: (low, high)}; None leaves a side open
        armature    inertia of the motor reflected to the joint, added on every axis
        damping     effort per speed
        friction    effort against motion
        max_speed   None where unknown
        max_effort  None where unknown

    Units are those of the coordinates: metres and newtons, radians and newton metres.
    """

    limits: AsLimits = field(default=None, kw_only=True)
    armature: AsValue = field(default=0.0, kw_only=True)
    damping: AsValue = field(default=0.0, kw_only=True)
    friction: AsValue = field(default=0.0, kw_only=True)
    max_speed: AsValue = field(default=None, kw_only=True)
    max_effort: AsValue = field(default=None, kw_only=True)

    numbers: ClassVar[tuple[str, ...]] = ("armature", "damping", "friction")  # fields
    shown: ClassVar[tuple[str, ...]] = ()  # fields that the text of the tree shows

    def __post_init__(self) -> None:
        super().__post_init__()
        self._make_values(*self.numbers)
        self._make_values(*(n for n in ("max_speed", "max_effort") if getattr(self, n) is not None))
        self._check()
        if self.limits is not None:
            self._set(limits=self._limits())

    def _check(self) -> None:
        """Checks the fields of a family and stores them in their normal form."""

    @property
    @abstractmethod
    def steps(self) -> tuple[Step, ...]:
        """The motions from the first end to the second, in order."""

    @property
    @abstractmethod
    def suffixes(self) -> tuple[str, ...]:
        """What follows the joint's name in the names of its coordinates, if there are several."""

    @property
    def speed_suffixes(self) -> tuple[str, ...]:
        """What follows the joint's name in the names of its speeds."""
        return ("v",) if len(self.suffixes) == 1 else tuple(map(speed_name, self.suffixes))

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The full names of its coordinates; a one-degree joint's has the joint's name."""
        if len(self.suffixes) == 1:
            return (self.name,)
        return tuple(f"{self.name}.{s}" for s in self.suffixes)

    @property
    def speeds(self) -> tuple[str, ...]:
        """The full names of its speeds."""
        return tuple(f"{self.name}.{s}" for s in self.speed_suffixes)

    @property
    def zero(self) -> tuple[float, ...]:
        """The coordinates where both ends coincide."""
        return (0.0,) * len(self.suffixes)

    @property
    def plain(self) -> tuple[str, ...]:
        """The coordinates that are lengths or angles: those that limits and drives may name."""
        return self.coordinates

    def cannot_close(self) -> ModelError:
        """The error for a joint that closes a loop but has no constraint rows."""
        if self.steps == (Step("free"),):
            return self.wrong("it closes a loop and holds nothing", remedy="leave it out")
        return self.wrong(
            f"a {type(self).__name__} cannot close a loop",
            remedy="give it before the others of the loop, and let another one close it",
        )

    @property
    def bounds(self) -> Mapping[str, Limit]:
        """{coordinate: (low, high)} of those that are limited."""
        if self.limits is None:
            return {}
        if isinstance(self.limits, tuple):
            return {self.name: self.limits}
        return {f"{self.name}.{s}": pair for s, pair in self.limits.items()}

    def _limits(self) -> Any:
        if len(self.suffixes) == 1:
            if isinstance(self.limits, Mapping):
                raise self.wrong("limits of a one-degree joint must be (low, high)")
            return self._pair(self.limits, "limits")
        allowed = [name.removeprefix(f"{self.name}.") for name in self.plain]
        if not allowed:
            raise self.wrong("limits are not possible for this joint: it has no length or angle")
        if not isinstance(self.limits, Mapping):
            raise self.wrong(f"limits must be {{coordinate: (low, high)}} with {', '.join(allowed)}")
        for name in self.limits:
            if name not in allowed:
                raise self.wrong(
                    f'limits name "{str(name)[:60]}"{near(str(name), allowed)}', expected=", ".join(allowed)
                )
        return Table({n: self._pair(p, f"limits of {n}") for n, p in self.limits.items()})

    def _pair(self, pair: Any, what: str) -> Limit:
        try:
            low, high = pair
        except (TypeError, ValueError):
            raise self.wrong(f"{what} must be (low, high)") from None
        what = f"{self.label}: {what}"
        return (
            None if low is None else value_of(low, what, self.where),
            None if high is None else value_of(high, what, self.where),
        )


@frozen
class LoopJoint(Joint):
    """The base of joints that can close a loop: they have constraint rows, and coordinates that fit two ends.

    d, R      the second end's origin and axes, relative to the first end
    number    returns a field's value: number("pitch")
    """

    @abstractmethod
    def closure_rows(self, d: Any, R: Any, number: Callable[[str], Any]) -> Mapping[str, Any]:
        """{name: row}: expressions that are zero where the joint closes its loop, over any scalar."""

    @abstractmethod
    def fit(self, d: Array, R: Array, number: Callable[[str], float]) -> list[float]:
        """Its coordinates where the second end is at d with axes R: the inverse of its steps."""


@frozen
class AxisJoint(LoopJoint, shown=("axis",)):
    """A joint with one axis."""

    axis: Axis = "z"

    def _check(self) -> None:
        self._set(axis=kept_axis(self.axis, f"{self.label}: axis", self.where))

    @property
    def direction(self) -> tuple[float, float, float]:
        """The unit vector along the axis."""
        return axis_vector(self.axis)


@frozen
class OneStepJoint(AxisJoint):
    """A joint with one step along or about its axis."""

    step_kind: ClassVar[str]  # of `Step`

    @property
    def steps(self) -> tuple[Step, ...]:
        """One motion."""
        return (Step(self.step_kind, self.direction),)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """One coordinate, which has the name of the joint."""
        return ("",)
