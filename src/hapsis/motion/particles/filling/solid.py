"""Solids: shapes as objects of particles."""

import math
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.frames import rotation
from hapsis.mechanics.model.shapes.hull import Hull
from hapsis.mechanics.model.shapes.shapes import Box, Capsule, Cylinder, Ellipsoid, Shape, Sphere
from hapsis.mechanics.model.shapes.solid_masses import solid_mass
from hapsis.mechanics.model.shapes.triangle_mesh import TriangleMesh
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.particles.filling.closed_surface import closed_surface
from hapsis.motion.particles.filling.filling import Filling, filled_tetrahedra
from hapsis.motion.particles.filling.hexahedra import RULES, filled_hexahedra
from hapsis.motion.particles.filling.lattice_filling import lattice_filling
from hapsis.motion.particles.filling.object_of_filling import Law, object_of
from hapsis.motion.particles.filling.shape_grids import shape_grid, sizes
from hapsis.motion.particles.filling.star_filling import seen_from, shells, split_surface
from hapsis.motion.particles.objects.material import Material
from hapsis.motion.particles.objects.moments import Moments, matched, tetrahedra_moments, volumes
from hapsis.motion.particles.objects.particle_object import ParticleObject

ROUND_CELLS = 4  # of shapes with round sides, along each axis, if not given
ACROSS = 2  # of boxes of a material, along the shortest edge
MOST_CELLS = 200_000


@verb
def solid(
    name: str,
    shape: Shape,
    *,
    mass: float | None = None,
    density: float | None = None,
    stiffness: float | None = None,
    damping: float = 0.0,
    torsion: float = 0.0,
    material: Material | str | None = None,
    cells: int | tuple[int, int, int] | None = None,
    particles: int | None = None,
    plastic: float | None = None,
    breaking: float | None = None,
) -> ParticleObject:
    """A shape as particles that have its mass, centre and inertia.

        cube = hs.particles.solid("cube", hs.shapes.box(0.1, 0.1, 0.1), mass=0.5, stiffness=2000, damping=5)
        bar = hs.particles.solid("bar", hs.shapes.box(0.5, 0.02, 0.02), material="steel", cells=(50, 2, 2))

    name                 of the object
    shape                Box, Sphere, Ellipsoid, Cylinder, Capsule, Hull, or TriangleMesh that is closed
    mass, density        kg or kg/m³; that of the material if neither is given
    stiffness, damping   of each linear spring/damper between neighbours, N/m and N s/m
    torsion              N m/rad of torsion springs through particles on a line and joint springs at corners
    material             what it is made of, a Material or its name, in place of springs
    cells                along the axes of the shape; of hulls and meshes one number, across the thinnest side
    particles            of each cell: 9, 13 or 39; those of tetrahedra are 5
    plastic, breaking    strains beyond which springs or the material flow or tear
    """
    where = f'solid "{str(name)[:60]}"'
    law = Law.of(where, stiffness, damping, torsion, material, plastic, breaking)
    if mass is None and density is None and law.material is not None:
        density = law.material.density
    _check_shape(shape, where)
    if isinstance(shape, Hull | TriangleMesh):
        filling, target = _of_surface(shape, mass, density, cells, particles, where)
    else:
        target = _target(shape, mass, density, where)
        counts = _counts(shape, cells, law.material is not None, where)
        grid = shape_grid(shape, counts)
        rule = 9 if particles is None else particles
        if rule not in RULES:
            raise ModelError(f"{where}: cells have 9, 13 or 39 particles, not {particles!r:.20}")
        filling = filled_hexahedra(grid.points, grid.hexes, rule, grid.odd, where)
        filling = filling._replace(points=placed(shape, filling.points))
    masses = matched(filling.points, filling.masses, target, where)
    return object_of(name, filling._replace(masses=masses), law)


def _check_shape(shape: Any, where: str) -> None:
    known = (Box, Sphere, Ellipsoid, Cylinder, Capsule, Hull, TriangleMesh)
    if not isinstance(shape, known):
        names = ", ".join(kind.__name__ for kind in known)
        raise ModelError(f"{where}: no solid is {described(shape)}", expected=names)
    if not isinstance(shape, Hull | TriangleMesh):
        for side, length in shape.dimensions.items():
            if isinstance(length, str) or not isinstance(length, int | float):
                raise ModelError(f"{where}: {side} is a formula", expected="a number")
            if not length > 0.0 and not (isinstance(shape, Capsule) and side == "length"):
                raise ModelError(f"{where}: {side} is {length:g}, so it has no volume")


