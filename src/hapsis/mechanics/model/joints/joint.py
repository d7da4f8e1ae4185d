"""The base of all joints: two ends, the steps from one to the other, names of coordinates.

A joint's coordinates say how the frame of its second end lies in the frame of its first; both
coincide where all coordinates are zero. Each family is one file that states its steps.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from hapsis.errors import ModelError, near
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.frames import AsEnd, End
from hapsis.mechanics.model.values.values import AsValue, Table, Value, numbers_of, value_of

Axis = Any  # x, y, z, -x, -y, -z, or three numbers
Limit = tuple[Value | None, Value | None]  # None: no limit on that side
SHORTEST_AXIS = 1e-9

_LETTERS = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
LETTERS = {**_LETTERS, **{f"-{a}": tuple(-x if x else x for x in v) for a, v in _LETTERS.items()}}


class Step(NamedTuple):
    """One elementary motion: R turns about the axis, P moves along it, H does both.

    `pitch` is how far H moves per radian. "ball" and "free" have no axis.
    """

    kind: str
    axis: tuple[float, float, float] | None = None
    pitch: Value = 0.0


def axis_vector(axis: Any, what: str = "an axis", where: str | None = None) -> Any:
    """The unit vector of `x`, `-y`, ... or of three numbers, as floats."""
    if isinstance(axis, str):
        if axis not in LETTERS:
            raise ModelError(
                f'{what} must be x, y, z, -x, -y, -z or a vector, not "{axis[:60]}"', where=where
            )
        return LETTERS[axis]
    x, y, z = numbers_of(axis, what, where)
    norm = math.hypot(x, y, z)
    if not norm > SHORTEST_AXIS:
        raise ModelError(f"{what} has no direction: its length is {norm:g}", where=where)
    return (x / norm, y / norm, z / norm)


def suffix(letter: str, axis: Axis) -> str:
    """`Rx` for R about x or -x; only `R` about a vector."""
    return letter + axis[-1] if isinstance(axis, str) else letter


def distinct(names: list[str]) -> tuple[str, ...]:
    """The names, with a number after those that stood before: Rz Tx Rz2."""
    seen: dict[str, int] = {}
    made: list[str] = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        made.append(name if seen[name] == 1 else f"{name}{seen[name]}")
    return tuple(made)


@dataclass(frozen=True)
class Joint(Fact, ABC):
    """What lets two ends move relative to each other.

        limits      (low, high) for one degree, else {suffix: (low, high)}; None leaves a side open
        armature    inertia of the motor as the joint feels it, added on every axis
        damping     effort per speed
        friction    effort against motion
        max_speed   None where unknown
        max_effort  None where unknown

    Units are those of the coordinates: metres and newtons, radians and newton metres.
    """

    first: AsEnd
    second: AsEnd
    limits: Any = field(default=None, kw_only=True)
    armature: AsValue = field(default=0.0, kw_only=True)
    damping: AsValue = field(default=0.0, kw_only=True)
    friction: AsValue = field(default=0.0, kw_only=True)
    max_speed: AsValue = field(default=None, kw_only=True)
    max_effort: AsValue = field(default=None, kw_only=True)

    family: ClassVar[str] = "joints"
    noun: ClassVar[str] = "joint"
    not_negative: ClassVar[tuple[str, ...]] = ("armature", "damping", "friction", "max_speed", "max_effort")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(
            first=End.of(self.first, f"{self.label}: its first end", self.where),
            second=End.of(self.second, f"{self.label}: its second end", self.where),
        )
        self._make_values("armature", "damping", "friction")
        self._make_values(*(n for n in ("max_speed", "max_effort") if getattr(self, n) is not None))
        self._check()
        if self.limits is not None:
            self._set(limits=self._limits())

    def _check(self) -> None:
        """Makes a family's own fields sound."""

    @property
    @abstractmethod
    def steps(self) -> tuple[Step, ...]:
        """The motions from the first end to the second, in order."""

    @property
    @abstractmethod
    def suffixes(self) -> tuple[str, ...]:
        """What comes after the joint's name in its coordinates, when there are several."""

    @property
    def speed_suffixes(self) -> tuple[str, ...]:
        """What comes after the joint's name in its speeds."""
        return ("v",) if len(self.suffixes) == 1 else tuple(f"{s}.v" for s in self.suffixes)

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

    def closing(self, d: Any, R: Any, number: Any) -> Mapping[str, Any]:
        """What must be zero for it to close a loop, by name; see `model.closing`.

        d, R      the second end's origin and axes, seen from the first end
        number    gives a field's value: number("pitch")
        """
        raise self.wrong(
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

    @property
    def ends(self) -> Mapping[str, End]:
        """{field: End} of the places it joins."""
        return {"first": self.first, "second": self.second}

    def _axis(self, field_name: str = "axis") -> None:
        """Checks an axis and keeps it as given, a vector as floats."""
        axis, what = getattr(self, field_name), f"{self.label}: {field_name}"
        axis_vector(axis, what, self.where)
        if not isinstance(axis, str):
            self._set(**{field_name: numbers_of(axis, what, self.where)})

    def _limits(self) -> Any:
        if len(self.suffixes) == 1:
            if isinstance(self.limits, Mapping):
                raise self.wrong("limits of a one-degree joint must be (low, high)")
            return self._pair(self.limits, "limits")
        can = [name.removeprefix(f"{self.name}.") for name in self.plain]
        if not can:
            raise self.wrong("limits are not possible for this joint: it has no length or angle")
        if not isinstance(self.limits, Mapping):
            raise self.wrong(f"limits must be {{coordinate: (low, high)}} with {', '.join(can)}")
        for name in self.limits:
            if name not in can:
                raise self.wrong(
                    f'limits name "{str(name)[:60]}"{near(str(name), can)}', expected=", ".join(can)
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
