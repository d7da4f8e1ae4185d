"""Polygons and sweeps of them as objects of particles."""

from itertools import pairwise
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.shapes.hull import Hull
from hapsis.mechanics.model.shapes.triangle_mesh import TriangleMesh
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.particles.filling.filling import Filling, filled_tetrahedra, unique_pairs
from hapsis.motion.particles.filling.flat_mesh import FlatMesh, corners_of, flat_mesh
from hapsis.motion.particles.filling.hexahedra import cut_in_24, filled_hexahedra
from hapsis.motion.particles.filling.object_of_filling import Law, object_of
from hapsis.motion.particles.filling.solid import solid
from hapsis.motion.particles.filling.star_filling import prism_tets
from hapsis.motion.particles.objects.angle_springs import angles_at
from hapsis.motion.particles.objects.connectors import Connectors
from hapsis.motion.particles.objects.material import Material
from hapsis.motion.particles.objects.moments import Moments, matched, moments_of, tetrahedra_moments, volumes
from hapsis.motion.particles.objects.particle_object import ParticleObject
from hapsis.motion.particles.objects.rigidity import MOST, free_motions

Array = np.ndarray[Any, Any]
STRAIGHT = 1e-6  # rad from π


@verb
def polygon(
    name: str,
    corners: Any,
    *,
    mass: float,
    stiffness: float,
    damping: float = 0.0,
    torsion: float,
    cells: int = 2,
) -> ParticleObject:
    """A flat object without thickness: a convex polygon with the mass, centre and inertia of a thin plate.

    Those with four corners, and regular ones with three or five, stay flat; others fold: take `sweep`.

    name                of the object
    corners             rows (x, y) or (x, y, z), in one plane, m
    mass                kg
    stiffness, damping  of linear springs between neighbours, N/m and N s/m
    torsion             N m/rad of torsion springs, at the corners of faces and through particles on a line,
                        which keep it flat
    cells               parts of each edge
    """
    where = f'polygon "{str(name)[:60]}"'
    x = corners_of(corners, where)
    law = Law.of(where, stiffness, damping, torsion, None, None, None)
    if type(cells) is not int or not 1 <= cells <= 200:
        raise ModelError(f"{where}: cells is {described(cells)}", expected="a whole number from 1 to 200")
    if not real(mass, f"{where}: mass") > 0.0:
        raise ModelError(f"{where}: mass is {mass:g}", expected="a positive number")
    flat = flat_mesh(x, cells, where)
    points, masses, faces = _faces(flat)
    target = _plate(flat, float(mass))
    masses = matched(points, masses, target, where)
    pairs = unique_pairs(np.concatenate([_all_pairs(rows) for rows in faces]))
    a, b = pairs.T
    springs = Connectors.of(pairs, np.linalg.norm(points[a] - points[b], axis=1), law.stiffness, law.damping)
    ends = _angles(points, flat, faces)
    rest = angles_at(points, ends)
    rest = np.where(np.pi - rest < STRAIGHT, np.pi, rest)
    angle_damping = law.damping * law.torsion / law.stiffness
    torsions = Connectors.of(ends, rest, law.torsion, angle_damping, width=3)
    thing = ParticleObject(name, points, masses, springs, torsions, facets=_both_sides(flat.halves))
    if len(thing) <= MOST and free_motions(thing):
        raise ModelError(
            f"{where}: faces fold along lines that no torsion spring crosses",
            remedy="give more cells, or hs.particles.sweep, which has a thickness",
        )
    return thing


