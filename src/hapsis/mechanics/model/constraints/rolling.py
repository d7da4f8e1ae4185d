"""Rolling without slipping: wheels, balls, ellipsoids and tyres on a plane or on a smooth surface.

All of them are given by their support: the place S(n) of the body where its outward normal is -n, seen
from its centre, in closed form

    ball        -r n
    circle      -r (n - (n·a) a) / |n - (n·a) a|        a its axis
    tyre        that of the circle - t n                 a torus, t the radius of its tube
    ellipsoid   -D² n / |D n|                            D its half axes, in its own axes

On a plane n is the same everywhere, and the point of contact is c + S(n), c the centre. On a surface n is
the normal at the point of contact, which must be known first: its three coordinates p are coordinates of
the model, and p = c + S(n(p)) are three more rows.
"""

from collections.abc import Mapping
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import sqrt, where
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.algebra.rotations import Matrix
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, scaled, sub
from hapsis.mechanics.model.constraints.constraints import Rows, Scene
from hapsis.mechanics.model.forces.user_law import law_of
from hapsis.mechanics.model.two_ended import TwoEnded
from hapsis.mechanics.model.values.axes import AxisOrNone, axis_vector, kept_axis
from hapsis.mechanics.model.values.numbers import described
from hapsis.mechanics.model.values.traced_function import NUMBER
from hapsis.mechanics.model.values.values import AsValue, AsVectorOrNone, FunctionOrNone

UP = (0.0, 0.0, 1.0)
DOWN = -0.5  # z of a normal, below which it points down: far from level and from upright surfaces


