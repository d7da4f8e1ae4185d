"""Bodies: mass, inertia, named frames and shapes."""

from collections.abc import Mapping, Sequence
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.frames import IDENTITY, ORIGIN, AsFrame, Frame
from hapsis.mechanics.model.shapes.hull import Hull
from hapsis.mechanics.model.shapes.shapes import Box, Capsule, Cylinder, Ellipsoid, Shape, Sphere
from hapsis.mechanics.model.shapes.triangle_mesh import TriangleMesh
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.moments import moments_of
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.values import NOTHING, AsValue, AsVector, Table, Value, text, value_of


@verb
@frozen
class Body(Fact, noun="body", family="bodies", not_negative=("mass",)):
    """A rigid body.

        mass     kg; 0 is a massless body
        com      centre of mass in body axes, m
        inertia  about the centre of mass in body axes, kg m²: (xx, yy, zz),
                 (xx, yy, zz, xy, xz, yz) with the matrix's own elements, Ixy = -∫xy dm, or the matrix
        frames   {name: Frame or (x, y, z)}
        shapes   what it looks like

    A Body called "world" gives frames and shapes to the world; it has no mass.

    Body.box, .cylinder, .sphere, .capsule and .mesh are homogeneous solids: mass, centre of mass and inertia
    follow from the shape and its `mass` or its `density` (kg/m³), and the shape is drawn. `at` is the frame
    of the shape on the body.
    """

    mass: AsValue = 0.0
    com: AsVector = ORIGIN
    inertia: AsVector = (0.0,) * 6
    frames: Mapping[str, AsFrame] = NOTHING
    shapes: Sequence[Shape] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._make_values("mass")
        self._make_vectors("com")
        self._set(inertia=moments_of(self.inertia, f"{self.label}: inertia", self.where))
        if self.frames is not NOTHING:
            self._set(frames=self._frames())
        if self.shapes:
            self._set(shapes=self._shapes())

    @staticmethod
    @verb
    def box(
        name: str,
        size: AsVector,
        mass: AsValue = None,
        density: AsValue = None,
        *,
        at: AsFrame = IDENTITY,
        frames: Mapping[str, AsFrame] = NOTHING,
    ) -> "Body":
        """A solid box of full lengths `size` along x, y, z, its centre at the origin or at the frame `at`."""
        return _solid(name, Box, {"size": size}, (mass, density), at, frames)

    @staticmethod
    @verb
    def sphere(
        name: str,
        radius: AsValue,
        mass: AsValue = None,
        density: AsValue = None,
        *,
        at: AsFrame = IDENTITY,
        frames: Mapping[str, AsFrame] = NOTHING,
    ) -> "Body":
        """A solid ball, its centre at the origin or at the frame `at`."""
        return _solid(name, Sphere, {"radius": radius}, (mass, density), at, frames)

    @staticmethod
    @verb
    def cylinder(
        name: str,
        radius: AsValue,
        length: AsValue,
        mass: AsValue = None,
        density: AsValue = None,
        *,
        at: AsFrame = IDENTITY,
        frames: Mapping[str, AsFrame] = NOTHING,
    ) -> "Body":
        """A solid cylinder along z, its centre at the origin or at the frame `at`."""
        return _solid(name, Cylinder, {"radius": radius, "length": length}, (mass, density), at, frames)

    @staticmethod
    @verb
    def capsule(
        name: str,
        radius: AsValue,
        length: AsValue,
        mass: AsValue = None,
        density: AsValue = None,
        *,
        at: AsFrame = IDENTITY,
        frames: Mapping[str, AsFrame] = NOTHING,
    ) -> "Body":
        """A solid cylinder along z with a half ball beyond each end; the length is that of the cylinder."""
        return _solid(name, Capsule, {"radius": radius, "length": length}, (mass, density), at, frames)

    @staticmethod
    @verb
    def ellipsoid(
        name: str,
        semi_axes: AsVector,
        mass: AsValue = None,
        density: AsValue = None,
        *,
        at: AsFrame = IDENTITY,
        frames: Mapping[str, AsFrame] = NOTHING,
    ) -> "Body":
        """A solid ellipsoid of these semi-axes along x, y, z; its centre is the origin or the frame `at`."""
        return _solid(name, Ellipsoid, {"semi_axes": semi_axes}, (mass, density), at, frames)

    @staticmethod
    @verb
    def hull(
        name: str,
        points: Any,
        mass: AsValue = None,
        density: AsValue = None,
        *,
        at: AsFrame = IDENTITY,
        frames: Mapping[str, AsFrame] = NOTHING,
    ) -> "Body":
        """The solid inside the convex hull of points, given as for hs.Hull; exact."""
        return _solid(name, Hull, {"points": points}, (mass, density), at, frames)

    @staticmethod
    @verb
    def mesh(
        name: str,
        vertices: Any,
        triangles: Any,
        mass: AsValue = None,
        density: AsValue = None,
        *,
        at: AsFrame = IDENTITY,
        frames: Mapping[str, AsFrame] = NOTHING,
    ) -> "Body":
        """The solid inside a closed mesh of triangles, given as for hs.TriangleMesh; exact.

        Triangles are anticlockwise seen from outside. A mesh with a hole or inside out is an error; cavities
        are surfaces of their own that face inwards. Vertices at the same place are one.
        """
        return _solid(
            name, TriangleMesh, {"vertices": vertices, "triangles": triangles}, (mass, density), at, frames
        )

    def _frames(self) -> Table[Frame]:
        if not isinstance(self.frames, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise self.wrong(f"frames must be {{name: frame}}, not {described(self.frames)}")
        frames: dict[str, Frame] = {}
        for name, frame in self.frames.items():
            if not isinstance(name, str) or not name:  # pyright: ignore
                raise self.wrong(f"the name of a frame must be a text, not {described(name)}")
            if "." in name and self.name != "world":
                raise self.wrong(f'frame "{name[:60]}" may not have a dot in its name')
            frames[name] = Frame.of(frame, f'{self.label}: frame "{name[:60]}"', self.where)
        return Table(frames)

    def _shapes(self) -> tuple[Shape, ...]:
        shapes = (self.shapes,) if isinstance(self.shapes, Shape) else tuple(self.shapes)
        for shape in shapes:
            if not isinstance(shape, Shape):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise self.wrong(f"shapes must be shapes such as hs.Box, not {described(shape)}")
        return shapes


def _solid(name: Any, kind: Any, sizes: dict[str, Any], weight: Any, at: AsFrame, frames: Any) -> Body:
    """A body with one homogeneous shape; its weight is (mass, density)."""
    from hapsis.mechanics.model.shapes.solid_masses import solid_mass

    what = f'body "{str(name)[:60]}"'
    try:
        shape = kind(**sizes, at=at)
    except ModelError as error:
        raise ModelError(f"{what}: {error.what}", expected=error.expected, remedy=error.remedy) from None
    mass, density = weight
    mass, com, inertia = solid_mass(shape, mass, density, what)
    return Body(name, mass, com, inertia, frames, (shape,))


@verb
def Rod(
    name: str,
    length: AsValue,
    mass: AsValue,
    *,
    frames: Mapping[str, Any] | None = None,
    shapes: Sequence[Shape] = (),
    where: str | None = None,
) -> Body:
    """A slender Body along +x from its origin, with the frames `end` and `mid` besides those given.

    name     of the body
    length   m
    mass     kg; the centre of mass is at half the length, the inertia m l²/12 across
    frames   {name: Frame} besides
    shapes   for drawing and for contacts
    where    the place in the file it comes from, for errors
    """
    L = value_of(length, f'rod "{str(name)[:60]}": length', where)
    m = value_of(mass, f'rod "{str(name)[:60]}": mass', where)
    if not isinstance(L, Formula) and not L > 0.0:
        raise ModelError(f'rod "{name[:60]}": length must be positive, not {L:g}', where=where)
    if isinstance(L, Formula) or isinstance(m, Formula):
        half: Value = Formula(f"{text(L)} / 2")
        across: Value = Formula(f"{text(m)} * {text(L)}^2 / 12")
    else:
        half, across = L / 2, m * L * L / 12
    places = {"end": Frame((L, 0.0, 0.0)), "mid": Frame((half, 0.0, 0.0)), **(frames or {})}
    return Body(
        name, m, (half, 0.0, 0.0), (0.0, across, across, 0.0, 0.0, 0.0), places, tuple(shapes), where=where
    )
