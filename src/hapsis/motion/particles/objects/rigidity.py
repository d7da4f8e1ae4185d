"""Free motions: what the connectors of an object do not resist, besides motions of the whole."""

from dataclasses import replace
from typing import Any

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import described
from hapsis.motion.particles.objects.angle_springs import angles_at, signed_angles
from hapsis.motion.particles.objects.cells import Cells
from hapsis.motion.particles.objects.connector_slopes import families, stiffness_matrix
from hapsis.motion.particles.objects.connectors import Connectors
from hapsis.motion.particles.objects.particle_object import ParticleObject
from hapsis.motion.particles.scenes.scene import Scene

MOST = 1200  # particles whose matrix is decomposed
ZERO = 1e-9  # of the largest eigenvalue


def free_motions(thing: ParticleObject) -> int:
    """How many motions of a `thing` no connector resists, beyond the six (or fewer) of a rigid body.

    All connectors count as equally stiff, at their rest values where the object is now.
    """
    if not isinstance(thing, ParticleObject):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"an object of particles has free motions, not {described(thing)}")
    n = len(thing)
    if n > MOST:
        raise ModelError(
            f'object "{thing.name[:60]}" has {n} particles, too many to look for free motions',
            expected=f"{MOST} at most",
        )
    eigenvalues = np.linalg.eigvalsh(_unit_stiffness(thing))
    size = float(eigenvalues[-1]) if n > 1 else 1.0
    return int((eigenvalues <= ZERO * size).sum()) - _rigid(thing.points)


def braced(thing: ParticleObject) -> ParticleObject:
    """The `thing` itself, if its connectors resist every motion but those of the whole; else an error."""
    count = free_motions(thing)
    if count > 0:
        rank = 3 * len(thing) - _rigid(thing.points) - count
        raise ModelError(
            f'object "{thing.name[:60]}" has {count} free motions: its connectors fix {rank} of '
            f"{3 * len(thing) - _rigid(thing.points)} degrees of freedom",
            remedy="add springs, torsion springs or cells",
        )
    return thing


def _rigid(points: Any) -> int:
    """Rigid motions that move some particle: 3 of one, 5 of a line, else 6."""
    r = points - points.mean(axis=0)
    rank = int(np.linalg.matrix_rank(r, tol=1e-9 * (float(np.abs(r).max()) or 1.0)))
    return {0: 3, 1: 5}.get(rank, 6)


def _unit_stiffness(thing: ParticleObject) -> Any:
    """The stiffness matrix with connectors at rest, each as stiff as a spring of 1 N/m of its size."""
    x = thing.points / (float(np.ptp(thing.points, axis=0).max()) or 1.0)
    still = replace(thing, points=x, velocities=None)
    rows = families(Scene(at_rest(still)))
    if not rows:
        return np.zeros((3 * len(x), 3 * len(x)))
    return stiffness_matrix(rows, x).toarray()


def at_rest(thing: ParticleObject) -> ParticleObject:
    """The object with connectors of stiffness 1 that are at rest where its particles are."""
    x = thing.points
    tables = []
    for table, width in ((thing.springs, 2), (thing.torsions, 3), (thing.joints, 4)):
        ends = table.ends[table.stiffness > 0.0]
        if width == 2:
            rest = np.linalg.norm(x[ends[:, 0]] - x[ends[:, 1]], axis=1)
        else:
            rest = (angles_at if width == 3 else signed_angles)(x, ends)
            rest = np.where(np.pi - np.abs(rest) < 1e-9, np.pi, rest)
        tables.append(Connectors.of(ends, rest, 1.0, width=width))
    cells: list[Cells] = []
    for which, ends, g in thing.cells.groups():
        # the same cell in the object as it is: F = 1
        F = np.einsum("mki,mkj->mij", x[ends] - x[ends[:, :1]], g)
        now = g @ np.linalg.inv(F)
        rows = thing.cells.volume[which] > 0.0
        cells.append(Cells.mean(ends[rows], now[rows], 1.0 / (now[rows] ** 2).sum(axis=(1, 2)), _Unit))
    return replace(
        thing,
        springs=tables[0],
        torsions=tables[1],
        joints=tables[2],
        cells=Cells.joined(cells) if cells else Cells.none(),
    )


class _Unit:
    """A material of modulus 1."""

    mu, lam, damping, plastic, breaking = 0.5, 0.0, 0.0, 0.0, 0.0
