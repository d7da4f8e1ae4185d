"""Fillings of solids as objects: springs between neighbours, or cells of a material."""

from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.particles.filling.filling import Filling
from hapsis.motion.particles.filling.hexahedron_cells import hexahedron_cells
from hapsis.motion.particles.objects.angle_springs import joint_springs, torsion_springs
from hapsis.motion.particles.objects.cells import Cells
from hapsis.motion.particles.objects.connectors import Connectors
from hapsis.motion.particles.objects.material import Material, material_of
from hapsis.motion.particles.objects.particle_object import ParticleObject


class Law(NamedTuple):
    """What holds the particles of an object together: springs of one stiffness, or a material."""

    stiffness: float
    damping: float
    torsion: float
    plastic: float
    breaking: float
    material: Material | None

    @staticmethod
    def of(
        where: str, stiffness: Any, damping: Any, torsion: Any, material: Any, plastic: Any, breaking: Any
    ) -> "Law":
        """The law of these arguments; one of stiffness and material is None."""
        if (stiffness is None) == (material is None):
            both = "neither stiffness nor material" if material is None else "stiffness and material"
            raise ModelError(f"{where} has {both}", expected="one of them")
        numbers = {
            "damping": damping,
            "torsion": torsion,
            "plastic": 0.0 if plastic is None else plastic,
            "breaking": 0.0 if breaking is None else breaking,
        }
        for name, value in numbers.items():
            if real(value, f"{where}: {name}") < 0.0:
                raise ModelError(f"{where}: {name} is {value:g}", expected="0 or more")
        if material is not None:
            if damping or torsion:
                raise ModelError(
                    f"{where}: damping and torsion are those of springs",
                    remedy="give Material(damping=...), a time in s",
                )
            own = material_of(material, where, plastic=plastic, breaking=breaking)
            return Law(0.0, 0.0, 0.0, 0.0, 0.0, own)
        if not real(stiffness, f"{where}: stiffness") > 0.0:
            raise ModelError(f"{where}: stiffness is {stiffness:g}", expected="a positive number")
        return Law(float(stiffness), *(float(x) for x in numbers.values()), material=None)


def object_of(name: str, filling: Filling, law: Law) -> ParticleObject:
    """The object with the connectors of a law."""
    x, facets = filling.points, filling.facets
    if law.material is not None:
        if len(filling.hexes) and len(filling.tets) == 24 * len(filling.hexes):
            cells = hexahedron_cells(filling, law.material)
        else:
            cells = Cells.of(x, filling.tets, law.material, filling.shares)
        return ParticleObject(name, x, filling.masses, cells=cells, facets=facets)
    a, b = filling.pairs.T
    rest = np.linalg.norm(x[a] - x[b], axis=1)
    springs = Connectors.of(filling.pairs, rest, law.stiffness, law.damping, law.plastic, law.breaking)
    if law.torsion == 0.0:
        return ParticleObject(name, x, filling.masses, springs, facets=facets)
    if not len(filling.hexes):
        raise ModelError(f'solid "{name[:60]}": torsion is for cells with six faces, and it has tetrahedra')
    # the damping of springs at the size of a cell
    size = float(rest.mean())
    law_of_angles = (law.torsion, law.damping * size**2 * law.torsion / (law.stiffness * size**2))
    corners = int(filling.hexes.max()) + 1
    centers = (
        corners + np.arange(len(filling.hexes)) if len(x) == corners + len(filling.hexes) else np.array([])
    )
    torsions = torsion_springs(x, filling.hexes, centers, *law_of_angles)
    joints = joint_springs(x, filling.hexes, *law_of_angles)
    return ParticleObject(name, x, filling.masses, springs, torsions, joints, facets=facets)