def _target(shape: Shape, mass: Any, density: Any, where: str) -> Moments:
    """The exact mass, centre and second moments of a shape."""
    for what, value in (("mass", mass), ("density", density)):
        if value is not None and not real(value, f"{where}: {what}") > 0.0:
            raise ModelError(f"{where}: {what} is {value:g}", expected="a positive number")
    m, center, inertia = solid_mass(shape, mass, density, where)
    xx, yy, zz, xy, xz, yz = (float(x) for x in inertia)  # pyright: ignore[reportArgumentType]
    I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    place = np.array([float(x) for x in center])  # pyright: ignore[reportArgumentType]
    return Moments(float(m), place, 0.5 * np.trace(I) * np.eye(3) - I)  # pyright: ignore[reportArgumentType]


def box_target(shape: Shape, mass: Any, material: Material, where: str) -> Moments:
    """The exact moments of a shape of a material."""
    _check_shape(shape, where)
    return _target(shape, mass, material.density if mass is None else None, where)


def _counts(shape: Shape, cells: Any, elastic: bool, where: str) -> tuple[int, int, int]:
    """How many cells along each axis."""
    if cells is None:
        if not isinstance(shape, Box):
            cells = ROUND_CELLS
        elif elastic:
            length = sizes(shape)
            cells = tuple(max(1, round(ACROSS * float(x / length.min()))) for x in length)
        else:
            cells = 1
    if isinstance(cells, int) and not isinstance(cells, bool):
        cells = (cells, cells, cells)
    if not (isinstance(cells, tuple | list) and len(cells) == 3 and all(type(n) is int for n in cells)):
        raise ModelError(f"{where}: cells is {described(cells)}", expected="a whole number, or three")
    if min(cells) < 1 or math.prod(cells) > MOST_CELLS:
        raise ModelError(
            f"{where}: cells is {cells}", expected=f"1 or more each, together {MOST_CELLS} at most"
        )
    return cells[0], cells[1], cells[2]


def placed(shape: Shape, points: Any) -> Any:
    """Points of a shape by the frame of its object."""
    frame = shape.at
    turn = np.array(rotation(frame.rpy), dtype=float)
    return points @ turn.T + np.array([float(x) for x in frame.at])  # pyright: ignore[reportArgumentType]


def _of_surface(
    shape: Hull | TriangleMesh, mass: Any, density: Any, cells: Any, particles: Any, where: str
) -> tuple[Filling, Moments]:
    """A hull or mesh in tetrahedra: shells around its centre where that sees all of it, else a lattice."""
    if particles not in (None, 5):
        raise ModelError(f"{where}: tetrahedra have 5 particles, not {particles!r:.20}")
    count = 1 if cells is None and isinstance(shape, Hull) else ROUND_CELLS if cells is None else cells
    if type(count) is not int or count < 1:
        raise ModelError(f"{where}: cells is {described(cells)}", expected="a whole number, 1 or more")
    if isinstance(shape, Hull):
        x, t = closed_surface(shape.points, shape.hull.triangles, where)
    else:
        x, t = closed_surface(shape.vertices, shape.triangles, where)
    moved = TriangleMesh(x.tolist(), t.tolist(), at=shape.at)
    target = _target(moved, mass, density, where)
    center = _center(x, t)
    if seen_from(center, x, t):
        parts = 1 if isinstance(shape, TriangleMesh) and cells is None else count
        if len(t) * parts**2 * count > 10 * MOST_CELLS:
            raise ModelError(f"{where}: {count} cells across make millions", remedy="give fewer cells")
        points, tets = shells(center, *split_surface(x, t, parts), count if cells is not None else 1)
    else:
        cone = np.column_stack([np.full(len(t), len(x)), t])
        own = np.concatenate([x, center[None]])
        moments = tetrahedra_moments(own, cone, volumes(own, cone))
        axes = moments.axes
        points, tets = lattice_filling((x - center) @ axes, t, count, moments, where)
        points = points @ axes.T + center
    filling = filled_tetrahedra(points, tets, where)
    return filling._replace(points=placed(shape, filling.points)), target


def _center(x: Any, t: Any) -> Any:
    """The centre of mass of what a closed surface encloses."""
    middle = x.mean(axis=0)
    corners = x[t] - middle
    v = np.einsum("ni,ni->n", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
    return middle + v @ corners.sum(axis=1) / 4.0 / v.sum()
