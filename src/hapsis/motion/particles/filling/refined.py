"""refined: number and position of cells by where an object deforms [Joukhadar, 4.2.3]."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.shapes.shapes import Box
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.particles.filling.filling import Filling
from hapsis.motion.particles.filling.hexahedra import cut_in_24, filled_hexahedra
from hapsis.motion.particles.filling.object_of_filling import Law, object_of
from hapsis.motion.particles.filling.shape_grids import Grid, grid
from hapsis.motion.particles.filling.solid import box_target, placed
from hapsis.motion.particles.objects.material import Material, material_of
from hapsis.motion.particles.objects.moments import matched, moments_of, tetrahedra_moments, volumes
from hapsis.motion.particles.objects.particle_object import ParticleObject
from hapsis.motion.particles.runs.rest import rest
from hapsis.motion.particles.scenes.scene import Scene

Array = np.ndarray[Any, Any]
EVEN = 0.5  # how much of the distance of lines does not depend on the strain
MOST_ROUNDS = 100
MOST_GROWTH = 1.5  # of a number of cells in one round


class Refined(NamedTuple):
    """An object whose cells are where it deforms.

    object         particles at rest without the load
    lines          coordinates of the cells' faces along x, y and z, in the frame of the box, m
    inertia_error  between the particles and the deformed solid, relative, under the load
    deflection     the largest displacement under the load, m
    """

    object: ParticleObject
    lines: tuple[Array, Array, Array]
    inertia_error: float
    deflection: float


@verb
def refined(
    name: str,
    shape: Box,
    load: Callable[[Array], tuple[Any, Any]],
    *,
    material: Material | str,
    cells: tuple[int, int, int],
    mass: float | None = None,
    error: float = 1e-3,
    rounds: int = 3,
) -> Refined:
    """A box in cells that are small where a load deforms it, and as many as its inertia needs.

        def load(x):
            return abs(x[:, 0]) > 0.499, (0, 0, -100) * (abs(x[:, :1]) < 0.1)

        table = hs.particles.refined("table", hs.Box((1, 0.6, 0.04)), load, material="wood", cells=(10, 4, 2))

    name      of the object
    shape     a Box
    load      of positions (n, 3) at rest, which particles are held, and forces on all of them, (n, 3), N
    material  what it is made of, a Material or its name
    cells     along x, y and z at first
    mass      kg; by the density of the material if not given
    error     of the inertia under the load, relative; while it is larger, cells get more
    rounds    how often cells are placed anew
    """
    where = f'refined "{str(name)[:60]}"'
    if not isinstance(shape, Box):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"{where}: no box is {described(shape)}")
    own = material_of(material, where)
    if not (
        isinstance(cells, tuple | list) and len(cells) == 3 and all(type(n) is int and n > 0 for n in cells)
    ):
        raise ModelError(f"{where}: cells is {described(cells)}", expected="three whole numbers, 1 or more")
    if type(rounds) is not int or not 1 <= rounds <= MOST_ROUNDS or not real(error, f"{where}: error") > 0.0:
        raise ModelError(f"{where}: rounds are from 1 to {MOST_ROUNDS}, and error is positive")
    target = box_target(shape, mass, own, where)
    half = [0.5 * float(x) for x in shape.size]
    lines = [np.linspace(-h, h, n + 1) for h, n in zip(half, cells, strict=True)]
    for count in range(rounds + 1):
        cube = grid(*lines)
        filling = filled_hexahedra(cube.points, cube.hexes, 9, cube.odd, where)
        filling = filling._replace(points=placed(shape, filling.points))
        masses = matched(filling.points, filling.masses, target, where)
        thing = object_of(name, filling._replace(masses=masses), Law(0.0, 0.0, 0.0, 0.0, 0.0, own))
        x = _loaded(thing, load, where)
        inertia = _inertia_error(filling, thing, x)
        deflection = float(np.linalg.norm(x - thing.points, axis=1).max())
        if count < rounds:
            counts = [len(line) - 1 for line in lines]
            if inertia > error:
                counts = [int(np.ceil(MOST_GROWTH * n)) for n in counts]
            lines = _placed_lines(lines, counts, _energies(thing, cube, x))
    return Refined(thing, (lines[0], lines[1], lines[2]), inertia, deflection)


def _loaded(thing: ParticleObject, load: Callable[[Array], tuple[Any, Any]], where: str) -> Array:
    """The positions under the load."""
    given = load(np.array(thing.points))
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise ModelError(
            f"{where}: the load returns {described(given)}", expected="held particles, and forces"
        )
    held, forces = given
    force = float_array(forces)
    if force is None:
        raise ModelError(f"{where}: forces of the load are {described(forces)}", expected="numbers")
    if force.shape != thing.points.shape or not np.isfinite(force).all():
        raise ModelError(f"{where}: the load has the shape {force.shape}", expected=f"{thing.points.shape}")
    flags = np.asarray(held)
    if flags.dtype.kind not in "biu":
        raise ModelError(
            f"{where}: held particles of the load are {described(held)}", expected="numbers or flags"
        )
    numbers = np.flatnonzero(flags) if flags.dtype == bool else flags.astype(np.int64)
    if len(numbers) < 3:
        raise ModelError(f"{where}: {len(numbers)} particles are held", expected="three or more")
    pushed = np.flatnonzero(np.abs(force).any(axis=1))
    if not len(pushed):
        raise ModelError(f"{where}: the load pushes no particle")
    loads = {f"{thing.name}.{k}": tuple(force[k]) for k in pushed}
    return rest(Scene(thing.holding(*numbers.tolist()), gravity=(0, 0, 0)), loads).points


def _energies(thing: ParticleObject, cube: Grid, x: Array) -> Array:
    """The energy of each cell, J, by small strains."""
    m = len(cube.hexes)
    total = np.zeros(m)
    c = thing.cells
    for which, ends, g in c.groups():
        F = np.einsum("mki,mkj->mij", x[ends] - x[ends[:, :1]], g)
        E = 0.5 * (np.einsum("mki,mkj->mij", F, F) - np.eye(3))
        energy = (
            c.mu[which] * (E * E).sum(axis=(1, 2)) + 0.5 * c.lam[which] * np.trace(E, axis1=1, axis2=2) ** 2
        )
        # cells of a kind are in the order of the bodies, equally many of each
        np.add.at(total, np.arange(len(which)) * m // len(which), c.volume[which] * energy)
    return total


def _placed_lines(lines: list[Array], counts: list[int], energy: Array) -> list[Array]:
    """Lines between which the root of the energy per length is as even as `EVEN` allows."""
    shape = [len(line) - 1 for line in lines]
    cube = energy.reshape(shape)
    new: list[Array] = []
    for axis, (line, count) in enumerate(zip(lines, counts, strict=True)):
        width = np.diff(line)
        other = tuple(a for a in range(3) if a != axis)
        dense = np.sqrt(cube.sum(axis=other) / width)
        mean = float(dense @ width / width.sum())
        weight = EVEN + (1.0 - EVEN) * dense / mean if mean > 0.0 else np.ones(len(width))
        reach = np.concatenate([[0.0], np.cumsum(weight * width)])
        new.append(np.interp(np.linspace(0.0, reach[-1], count + 1), reach, line))
    return new


def _inertia_error(filling: Filling, thing: ParticleObject, x: Array) -> float:
    """Between particles and the deformed cells, each with its mass, relative."""
    places, tets, _ = cut_in_24(filling.points, filling.hexes)
    v = volumes(places, tets.reshape(-1, 4))
    moved, _, _ = cut_in_24(x, filling.hexes)
    exact = tetrahedra_moments(moved, tets.reshape(-1, 4), v * thing.mass / v.sum()).inertia
    have = moments_of(x, thing.masses).inertia
    return float(np.linalg.norm(have - exact) / np.linalg.norm(exact))