def _faces(flat: FlatMesh) -> tuple[Array, Array, list[Array]]:
    """Points, masses for a unit of area, and faces; those with four corners have a particle in the middle.

    That is where the diagonals cross, so that torsion springs through it resist what warps the face.
    """
    x, count = flat.points, len(flat.points)
    masses = np.zeros(count)
    faces: list[Array] = []
    if len(flat.triangles):
        np.add.at(masses, flat.triangles.ravel(), np.repeat(_areas(x[flat.triangles]) / 3.0, 3))
        faces.append(flat.triangles)
    if not len(flat.quads):
        return x, masses, faces
    a, b, c, d = (x[flat.quads[:, k]] for k in range(4))
    left, right = _areas(np.stack([a, b, c], axis=1)), _areas(np.stack([a, c, d], axis=1))
    places = b + (left / (left + right))[:, None] * (d - b)
    np.add.at(masses, flat.quads.ravel(), np.repeat((left + right) / 12.0, 4))
    number = count + np.arange(len(places))
    faces.append(np.column_stack([number, flat.quads]))
    return np.concatenate([x, places]), np.concatenate([masses, (left + right) * 2.0 / 3.0]), faces


def _areas(p: Array) -> Array:
    return 0.5 * np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1)


def _plate(flat: FlatMesh, mass: float) -> Moments:
    """A thin plate: each triangle as a twelfth at its corners and three quarters at its centre."""
    p = flat.points[flat.halves]
    area = _areas(p)
    m = area * mass / area.sum()
    places = np.concatenate([p.reshape(-1, 3), p.mean(axis=1)])
    return moments_of(places, np.concatenate([np.repeat(m / 12.0, 3), 0.75 * m]))


def _all_pairs(rows: Array) -> Array:
    a, b = np.triu_indices(rows.shape[1], 1)
    return np.stack([rows[:, a], rows[:, b]], axis=-1).reshape(-1, 2)


def _angles(points: Array, flat: FlatMesh, faces: list[Array]) -> Array:
    """Triples: three in a row on lines, across the centres of faces, and the corners of faces."""
    triples = [(line[k], line[k + 1], line[k + 2]) for line in flat.lines for k in range(len(line) - 2)]
    for rows in faces:
        corners = rows[:, -4:] if rows.shape[1] == 5 else rows
        n = corners.shape[1]
        for k in range(n):
            triples += corners[:, [k, (k + 1) % n, (k + 2) % n]].tolist()
        if n == 4:
            triples += rows[:, [1, 0, 3]].tolist() + rows[:, [2, 0, 4]].tolist()
    if len(flat.triangles):
        # rays through the centre: each with the one that is nearest to straight
        rays = flat.triangles[:, 1]
        way = points[rays] - points[0]
        way /= np.linalg.norm(way, axis=1)[:, None]
        other = np.argmin(way @ way.T, axis=1)
        triples += [(int(a), 0, int(b)) for a, b in zip(rays, rays[other], strict=True)]
    unique = {(min(a, b), c, max(a, b)) for a, c, b in triples}
    return np.array(sorted(unique), dtype=np.int64)


def _both_sides(triangles: Array) -> Array:
    return np.concatenate([triangles, triangles[:, ::-1]])


@verb
def polyhedron(
    name: str, points: Any, faces: Any = None, *, cells: int = 1, **options: Any
) -> ParticleObject:
    """A polyhedron whose centre sees all of its faces, in shells like a Russian doll.

    name     of the object
    points   rows (x, y, z), m; the object is their convex hull if there are no faces
    faces    rows of numbers of points, anticlockwise seen from outside
    cells    shells, and parts of each edge of a face
    options  as those of `solid`
    """
    if faces is None:
        return solid(name, Hull(points), cells=cells, **options)
    where = f'polyhedron "{str(name)[:60]}"'
    triangles: list[tuple[int, int, int]] = []
    try:
        for row in faces:
            numbers = [int(k) for k in row]
            triangles += [(numbers[0], a, b) for a, b in pairwise(numbers[1:])]
    except (TypeError, ValueError, IndexError):
        raise ModelError(f"{where}: faces must be rows of numbers of points") from None
    return solid(name, TriangleMesh(points, triangles), cells=cells, **options)


