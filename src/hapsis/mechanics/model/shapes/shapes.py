"""Shapes: what a body looks like and where it can be touched; data only."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from hapsis.errors import ModelError
from hapsis.mechanics.algebra.rotations import z_onto
from hapsis.mechanics.model.frames import IDENTITY, AsFrame, Frame, angles
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.values import AsValue, AsVector, Value, numbers_of, value_of, vector_of


@dataclass(frozen=True)
class Shape:
    """The base of all shapes; `at` is the frame of the shape on its body."""

    at: AsFrame = field(default=IDENTITY, kw_only=True)
    where: str | None = field(default=None, kw_only=True, compare=False, repr=False)

    not_negative: ClassVar[tuple[str, ...]] = ()  # fields

    def __post_init__(self) -> None:
        name = type(self).__name__.lower()
        self._set("at", Frame.of(self.at, f"{name}: at", self.where))
        for field_name in self.not_negative:
            what, given = f"{name}: {field_name}", getattr(self, field_name)
            make = vector_of if field_name in ("size", "scale") else value_of
            self._set(field_name, make(given, what, self.where))

    @property
    def kind(self) -> str:
        """The word for it: `box`, `sphere`, ..."""
        return type(self).__name__.lower()

    @property
    def dimensions(self) -> dict[str, Value]:
        """Its lengths by name, as in {"size.x": 1.0, ...}."""
        found: dict[str, Value] = {}
        for name in self.not_negative:
            value: Any = getattr(self, name)
            if isinstance(value, tuple):
                found |= {f"{name}.{axis}": x for axis, x in zip("xyz", value, strict=True)}
            else:
                found[name] = value
        return found

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)


@dataclass(frozen=True)
class Box(Shape):
    """A box, its full lengths along x, y, z; the frame is at its centre."""

    size: AsVector
    not_negative: ClassVar[tuple[str, ...]] = ("size",)


@dataclass(frozen=True)
class Sphere(Shape):
    """A ball about its frame's origin."""

    radius: AsValue
    not_negative: ClassVar[tuple[str, ...]] = ("radius",)


@dataclass(frozen=True)
class Cylinder(Shape):
    """A cylinder along z; the frame is at its centre."""

    radius: AsValue
    length: AsValue
    not_negative: ClassVar[tuple[str, ...]] = ("radius", "length")


@dataclass(frozen=True)
class Capsule(Shape):
    """A cylinder of that length along z, closed by two half balls; the frame is at its centre."""

    radius: AsValue
    length: AsValue
    not_negative: ClassVar[tuple[str, ...]] = ("radius", "length")


@dataclass(frozen=True)
class Mesh(Shape):
    """Triangles from a file, scaled along x, y, z (negative mirrors; not checked here)."""

    path: str
    scale: AsVector = (1.0, 1.0, 1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.path, str) or not self.path:  # pyright: ignore
            raise ModelError(f"mesh: path must be a text, not {described(self.path)}", where=self.where)
        self._set("scale", vector_of(self.scale, "mesh: scale", self.where))


@dataclass(frozen=True)
class Segment(Shape):
    """A line of that length along z, without thickness; the frame is at its centre."""

    length: AsValue
    not_negative: ClassVar[tuple[str, ...]] = ("length",)


@dataclass(frozen=True)
class Plane(Shape):
    """The plane through its frame's origin across `normal` (x, y, z, -x, ... or a vector).

    All that lies against the normal is solid.
    """

    normal: Any = "z"

    def __post_init__(self) -> None:
        from hapsis.mechanics.model.joints.joint import axis_vector

        super().__post_init__()
        axis_vector(self.normal, "plane: normal", self.where)
        if not isinstance(self.normal, str):
            self._set("normal", numbers_of(self.normal, "plane: normal", self.where))

    @property
    def turn(self) -> Frame:
        """The frame in the plane's own whose z is the normal."""
        from hapsis.mechanics.model.joints.joint import axis_vector

        normal = axis_vector(self.normal)
        if normal == (0.0, 0.0, 1.0):
            return IDENTITY
        return Frame(rpy=angles([list(row) for row in z_onto(normal)]))
