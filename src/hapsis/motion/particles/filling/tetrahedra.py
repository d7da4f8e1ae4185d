"""Tetrahedra of any mesh program as an object of particles."""

from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.particles.filling.closed_surface import check_crossings
from hapsis.motion.particles.filling.filling import filled_tetrahedra, outer_faces
from hapsis.motion.particles.filling.object_of_filling import Law, object_of
from hapsis.motion.particles.objects.material import Material
from hapsis.motion.particles.objects.moments import volumes
from hapsis.motion.particles.objects.particle_object import ParticleObject

FLAT = 1e-12  # of the cube of its longest edge: a tetrahedron without volume


@verb
def tetrahedra(
    name: str,
    points: Any,
    cells: Any,
    *,
    mass: float | None = None,
    density: float | None = None,
    stiffness: float | None = None,
    damping: float = 0.0,
    material: Material | str | None = None,
    plastic: float | None = None,
    breaking: float | None = None,
) -> ParticleObject:
    """Tetrahedra of a mesh program, such as Gmsh, TetGen or fTetWild, as an object with their exact inertia.

        mesh = meshio.read("part.msh")
        part = hs.particles.tetrahedra("part", mesh.points, mesh.cells_dict["tetra"], material="rubber")

    name                 of the object
    points               (n, 3)  m; those that no tetrahedron has are left out
    cells                (m, 4)  numbers of points, in any order
    mass, density        kg or kg/m³; that of the material if neither is given
    stiffness, damping   of each linear spring/damper between neighbours, N/m and N s/m
    material             what it is made of, a Material or its name, in place of springs
    plastic, breaking    strains beyond which springs or the material flow or tear

    Facets are the triangles that belong to one tetrahedron only: the surface is that of the mesh.
    """
    where = f'tetrahedra "{str(name)[:60]}"'
    law = Law.of(where, stiffness, damping, 0.0, material, plastic, breaking)
    x = float_array(points)
    if x is None or x.ndim != 2 or x.shape[1] != 3 or not np.isfinite(x).all():
        raise ModelError(f"{where}: points are {described(points)}", expected="rows of three finite numbers")
    tets = _alike(x, _rows(cells, len(x), where), where)
    if mass is None and density is None and law.material is not None:
        density = law.material.density
    if (mass is None) == (density is None):
        both = "neither mass nor density" if mass is None else "mass and density"
        raise ModelError(f"{where} has {both}", expected="one of them")
    value = real(mass if density is None else density, f"{where}: mass or density")
    if not value > 0.0:
        raise ModelError(f"{where}: mass or density is {value:g}", expected="a positive number")
    filling = filled_tetrahedra(x, tets, where)
    factor = value if density is not None else value / float(filling.masses.sum())
    return object_of(name, filling._replace(masses=filling.masses * factor), law)


def _rows(cells: Any, count: int, where: str) -> Any:
    """The tetrahedra with positive volumes in their order; an error for what is none."""
    rows = float_array(cells)
    if rows is None or rows.ndim != 2 or rows.shape[1] != 4 or not len(rows) or (rows % 1 != 0.0).any():
        raise ModelError(f"{where}: cells are {described(cells)}", expected="rows of four numbers of points")
    tets = rows.astype(np.int64)
    if tets.min() < 0 or tets.max() >= count:
        raise ModelError(f"{where}: a cell has a point that is not there, of {count}")
    return tets


def _alike(x: Any, tets: Any, where: str) -> Any:
    """Tetrahedra that look the same way, each with a volume, at most two at a face."""
    v = volumes(x, tets)
    corners = x[tets]
    longest = np.linalg.norm(corners[:, 1:] - corners[:, :1], axis=2).max(axis=1)
    flat = np.abs(v) <= FLAT * longest**3
    if flat.any():
        k = int(np.argmax(flat))
        raise ModelError(
            f"{where}: cell {k} has the volume {v[k]:.3g} m³", remedy="leave it out, or mesh anew"
        )
    turned = np.where((v < 0.0)[:, None], tets[:, [0, 2, 1, 3]], tets)
    faces = np.sort(turned[:, [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]].reshape(-1, 3), axis=1)
    _, number, counts = np.unique(faces, axis=0, return_inverse=True, return_counts=True)
    if counts.max() > 2:
        raise ModelError(f"{where}: {int(counts.max())} cells have one face", expected="two at most")
    _check_folds(x, turned, faces, number.ravel(), where)
    _check_whole(len(x), turned, where)
    check_crossings(x, outer_faces(turned), where)
    return turned


def _check_folds(x: Any, tets: Any, faces: Any, number: Any, where: str) -> None:
    """An error where two tetrahedra lie on one side of the face that they share.

    faces   the four faces of each tetrahedron in turn, their points in order; `number`: which of them are one
    """
    a, b, c = (x[faces[:, k]] for k in range(3))
    side = np.sign(np.einsum("ni,ni->n", np.cross(b - a, c - a), x[tets.ravel()] - a))
    both = np.abs(np.bincount(number, side)) > 1.5
    if both.any():
        one, two = (int(k) // 4 for k in np.flatnonzero(number == np.argmax(both)))
        raise ModelError(f"{where}: cells {one} and {two} lie on one side of the face that they share")


def _check_whole(count: int, tets: Any, where: str) -> None:
    """An error where cells are in parts that share no point."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    pairs = tets[:, [0, 1, 0, 2, 0, 3]].reshape(-1, 2)
    graph = coo_matrix((np.ones(len(pairs)), pairs.T), shape=(count, count))
    _, label = connected_components(graph, directed=False)
    parts = len(np.unique(label[tets[:, 0]]))
    if parts > 1:
        raise ModelError(
            f"{where}: its cells are in {parts} parts that share no point",
            remedy="merge points that are in one place, or make an object of each part",
        )
