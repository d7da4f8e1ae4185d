"""Shapes: what a body looks like and where it can be touched; data only."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from hapsis.errors import ModelError
from hapsis.mechanics.model.frames import IDENTITY, AsFrame, Frame
from hapsis.mechanics.model.numbers import described
from hapsis.mechanics.model.values import AsValue, AsVector, value_of, vector_of


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
            raise ModelError(
                f"mesh: path must be a text, not {described(self.path)}", where=self.where
            )
        self._set("scale", vector_of(self.scale, "mesh: scale", self.where))