@verb
@frozen
class Rolling(
    Rows,
    TwoEnded,
    type_name="rolling",
    noun="rolling",
    positive=("radius", "semi_axes"),
    not_negative=("tube",),
):
    """A wheel, a ball or an ellipsoid that rolls without slipping and without leaving what it rolls on.

        radius     of a circle about the first end's origin, normal to its `axis`, or of a ball, m
        axis       of the circle; None for a ball
        tube       a tyre round the circle: a torus with this radius of its tube, m
        semi_axes  (a, b, c) of an ellipsoid along the first end's axes, m, in place of a radius
        surface    f(x, y, z) that is zero on a smooth surface of the second end and grows outwards, in
                   place of the plane z = 0
        spot       the name of a joint hs.Chain(spot, SECOND, BODY, "Tx Ty Tz") whose body has no mass; its
                   coordinates are the point of contact. A surface needs it

    The body is on the side of +z, or where f is positive. A circle may tilt and turn about the normal, but
    poses in which it lies flat are singular.
    """

    radius: AsValue = None
    axis: AxisOrNone = "y"
    tube: AsValue = 0.0
    semi_axes: AsVectorOrNone = None
    surface: FunctionOrNone = None
    spot: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set_form()
        if self.axis is not None:
            self._set(axis=kept_axis(self.axis, f"{self.label}: axis", self.where))
        if self.spot is not None and (not isinstance(self.spot, str) or not self.spot):  # pyright: ignore
            raise self.wrong(f"spot must be the name of a joint, not {described(self.spot)}")
        if self.surface is not None:
            if self.spot is None:
                raise self.wrong(
                    "a surface needs a spot where it is touched",
                    expected='spot="NAME" with hs.Chain("NAME", SECOND, BODY, "Tx Ty Tz")',
                )
            law = law_of(self.surface, f"{self.label}: surface", ("x", "y", "z"), self.where, reads=False)
            if law.states:
                raise self.wrong("surface has states, and a place has none")
            self._set(surface=law)

    def _set_form(self) -> None:
        """Makes values of what says the form, which is a radius or half axes."""
        self._make_values("tube")
        if self.semi_axes is None:
            self._make_values("radius")
            if self.axis is None and self.tube != 0.0:
                raise self.wrong("a ball has no tube", remedy="give the axis of a wheel, or a larger radius")
            return
        if self.radius is not None or self.tube != 0.0:
            raise self.wrong("an ellipsoid has semi_axes only", remedy="leave out radius and tube")
        self._make_vectors("semi_axes")

    @property
    def traced(self) -> Mapping[str, Any]:
        """{field: kinds of its arguments} of its functions."""
        return {"surface": (NUMBER,) * 3}

    @property
    def joints(self) -> Mapping[str, str]:
        """{field: name} of the coordinates of the point of contact."""
        return {} if self.spot is None else {f"spot.{a}": f"{self.spot}.T{a}" for a in "xyz"}

    def with_prefix(self, prefix: str, changed: Mapping[str, Any]) -> dict[str, Any]:
        """The field that names a joint, with the prefix before that name."""
        return {} if self.spot is None else {"spot": f"{prefix}.{self.spot}"}

    def position_rows(self, scene: Scene) -> Mapping[str, Any]:
        """The lowest point is in the plane or on the surface; and it is the spot."""
        centre, R = scene.seen("first", "second")
        if self.surface is None:
            down = self._support(scene, R, UP)
            spot = {} if self.spot is None else self._at_spot(add(centre, down), self._spot(scene))
            return {"touch": centre[2] + down[2], **spot}
        spot = self._spot(scene)
        slope = scene.slopes(self.surface, *spot)
        size = sqrt(dot(slope, slope))
        lowest = add(centre, self._support(scene, R, scaled(1.0 / size, slope)))
        return {"touch": scene.obey(self.surface, *lowest) / size, **self._at_spot(lowest, spot)}

    def _at_spot(self, lowest: Vector, spot: Vector) -> Mapping[str, Any]:
        """Three rows: the spot is the lowest point."""
        return {f"spot.{a}": x for a, x in zip("xyz", sub(lowest, spot), strict=True)}

    def speed_rows(self, scene: Scene) -> Mapping[str, Any]:
        """The point of contact does not slide: two directions across the normal."""
        w, u = scene.motion("first", "second")
        centre, R = scene.seen("first", "second")
        if self.surface is None:
            x, y, _ = add(u, cross(w, self._support(scene, R, UP)))
            return {"slip.x": x, "slip.y": y}
        spot = self._spot(scene)
        slope = scene.slopes(self.surface, *spot)
        nx, ny, nz = scaled(1.0 / sqrt(dot(slope, slope)), slope)
        x, y, z = add(u, cross(w, sub(spot, centre)))
        # along x and y turned with z onto the normal, the shortest way; with -z where the normal is down:
        # no two directions across the normal are continuous on a whole sphere, and reactions do not jump
        up = where(nz < DOWN, -1.0, 1.0)
        lift = up * z + (nx * x + ny * y) / (1.0 + up * nz)
        return {"slip.x": x - nx * lift, "slip.y": y - ny * lift}

    def _spot(self, scene: Scene) -> Vector:
        x, y, z = (scene.coordinate(name) for name in self.joints.values())
        return x, y, z

    def _support(self, scene: Scene, R: Any, n: Vector) -> Vector:
        """From the centre to where the outward normal is opposite to n, in the axes in which n is given."""
        if self.semi_axes is not None:
            sizes, own = scene.numbers("semi_axes"), Matrix(R).down(n)
            a, b, c = (size * x for size, x in zip(sizes, own, strict=True))
            size = sqrt(a * a + b * b + c * c)
            x, y, z = (half * x for half, x in zip(sizes, (a, b, c), strict=True))
            return scaled(-1.0 / size, Matrix(R).up((x, y, z)))
        radius = scene.number("radius")
        if self.axis is None:
            return scaled(-radius, n) if self.surface is not None else (0.0, 0.0, -radius)
        rim = self._rim(R, n, radius)
        return rim if self.tube == 0.0 else sub(rim, scaled(scene.number("tube"), n))

    def _rim(self, R: Any, n: Vector, radius: Any) -> Vector:
        """The support of the circle."""
        axis = axis_vector(self.axis)
        ax, ay, az = a = tuple(dot(row, axis) for row in R)
        if self.surface is None:
            tilt = ax * ax + ay * ay  # |n - (n·a) a|²
            return scaled(radius / sqrt(tilt), (az * ax, az * ay, -tilt))
        along = sub(n, scaled(dot(n, a), a))
        return scaled(-radius / sqrt(dot(along, along)), along)
