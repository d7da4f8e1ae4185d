"""Shapes of bodies, for drawing and for contacts; data only."""

import math
from dataclasses import field
from typing import Annotated, Any, ClassVar

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError, near
from hapsis.mechanics.algebra.rotations import z_onto
from hapsis.mechanics.model.entry import Entry
from hapsis.mechanics.model.frames import IDENTITY, AsFrame, Frame, angles
from hapsis.mechanics.model.shapes.materials import MATERIALS
from hapsis.mechanics.model.values.axes import Axis, axis_vector, kept_axis
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.values import AsValue, AsVector, Value, numbers_of

MeshPath = Annotated[str, "a path of a mesh, as its file says it"]
AsColor = Annotated[Any, "red, green and blue from 0 to 1"]
AsMaterial = Annotated[Any, "the name of a material"]


@frozen
class Shape(Entry):
    """The base of all shapes.

    at      the frame of the shape on its body
    color   red, green and blue from 0 to 1; None where the player chooses. No part of what a shape is: shapes
            that differ by it only are equal
    material  what it looks like in a word: wood, felt, red felt, leather, brass, lead, steel, black, ivory;
            as little a part of a shape as its colour, which comes first where both are given
    where   the place in the file it comes from, for errors
    """

    at: AsFrame = field(default=IDENTITY, kw_only=True)
    color: AsColor = field(default=None, kw_only=True, compare=False, repr=False)
    material: AsMaterial = field(default=None, kw_only=True, compare=False, repr=False)
    where: str | None = field(default=None, kw_only=True, compare=False, repr=False)

    vectors: ClassVar[tuple[str, ...]] = ()  # fields of three numbers

    def __post_init__(self) -> None:
        self._set(at=Frame.of(self.at, f"{self.label}: at", self.where))
        self._make_vectors(*self.vectors)
        self._make_values(*(name for name in self.not_negative if name not in self.vectors))
        if self.color is not None:
            self._set(color=self._color())
        if self.material is not None:
            self._check_material()

    def _check_material(self) -> None:
        name = self.material
        if not isinstance(name, str):
            raise self.wrong(f"material must be a text, not {described(name)}")
        if name not in MATERIALS:
            hint = near(name, MATERIALS)
            raise self.wrong(f'there is no material "{name[:60]}"{hint}', expected=", ".join(MATERIALS))

    def _color(self) -> tuple[float, float, float]:
        r, g, b = numbers_of(self.color, f"{self.label}: color", self.where)
        if not all(0.0 <= part <= 1.0 for part in (r, g, b)):
            raise self.wrong(f"color is ({r:g}, {g:g}, {b:g})", expected="red, green and blue from 0 to 1")
        return r, g, b

    @property
    def label(self) -> str:
        """How errors name it: by its type."""
        return self.type_name

    @property
    def dimensions(self) -> dict[str, Value]:
        """Its lengths by name, as in {"size.x": 1.0, ...}."""
        lengths: dict[str, Value] = {}
        for name in self.not_negative:
            value: Any = getattr(self, name)
            if isinstance(value, tuple):
                lengths |= {f"{name}.{axis}": x for axis, x in zip("xyz", value, strict=True)}
            else:
                lengths[name] = value
        return lengths


@verb
@frozen
class Box(Shape, type_name="box", not_negative=("size",), vectors=("size",)):
    """A box; `size` is its full lengths along x, y, z, in m; the frame is at its centre."""

    size: AsVector


@verb
@frozen
class Sphere(Shape, type_name="sphere", not_negative=("radius",)):
    """A ball about its frame's origin; `radius` in m."""

    radius: AsValue


@verb
@frozen
class Ellipsoid(Shape, type_name="ellipsoid", not_negative=("semi_axes",), vectors=("semi_axes",)):
    """An ellipsoid about its frame's origin; `semi_axes` along x, y, z, in m.

    Its contacts need simulate(method="contact").
    """

    semi_axes: AsVector


@verb
@frozen
class Cylinder(Shape, type_name="cylinder", not_negative=("radius", "length")):
    """A cylinder of that `radius` and `length` (m) along z; the frame is at its centre."""

    radius: AsValue
    length: AsValue


@verb
@frozen
class Capsule(Shape, type_name="capsule", not_negative=("radius", "length")):
    """A cylinder of that `length` along z, closed by two half balls of that `radius`, in m.

    The frame is at its centre.
    """

    radius: AsValue
    length: AsValue


@verb
@frozen
class Mesh(Shape, type_name="mesh", vectors=("scale",)):
    """Triangles from the file `path`; `scale` along x, y, z (negative mirrors; not checked here)."""

    path: MeshPath
    scale: AsVector = (1.0, 1.0, 1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.path, str) or not self.path:  # pyright: ignore
            raise self.wrong(f"path must be a text, not {described(self.path)}")


@verb
@frozen
class Segment(Shape, type_name="segment", not_negative=("length",)):
    """A line of that length along z, without thickness; the frame is at its centre."""

    length: AsValue

    @staticmethod
    def between(a: Any, b: Any, *, color: Any = None, material: Any = None) -> "Segment":
        """The segment from the point a to the point b, both in the frame of the end it is put on."""
        first, second = (numbers_of(x, f"segment: {name}") for x, name in ((a, "a"), (b, "b")))
        way = [y - x for x, y in zip(first, second, strict=True)]
        length = math.hypot(*way)
        if length == 0.0:
            raise ModelError("segment: a and b are the same point", expected="two points")
        middle = tuple(0.5 * (x + y) for x, y in zip(first, second, strict=True))
        R = z_onto((way[0] / length, way[1] / length, way[2] / length))
        frame = Frame(middle, angles([list(row) for row in R]))
        return Segment(length, at=frame, color=color, material=material)


@verb
@frozen
class Plane(Shape, type_name="plane"):
    """The plane through its frame's origin, perpendicular to `normal` (x, y, z, -x, ... or a vector).

    The half-space opposite to the normal is solid.
    """

    normal: Axis = "z"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(normal=kept_axis(self.normal, "plane: normal", self.where))

    @property
    def turn(self) -> Frame:
        """The frame, relative to the shape's own, whose z axis is the normal."""
        normal = axis_vector(self.normal)
        if normal == (0.0, 0.0, 1.0):
            return IDENTITY
        return Frame(rpy=angles([list(row) for row in z_onto(normal)]))