@verb
def sweep(
    name: str,
    first: Any,
    last: Any,
    *,
    mass: float | None = None,
    density: float | None = None,
    stiffness: float | None = None,
    damping: float = 0.0,
    torsion: float = 0.0,
    material: Material | str | None = None,
    cells: tuple[int, int] = (1, 1),
    particles: int = 9,
    plastic: float | None = None,
    breaking: float | None = None,
) -> ParticleObject:
    """What a convex polygon passes on its way to another one with as many corners.

    name                of the object
    first, last         corners, rows (x, y) or (x, y, z), m; the way of each is straight
    mass, density       kg or kg/m³; that of the material if neither is given
    stiffness, damping  of each linear spring/damper between neighbours, N/m and N s/m
    torsion             N m/rad of torsion and joint springs, of polygons with four corners
    material            what it is made of, a Material or its name, in place of springs
    cells               parts of each edge, and of the way
    particles           of each cell, 9, 13 or 39, of polygons with four corners
    plastic, breaking   strains beyond which springs or the material flow or tear
    """
    where = f'sweep "{str(name)[:60]}"'
    law = Law.of(where, stiffness, damping, torsion, material, plastic, breaking)
    ends = [corners_of(each, where) for each in (first, last)]
    if len(ends[0]) != len(ends[1]):
        raise ModelError(f"{where}: polygons with {len(ends[0])} and {len(ends[1])} corners")
    if not (isinstance(cells, tuple | list) and len(cells) == 2 and all(type(n) is int for n in cells)):
        raise ModelError(f"{where}: cells is {described(cells)}", expected="two whole numbers")
    if not (1 <= min(cells) and cells[0] ** 2 * cells[1] <= 50_000):
        raise ModelError(f"{where}: cells is {cells}", expected="1 or more each, and not millions")
    low, high = (flat_mesh(each, cells[0], where) for each in ends)
    filling, exact = _swept(low, high, cells[1], particles, where)
    if mass is None and density is None and law.material is not None:
        density = law.material.density
    if (mass is None) == (density is None):
        given = "neither mass nor density" if mass is None else "mass and density"
        raise ModelError(f"{where} has {given}", expected="one of them")
    total = (
        real(mass, f"{where}: mass") if density is None else exact.mass * real(density, f"{where}: density")
    )
    target = Moments(total, exact.center, exact.second * (total / exact.mass))
    masses = matched(filling.points, filling.masses, target, where)
    return object_of(name, filling._replace(masses=masses), law)


def _swept(low: FlatMesh, high: FlatMesh, layers: int, rule: int, where: str) -> tuple[Filling, Moments]:
    """What is between two polygons with the same faces, with a density of 1."""
    s = np.arange(layers + 1)[:, None, None] / layers
    points = (low.points + s * (high.points - low.points)).reshape(-1, 3)
    count = len(low.points)
    middle = 0.5 * (low.points + high.points)
    p = middle[low.halves]
    normal = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]).sum(axis=0)
    up = float(normal @ (high.points - low.points).mean(axis=0)) > 0.0
    if not len(low.triangles):
        quads = low.quads if up else low.quads[:, ::-1]
        # corners 4 x + 2 y + z: quads go 0, 4, 6, 2 in the plane below
        base = np.concatenate([quads + k * count for k in range(layers)])
        hexes = np.stack([base[:, k] + shift for k in (0, 3, 1, 2) for shift in (0, count)], axis=1)
        # the two directions of a grid and the layer tell odd from even
        n = round(len(low.quads) ** 0.5)
        i, j = np.divmod(np.arange(len(low.quads)), n)
        odd = np.concatenate([(i + j + k) % 2 == 1 for k in range(layers)])
        filling = filled_hexahedra(points, hexes, rule, odd, where)
        places, tets, _ = cut_in_24(points, hexes)
        flat = tets.reshape(-1, 4)
        return filling, tetrahedra_moments(places, flat, volumes(places, flat))
    halves = low.halves if up else low.halves[:, ::-1]
    tets = np.concatenate([prism_tets(halves + k * count, halves + (k + 1) * count) for k in range(layers)])
    filling = filled_tetrahedra(points, tets, where)
    return filling, tetrahedra_moments(points, tets, volumes(points, tets))
