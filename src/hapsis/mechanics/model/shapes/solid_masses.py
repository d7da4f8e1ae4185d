"""Masses of homogeneous solids: mass, centre of mass and inertia from a shape.

    solid      volume                   moments over the mass
    box        x y z                    xx = (y² + z²) / 12, ...
    sphere     4 π r³ / 3               2 r² / 5
    ellipsoid  4 π x y z / 3            xx = (y² + z²) / 5, ...
    cylinder   π r² l                   xx = yy = r²/4 + l²/12,  zz = r²/2
    capsule    π r² (l + 4 r / 3)       the cylinder's and the ball's by their shares of the volume; about x
                                        the half balls add l²/4 + 3 l r / 8

The formulas are texts, so that they also hold for sizes which are formulas of parameters. Triangles are
summed as tetrahedra, see `mesh_moments`.
"""

from typing import Any, NamedTuple

from hapsis.errors import ModelError
from hapsis.mechanics.algebra.mesh_moments import mesh_moments
from hapsis.mechanics.model.frames import ORIGIN, Frame, composed, rotation
from hapsis.mechanics.model.shapes.hull import Hull
from hapsis.mechanics.model.shapes.shapes import Box, Capsule, Cylinder, Ellipsoid, Shape, Sphere
from hapsis.mechanics.model.shapes.triangle_mesh import TriangleMesh
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.values import Value, Vector, text, value_of

PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # the elements xx, yy, zz, xy, xz, yz
NEGLIGIBLE = 1e-15  # of the largest element; what a rotation by a right angle leaves
_CYLINDER = "({r}^2 / 4 + {l}^2 / 12)"
_BALL = "({r}^2 * 2 / 5)"
_SHARE = "({r} * 4 / ({r} * 4 + {l} * 3))"  # of the half balls in a capsule
_ENDS = "({r}^2 * 2 / 5 + {l}^2 / 4 + {l} * {r} * 3 / 8)"
_CAPSULE = f"((1 - {_SHARE}) * {_CYLINDER} + {_SHARE} * {_ENDS})"
VOLUMES = {
    Box: "{x} * {y} * {z}",
    Sphere: "pi * {r}^3 * 4 / 3",
    Ellipsoid: "pi * {x} * {y} * {z} * 4 / 3",
    Cylinder: "pi * {r}^2 * {l}",
    Capsule: "pi * {r}^2 * ({l} + {r} * 4 / 3)",
}
MOMENTS = {
    Box: ("({y}^2 + {z}^2) / 12", "({x}^2 + {z}^2) / 12", "({x}^2 + {y}^2) / 12"),
    Sphere: (_BALL, _BALL, _BALL),
    Ellipsoid: ("({y}^2 + {z}^2) / 5", "({x}^2 + {z}^2) / 5", "({x}^2 + {y}^2) / 5"),
    Cylinder: (_CYLINDER, _CYLINDER, "{r}^2 / 2"),
    Capsule: (_CAPSULE, _CAPSULE, f"(1 - {_SHARE}) * {{r}}^2 / 2 + {_SHARE} * {_BALL}"),
}


class SolidMass(NamedTuple):
    """What a solid weighs: kg; m; (xx, yy, zz, xy, xz, yz) about the centre of mass, kg m²."""

    mass: Value
    com: Vector
    inertia: tuple[Value, ...]


def solid_mass(shape: Shape, mass: Any, density: Any, what: str) -> SolidMass:
    """The mass, centre of mass and inertia of a solid, in the axes that the shape's frame is given in.

    One of `mass` (kg) and `density` (kg/m³) is None.
    """
    if (mass is None) == (density is None):
        given = "neither mass nor density" if mass is None else "mass and density"
        raise ModelError(f"{what} has {given}; expected one of them")
    volume, centre, moments = _unit_solid(shape, what)
    if mass is None:
        rho = _not_negative(density, f"{what}: density")
        if volume == 0.0:
            raise ModelError(f"{what} has no volume", remedy="give its mass, not its density")
        m = computed("{rho} * {volume}", rho=rho, volume=volume)
    else:
        m = _not_negative(mass, f"{what}: mass")
    turned = _turned(moments, shape.at, what)
    inertia = tuple(computed("{m} * {i}", m=m, i=i) if i != 0.0 else 0.0 for i in turned)
    return SolidMass(m, composed(shape.at, Frame(centre)).at, inertia)


def computed(template: str, **values: Value) -> Value:
    """The formula with these values in it: a number where all of them are."""
    formula = Formula(template.format(**{name: text(value) for name, value in values.items()}))
    return formula if formula.names else float(formula.value({}))


def _unit_solid(shape: Shape, what: str) -> tuple[Value, Vector, tuple[Value, ...]]:
    """Its volume, its centre of mass in its own frame, and its inertia there for a mass of 1 kg."""
    if isinstance(shape, TriangleMesh | Hull):
        try:
            if isinstance(shape, Hull):
                return mesh_moments(shape.points, shape.hull.triangles)
            return mesh_moments(shape.vertices, shape.triangles)
        except ModelError as error:
            raise ModelError(f"{what}: {error.what}", remedy=error.remedy) from None
    sizes: dict[str, Value] = {}
    for name, size in shape.dimensions.items():
        _not_negative(size, f"{what}: {name}")
        sizes[name[-1] if "." in name else name[0]] = size
    if isinstance(shape, Capsule) and not any(isinstance(x, Formula) or x for x in sizes.values()):
        return 0.0, ORIGIN, (0.0,) * 6  # a point, of which neither part has a share
    moments = tuple(computed(template, **sizes) for template in MOMENTS[type(shape)])
    return computed(VOLUMES[type(shape)], **sizes), ORIGIN, (*moments, 0.0, 0.0, 0.0)


def _not_negative(x: Any, what: str) -> Value:
    value = value_of(x, what)
    if not isinstance(value, Formula) and value < 0.0:
        raise ModelError(f"{what} is negative: {value:g}", expected="0 or more")
    return value


def _turned(inertia: tuple[Value, ...], at: Frame, what: str) -> tuple[Value, ...]:
    """R I Rᵀ as (xx, yy, zz, xy, xz, yz), for the rotation R of a frame."""
    if at.rpy == ORIGIN:
        return inertia
    if any(isinstance(angle, Formula) for angle in at.rpy):
        raise ModelError(
            f"{what}: a formula turns the solid, so its inertia is no list of numbers",
            remedy="turn the body by a Weld",
        )
    R = rotation(at.rpy)
    I = [[inertia[_element(i, j)] for j in range(3)] for i in range(3)]
    return tuple(_sum([(R[i][k] * R[j][l], I[k][l]) for k in range(3) for l in range(3)]) for i, j in PAIRS)


def _element(i: int, j: int) -> int:
    return PAIRS.index((min(i, j), max(i, j)))


def _sum(terms: list[tuple[float, Value]]) -> Value:
    """The sum of products, without those that are rounding errors of a right angle."""
    kept = [(r, x) for r, x in terms if x != 0.0 and abs(r) > NEGLIGIBLE]
    if any(isinstance(x, Formula) for _, x in kept):
        return Formula(" + ".join(f"({r!r}) * {text(x)}" for r, x in kept))
    total = sum(r * x for r, x in kept)  # pyright: ignore
    largest = max((abs(r * x) for r, x in kept), default=0.0)  # pyright: ignore
    return float(total) if abs(total) > NEGLIGIBLE * largest else 0.0
